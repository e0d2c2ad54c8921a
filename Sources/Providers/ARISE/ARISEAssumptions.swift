internal import PaymentProviderKit

/// What this adapter takes for granted about the provider, place by place of its documents.
enum ARISEAssumptions {
    static let all = ProviderAssumption.list(
        "arise",
        """
        ach-refund.whole-only|2|-|give a bank debit back in the test world and read the record
        failed.may-have-charged|1|failed|ask whether a payment whose record says Failed can have charged the card
        surcharge-rate.zero|1|-|sell with surchargeRate 0 under a surcharge profile
        sale.amount-includes-tip|1|-|sell with a tip and read the record
        void.partial-capture|1|-|capture a part, void, and read the record
        capture.too-much|1|-|capture twice, and more than is held
        tap.amount-parts|1|-|tap with a tip and read the record
        order-number.server-made|1|referenceEcho|sell with a referenceId and read orderNumber
        permissions.words|1|-|read /api/available-api-permissions
        double.dust|1|-|sell 40.11 and read the amounts
        approval.less-than-asked|1|-|pay with a test card that has less than is asked
        refund.unsettled|1|-|give a part back before the settlement
        tap.outcome-words|1|-|read transactionOutcome of every way in which a tap ends
        tap.authorized-amount-unit|1|-|tap an amount with cents and read authorizedAmount
        avs.deny|1|-|sell under the strict profile with a wrong address, and read the record later
        duplicate.rule|1|-|sell the same twice within a minute
        permissions.needs-version|1|-|read the permissions without x-api-version
        tap.path|1|-|ask which call takes a tap
        ach.required-members|2|requesterIpAddress|debit a bank account with the least that is described
        unlinked-refund.debit-flag|2|-|refund without a reference and without debit
        ach.unknown-members|1|-|debit a bank account with a member that is not described
        ach.first-state|1|-|debit a bank account and read status at once and on the next days
        bank.processor|1|processor|read the processors of the settings with their types
        currency.id|1|-|read currencyId in every answer
        status.spelling|1|-|read status in every answer
        status.ach-numbers|1|-|read status and statusId of a bank debit on several days
        answer.casing|1|-|read an answer and an error
        available-operations.null|1|-|read availableOperations in a list, in details and in a receipt
        available-amount.null|1|-|read availableAmount of each operation
        billing.state-text|1|-|sell with an address and its state
        activate.terms-first|1|-|activate a device before and after the terms
        activate.status|1|-|activate a device and read its status the next day
        activate.body|1|-|activate a device with and without a body
        host.renamed|1|oauth|look both hosts up
        oauth.client-auth|1|-|get a token with the client in the form and in the header
        oauth.refresh|1|-|refresh a token twice
        dates.zone|1|-|compare transactionDateTime with the clock
        list.page-base|1|-|list page 0 and page 1
        list.scope|1|-|list within the second of a sale
        list.declined-amount|1|-|list a declined sale
        reference.limit|1|-|sell with a referenceId of 37 characters
        follow-up.no-receipt|1|-|read the answer to a capture
        follow-up.new-transaction|1|-|capture and compare the ids
        refund.state-after-part|1|-|give a part back and read the record
        void.state-after|1|-|void and read the record
        decline.http|1|-|read the answer to a declined sale
        details.code|1|-|read details.code of an approval and of a decline
        hold.lapse|1|-|leave a hold for eight days and read the record
        settle.moment|1|-|read when batches close
        rates.receipt-unit|1|-|sell with a surcharge and read the receipt's rates
        quote.rate-unit|1|-|ask for a price with a surcharge of 3
        quote.surcharge-base|1|surchargeBase|ask for a price with a discount and a surcharge
        use-card-price|1|-|sell under dual pricing with and without useCardPrice
        saved-card.customer|1|-|charge a stored card without customerId
        keyed.data-source|1|-|sell with a keyed card and cardDataSource 1
        keyed.initiator|1|-|sell with a keyed card and read the record
        tip-adjust.answer|1|-|change a tip twice and read the record
        webhook.subject|1|webhookSecret|look at the webhook of a refund
        sdk.cancel|1|-|cancel a tap on a phone and look at what performTransaction ends with
        sdk.tenders|1|-|calculate an amount for a merchant without bank debits
        sdk.events|1|-|ask for eventsStream before prepare
        tap.transaction-id|1|-|tap, and read /transactions/{id} by the result's transactionId
        tap.external-reference|1|referenceEcho|tap with a reference and read externalReferenceID
        tap.date-format|1|-|read authorizedDate and authorizedDateFormat
        rate-limit.form|1|-|read the answer to too many requests
        conflict.status|1|-|void twice
        """)
}
