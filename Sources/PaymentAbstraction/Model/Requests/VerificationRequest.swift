/// Checks an instrument, or turns it into a token, without charging it.
public struct VerificationRequest: Hashable, Sendable {
    /// The currency of a later charge.
    public let currency: Currency
    public let source: PaymentSource
    public let reference: String
    public var customer: String?
    public var contact: Contact?
    public var billing: Address?
    public var savesInstrument = false
    public var cardOnFile: CardOnFileTerms?

    /// Asks for a check of a source.
    public init(_ source: PaymentSource, in currency: Currency, reference: String) {
        (self.source, self.currency, self.reference) = (source, currency, reference)
    }
}
