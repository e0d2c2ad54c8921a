/// Every place of the documents that can be read in more than one way, with its readings; `*` is the usual one.
enum ARISEReadingList {
    static let text = #"""
        ach-refund.whole-only|1|amount in the body is obeyed
        ach-refund.whole-only|*2|the body is ignored: the whole debit goes back
        ach-refund.whole-only|3|a body is refused (400/415)
        failed.may-have-charged|*1|failed inside, no money
        failed.may-have-charged|2|failed after the network approved; reversed later
        failed.may-have-charged|3|failed after the network approved, money moved
        surcharge-rate.zero|*1|0 means no surcharge
        surcharge-rate.zero|2|0 counts as empty: the merchant's default rate is added
        surcharge-rate.zero|3|0 is refused (range from 0.01)
        sale.amount-includes-tip|*1|amount is without the tip, the tip is added
        sale.amount-includes-tip|2|amount is the total, tipAmount says which part is the tip
        sale.amount-includes-tip|3|the tip is refused when tips are off (S1337)
        void.partial-capture|*1|undoes everything, a later tip too
        void.partial-capture|2|undoes the capture, the hold stands again
        void.partial-capture|3|undoes only what is uncaptured
        capture.too-much|*1|≤ the hold, once; the rest is released
        capture.too-much|2|several captures until the hold is used up
        capture.too-much|3|more than the hold (tips) up to a percentage
        tap.amount-parts|*1|amount alone is charged, the parts are only printed
        tap.amount-parts|2|amount + tip is charged
        tap.amount-parts|3|subTotal − discount + tip + surcharge is charged, amount must agree
        order-number.server-made|*1|our referenceId
        order-number.server-made|2|a number made by ARISE
        order-number.server-made|3|absent or null
        order-number.server-made|4|our reference cut or in capitals
        permissions.words|*1|numbers
        permissions.words|2|camelCase names
        permissions.words|3|numbers as text
        permissions.words|4|objects {id,name,enabled}
        double.dust|*1|two decimals
        double.dust|2|binary dust: 40.109999999999999
        double.dust|3|a text "40.11"
        double.dust|4|no decimals: 40
        approval.less-than-asked|*1|status 7 with the smaller amount
        approval.less-than-asked|2|status Captured/Authorized with the smaller amount
        approval.less-than-asked|3|declined instead
        refund.unsettled|*1|409 before settlement
        refund.unsettled|2|done as a void of the whole
        refund.unsettled|3|accepted, carried out with the batch (Pending)
        refund.unsettled|4|done at once, in part
        tap.outcome-words|*1|APPROVED, DECLINED, PENDING
        tap.outcome-words|2|FAILED with no money
        tap.outcome-words|3|FAILED after approval
        tap.outcome-words|4|CANCELLED
        tap.outcome-words|5|Approved (mixed case), SUCCESS
        tap.authorized-amount-unit|*1|major units "12.00"
        tap.authorized-amount-unit|2|minor units "1200"
        tap.authorized-amount-unit|3|twelve digits "000000001200" (EMV 9F02)
        tap.authorized-amount-unit|4|with a sign or commas "$1,200.00"
        avs.deny|*1|declined at once
        avs.deny|2|approved, then voided by ARISE within the same answer
        avs.deny|3|approved, the merchant has to void
        duplicate.rule|*1|no rule
        duplicate.rule|2|400 IsDuplicate for the same merchant, amount, type, last four within minutes
        duplicate.rule|3|the rule looks at referenceId too
        duplicate.rule|4|200 with the first transaction
        permissions.needs-version|*1|answered without a version
        permissions.needs-version|2|400 without x-api-version: 1.0
        permissions.needs-version|3|406
        tap.path|*1|POST …/transactions/tap-to-pay
        tap.path|2|404: only the vendor's own kit sends taps
        tap.path|3|sale with cardDataSource 5 and emvTags
        tap.path|4|another path or members
        ach.required-members|1|not needed
        ach.required-members|*2|400 without secCode/requesterIpAddress
        ach.required-members|3|400 also without address and contact
        unlinked-refund.debit-flag|1|not needed
        unlinked-refund.debit-flag|*2|400 without debit
        unlinked-refund.debit-flag|3|missing counts as credit
        ach.unknown-members|*1|ignored
        ach.unknown-members|2|400 for unknown members (v2 rule)
        ach.unknown-members|3|referenceId kept and echoed
        bank.processor|*1|one default for cards and ACH
        bank.processor|2|ACH has a processor of its own; the card default is refused
        currency.id|*1|1
        currency.id|2|840
        currency.id|3|both, by place
        currency.id|4|absent
        status.spelling|*1|PascalCase
        status.spelling|2|lower case
        status.spelling|3|with spaces "Partially Authorized"
        status.spelling|4|Approved for a sale
        status.spelling|5|only the number
        status.ach-numbers|*1|words without numbers
        status.ach-numbers|2|numbers 22, 23, 25, 26, 27 beside the words
        status.ach-numbers|3|only numbers
        answer.casing|*1|camelCase
        answer.casing|2|PascalCase in errors only
        answer.casing|3|PascalCase in answers too
        available-operations.null|*1|always a list
        available-operations.null|2|null or missing
        available-operations.null|3|only in the list, not in details
        available-amount.null|*1|always an amount
        available-amount.null|2|null for void and refund
        available-amount.null|3|0 for what is not partial
        billing.state-text|*1|stateName is taken
        billing.state-text|2|400 for stateName; stateId needed
        billing.state-text|3|both needed
        activate.terms-first|*1|register, activate, then terms
        activate.terms-first|2|terms first; activate before is 400/403
        activate.terms-first|3|the reader token is refused until active, so terms can't be shown first
        activate.status|*1|3 at once
        activate.status|2|1 Requested, later 2 Approved by staff
        activate.status|3|4 Denied
        activate.body|*1|{} is taken
        activate.body|2|no body and no type wanted (415)
        host.renamed|*1|old hosts answer
        host.renamed|2|redirect 307/308
        host.renamed|3|gone
        host.renamed|4|a prefix /isv-api
        oauth.client-auth|*1|id and secret in the form
        oauth.client-auth|2|HTTP Basic only
        oauth.client-auth|3|scope needed/refused
        oauth.refresh|*1|refresh token rotates
        oauth.refresh|2|same token again
        oauth.refresh|3|none given
        oauth.refresh|4|expires_in as text
        dates.zone|*1|UTC with Z
        dates.zone|2|local of the merchant without a zone
        dates.zone|3|seven digits and an offset
        dates.zone|4|US text
        list.page-base|*1|0
        list.page-base|2|1 (0 is the first too)
        list.page-base|3|1 (0 is refused)
        list.scope|*1|every channel, newest first
        list.scope|2|only what this token made
        list.scope|3|a delay of minutes
        list.scope|4|only open batches
        list.declined-amount|*1|the asked amount
        list.declined-amount|2|0
        list.declined-amount|3|absent
        reference.limit|*1|36
        reference.limit|2|100
        reference.limit|3|must be unique for ever
        follow-up.no-receipt|*1|a receipt with amounts
        follow-up.no-receipt|2|null
        follow-up.no-receipt|3|the original's receipt with its old total
        follow-up.new-transaction|*1|the record changes in place
        follow-up.new-transaction|2|capture/void gets its own id; later refunds name the capture
        follow-up.new-transaction|3|refund answers with the original's id
        refund.state-after-part|*1|Settled, less available
        refund.state-after-part|2|Refunded although a part is left
        refund.state-after-part|3|PartiallyRefunded
        void.state-after|*1|Voided
        void.state-after|2|Cancelled
        void.state-after|3|a second record of type 4
        decline.http|*1|200 with 91
        decline.http|2|402
        decline.http|3|400 with V0000
        decline.http|4|200 with details.code Error
        details.code|*1|Approve
        details.code|2|Approved
        details.code|3|host code "00"
        details.code|4|number 0–2
        hold.lapse|*1|Voided after 7 × 24 h
        hold.lapse|2|stays Authorized; capture then declined
        hold.lapse|3|other days by scheme
        hold.lapse|4|Cancelled/Declined
        settle.moment|*1|all slots of the default processor
        settle.moment|2|one batch per processor
        settle.moment|3|only by hand
        settle.moment|4|next business day
        rates.receipt-unit|*1|percent everywhere
        rates.receipt-unit|2|fractions in receipts, percent elsewhere
        rates.receipt-unit|3|fractions everywhere
        quote.rate-unit|*1|5.0 is 5 %
        quote.rate-unit|2|0.05 is 5 %
        quote.surcharge-base|*1|of the amount before the percentage off
        quote.surcharge-base|2|after it
        quote.surcharge-base|3|with the tip
        use-card-price|*1|needed in dual pricing, refused elsewhere
        use-card-price|2|ignored elsewhere
        use-card-price|3|needed on holds and refunds too
        saved-card.customer|*1|paymentMethodId alone
        saved-card.customer|2|customerId too
        saved-card.customer|3|customerInitiatedTransaction must be told
        keyed.data-source|*1|7
        keyed.data-source|2|1
        keyed.data-source|3|7 refused without a terminal
        keyed.initiator|*1|absent is customer-initiated
        keyed.initiator|2|absent is merchant-initiated
        keyed.initiator|3|required
        tip-adjust.answer|*1|new tip in the receipt
        tip-adjust.answer|2|no receipt
        tip-adjust.answer|3|allowed on Authorized too
        tip-adjust.answer|4|the tip is added to the old one
        webhook.subject|*1|a refund has its own id
        webhook.subject|2|the original's id
        webhook.subject|3|no webhooks on v1
        tap.external-reference|*1|our reference
        tap.external-reference|2|the gateway's order id
        tap.external-reference|3|absent
        tap.date-format|*1|ISO 8601
        tap.date-format|2|the pattern in authorizedDateFormat
        tap.date-format|3|milliseconds
        rate-limit.form|*1|429 with Retry-After
        rate-limit.form|2|503
        rate-limit.form|3|429 after it was done
        conflict.status|*1|409
        conflict.status|2|400
        conflict.status|3|404 for another merchant's
        """#
}
