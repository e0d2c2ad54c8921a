// Made by Scripts/contracts of Tests/Contracts, which says whose facts these are; not edited by hand.

extension ContractData {
    static let ni = ContractData(
        tables: [ni1],
        bindings: #"""
            POST|/identity/auth/access-token|*|200=accessToken.200,*=*|-;
            POST|/identity/outlets/:outlet/devices/auth|deviceToken.request|200=deviceToken.200,*=*|-;
            POST|/softpos/payment-card-reader-token|readerToken.request|200=readerToken.200,*=*|-;
            POST|/softpos/payment/card/purchase|authorise.request|200=authorise.200,*=*|-;
            POST|/softpos/payment/card/authorise|authorise.request|200=authorise.200,*=*|-;
            POST|/softpos/payment/card/orders/:order/payments/:payment/capture|capture.request|200=capture.200,*=*|-;
            GET|/softpos/reporting/payments|-|200=payments.200,*=*|limit!,offset!;
            GET|/softpos/reporting/orders/:order|-|200=order.200,*=*|-;
            POST|/softpos/payment/card/orders/:order/actions/refund|*|200=refund.200,*=*|-;
            POST|/softpos/payment/card/orders/:order/actions/cancel|-|200=void.200,*=*|-;
            DELETE|/softpos/outlets/:outlet/devices/tids/:tid/unbind|-|204=-,*=*|-;
            """#)
}
