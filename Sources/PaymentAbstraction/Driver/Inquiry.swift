/// What a lookup is about: the attempt, and the payment that it acts on.
public struct Inquiry: Hashable, Sendable {
    /// What the journal holds about the attempt.
    public let record: AttemptRecord
    /// The payment without this attempt; nil when the attempt itself starts it.
    public let payment: PaymentSnapshot?
    /// How many milliseconds ago its first send of this round was opened, at least, by clocks that nobody sets; nil where
    /// none was.
    public let sinceSubmitted: Int64?

    /// The attempt's own id.
    public var attempt: AttemptID { record.intent.attempt }
    /// What was asked for.
    public var amount: Money { record.intent.amount }
    /// What was remembered under a name.
    public func note(_ name: String) -> String? { record.notes[name] }
}
