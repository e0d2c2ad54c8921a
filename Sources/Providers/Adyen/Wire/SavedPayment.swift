internal import PaymentBase

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
}
