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
    /// How much of the amount is a tip.
    public var tip: Money?
    /// Whose references and ids these are, in the application's own words.
    public var scope = ""
    /// Whether nothing real shall happen.
    public var isDryRun = false
    /// A digest of everything else that the caller asked; the same id with another one is a conflict.
    public var content = ""

    /// Makes an intent.
    public init(
        _ attempt: AttemptID, _ operation: PaymentOperation, _ amount: Money, reference: String,
        payment: PaymentID? = nil, source: SourceKind? = nil, last4: String? = nil
    ) {
        (self.attempt, self.operation, self.amount) = (attempt, operation, amount)
        (self.reference, self.payment) = (reference, payment)
        (self.source, self.last4) = (source, last4)
    }

    /// Whether the same was asked for; what an earlier edition or an import wrote down has no digest to compare.
    public func isSame(as other: AttemptIntent) -> Bool {
        var (mine, theirs) = (self, other)
        if content.isEmpty || other.content.isEmpty { (mine.content, theirs.content) = ("", "") }
        if tip == nil || other.tip == nil { (mine.tip, theirs.tip) = (nil, nil) }
        return mine == theirs
    }

    /// The attempt's name in the journal.
    public var key: AttemptKey { AttemptKey(attempt, scope: scope) }

    /// The payment that it belongs to: the one it acts on, or the one it starts.
    public var paymentID: PaymentID { payment ?? PaymentID(attempt) }

    /// The name in the journal of what its payment came from.
    public var origin: AttemptKey { AttemptKey(paymentID.attempt, scope: scope) }

    /// Whether it starts a payment.
    public var isOrigin: Bool { payment == nil }
}
