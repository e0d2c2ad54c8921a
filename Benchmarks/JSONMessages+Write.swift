import PaymentBase

// The same messages written with the writer.

extension TransactionID {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("TransactionID", string: transactionID)
        writer.member("TimeStamp", string: timeStamp)
        writer.endObject()
    }
}

extension MessageHeader {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("ProtocolVersion", string: protocolVersion)
        writer.member("MessageClass", string: messageClass)
        writer.member("MessageCategory", string: messageCategory)
        writer.member("MessageType", string: messageType)
        writer.member("ServiceID", string: serviceID)
        writer.member("SaleID", string: saleID)
        writer.member("POIID", string: poiID)
        writer.endObject()
    }
}

extension SaleData {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("SaleTransactionID")
        saleTransactionID.write(to: &writer)
        writer.member("SaleToAcquirerData", string: saleToAcquirerData)
        writer.endObject()
    }
}

extension AmountsReq {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("Currency", string: currency)
        writer.member("RequestedAmount", units: requestedAmount.minor, places: 2)
        writer.endObject()
    }
}

extension PaymentTransaction {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("AmountsReq")
        amountsReq.write(to: &writer)
        writer.endObject()
    }
}

extension PaymentRequest {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("SaleData")
        saleData.write(to: &writer)
        writer.key("PaymentTransaction")
        paymentTransaction.write(to: &writer)
        writer.endObject()
    }
}

extension RequestMessage {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("MessageHeader")
        header.write(to: &writer)
        writer.key("PaymentRequest")
        payment.write(to: &writer)
        writer.endObject()
    }
}

extension RequestEnvelope {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("SaleToPOIRequest")
        request.write(to: &writer)
        writer.endObject()
    }
}

extension ResponseResult {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("Result", string: result)
        writer.member("AdditionalResponse", string: additionalResponse)
        writer.endObject()
    }
}

extension POIData {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("POITransactionID")
        poiTransactionID.write(to: &writer)
        writer.endObject()
    }
}

extension CardData {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("PaymentBrand", string: paymentBrand)
        writer.member("MaskedPan", string: maskedPan)
        writer.beginArray("EntryMode")
        for text in entryMode { writer.string(text) }
        writer.endArray()
        writer.endObject()
    }
}

extension InstrumentData {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("PaymentInstrumentType", string: paymentInstrumentType)
        writer.key("CardData")
        cardData.write(to: &writer)
        writer.endObject()
    }
}

extension AmountsResp {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("Currency", string: currency)
        writer.member("AuthorizedAmount", units: authorizedAmount.minor, places: 2)
        writer.endObject()
    }
}

extension AcquirerData {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("MerchantID", string: merchantID)
        writer.member("AcquirerPOIID", string: acquirerPOIID)
        writer.key("AcquirerTransactionID")
        acquirerTransactionID.write(to: &writer)
        writer.member("ApprovalCode", string: approvalCode)
        writer.endObject()
    }
}

extension PaymentResult {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("OnlineFlag", bool: onlineFlag)
        writer.key("PaymentInstrumentData")
        instrument.write(to: &writer)
        writer.key("AmountsResp")
        amounts.write(to: &writer)
        writer.key("PaymentAcquirerData")
        acquirer.write(to: &writer)
        writer.endObject()
    }
}

extension PaymentResponse {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("Response")
        response.write(to: &writer)
        writer.key("SaleData")
        saleData.write(to: &writer)
        writer.key("POIData")
        poiData.write(to: &writer)
        writer.key("PaymentResult")
        paymentResult.write(to: &writer)
        writer.endObject()
    }
}

extension ResponseMessage {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("MessageHeader")
        header.write(to: &writer)
        writer.key("PaymentResponse")
        payment.write(to: &writer)
        writer.endObject()
    }
}

extension ResponseEnvelope {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("SaleToPOIResponse")
        response.write(to: &writer)
        writer.endObject()
    }
}
