internal import PaymentProviderKit

/// What this adapter takes for granted about the provider, place by place of its documents.
enum HaloAssumptions {
    static let all = ProviderAssumption.list(
        "halo",
        """
        search.silently-empty|1|search|take a payment, search for it at once, with another user's token too, and see\
         what merchant has to be
        record.amount-unit|1|recordAmounts|read amount and receiptData.amount of one payment with cents
        record.numbers|1|-|read transactionDispositionId of an approved, a declined and a voided payment
        acknowledge|1|-|take a payment, acknowledge nothing, and read its record an hour later
        refund.amount-unit|1|refundAmounts|refund 1.00 in the test world and read the refund's record
        refund.repeat|1|-|send one refund twice under one reference, then a second part under another
        refund.searchable|1|-|refund a part and search for its reference
        submit.no-amount|1|-|read a whole answer to a tap
        submit.amount-unit|1|answerAmounts|pay an amount with cents and read amount in the answer
        partial-approval|1|-|pay with a test card that has less than is asked
        indeterminate.end|1|-|ask what becomes of Indeterminate, and when
        unable-to-go-online|1|-|ask whether UnableToGoOnline is final
        reference.duplicate|1|-|send one reference twice
        pin.new-id|1|-|pay with a PIN and search for the reference
        pin.flag|1|-|read a whole answer that asks for a PIN
        pin.token|1|-|let every card scheme ask for a PIN and read pinToken
        pin.wrong|1|-|type a wrong PIN and send another
        pin.conflict|1|-|send one PIN twice
        passthrough|1|passthroughFields|send a tap without passthroughFields in the test world
        location.required|1|location|send a tap without X-Location
        location.form|1|-|send a tap with X-Location and look for it in the record
        installation-id|1|-|send a tap under an installation that was never seen
        tap-age|1|-|send card data after sixty-one seconds
        status.500|1|-|ask whether a payment can exist after status 500
        status.codes|1|-|compare the statuses of an approval, a decline and a question for a PIN
        voided.who|1|-|ask who voids, and whether an approval that was reported can be voided
        response-code.form|1|-|compare isoResponseCode of a tap, a refund and a record
        jwt.algorithm|1|algorithm|read the set-up of the merchant's key in the developer portal
        jwt.audience|1|audience|open a session with the token of the merchant's backend
        jwt.life|1|-|read exp of the backend's tokens
        proximity.members|1|-|read an answer of /apple/proximity-token
        proximity.500|1|-|ask for a reader token without x-tid in the token
        refund.key|1|officeKey|refund with both accesses, and with each alone
        refund.window|1|-|refund a part before and after the settlement and read both records
        webhook.amount|1|-|read a webhook
        webhook.subject|1|-|read the webhook of a payment and of a refund
        reference.limits|1|-|send references of 64 and of 65 characters
        code-spelling|1|-|note the codes of the kit in use
        approved-at|1|-|compare the record's times with the clock
        void.endpoint|1|-|ask whether a payment can be voided
        currency.one|1|currencies|pay in another currency than the merchant's
        list.filters|1|-|list payments between two amounts
        devices.path|1|-|list the devices
        """)
}
