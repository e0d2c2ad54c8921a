internal import PaymentBase

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
