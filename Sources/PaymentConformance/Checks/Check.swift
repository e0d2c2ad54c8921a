/// One behaviour that every driver has, or says that it hasn't.
public struct Check: Sendable, Identifiable, CustomStringConvertible {
    /// What a check is about; reports are ordered by it.
    public enum Family: String, Hashable, Sendable, CaseIterable {
        /// Signing in, and staying so.
        case session
        /// Readers and their events.
        case reader
        /// Charging at once.
        case sale
        /// Holding and capturing.
        case authorization
        /// Undoing.
        case void
        /// Refunds.
        case refund
        /// Finding out what became of something.
        case lookup
        /// The provider's own records.
        case list
        /// Prices and quotes.
        case pricing
        /// Questions to the customer.
        case question
        /// Messages of the provider.
        case webhook
        /// What errors say.
        case error
        /// What must not be printed.
        case redaction
        /// Exact money.
        case amount
        /// Leaving and cancelling.
        case cancellation
        /// Several at a time.
        case concurrency
        /// Caps and refusals.
        case limit
        /// Unknown outcomes.
        case unknown
        /// Ids, replays and conflicts.
        case attempt
        /// The walk through all faults.
        case fault
    }

    /// What it means when it fails.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Money can be lost, doubled or misreported, or a secret gets out.
        case critical
        /// A promise is broken, and money is safe.
        case major
        /// A person has to act.
        case minor
    }

    /// What it does; throws ``CheckFailure`` for what is wrong and ``NotApplicable`` for what can't be said.
    public typealias Body = @Sendable (CheckContext) async throws -> Void

    /// Its stable name, such as `sale.lost-reply`.
    public let id: String
    /// The behaviour, in one sentence.
    public let summary: String
    /// What it is about.
    public let family: Family
    /// The capabilities that it needs, by their names in the capability table; all of them.
    public let needs: [String]
    /// How bad a failure is.
    public let severity: Severity
    /// The lowest level that it counts for; it counts for all above too.
    public let level: ConformanceLevel
    let body: Body

    /// Makes a check.
    public init(
        _ id: String, _ sentence: String, _ family: Family, needs: [String] = [], _ severity: Severity = .major,
        _ level: ConformanceLevel = .full, _ body: @escaping Body
    ) {
        (self.id, self.summary, self.family) = (id, sentence, family)
        (self.needs, self.severity, self.level, self.body) = (needs, severity, level, body)
    }

    public var description: String { id }
}
