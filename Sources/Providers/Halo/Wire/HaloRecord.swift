internal import PaymentAbstraction
internal import PaymentBase

/// One transaction as the provider keeps it; its amount is a text or a number in a unit that no document names.
struct HaloRecord {
    let id: String
    let reference: String
    let disposition: String
    let status: String
    let responseCode: String
    let kind: String
    let original: String?
    let amount: JSONNumber?
    /// The amount as it is printed on the receipt.
    let printed: Money?
    let currency: String?
    let at: Int64?
    let maskedNumber: String?
    let authorizationCode: String?
    let device: String?
    /// Whether it only says that a PIN was asked for.
    var waitsForPIN: Bool { disposition == "Declined" && responseCode == "65" }
    /// What stands on the receipt, by the provider's names.
    let receipt: JSON?

    init?(_ json: JSON?) {
        guard let json, let id = json["id"]?.string, let reference = json["merchantTransactionReference"]?.string,
            let said = Self.text(json["transactionDispositionId"])
        else { return nil }
        // The published record has numbers, whose list isn't public; what is printed says what nought means.
        let isPrinted = said == "0" && json["receiptData"]?["approvalText"]?.string == "Approved"
        let disposition = isPrinted ? "Approved" : said
        (self.id, self.reference, self.disposition) = (id, reference, disposition)
        status = Self.text(json["transactionstatusId"]) ?? ""
        responseCode = HaloAnswer.code(Self.text(json["responseCode"]))
        (kind, original) = (Self.text(json["transactionTypeId"]) ?? "", json["originalTransactionId"]?.string)
        (amount, currency) = (Self.text(json["amount"]).flatMap { try? JSONNumber($0) }, json["currency"]?.string)
        printed = Self.printed(json["receiptData"]?["amount"]?.string)
        at = json["createdAt"]?.string.flatMap { Timestamp($0)?.milliseconds }
        maskedNumber = json["details"]?[0]?["maskedPAN"]?.string
        authorizationCode = json["authorisationCode"]?.string
        (device, receipt) = (json["deviceinstallationId"]?.string, json["receiptData"])
    }

    private static func text(_ json: JSON?) -> String? { json?.string ?? json?.number?.text }

    /// Reads `ZAR 100.00`.
    private static func printed(_ text: String?) -> Money? {
        let parts = text?.split(separator: " ") ?? []
        guard parts.count == 2, let currency = Currency.known(String(parts[0])),
            let units = (try? JSONNumber(String(parts[1])))?.scaled(places: currency.exponent)
        else { return nil }
        return try? Money(minorUnits: units, currency).believable()
    }
}
