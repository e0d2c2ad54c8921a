/// Every place of the documents that can be read in more than one way, with its readings; `*` is the usual one.
enum EcommpayReadingList {
    static let text = #"""
        hold.limit|*never|holds wait for ever
        hold.limit|captured-by-company|an operation capture that nobody asked for, then a callback
        hold.limit|released-by-company|an operation cancel, then a callback
        amount.changed|*as-asked|paid = asked
        amount.changed|changed-by-customer|success with another sum
        amount.changed|held-for-a-person|intermediate word until support decides
        amount.changed|declined|declined
        clock|*same|same clock
        clock|behind|an hour behind ours
        clock|ahead|an hour ahead
        time.zone|*plus-0000|+0000
        time.zone|time-in-another-zone|+0300 with the same wall time
        time.zone|time-without-zone|no zone
        refund-name|in-operation|each operation has merchant_refund_id (our simulator alone)
        refund-name|*in-payment|payment.merchant_refund_id of the latest
        refund-name|nowhere|not shown in status and callbacks
        names.neither|*request-id|operations carry request_id
        names.neither|missing-in-operations|not
        names.neither|neither|neither request_id nor merchant_refund_id
        cancel.amount|*amount-is-what-goes|payment.amount = released
        cancel.amount|amount-is-what-stays|payment.amount = new hold
        partial|*partially-paid|status partially paid, sum_initial = part
        partial|called-success|success with less
        partial|of-a-hold|awaiting capture with less than asked
        debit.retries|*once|declined is declined
        debit.retries|retried-by-company|decline with next_retry_exists true, success hours later under the same or \#
        another operation
        debit.retries|stopped|after retry_stop
        refusal.place|*http-400|400 with code
        refusal.place|accepted-and-told-later|200 success, then a callback/operation with decline and code
        refusal.place|accepted-and-never-told|200 success, no operation
        list.payment-method|not-needed|no payment_method
        list.payment-method|*payment-method-needed|400 2004 without it
        debit.customer|optional|customer optional
        debit.customer|*customer-needed|400 2004
        status.ten-seconds|*at-once|known at once
        status.ten-seconds|not-before-ten-seconds|error/3061 for the first 10 s
        status.ten-seconds|3062-between|3062 for a while
        status.unknown-form|*200-error-3061|200 with status error
        status.unknown-form|unknown-as-400|400 with errors list
        status.unknown-form|unknown-as-404|404
        status.operations|*oldest-first|oldest first
        status.operations|operations-newest-first|newest first
        status.operations|operations-later|empty for a while
        status.operations|paged|only the latest N
        status.signature|*signed|signed
        status.signature|unsigned|not signed
        status.signature|byte-order|signed in another order (W61-W64)
        sum.meaning|*what-is-left|payment.sum shrinks with refunds
        sum.meaning|never-shrinks|original amount
        sum.meaning|missing-when-nothing-left|absent at zero (GA: amount >= 1)
        sum.meaning|missing|absent
        sum.operation|*sum-initial|sum_initial
        sum.operation|called-sum-in-operations|sum
        sum.operation|original-missing-in-operations|absent
        sum.operation|converted-differs|sum_converted in another currency
        refund.type|*by-timing|reversal before clearing, else refund
        refund.type|always-refund|refund
        refund.type|parts-are-reversals|reversal for parts too
        refund.payment-word|*unchanged|payment keeps its word while a refund is pending
        refund.payment-word|payment-word-while-pending|processing
        refund.payment-word|word-refund-processing|refund processing / reversal processing
        refund.back|*own-operation|operation refund reverse with the same name
        refund.back|status-changes|the refund's own status becomes decline later
        refund.back|silent|only in the dashboard
        refund.outside|*ours-only|only ours
        refund.outside|by-a-person|refund without our name
        repeat|*error-3041-3230|400 with code
        repeat|first-answer-again|200 again
        repeat|status-409|409
        repeat|code-as-number|number
        repeat.other-amount|*refused|3041 whatever the amount
        repeat.other-amount|compared|other amount under the same id is another error
        id.reuse|*reusable|same id again
        id.reuse|used-up|3041 for ever
        ack|*whole|status, request_id, project_id, payment_id
        ack|no-request-id|without
        ack|no-payment-id|without
        ack|with-code-and-message|code "", message ""
        word|*canceled|canceled
        word|cancelled|cancelled
        word|unlisted|a word in no list
        word|other-case|Success
        word.lag|*together|payment and operation change together
        word.lag|operation-lags|operation still processing
        word.lag|payment-lags|payment still processing
        hold.after-part|*stays|awaiting capture after a part was released
        hold.after-part|partially-reversed|partially reversed / canceled
        hold.after-part|sum-unchanged|payment.sum stays the first hold
        hold.increment|*taken|any increment
        hold.increment|limited|decline above 15 per cent or for other cards
        customer.ip|*session-knows|the session's own connection
        customer.ip|asked-in-gate|required by the Gate
        list.none|empty-object|{} unsigned members (our simulator alone)
        list.none|*none-as-empty-list|accounts []
        list.none|none-as-3241|400 3241
        list.tokens|*whole|whole token
        list.tokens|tokens-masked|middle left out
        list.tokens|tokens-missing|absent
        list.order|*by-id|by id
        list.order|newest-first|newest first
        list.order|paged|only the first N
        token.again|*same-token|one token for a card of a customer
        token.again|new-token|another one each time
        delete.answer|status-only|status success
        delete.answer|*with-message-only|with message
        delete.answer|other-word|another word
        callback.delivery|*once-in-order|once
        callback.delivery|twice|twice
        callback.delivery|newest-first|newest first
        callback.delivery|none|never (force_disable, firewall)
        callback.delivery|for-eleven-days|again and again
        callback.before-answer|*after|after the answer
        callback.before-answer|before-answer|before the ack
        callback.members|*full|all members
        callback.members|no-project|without project_id
        callback.members|no-sum|without sum
        callback.members|no-operation|payment alone
        callback.members|payment-word-only|operation without status
        callback.members|no-request-id|without request_id
        callback.members|no-date|without date
        callback.members|signature-in-general|signature in general
        code.form|*text|"10105"
        code.form|code-as-number|10105
        code.form|no-code|absent
        ids.form|*numbers|numbers beyond 2^53
        ids.form|ids-as-text|text
        account|*shown|shown
        account|no-account|absent
        account|without-expiry|no expiry_month/year (GA)
        description|ours|as our simulator
        description|*with-missing-members-of-the-description|as described
        saved-by-sale|*in-report|account.id in the report
        saved-by-sale|next-session|only in accounts of the next session
        verification|*zero|0
        verification|one-unit-and-back|charged 1 and reversed
        verification|minimum|refused below a minimum
        challenge.timeout|*declined|declined after 30 min
        challenge.timeout|succeeds-late|bank answers after the customer left
        cascade|*new-operation|second operation beside the declined one
        cascade|same-operation|one operation changes
        cascade|second-charge|first provider's success arrives late too
        session-wire|*ours|/msdk/v1 as we made it
        session-wire|other-paths|sessionPath
        session-wire|page-only|Payment Page link and callbacks only
        method.segment|*by-method|/payment/applepay/refund
        method.segment|method-less|/payment/refund
        method.segment|card-for-all|/payment/card/refund
        chargeback|*never-told|dashboard only
        chargeback|3288|refund refused while disputed
        exponents|*iso|ISO 4217
        exponents|plugins|KWD as 2 decimals
        gate.step|*in-callback|a step of a payment is told by a callback alone (D gate-payment-3ds-formats-extended)
        gate.step|in-status|the status shows it, too
        gate.token-code|*optional|a token is charged without its card's code (GA: cvv optional)
        gate.token-code|code-needed|400 3141 without it
        gate.customer|*any-name|customer.id may be a name that nobody has seen before
        gate.customer|known-names-only|400 without a customer who was told of before
        page.expiry|*best-before|a page is not paid after best_before, by the provider's clock
        page.expiry|longer|it is: a payment that was begun before may end after it
        page.again|*over|a card that is declined ends the page: its link is paid no more
        page.again|other-card|the customer may try another card under the same link
        page.operation|*operation-type|operation_type says whether to hold
        page.operation|card-operation-type|card_operation_type does, the older name
        """#
}
