internal import PaymentBase

/// One transaction as the provider keeps it; its amounts are text, here in minor units.
struct HaloRecord {
    let id: String
    let reference: String
    let disposition: String
    let status: String
    let responseCode: String
    let kind: String
    let original: String?
    let minorUnits: Int64?
    let currency: String?
    let at: Int64?
    let maskedNumber: String?
    let authorizationCode: String?
    let device: String?
    /// What stands on the receipt, by the provider's names.
    let receipt: JSON?

    init?(_ json: JSON?) {
        guard let json, let id = json["id"]?.string, let reference = json["merchantTransactionReference"]?.string,
            let disposition = json["transactionDispositionId"]?.string
        else { return nil }
        (self.id, self.reference, self.disposition) = (id, reference, disposition)
        (status, responseCode) = (json["transactionstatusId"]?.string ?? "", json["responseCode"]?.string ?? "")
        (kind, original) = (json["transactionTypeId"]?.string ?? "", json["originalTransactionId"]?.string)
        (minorUnits, currency) = (json["amount"]?.string.flatMap { Int64($0) }, json["currency"]?.string)
        at = json["createdAt"]?.string.flatMap { Timestamp($0)?.milliseconds }
        maskedNumber = json["details"]?[0]?["maskedPAN"]?.string
        authorizationCode = json["authorisationCode"]?.string
        (device, receipt) = (json["deviceinstallationId"]?.string, json["receiptData"])
    }
}
