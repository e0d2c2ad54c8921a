internal import PaymentBase

/// Asks a terminal to give back what a payment took, or a part of it.
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

    var json: JSON {
        var data = SaleToAcquirerData()
        data.add("currency", currency)
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
