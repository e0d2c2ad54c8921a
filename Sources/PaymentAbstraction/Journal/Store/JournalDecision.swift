/// What the rules make of an entry: the answer, and what a store has to append for it.
public struct JournalDecision: Hashable, Sendable {
    /// What is appended to one attempt.
    public struct Change: Hashable, Sendable {
        /// The attempt with everything appended.
        public let after: AttemptFacts
        /// What was appended.
        public let facts: [JournalFact]
        /// Whether there was no such attempt before.
        public let isNew: Bool
    }

    /// What is said to whoever wrote the entry.
    public let answer: JournalAnswer
    /// What is appended, for each attempt that changes.
    public var changes: [Change] = []
    /// The notice that is kept until somebody has its name.
    public var keeps: KeptNotice?
    /// Names whose waiting notices were applied and wait no longer.
    public var applied: Set<String> = []
    /// What happened beyond what the entry says, for the timeline.
    public var events: [PaymentEvent.Kind] = []
}
