/// The content of an attempt, written down before anything is sent.
public struct AttemptIntent: Hashable, Sendable {
    /// The name of the attempt.
    public let attempt: AttemptID
    /// What is to be done.
    public let operation: PaymentOperation
    /// How much.
    public let amount: Money
    /// The application's own reference.
    public let reference: String
    /// The payment that it acts on; nil when it starts one.
    public let payment: PaymentID?
    /// The kind of source; nil for operations on a payment.
    public let source: SourceKind?
    /// The last four digits of a source, where they are known before anything is read.
    public let last4: String?

    /// Makes an intent.
    public init(
        _ attempt: AttemptID, _ operation: PaymentOperation, _ amount: Money, reference: String,
        payment: PaymentID? = nil, source: SourceKind? = nil, last4: String? = nil
    ) {
        (self.attempt, self.operation, self.amount) = (attempt, operation, amount)
        (self.reference, self.payment) = (reference, payment)
        (self.source, self.last4) = (source, last4)
    }

    /// The payment that it belongs to: the one it acts on, or the one it starts.
    public var paymentID: PaymentID { payment ?? PaymentID(attempt) }

    /// Whether it starts a payment.
    public var isOrigin: Bool { payment == nil }
}
