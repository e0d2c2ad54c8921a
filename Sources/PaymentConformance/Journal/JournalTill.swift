package import PaymentAbstraction
package import PaymentBase

/// The smallest till that there can be: it makes attempts and settles what others left behind, with as few writes as the
/// specification allows, so that a store can be tried under crashes and races without an engine above it.
package struct JournalTill: Sendable {
    /// How an attempt ended here.
    package enum End: Hashable, Sendable {
        /// The provider answered.
        case done(Verdict)
        /// It was made before, or elsewhere.
        case known(AttemptFacts.Standing)
        /// Nobody knows.
        case open
        /// The journal refused it.
        case refused(JournalRefusal)
    }

    /// Asks the provider to do something, or whether it did; nil when there is no answer, or nothing of it.
    package typealias Exchange = @Sendable (AttemptIntent) async throws -> Verdict?

    /// How often a write is repeated whose fate is unknown, and how often an attempt is offered that has to wait.
    private static let triesMax = 50

    private let journal: any Journal
    private let owner: String
    private let owners: any OwnerRegistry
    private let milliseconds: Int64
    private let clock: any PaymentClock

    /// A till whose writes nobody else makes: `owner` is in their names. By `clock` it looks whether those are still there
    /// for whom it waits; what it writes carries `milliseconds`.
    package init(
        _ journal: any Journal, owner: String, _ owners: any OwnerRegistry, at milliseconds: Int64 = 0,
        clock: any PaymentClock = SystemClock()
    ) {
        (self.journal, self.owner, self.owners, self.milliseconds) = (journal, owner, owners, milliseconds)
        self.clock = clock
    }

    private func write(
        _ key: AttemptKey, _ step: String, _ parts: [JournalEntry.Part], told: Set<AttemptKey> = []
    ) async throws -> JournalAnswer {
        var entry = JournalEntry(key, parts)
        entry.told = told
        let id = WriteID("\(owner)-\(milliseconds)-\(key.attempt)-\(step)")
        for _ in 0..<Self.triesMax {
            do { return try await journal.write(entry, id, at: JournalDesk.at(milliseconds)) } catch {
                guard case .fateUnknown = error else { throw error }
            }
        }
        throw JournalBreach("the fate of a write stays unknown")
    }

    /// Makes an attempt: written down and opened before it is asked for, and its end in one write after that.
    package func make(
        _ intent: AttemptIntent, _ provider: ProviderIdentity = JournalDesk.one, _ exchange: Exchange
    ) async throws -> End {
        var after: [String] = []
        for number in 0..<Self.triesMax {
            let begun = try await write(
                intent.key, "begin-\(number)",
                [JournalDesk.begin(intent, provider, owner: owner, after: after), JournalDesk.open(owner: owner)])
            switch begun {
            case .accepted: return try await send(intent, provider, exchange)
            case .known(let facts) where facts.standing == .underWay && owners.isAlive(facts.newest.owner):
                try await journal.changed(facts, or: owners, clock)
            case .known(let facts): return .known(facts.standing)
            case .refused(.blocked(let records), _):
                // Who is decided is known with this; who runs is waited for.
                after = records.filter { !$0.facts.isOpen }.map(\.intent.attempt.text)
                guard let open = records.first(where: \.facts.isOpen) else { continue }
                guard open.facts.standing == .underWay, owners.isAlive(open.owner) else {
                    return .refused(.blocked(by: []))
                }
                try await journal.changed(open.facts, or: owners, clock)
            case .refused(let refusal, _): return .refused(refusal)
            case .conflict, .kept, .unknownAttempt: throw JournalBreach("an attempt gave \(begun)")
            }
        }
        return .refused(.blocked(by: []))
    }

    private func send(
        _ intent: AttemptIntent, _ provider: ProviderIdentity, _ exchange: Exchange
    ) async throws -> End {
        guard let verdict = try await exchange(intent) else {
            _ = try await write(intent.key, "lost", JournalDesk.lost)
            return .open
        }
        let names = verdict.references.values.sorted()
        let closed = try await write(intent.key, "close", JournalDesk.closing(verdict, names: names, provider))
        guard case .accepted(let facts) = closed else { throw JournalBreach("the end of an attempt gave \(closed)") }
        if facts.hasMoved { _ = try await write(intent.key, "told", [], told: [intent.key]) }
        return .done(verdict)
    }

    /// Settles what nobody works on any more; gives what stays open.
    package func recover(_ provider: ProviderIdentity = JournalDesk.one, asking ask: Exchange) async throws
        -> [AttemptID]
    {
        var left: [AttemptID] = []
        for facts in try await journal.page(.open, scope: "", after: nil, limit: .max).rows {
            let (key, isOurs) = (facts.intent.key, facts.newest.owner == owner)
            guard facts.isEnded || (!isOurs && !owners.isAlive(facts.newest.owner)) else {
                left.append(key.attempt)
                continue
            }
            var parts: [JournalEntry.Part] = []
            if !facts.isEnded {
                let ended = try await write(key, "over", [.close(send: nil, .lost), .end(round: nil, .takeOver)])
                guard case .accepted = ended else { throw JournalBreach("a take-over gave \(ended)") }
            }
            guard let now = try await journal.facts(key), now.isOpen else { continue }
            if let verdict = try await ask(facts.intent) {
                var word = JournalDesk.word(.lookup, verdict)
                (word.round, word.askedAt) = (now.newest.number, JournalDesk.at(milliseconds))
                parts = [.names(provider, verdict.references.values.sorted()), .word(word)]
            } else {
                // Long after, so that the silence counts.
                let asked = JournalDesk.at(milliseconds + 60_000)
                parts = [.silence(Silence(nil, of: now, askedAt: asked, quiet: 1_000))]
            }
            let found = try await write(key, "found", parts)
            if found.facts?.isOpen != false { left.append(key.attempt) }
        }
        return left
    }
}
