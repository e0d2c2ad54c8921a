import PaymentBase

// The parts that only a request has, read with the pull reader.

extension AmountsReq {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var currency: String?
        var requestedAmount: Amount?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("Currency") {
                currency = try reader.string()
            } else if reader.isKey("RequestedAmount") {
                requestedAmount = Amount(minor: try reader.scaled(places: 2))
            }
        }
        guard let currency, let requestedAmount else {
            throw reader.missingMember()
        }
        self.currency = currency
        self.requestedAmount = requestedAmount
    }
}

extension PaymentTransaction {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var amountsReq: AmountsReq?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("AmountsReq") {
                amountsReq = try AmountsReq(from: &reader)
            }
        }
        guard let amountsReq else {
            throw reader.missingMember()
        }
        self.amountsReq = amountsReq
    }
}

extension PaymentRequest {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var saleData: SaleData?
        var paymentTransaction: PaymentTransaction?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("SaleData") {
                saleData = try SaleData(from: &reader)
            } else if reader.isKey("PaymentTransaction") {
                paymentTransaction = try PaymentTransaction(from: &reader)
            }
        }
        guard let saleData, let paymentTransaction else {
            throw reader.missingMember()
        }
        self.saleData = saleData
        self.paymentTransaction = paymentTransaction
    }
}

extension RequestMessage {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var header: MessageHeader?
        var payment: PaymentRequest?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("MessageHeader") {
                header = try MessageHeader(from: &reader)
            } else if reader.isKey("PaymentRequest") {
                payment = try PaymentRequest(from: &reader)
            }
        }
        guard let header, let payment else {
            throw reader.missingMember()
        }
        self.header = header
        self.payment = payment
    }
}

extension RequestEnvelope {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var request: RequestMessage?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("SaleToPOIRequest") {
                request = try RequestMessage(from: &reader)
            }
        }
        guard let request else {
            throw reader.missingMember()
        }
        self.request = request
    }
}
