import PaymentBase

// The same messages read with the pull reader; an unknown member is checked and skipped.

extension TransactionID {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var transactionID: String?
        var timeStamp: String?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("TransactionID") {
                transactionID = try reader.string()
            } else if reader.isKey("TimeStamp") {
                timeStamp = try reader.string()
            }
        }
        guard let transactionID, let timeStamp else {
            throw reader.missingMember()
        }
        self.transactionID = transactionID
        self.timeStamp = timeStamp
    }
}

extension MessageHeader {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var protocolVersion: String?
        var messageClass: String?
        var messageCategory: String?
        var messageType: String?
        var serviceID: String?
        var saleID: String?
        var poiID: String?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("ProtocolVersion") {
                protocolVersion = try reader.string()
            } else if reader.isKey("MessageClass") {
                messageClass = try reader.string()
            } else if reader.isKey("MessageCategory") {
                messageCategory = try reader.string()
            } else if reader.isKey("MessageType") {
                messageType = try reader.string()
            } else if reader.isKey("ServiceID") {
                serviceID = try reader.string()
            } else if reader.isKey("SaleID") {
                saleID = try reader.string()
            } else if reader.isKey("POIID") {
                poiID = try reader.string()
            }
        }
        guard
            let protocolVersion,
            let messageClass,
            let messageCategory,
            let messageType,
            let serviceID,
            let saleID,
            let poiID
        else {
            throw reader.missingMember()
        }
        self.protocolVersion = protocolVersion
        self.messageClass = messageClass
        self.messageCategory = messageCategory
        self.messageType = messageType
        self.serviceID = serviceID
        self.saleID = saleID
        self.poiID = poiID
    }
}

extension SaleData {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var saleTransactionID: TransactionID?
        var saleToAcquirerData: String?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("SaleTransactionID") {
                saleTransactionID = try TransactionID(from: &reader)
            } else if reader.isKey("SaleToAcquirerData") {
                saleToAcquirerData = try reader.string()
            }
        }
        guard let saleTransactionID else {
            throw reader.missingMember()
        }
        self.saleTransactionID = saleTransactionID
        self.saleToAcquirerData = saleToAcquirerData
    }
}

extension ResponseResult {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var result: String?
        var additionalResponse: String?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("Result") {
                result = try reader.string()
            } else if reader.isKey("AdditionalResponse") {
                additionalResponse = try reader.string()
            }
        }
        guard let result else {
            throw reader.missingMember()
        }
        self.result = result
        self.additionalResponse = additionalResponse
    }
}

extension POIData {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var poiTransactionID: TransactionID?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("POITransactionID") {
                poiTransactionID = try TransactionID(from: &reader)
            }
        }
        guard let poiTransactionID else {
            throw reader.missingMember()
        }
        self.poiTransactionID = poiTransactionID
    }
}

extension CardData {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var paymentBrand: String?
        var maskedPan: String?
        var entryMode: [String]?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("PaymentBrand") {
                paymentBrand = try reader.string()
            } else if reader.isKey("MaskedPan") {
                maskedPan = try reader.string()
            } else if reader.isKey("EntryMode") {
                entryMode = try texts(&reader)
            }
        }
        guard let paymentBrand, let maskedPan, let entryMode else {
            throw reader.missingMember()
        }
        self.paymentBrand = paymentBrand
        self.maskedPan = maskedPan
        self.entryMode = entryMode
    }
}

extension InstrumentData {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var paymentInstrumentType: String?
        var cardData: CardData?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("PaymentInstrumentType") {
                paymentInstrumentType = try reader.string()
            } else if reader.isKey("CardData") {
                cardData = try CardData(from: &reader)
            }
        }
        guard let paymentInstrumentType, let cardData else {
            throw reader.missingMember()
        }
        self.paymentInstrumentType = paymentInstrumentType
        self.cardData = cardData
    }
}

