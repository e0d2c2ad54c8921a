internal import PaymentProviderKit

/// The provider's paths and header fields.
enum HaloPath {
    static let readerToken = "/apple/proximity-token"
    static let submit = "/transactions/apple"
    static let transactions = "/transactions"
    static let devices = "/devices"
    static func pin(_ name: String) -> String { "/transactions/\(name.pathPiece)/submitPinApple" }
    static func refund(_ name: String) -> String { "/transactions/\(name.pathPiece)/refund" }
    static func transaction(_ name: String) -> String { "/transactions/\(name.pathPiece)" }

    static let installation = "X-Device-Installation-Id"
    static let correlation = "X-Correlation-Id"
    static let location = "X-Location"
    static let officeKey = "x-api-key"
}

/// What is read of a token without checking its signature: that is the provider's business.
struct HaloToken {
    let algorithm: String
    /// For whom it is; empty where it doesn't say.
    let audiences: [String]
    /// When it lapses, in milliseconds since 1970.
    let expires: Int64

    /// Reads a token; nil when it is none, or does not say when it lapses.
    init?(_ token: Secret) {
        let parts = token.expose().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let algorithm = header["alg"]?.string, let seconds = claims["exp"]?.int64,
            (0...253_402_300_799).contains(seconds)
        else { return nil }
        (self.algorithm, expires) = (algorithm, seconds * 1_000)
        audiences = claims["aud"]?.string.map { [$0] } ?? (claims["aud"]?.array ?? []).compactMap(\.string)
    }

    private static func json(_ part: Substring) -> JSON? {
        Base64.urlSafe.decode(String(part)).flatMap { try? JSONReader().read($0) }
    }
}

/// What the provider answers to a tap, to a PIN, or to a refund of the back office; all but the type may be missing.
struct HaloAnswer {
    let type: String
    let errorCode: String
    let isoCode: String
    let message: String
    let name: String?
    let reference: String?
    /// Whether it names an amount, readable or not.
    let hasAmount: Bool
    let amount: JSONNumber?
    let currency: String?
    let wantsPIN: Bool
    let pinToken: String?
    let authorizationCode: String?
    let retrievalReference: String?
    let maskedNumber: String?
    let scheme: String?
    let cardType: String?
    let expiry: String?
    let tags: [(tag: String, value: String)]

    /// An issuer's code, which may have lost its leading zero as a number.
    static func code(_ text: String?) -> String {
        guard let text else { return "" }
        return text.count == 1 && text.first?.isNumber == true ? "0" + text : text
    }

    /// The answer in its wrapper.
    init?(wrapped json: JSON?) { self.init(flat: json?["onlineAuthorizationResponse"]) }

    /// The answer itself.
    init?(flat json: JSON?) {
        guard let json, let type = json["type"]?.string else { return nil }
        func text(_ name: String) -> String? {
            json[name].flatMap { $0.string ?? $0.number?.text }.flatMap { $0.isEmpty ? nil : $0 }
        }
        self.type = type
        (errorCode, isoCode) = (text("errorCode") ?? "", text("isoResponseCode") ?? "")
        (message, name) = (text("errorMessage") ?? "", text("haloReference"))
        (reference, currency) = (text("merchantReference"), text("currency"))
        hasAmount = json["amount"].map { $0 != .null } ?? false
        amount = json["amount"]?.number
        (wantsPIN, pinToken) = (json["isSingleTapAndPin"]?.bool ?? false, text("pinToken"))
        (authorizationCode, retrievalReference) = (text("authorizationCode"), text("paymentProviderReference"))
        (maskedNumber, scheme, cardType) = (text("maskedPAN"), text("cardScheme"), text("cardType"))
        expiry = text("expiryDate")
        tags = (json["tags"]?.array ?? []).compactMap { item in
            item["tag"]?.string.flatMap { tag in item["value"]?.string.map { (tag, $0) } }
        }
    }
}

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
    /// What is on the receipt, by the provider's names.
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

/// The body of a refusal: a numbered error, or just a text.
struct HaloRefusal {
    let code: String
    let message: String

    init(_ json: JSON?) {
        let number = json?["errorCode"].flatMap { $0.string ?? $0.number?.text }
        (code, message) = (number ?? "", json?["message"]?.string ?? json?["error"]?.string ?? "")
    }
}
