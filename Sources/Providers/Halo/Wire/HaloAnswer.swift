internal import PaymentBase

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
