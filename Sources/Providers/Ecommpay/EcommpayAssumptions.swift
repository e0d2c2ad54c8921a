internal import PaymentProviderKit

/// What this adapter takes for granted about the provider, place by place of its documents.
enum EcommpayAssumptions {
    static let all = ProviderAssumption.list(
        "ecommpay",
        """
        hold.limit|never|-|ask support what becomes of a hold shortly before its limit, and wait for the callback
        amount.changed|as-asked|-|ask whether a method of the project lets customers change the amount
        clock|same|-|compare the date of a callback with the clock
        time.zone|plus-0000|-|read the date of a callback and of a status
        refund-name|in-payment|-|give a part back and look for merchant_refund_id in status and callback
        names.neither|request-id|-|look for request_id in the operations of a status
        cancel.amount|amount-is-what-goes|-|let a part of a hold go and read what is held
        partial|partially-paid|-|pay with a test card that approves a part
        debit.retries|once|-|let a debit be declined and wait for later tries in the callbacks
        refusal.place|http-400|-|capture more than is held and see where the refusal comes
        list.payment-method|payment-method-needed|-|list saved accounts without payment_method
        debit.customer|customer-needed|customerIpAddress|debit without customer.ip_address
        status.ten-seconds|at-once|-|ask for the status within the second of a payment
        status.unknown-form|200-error-3061|-|ask for a payment that isn't there
        status.operations|oldest-first|-|read the operations of a payment with several
        status.signature|signed|-|read the answer to a status, and ask support for signed answers
        sum.meaning|what-is-left|-|give a part back and read payment.sum
        sum.operation|sum-initial|-|read the operations of a status
        refund.type|by-timing|-|refund on the same day and on the next
        refund.payment-word|unchanged|-|read the payment's status while a refund is under way
        refund.back|own-operation|-|ask support for a refund that comes back
        refund.outside|ours-only|soleUser|refund in the Dashboard and read the status
        repeat|error-3041-3230|-|send one payment and one refund twice
        repeat.other-amount|refused|-|send one payment twice with two amounts
        id.reuse|reusable|-|send a payment again whose status is error
        ack|whole|-|read an acknowledgement of the Gate
        word|canceled|-|let a hold go and read the word
        word.lag|together|-|ask for the status every second while a payment is decided
        hold.after-part|stays|-|let a part of a hold go and read the payment's status
        hold.increment|taken|-|raise a hold by half
        customer.ip|session-knows|-|open a session without an address
        list.none|none-as-empty-list|-|list the accounts of a customer who has none
        list.tokens|whole|tokenizesAtGate|list the accounts of a customer with a token
        list.order|by-id|-|list the accounts of a customer with several
        token.again|same-token|-|tokenize one card twice
        delete.answer|with-message-only|-|delete a saved account
        callback.delivery|once-in-order|-|look at the callbacks in the Dashboard
        callback.before-answer|after|-|compare the time of a callback with that of the answer
        callback.members|full|-|read a callback of the project
        code.form|text|-|read code in a declined operation
        ids.form|numbers|-|read the ids of operations
        account|shown|-|read account in a status
        description|with-missing-members-of-the-description|-|compare a status with the description
        saved-by-sale|in-report|-|save a card with a sale and read account.id
        verification|zero|-|verify a card and read the card's statement
        challenge.timeout|declined|-|leave a challenge open for half an hour
        cascade|new-operation|-|ask support to let a payment cascade
        session-wire|ours|sessionPath|record what the kit sends
        method.segment|by-method|-|refund a wallet's payment
        chargeback|never-told|-|ask support for a test dispute
        exponents|iso|-|pay 1.000 KWD and read both amounts
        gate.step|in-callback|-|pay at the Gate with a card that is challenged, and look at status and callback
        gate.token-code|optional|-|charge a token at the Gate without its code
        gate.customer|any-name|-|pay at the Gate for a customer who was never named before
        gate.refusal|at-once|-|send a card with a wrong month to the Gate, and ask for the payment and for the request
        page.method|card|-|pay on a Payment Page by Apple Pay, read payment.method in the status, and give it back
        page.expiry|best-before|pageMinutes|open a Payment Page after its best_before
        page.again|over|-|let a card be declined on a Payment Page and try another one
        page.operation|operation-type|-|open a Payment Page that holds, and read the operation's type
        """)
}
