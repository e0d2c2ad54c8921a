/// One attempt as the journal knows it: its facts, and where it stands by them.
public struct AttemptRecord: Hashable, Sendable {
    /// Everything that was appended about it.
    public let facts: AttemptFacts
    /// Where it stands.
    public let state: State

    /// Reads an attempt off its facts.
    public init(_ facts: AttemptFacts) {
        self.facts = facts
        switch facts.standing {
        case .underWay: state = facts.sends.contains { $0.round == facts.newest.number } ? .submitted : .begun
        case .inDoubt: state = .inDoubt
        case .notMoved: state = .notMoved
        case .pending, .declined, .moved: state = facts.verdict.map { .concluded($0) } ?? .inDoubt
        }
    }

    /// Where an attempt stands.
    public enum State: Hashable, Sendable {
        /// Written down; nothing has moved.
        case begun
        /// The first byte may have left.
        case submitted
        /// Nobody works on it and nobody knows.
        case inDoubt
        /// Proven: nothing moved. It may be begun again.
        case notMoved
        /// The provider said what became of it.
        case concluded(Verdict)
    }

    /// What was asked for.
    public var intent: AttemptIntent { facts.intent }

    /// Who was asked.
    public var provider: ProviderIdentity { facts.newest.provider }

    /// Counts how often it was begun anew after it had moved nothing.
    public var round: Int { facts.newest.number }

    /// When this round was begun, in milliseconds since 1970.
    public var begunAt: Int64 { facts.newest.begunAt.wall }

    /// When the first exchange of this round was opened that may move money.
    public var submittedAt: Int64? { facts.sends.first { $0.round == round }?.openedAt.wall }

    /// How the state came to be known.
    public var evidence: AttemptFacts.Word.Source? { facts.evidence }

    /// What the adapter remembered in this round, by name.
    public var notes: [String: String] {
        facts.notes.filter { $0.round == round }.reduce(into: [:]) { $0[$1.name] = $1.value }
    }

    /// Which process runs it.
    public var owner: String { facts.newest.owner }

    /// Whether nobody of ours has begun it, but the provider or somebody at a dashboard.
    public var isProviders: Bool { owner == AttemptFacts.Round.providers }

    /// Whether it is not known yet what became of it.
    public var isOpen: Bool {
        switch state {
        case .begun, .submitted, .inDoubt: true
        case .notMoved, .concluded: false
        }
    }

    /// Whether anything may still come of it: under way, in doubt, or accepted and not final.
    public var isUndecided: Bool { isOpen || isPending }

    /// Whether it was accepted and is not final.
    public var isPending: Bool {
        if case .concluded(.pending) = state { return true }
        return false
    }

    /// Whether money may have moved and nobody knows.
    public var mayHaveMoved: Bool {
        switch state {
        case .submitted, .inDoubt: true
        case .begun, .notMoved, .concluded: false
        }
    }

    /// What is known about the money, for an error.
    public var outcome: PaymentError.Outcome {
        facts.hasMoved ? .moved : mayHaveMoved || isPending ? .unknown : .nothingMoved
    }

    /// The verdict, when there is one.
    public var verdict: Verdict? {
        if case .concluded(let verdict) = state { return verdict }
        return nil
    }

    /// The approval, when there is one.
    public var approval: Approval? {
        if case .concluded(.approved(let approval)) = state { return approval }
        return nil
    }
}
