public import PaymentAbstraction

/// By which amount and source a script is brought about.
public struct TestPayment: Sendable {
    /// The amount to ask for.
    public let amount: Money
    /// The source to take it from.
    public let source: PaymentSource
    /// The reason that a decline must come with; nil where it is approved or left open.
    public var reason: Decline.Reason?
    /// The provider's own code that must come through untouched.
    public var code: String?
    /// The customer whose instrument it is, where the provider charges it for nobody else.
    public var customer: String?
    /// Texts in the source that must never be printed or kept.
    public var secrets: [String] = []

    /// Makes a cue.
    public init(_ amount: Money, _ source: PaymentSource) { (self.amount, self.source) = (amount, source) }
}
