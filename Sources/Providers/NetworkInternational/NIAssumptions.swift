internal import PaymentProviderKit

/// What this adapter takes for granted about the provider, place by place of its documents.
enum NIAssumptions {
    static let all = ProviderAssumption.list(
        "ni",
        """
        void.scope|1|-|capture a part of a hold, void, and read the order
        exponent.wire|1|currencies|pay 1.000 KWD and read value and minorUnit
        refund.same-day|1|-|give a part back on the day of the charge
        refund.success-meaning|1|-|follow a refund until it stands on the card's statement
        partial-auth.amount|1|-|pay with a test card that has less than is asked
        purchase.body|1|-|send a purchase with the body of an authorisation
        capture.list-in-answer|1|-|capture twice and read both answers
        capture-status.purchase|1|-|read the order of a purchase
        capture-status.authorised|1|-|read the order of a hold
        capture-status.after-void|1|-|void and read the order
        capture-status.after-refund|1|-|give a part back and read the order
        order.list-incomplete|1|-|capture twice, refund twice, and read the order
        refund.payload-reference|1|-|refund twice and read payload.reference
        refund.id-unknown-elsewhere|1|-|look for refundId in the order
        list.reference|1|-|read the order of a line of the list
        list.order|1|-|list the payments of two days
        list.delay|1|-|list the payments within the second of one
        list.time-zone|1|-|compare createdDateTime with the clock
        list.amounts|1|-|read amount of a line with cents
        list.actions|1|-|list the payments after a capture, a refund and a void
        order.movements-missing|1|-|read the order of a purchase without movements
        list.offset|1|-|read the second page of a list
        order.tid-missing|1|deviceCode|read tid and device of an order
        decline.shape|1|-|pay with a test card that is declined
        error-codes.on-wire|1|-|provoke a refusal and read errors
        auth.scheme|1|scheme|sign in with Bearer and with Basic
        auth.life|1|-|read expires_in
        device-token.which-service|1|-|ask for a device token with the token of the service
        device-token.bound|1|deviceIdentifier|bind one terminal to two devices
        currencies.uae|1|currencies|pay in another currency than dirham
        amount.number-form|1|-|read value of a payment with cents
        reader-token|1|currency|ask for a reader token of each currency
        same-blob-twice|1|-|send one purchase twice in the test world
        purchase.word|1|-|read state in the answer to a purchase
        capture.amount-top|1|-|capture a part and read the amount at the top
        hold.lapse|1|-|leave a hold for eight days and read the order
        settlement.cut-off|1|-|void a minute before and after midnight in Dubai
        review|1|-|ask what becomes of POST_AUTH_REVIEW
        webhook.softpos|1|webhookHeader|look at the webhooks of a tapped payment
        media-types|1|-|send a call with another version of the media type
        base-path|1|basePath|call the list of payments
        dry-run|1|-|ask what the kit sends in a dry run
        sdk.session|1|-|leave the application's front after prepare, come back, and pay
        unbind.answer|1|-|unbind a terminal
        void-and-refund.body|1|-|void and refund in the test world
        """)
}
