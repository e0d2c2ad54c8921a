/// A refund without an original payment on the provider's side.
public struct UnlinkedRefundRequest: Hashable, Sendable {
    /// How much is given.
    public let amount: Money
    /// To what.
    public let source: PaymentSource
    /// The application's own reference.
    public let reference: String
    /// A payment that it belongs to in our books; then it counts against what is left of that payment.
    public var payment: PaymentID?
    /// What the customer reads.
    public var displayText: String?
    /// The same request as the merchant's back end made it, to be sent as it is.
    public var prepared: PreparedRequest?

    /// Asks for a refund to a source.
    public init(_ amount: Money, to source: PaymentSource, reference: String) {
        (self.amount, self.source, self.reference) = (amount, source, reference)
    }
}
