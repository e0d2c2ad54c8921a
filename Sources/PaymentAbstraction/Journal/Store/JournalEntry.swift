/// What is written in one transaction: parts about one attempt, each tried only if those before it were accepted.
public struct JournalEntry: Hashable, Sendable {
    /// Which attempt it is about.
    public enum Subject: Hashable, Sendable {
        /// The one of that name.
        case attempt(AttemptKey)
        /// The one that the provider calls so, if it can be one of these operations; any if none are named.
        case holder(ProviderIdentity, String, Set<PaymentOperation>)
    }

    /// One thing to append, if the rules allow it.
    public indirect enum Part: Hashable, Sendable {
        /// Begins an attempt, or begins it again.
        case begin(AttemptIntent, AdmissionTerms)
        /// Begins what the provider has done by itself, where the entry's name is nobody's and nothing of ours could be
        /// called so.
        case byProvider(AttemptIntent, ProviderIdentity)
        /// Opens a send of the newest round.
        case open(owner: String, SendTerms)
        /// Closes a send; when none is named, the last one of the entry's round.
        case close(send: Int?, AttemptFacts.Close.Proof)
        /// Ends a round; when none is named, the entry's.
        case end(round: Int?, AttemptFacts.End.Cause)
        /// Writes down what was said.
        case word(AttemptFacts.Word)
        /// Writes down that a question found nothing of it, or found it refused, if that proves something.
        case silence(Silence)
        /// Takes what looks like the attempt for it, if nothing else can be it.
        case likeness(ProviderIdentity, [LookupResult.Candidate], askedAt: JournalInstant)
        /// Writes down what the provider calls it.
        case names(ProviderIdentity, [String])
        /// Remembers something.
        case note(name: String, value: String)
    }

    /// Which attempt it is about.
    public let subject: Subject
    /// What is appended, in order.
    public var parts: [Part]
    /// The round whose process writes it; nil for the one that it begins, else for the newest.
    ///
    /// A process closes sends, ends and remembers in its own round alone: while it slept, another process may have taken
    /// the attempt over and sent a request of its own.
    public var round: Int?
    /// What happened, for the timeline.
    public var events: [PaymentEvent] = []
    /// Whether the timeline says how the attempt stands afterwards, if it stands otherwise than before: where nobody waits
    /// for the answer.
    public var announces = false
    /// Attempts whose callers were handed that they moved.
    public var told: Set<AttemptKey> = []

    /// Writes parts about an attempt.
    public init(_ subject: Subject, _ parts: [Part]) { (self.subject, self.parts) = (subject, parts) }

    /// Writes parts about an attempt.
    public init(_ key: AttemptKey, _ parts: [Part]) { self.init(.attempt(key), parts) }
}

extension JournalEntry {
    /// The attempt that it names; nil where the provider's name of it is given.
    public var key: AttemptKey? {
        if case .attempt(let key) = subject { return key }
        return nil
    }

    var scope: String { key?.scope ?? "" }

    /// What a store adds to timelines: the entry's own events, and what the rules raised, each with the next number.
    ///
    /// The events of an entry of which nothing was written have not happened.
    ///
    /// What the timeline holds already is asked for only where a rule has raised something.
    public func events(
        beside decision: JournalDecision, at now: JournalInstant, after timeline: (AttemptKey) throws -> [PaymentEvent]
    ) rethrows -> [PaymentEvent] {
        let events = decision.hasWritten ? self.events : []
        guard let facts = decision.answer.facts, !decision.events.isEmpty else { return events }
        var last = (try timeline(facts.intent.origin) + events).map(\.sequence).max() ?? 0
        return events
            + decision.events.map { kind in
                last += 1
                return PaymentEvent(
                    kind, sequence: last, at: now.wall, payment: facts.intent.paymentID, attempt: facts.intent.attempt,
                    provider: facts.newest.provider.id, attributes: AttemptRecord(facts).attributes(of: kind))
            }
    }
}

extension JournalDecision {
    /// Whether an entry was taken, or a part of it.
    fileprivate var hasWritten: Bool {
        switch answer {
        case .accepted, .kept: true
        case .refused(_, let facts?): changes.contains { $0.after.intent.key == facts.intent.key }
        case .known, .conflict, .unknownAttempt, .refused(_, nil): false
        }
    }
}