extension AmountsResp {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var currency: String?
        var authorizedAmount: Amount?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("Currency") {
                currency = try reader.string()
            } else if reader.isKey("AuthorizedAmount") {
                authorizedAmount = Amount(minor: try reader.scaled(places: 2))
            }
        }
        guard let currency, let authorizedAmount else {
            throw reader.missingMember()
        }
        self.currency = currency
        self.authorizedAmount = authorizedAmount
    }
}

extension AcquirerData {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var merchantID: String?
        var acquirerPOIID: String?
        var acquirerTransactionID: TransactionID?
        var approvalCode: String?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("MerchantID") {
                merchantID = try reader.string()
            } else if reader.isKey("AcquirerPOIID") {
                acquirerPOIID = try reader.string()
            } else if reader.isKey("AcquirerTransactionID") {
                acquirerTransactionID = try TransactionID(from: &reader)
            } else if reader.isKey("ApprovalCode") {
                approvalCode = try reader.string()
            }
        }
        guard let merchantID, let acquirerPOIID, let acquirerTransactionID, let approvalCode else {
            throw reader.missingMember()
        }
        self.merchantID = merchantID
        self.acquirerPOIID = acquirerPOIID
        self.acquirerTransactionID = acquirerTransactionID
        self.approvalCode = approvalCode
    }
}

extension PaymentResult {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var onlineFlag: Bool?
        var instrument: InstrumentData?
        var amounts: AmountsResp?
        var acquirer: AcquirerData?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("OnlineFlag") {
                onlineFlag = try reader.bool()
            } else if reader.isKey("PaymentInstrumentData") {
                instrument = try InstrumentData(from: &reader)
            } else if reader.isKey("AmountsResp") {
                amounts = try AmountsResp(from: &reader)
            } else if reader.isKey("PaymentAcquirerData") {
                acquirer = try AcquirerData(from: &reader)
            }
        }
        guard let onlineFlag, let instrument, let amounts, let acquirer else {
            throw reader.missingMember()
        }
        self.onlineFlag = onlineFlag
        self.instrument = instrument
        self.amounts = amounts
        self.acquirer = acquirer
    }
}

extension PaymentResponse {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var response: ResponseResult?
        var saleData: SaleData?
        var poiData: POIData?
        var paymentResult: PaymentResult?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("Response") {
                response = try ResponseResult(from: &reader)
            } else if reader.isKey("SaleData") {
                saleData = try SaleData(from: &reader)
            } else if reader.isKey("POIData") {
                poiData = try POIData(from: &reader)
            } else if reader.isKey("PaymentResult") {
                paymentResult = try PaymentResult(from: &reader)
            }
        }
        guard let response, let saleData, let poiData, let paymentResult else {
            throw reader.missingMember()
        }
        self.response = response
        self.saleData = saleData
        self.poiData = poiData
        self.paymentResult = paymentResult
    }
}

extension ResponseMessage {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var header: MessageHeader?
        var payment: PaymentResponse?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("MessageHeader") {
                header = try MessageHeader(from: &reader)
            } else if reader.isKey("PaymentResponse") {
                payment = try PaymentResponse(from: &reader)
            }
        }
        guard let header, let payment else {
            throw reader.missingMember()
        }
        self.header = header
        self.payment = payment
    }
}

extension ResponseEnvelope {
    init(from reader: inout JSONPullReader) throws(JSONError) {
        var response: ResponseMessage?
        let object = try reader.enterObject()
        while try reader.nextMember(of: object) {
            if reader.isKey("SaleToPOIResponse") {
                response = try ResponseMessage(from: &reader)
            }
        }
        guard let response else {
            throw reader.missingMember()
        }
        self.response = response
    }
}

/// Reads an array of texts.
private func texts(_ reader: inout JSONPullReader) throws(JSONError) -> [String] {
    var texts: [String] = []
    let array = try reader.enterArray()
    while try reader.nextElement(of: array) { texts.append(try reader.string()) }
    return texts
}
