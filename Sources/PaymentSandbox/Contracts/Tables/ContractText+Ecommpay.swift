// Made by Scripts/contracts of Tests/Contracts, which says whose facts these are; not edited by hand.

extension ContractText {
    static let ecommpay = ContractText(
        tables: [ecommpay1],
        bindings: #"""
            POST|/v2/customer/card/bytoken|gate/customer.card.bytoken.request|2xx=gate/customer.card.bytoken.answer,
            *=gate/customer.card.bytoken.error|-;
            POST|/v2/customer/card/token/revoke|gate/customer.card.token.revoke.request|
            2xx=gate/customer.card.token.revoke.answer,*=gate/customer.card.token.revoke.error|-;
            POST|/v2/customer/card/tokenize|gate/customer.card.tokenize.request|
            2xx=gate/customer.card.tokenize.answer,*=gate/customer.card.tokenize.error|-;
            POST|/v2/customer/info|gate/customer.info.request|2xx=gate/customer.info.answer,
            *=gate/customer.info.error|-;
            POST|/v2/customer/saved_account/delete|gate/customer.saved_account.delete.request|
            2xx=gate/customer.saved_account.delete.answer,*=gate/customer.saved_account.delete.error|-;
            POST|/v2/customer/saved_account/list|gate/customer.saved_account.list.request|
            2xx=gate/customer.saved_account.list.answer,*=gate/customer.saved_account.list.error|-;
            POST|/v2/payment/card/cancel|gate/payment.card.cancel.request|2xx=gate/payment.card.cancel.answer,
            *=gate/payment.card.cancel.error|-;
            POST|/v2/payment/applepay/cancel|gate/payment.card.cancel.request|2xx=gate/payment.card.cancel.answer,
            *=gate/payment.card.cancel.error|-;
            POST|/v2/payment/googlepay/cancel|gate/payment.card.cancel.request|2xx=gate/payment.card.cancel.answer,
            *=gate/payment.card.cancel.error|-;
            POST|/v2/payment/card/capture|gate/payment.card.capture.request|2xx=gate/payment.card.capture.answer,
            *=gate/payment.card.capture.error|-;
            POST|/v2/payment/applepay/capture|gate/payment.card.capture.request|2xx=gate/payment.card.capture.answer,
            *=gate/payment.card.capture.error|-;
            POST|/v2/payment/googlepay/capture|gate/payment.card.capture.request|2xx=gate/payment.card.capture.answer,
            *=gate/payment.card.capture.error|-;
            POST|/v2/payment/card/incremental|gate/payment.card.incremental.request|
            2xx=gate/payment.card.incremental.answer,*=gate/payment.card.incremental.error|-;
            POST|/v2/payment/card/recurring|gate/payment.card.recurring.request|
            2xx=gate/payment.card.recurring.answer,*=gate/payment.card.recurring.error|-;
            POST|/v2/payment/card/recurring/cancel|gate/payment.card.recurring.cancel.request|
            2xx=gate/payment.card.recurring.cancel.answer,*=gate/payment.card.recurring.cancel.error|-;
            POST|/v2/payment/card/recurring/info|gate/payment.card.recurring.info.request|
            2xx=gate/payment.card.recurring.info.answer,*=gate/payment.card.recurring.info.error|-;
            POST|/v2/payment/card/recurring/update|gate/payment.card.recurring.update.request|
            2xx=gate/payment.card.recurring.update.answer,*=gate/payment.card.recurring.update.error|-;
            POST|/v2/payment/card/refund|gate/payment.card.refund.request|2xx=gate/payment.card.refund.answer,
            *=gate/payment.card.refund.error|-;
            POST|/v2/payment/applepay/refund|gate/payment.card.refund.request|2xx=gate/payment.card.refund.answer,
            *=gate/payment.card.refund.error|-;
            POST|/v2/payment/googlepay/refund|gate/payment.card.refund.request|2xx=gate/payment.card.refund.answer,
            *=gate/payment.card.refund.error|-;
            POST|/v2/payment/status|gate/payment.status.request|2xx=gate/payment.status.answer,
            *=gate/payment.status.error|-;
            POST|/v2/payment/status/request|gate/payment.status.request.request|
            2xx=gate/payment.status.request.answer,*=*|-;
            POST|/v2/recurring/retry_stop|gate/recurring.retry_stop.request|2xx=*,*=gate/recurring.retry_stop.error|-;
            """#)
}
