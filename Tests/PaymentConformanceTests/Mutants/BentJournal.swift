import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentTesting

/// A journal with some of its answers replaced; everything else is the journal's that it stands before.
struct BentJournal: WrappingJournal {
    typealias Write =
        @Sendable (any Journal, JournalEntry, WriteID, JournalInstant) async throws(JournalFailure) -> JournalAnswer

    let inner: any Journal
    var onWrite: Write = { (inner, entry, id, instant) async throws(JournalFailure) in
        try await inner.write(entry, id, at: instant)
    }
    var onFacts: @Sendable (AttemptKey, AttemptFacts?) -> AttemptFacts? = { $1 }
    var onFamily: @Sendable (AttemptKey, [AttemptFacts]) -> [AttemptFacts] = { $1 }

    func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        try await onWrite(inner, entry, id, instant)
    }

    func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts? {
        onFacts(key, try await inner.facts(key))
    }

    func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts] {
        onFamily(origin, try await inner.family(origin))
    }
}

extension BentJournal {
    /// Lets attempts begin that the books forbid; from then on it keeps books of its own about them.
    mutating func forgive(_ forgives: @escaping @Sendable (AttemptIntent, JournalAnswer) -> Bool) {
        let own = Locked([AttemptKey: AttemptFacts]())
        onWrite = { (inner, entry, id, instant) async throws(JournalFailure) in
            if let key = entry.key, let known = own.withLock({ $0[key] }), !entry.begins {
                return Self.write(entry, known, own, instant)
            }
            let answer = try await inner.write(entry, id, at: instant)
            guard case .begin(let intent, _)? = entry.parts.first, forgives(intent, answer) else { return answer }
            return Self.write(entry, nil, own, instant)
        }
    }

    private static func write(
        _ entry: JournalEntry, _ known: AttemptFacts?, _ own: Locked<[AttemptKey: AttemptFacts]>, _ now: JournalInstant
    ) -> JournalAnswer {
        var slice = JournalSlice()
        slice.attempt = known
        var parts = entry.parts
        // Begun without being asked, as if nothing stood in its way.
        if case .begin(let asked, let terms)? = parts.first {
            let round = AttemptFacts.Round(number: 1, provider: terms.provider, owner: terms.owner, begunAt: now)
            slice.attempt = AttemptFacts(asked, round)
            parts.removeFirst()
        }
        let decision = JournalRules.decide(JournalEntry(entry.subject, parts), slice, at: now)
        if let facts = decision.answer.facts { own.withLock { $0[facts.intent.key] = facts } }
        return decision.answer
    }

    /// Lets whoever lost the round go on.
    mutating func markAnyone() {
        onWrite = { (inner, entry, id, instant) async throws(JournalFailure) in
            let answer = try await inner.write(entry, id, at: instant)
            guard case .refused(.fenced, let facts?) = answer else { return answer }
            // It says that the caller's round is the newest and not over.
            let round = facts.rounds.first { $0.number == entry.round } ?? facts.newest
            var pretended = AttemptFacts(facts.intent, round)
            for part in entry.parts where part.opens {
                pretended.append(
                    .send(
                        .init(
                            round: round.number, number: facts.sends.count + 1, key: nil, leavesWithin: 0,
                            openedAt: instant)))
            }
            return .accepted(pretended)
        }
    }

    /// Never writes down what became of one operation.
    mutating func lose(_ operation: PaymentOperation) {
        onWrite = { (inner, entry, id, instant) async throws(JournalFailure) in
            guard let key = entry.key, let held = try await inner.facts(key), held.intent.operation == operation else {
                return try await inner.write(entry, id, at: instant)
            }
            var parts = entry.parts
            parts.removeAll { part in
                switch part {
                case .word, .likeness, .silence: true
                case .begin, .byProvider, .open, .close, .end, .names, .note: false
                }
            }
            return try await inner.write(JournalEntry(entry.subject, parts), id, at: instant)
        }
    }
}

extension JournalEntry {
    /// Whether it begins an attempt.
    var begins: Bool {
        if case .begin? = parts.first { return true }
        return false
    }
}

extension JournalEntry.Part {
    /// Whether it opens a send.
    var opens: Bool {
        if case .open = self { return true }
        return false
    }
}

extension Mutant {
    /// A mutant of the books.
    static func books(
        _ id: String, _ sentence: String, caughtBy check: String,
        _ change: @escaping @Sendable (inout BentJournal) -> Void
    ) -> Mutant {
        around(id, sentence, caughtBy: check) { given in
            var bent = BentJournal(inner: given.journal)
            change(&bent)
            given.journal = bent
        }
    }
}
