/// One attempt as the journal knows it.
public struct AttemptRecord: Hashable, Sendable {
    /// What was asked for.
    public let intent: AttemptIntent
    /// Who was asked.
    public let provider: ProviderIdentity
    /// Counts how often it was begun anew after it had moved nothing.
    public var round: Int
    /// Where it stands.
    public var state: State
    /// When this round was begun, in milliseconds since 1970.
    public var begunAt: Int64
    /// When the mark before the first byte was written.
    public var submittedAt: Int64?
    /// When the provider said what the state says.
    public var eventAt: Int64?
    /// How the state came to be known.
    public var evidence: Evidence?
    /// What the adapter remembered, by name.
    public var notes: [String: String]
    /// The look-alike that was taken to be this attempt; no other attempt may take it.
    public var claim: String?
    /// Which process runs it.
    public var owner: String

    /// Makes a record.
    public init(_ intent: AttemptIntent, _ provider: ProviderIdentity, round: Int, at instant: Int64, owner: String) {
        (self.intent, self.provider, self.round) = (intent, provider, round)
        (begunAt, self.owner, state, notes) = (instant, owner, .begun, [:])
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

    /// How an outcome came to be known.
    public enum Evidence: String, Hashable, Sendable, CaseIterable {
        /// The reply to the exchange itself.
        case reply
        /// A question to the provider afterwards.
        case lookup
        /// A message of the provider's.
        case webhook
        /// A person's decision.
        case person
        /// It was adopted from elsewhere.
        case imported
    }

    /// Whether it is not known yet what became of it.
    public var isOpen: Bool {
        switch state {
        case .begun, .submitted, .inDoubt: true
        case .notMoved, .concluded: false
        }
    }

    /// Whether anything may still come of it: under way, in doubt, or accepted and not final.
    public var isUndecided: Bool {
        if case .concluded(.pending) = state { return true }
        return isOpen
    }

    /// Whether money may have moved and nobody knows.
    public var mayHaveMoved: Bool {
        switch state {
        case .submitted, .inDoubt: true
        case .begun, .notMoved, .concluded: false
        }
    }

    /// What is known about the money, for an error.
    public var outcome: PaymentError.Outcome { mayHaveMoved ? .unknown : .nothingMoved }

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
