/// What a lookup is about: the attempt, and the payment that it acts on.
public struct LookupRequest: Hashable, Sendable {
    /// What the journal holds about the attempt.
    public let record: Attempt
    /// The payment without this attempt; nil if the attempt itself starts it.
    public let payment: PaymentSnapshot?
    /// How many milliseconds ago the first request of the run in question was opened, at least; nil if there is none.
    public let millisecondsSinceSent: Int64?

    /// The attempt's own id.
    public var attempt: AttemptID { record.intent.attempt }
    /// What was asked for.
    public var amount: Money { record.intent.amount }
    /// What was noted under a name.
    public func note(_ name: String) -> String? { record.note(name) }
    /// When the first request of the run in question was opened, in milliseconds since 1970.
    public var submittedAt: Int64? {
        let run = record.runInQuestion
        return record.requests.first { $0.run == run }?.openedAt.wall
    }
    /// When the run in question began, in milliseconds since 1970.
    public var createdAt: Int64 {
        let run = record.runInQuestion
        return record.runs.first { $0.number == run }?.begunAt.wall ?? 0
    }
}
