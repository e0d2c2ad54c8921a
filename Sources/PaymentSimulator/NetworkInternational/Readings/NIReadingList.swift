/// Every place of the documents that can be read in more than one way, with its readings; `*` is the usual one.
enum NIReadingList {
    static let text = #"""
        void.scope|*1|everything goes back, captured money too
        void.scope|2|only the uncaptured rest is released
        void.scope|3|refused once anything is captured
        void.scope|4|a purchase can't be voided at all, only refunded
        exponent.wire|*1|ISO 4217 digits
        exponent.wire|2|two digits for every currency
        exponent.wire|3|ISO, but minorUnit missing
        refund.same-day|*1|119 until midnight of Dubai
        refund.same-day|2|accepted REQUESTED, carried out at midnight
        refund.same-day|3|SUCCESS at once
        refund.same-day|4|done as a void of the whole
        refund.success-meaning|*1|SUCCESS is money
        refund.success-meaning|2|SUCCESS is only accepted; may fail at settlement
        refund.success-meaning|3|PENDING, SUBMITTED, PROCESSING
        partial-auth.amount|*1|not for taps
        partial-auth.amount|2|state PARTIALLY_AUTHORISED, amount is what was asked, partialAmount what was approved
        partial-auth.amount|3|amount is already the part
        partial-auth.amount|4|waits for a yes or no
        purchase.body|*1|as authorise: language, locale, tid, payment
        purchase.body|2|with amount and currency too
        purchase.body|3|with generalCardData/paymentCardData
        purchase.body|4|payment is an object
        capture.list-in-answer|*1|all captures, oldest first
        capture.list-in-answer|2|only the new one
        capture.list-in-answer|3|newest first
        capture.list-in-answer|4|the list is illustrative: amounts differ from the asked one
        capture-status.purchase|*1|PURCHASED
        capture-status.purchase|2|CAPTURED
        capture-status.purchase|3|null or missing
        capture-status.purchase|4|NOT_CAPTURED or FULLY_CAPTURED
        capture-status.authorised|*1|AUTHORISED
        capture-status.authorised|2|NOT_CAPTURED
        capture-status.authorised|3|null until the first capture
        capture-status.after-void|*1|REVERSED
        capture-status.after-void|2|CANCELLED
        capture-status.after-void|3|stays; only status CLOSED and paymentInfo 0
        capture-status.after-void|4|null
        capture-status.after-refund|*1|REFUNDED/PARTIALLY_REFUNDED
        capture-status.after-refund|2|stays CAPTURED/PURCHASED
        capture-status.after-refund|3|a word of its own per part
        order.list-incomplete|*1|every capture and refund
        order.list-incomplete|2|only the last
        order.list-incomplete|3|only what can still be undone (VOID_CAPTURE)
        order.list-incomplete|4|FULL and PARTIAL under other group words
        refund.payload-reference|*1|the refundId
        refund.payload-reference|2|the order's reference, for every movement
        refund.payload-reference|3|the payment's reference
        refund.id-unknown-elsewhere|*1|stands in the order
        refund.id-unknown-elsewhere|2|stands nowhere else
        list.reference|*1|the order's reference
        list.reference|2|the payment's reference
        list.reference|3|a number of its own; the order is found by another member
        list.order|*1|newest first
        list.order|2|oldest first
        list.order|3|by last change
        list.delay|*1|at once
        list.delay|2|after minutes
        list.delay|3|after settlement
        list.time-zone|*1|UTC
        list.time-zone|2|Dubai time with Z or without zone
        list.time-zone|3|UTC to the second
        list.amounts|*1|text "100.00"
        list.amounts|2|number 100.0
        list.amounts|3|minor units 10000
        list.amounts|4|with commas or a currency sign
        list.actions|*1|one line per payment
        list.actions|2|lines for captures, refunds and voids too
        list.actions|3|SALE for PURCHASE
        order.movements-missing|*1|always a list
        order.movements-missing|2|missing or null while there is none
        list.offset|*1|index
        list.offset|2|page number
        list.offset|3|limit at most 20/50
        order.tid-missing|*1|tid in the order
        order.tid-missing|2|null
        order.tid-missing|3|the virtual terminal's code
        decline.shape|*1|200 FAILED with resultCode
        decline.shape|2|4xx with errorCode 113/114
        decline.shape|3|200 DECLINED
        decline.shape|4|authResponse null
        decline.shape|5|success false beside AUTHORISED
        error-codes.on-wire|*1|kit numbers as text
        error-codes.on-wire|2|platform words
        error-codes.on-wire|3|numbers as JSON numbers
        error-codes.on-wire|4|errors missing, only message
        auth.scheme|*1|both
        auth.scheme|2|only Basic
        auth.scheme|3|only Bearer
        auth.life|*1|28800
        auth.life|2|300
        auth.life|3|as text
        auth.life|4|missing
        device-token.which-service|*1|the access token of step 1
        device-token.which-service|2|a token of another system
        device-token.bound|*1|409 with 115
        device-token.bound|2|400/403 with another code
        device-token.bound|3|the old device is thrown out
        device-token.bound|4|unbind needs a token that a new install can't get
        currencies.uae|*1|every currency
        currencies.uae|2|AED only: 202/400
        currencies.uae|3|AED and USD
        amount.number-form|*1|2500
        amount.number-form|2|2500.0
        amount.number-form|3|"2500"
        reader-token|*1|one per currency, 48 h
        reader-token|2|any currency
        reader-token|3|shorter life, no date
        reader-token|4|a device not in SoftPOS: 112/403
        same-blob-twice|*1|charged twice
        same-blob-twice|2|refused the second time
        same-blob-twice|3|the first answer again
        purchase.word|*1|PURCHASED
        purchase.word|2|CAPTURED
        purchase.word|3|AUTHORISED for a purchase, captured later
        purchase.word|4|SUCCESS
        capture.amount-top|*1|the hold
        capture.amount-top|2|the captured sum
        capture.amount-top|3|the asked part
        hold.lapse|*1|held for ever
        hold.lapse|2|released by the issuer after days, order unchanged
        hold.lapse|3|order CLOSED
        settlement.cut-off|*1|00:00 Asia/Dubai
        settlement.cut-off|2|the acquirer's own hour
        settlement.cut-off|3|24 h after
        review|*1|none
        review|2|pending, then accepted
        review|3|pending, then reversed
        webhook.softpos|*1|same message for SoftPOS
        webhook.softpos|2|none
        webhook.softpos|3|another shape
        webhook.softpos|4|no header set
        media-types|*1|vnd types needed
        media-types|2|with charset or other version
        media-types|3|Accept needed too
        base-path|*1|once
        base-path|2|in host and path
        dry-run|*1|nothing is sent
        dry-run|2|sent and marked
        unbind.answer|*1|204
        unbind.answer|2|200
        unbind.answer|3|404 when not bound
        void-and-refund.body|*1|{amount} and {}
        void-and-refund.body|2|{amount:"12550",currencyCode}
        void-and-refund.body|3|no body
        void-and-refund.body|4|PUT
        """#
}
