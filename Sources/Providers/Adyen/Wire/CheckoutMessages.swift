internal import PaymentProviderKit

/// Where the back office is asked for what.
enum CheckoutPath {
    static func captures(_ payment: String) -> String? { modification(payment, "captures") }
    static func refunds(_ payment: String) -> String? { modification(payment, "refunds") }
    static func cancels(_ payment: String) -> String? { modification(payment, "cancels") }
    static func reversals(_ payment: String) -> String? { modification(payment, "reversals") }
    static func amountUpdates(_ payment: String) -> String? { modification(payment, "amountUpdates") }
    /// A charge of an instrument that the provider keeps.
    static let payments = "/payments"
    /// A cancel by our own reference, where the payment's name is not known.
    static let technicalCancel = "/cancels"
    /// What the provider keeps for a customer.
    static let stored = "/storedPaymentMethods"
    /// One instrument that the provider keeps.
    static func stored(_ token: String) -> String? { PercentEncoding.pathSegment(token).map { "\(stored)/\($0)" } }

    private static func modification(_ payment: String, _ verb: String) -> String? {
        PercentEncoding.pathSegment(payment).map { "/payments/\($0)/\(verb)" }
    }
}

/// What the back office answers to a charge of an instrument that it keeps.
struct SavedPaymentReply: Sendable {
    /// `Authorised`, `Refused` and so on; anything else proves nothing.
    let result: String
    let pspReference: String
    let merchantReference: String?
    /// Whether it names an amount, readable or not.
    let hasAmount: Bool
    let minorUnits: Int64?
    let currency: String?
    let refusalReason: String
    let refusalCode: String
    let additional: AdditionalResponse
    let brand: String?

    /// Reads a body; nil when it does not say how it ended.
    init?(_ body: JSON?) {
        guard let result = body?.member("resultCode")?.text else { return nil }
        self.result = result
        pspReference = body?.member("pspReference")?.text ?? ""
        merchantReference = body?.member("merchantReference")?.text
        hasAmount = body?.member("amount", "value") != nil || body?.member("amount", "currency") != nil
        minorUnits = body?.member("amount", "value")?.whole
        currency = body?.member("amount", "currency")?.text
        refusalReason = body?.member("refusalReason")?.text ?? ""
        refusalCode = body?.member("refusalReasonCode")?.text ?? ""
        additional = AdditionalResponse(body?.member("additionalData"))
        brand = body?.member("paymentMethod", "brand")?.text ?? additional["paymentMethod"]
    }

    /// Whether the provider charges it again on its own after a refusal (Auto Rescue), for up to a month.
    var isTriedAgain: Bool { additional["retry.rescueScheduled"]?.lowercased() == "true" }
}

/// What the back office answers to a capture, a refund, a cancel or a change of the amount.
struct ModificationReply: Sendable {
    /// The name of the modification.
    let pspReference: String
    /// `received` and nothing else is a good answer, and it is none about the outcome.
    let status: String
    let reference: String?
    let paymentReference: String?
    let minorUnits: Int64?
    let currency: String?

    /// Reads a body; nil when there is no status or no name in it.
    init?(_ body: JSON?) {
        guard let status = body?.member("status")?.text, let name = body?.member("pspReference")?.text, !name.isEmpty
        else { return nil }
        (self.status, pspReference) = (status, name)
        reference = body?.member("reference")?.text
        paymentReference = body?.member("paymentPspReference")?.text
        minorUnits = body?.member("amount", "value")?.whole
        currency = body?.member("amount", "currency")?.text
    }

    /// The words of the older interface mean the same.
    var isReceived: Bool { status == "received" || (status.hasPrefix("[") && status.hasSuffix("-received]")) }
}
