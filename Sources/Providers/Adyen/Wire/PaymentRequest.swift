internal import PaymentBase

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
