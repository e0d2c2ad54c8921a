internal import PaymentBase

/// What a terminal says about a payment, a refund or a reversal; everything but the result may be missing.
struct PaymentReply: Sendable {
    let response: NexoResponse
    /// Our own name, echoed.
    let saleTransactionID: String?
    /// The whole name of the payment.
    let poiTransactionID: String?
    let poiTimestamp: String?
    /// The name by which the back office knows it: what stands after the dot; nil for one that never got there.
    let pspReference: String?
    /// In major units, as it was written.
    let authorizedAmount: JSONNumber?
    let tipAmount: JSONNumber?
    let currency: String?
    let isOnline: Bool?
    let card: JSON?
    let authentication: [String]
    let acquirer: JSON?
    let receipts: [JSON]
    let hasSignature: Bool

    /// Reads the body of a reply; nil when it does not say how it ended.
    init?(_ body: JSON) {
        guard let response = NexoResponse(body.member("Response")) else { return nil }
        self.response = response
        saleTransactionID = body.member("SaleData", "SaleTransactionID", "TransactionID")?.text
        let name = body.member("POIData", "POITransactionID")
        (poiTransactionID, poiTimestamp) = (name?.member("TransactionID")?.text, name?.member("TimeStamp")?.text)
        pspReference = Self.reference(in: poiTransactionID)
        let result = body.member("PaymentResult")
        let amounts = result?.member("AmountsResp")
        authorizedAmount = Self.number(amounts?.member("AuthorizedAmount"))
        tipAmount = Self.number(amounts?.member("TipAmount"))
        currency = amounts?.member("Currency")?.text
        isOnline = result?.member("OnlineFlag")?.truth
        card = result?.member("PaymentInstrumentData", "CardData")
        authentication = (result?.member("AuthenticationMethod")?.items ?? []).compactMap(\.text)
        acquirer = result?.member("PaymentAcquirerData")
        receipts = body.member("PaymentReceipt")?.items ?? []
        hasSignature = result?.member("CapturedSignature") != nil
    }

    private static func reference(in name: String?) -> String? {
        guard let name, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let reference = String(name[name.utf8.index(after: dot)...])
        return reference.isEmpty ? nil : reference
    }

    private static func number(_ json: JSON?) -> JSONNumber? {
        switch json {
        case .number(let number): number
        case .string(let text): try? JSONNumber(text)
        case .null, .bool, .array, .object, nil: nil
        }
    }
}
