/// Checks an instrument, or turns it into a token, without charging it.
public struct VerificationRequest: Hashable, Sendable {
    /// The currency of a later charge.
    public let currency: Currency
    /// What is checked.
    public let source: PaymentSource
    /// The application's own reference.
    public let reference: String
    /// The customer's name at the merchant.
    public var customer: String?
    /// Whose it is.
    public var contact: CustomerContact?
    /// The billing address.
    public var billing: PostalAddress?
    /// Whether the provider shall keep it for the customer.
    public var savesInstrument = false
    /// Registers it for later charges without the customer.
    public var cardOnFile: CardOnFileTerms?

    /// Asks for a check of a source.
    public init(_ source: PaymentSource, in currency: Currency, reference: String) {
        (self.source, self.currency, self.reference) = (source, currency, reference)
    }
}
