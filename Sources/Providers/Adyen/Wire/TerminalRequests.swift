internal import PaymentProviderKit

/// Asks a terminal for a payment, or for a refund without an original.
struct PaymentRequest: Sendable {
    /// Our own name; it becomes the merchant reference of everything that follows.
    let transactionID: String
    /// When it was made, as the wire has it.
    let timestamp: String
    let currency: String
    /// In major units, exactly; without the tip.
    let amount: JSONNumber
    /// What the terminal charges on top.
    var tip: JSONNumber?
    /// Whether money is given instead of taken.
    var isRefund = false
    /// The language of the shopper.
    var language: String?
    /// Asks for a token, for a customer or for one transaction.
    var tokenRequestedType: String?
    var acquirerData = SaleToAcquirerData()

    var json: JSON {
        var sale: JSONObject = ["SaleTransactionID": Self.transaction(transactionID, timestamp)]
        sale.add("TokenRequestedType", tokenRequestedType)
        sale.add("SaleToAcquirerData", acquirerData.text)
        var amounts: JSONObject = ["Currency": .string(currency), "RequestedAmount": .number(amount)]
        amounts.add("TipAmount", tip.map { JSON.number($0) })
        var transaction: JSONObject = ["AmountsReq": .object(amounts)]
        transaction.add("TransactionConditions", language.map { ["CustomerLanguage": .string($0)] })
        var body: JSONObject = ["SaleData": .object(sale), "PaymentTransaction": .object(transaction)]
        if isRefund { body["PaymentData"] = ["PaymentType": "Refund"] }
        return .object(body)
    }

    static func transaction(_ id: String, _ timestamp: String) -> JSON {
        ["TransactionID": .string(id), "TimeStamp": .string(timestamp)]
    }
}

/// Asks a terminal to refund what a payment took, or a part of it.
struct ReversalRequest: Sendable {
    /// The whole name of the payment, as its reply had it.
    let originalID: String
    /// When the payment was made, as its reply had it.
    let originalTimestamp: String
    /// Our own name of the refund.
    let transactionID: String
    let timestamp: String
    /// In major units, exactly; nil for all of it.
    var amount: JSONNumber?
    /// The currency, which a part needs beside its amount.
    var currency: String?
    /// The terminal that took the payment, where it is another one.
    var originalPOIID: String?
    /// What goes to the payment service beside the currency.
    var acquirerData = SaleToAcquirerData()

    var json: JSON {
        var data = SaleToAcquirerData()
        data.add("currency", currency)
        data.add(acquirerData)
        var sale: JSONObject = ["SaleTransactionID": PaymentRequest.transaction(transactionID, timestamp)]
        sale.add("SaleToAcquirerData", data.text)
        var original: JSONObject = [:]
        original.add("POIID", originalPOIID)
        original["POITransactionID"] = PaymentRequest.transaction(originalID, originalTimestamp)
        var body: JSONObject = [
            "SaleData": .object(sale), "OriginalPOITransaction": .object(original), "ReversalReason": "MerchantCancel",
        ]
        body.add("ReversedAmount", amount.map { JSON.number($0) })
        return .object(body)
    }
}

/// The requests beside payments and refunds, as they are written.
enum ServiceRequests {
    /// Which message another one is about.
    static func reference(_ header: NexoHeader) -> JSON {
        [
            "MessageCategory": .string(header.category.rawValue), "SaleID": .string(header.saleID),
            "ServiceID": .string(header.id),
        ]
    }

    /// What became of a message.
    static func status(of header: NexoHeader) -> JSON {
        ["ReceiptReprintFlag": false, "MessageReference": reference(header)]
    }

    /// Ends a message that is being worked on.
    static func abort(_ header: NexoHeader) -> JSON {
        ["AbortReason": "MerchantAbort", "MessageReference": reference(header)]
    }

    /// How the terminal and its host are.
    static func diagnosis(host: Bool) -> JSON { ["HostDiagnosisFlag": .bool(host)] }
}

/// What goes with a request to the payment service, as pairs; read in both of its forms, written in the first.
struct SaleToAcquirerData: Sendable {
    private(set) var pairs: [FormField] = []

    /// Makes an empty one.
    init() {}

    /// Reads either form.
    init(_ text: String) { pairs = AdditionalResponse(text).pairs }

    /// Adds a pair, unless there is no value.
    mutating func add(_ name: String, _ value: String?) {
        if let value { pairs.append(FormField(name, value)) }
    }

    /// Adds the pairs of another one.
    mutating func add(_ other: SaleToAcquirerData) { pairs += other.pairs }

    /// Adds what is said about the software that sends the request.
    mutating func add(_ info: AdyenConfiguration.ApplicationInfo) {
        for member in info.members { add("applicationInfo.\(member.group).\(member.name)", member.value) }
    }

    /// The last value under a name.
    subscript(name: String) -> String? { pairs.last { $0.name == name }?.value }

    /// The first form; nil where there is nothing to say.
    var text: String? {
        if pairs.isEmpty { return nil }
        return FormEncoding.encode(pairs, spaces: .percent)
    }
}
