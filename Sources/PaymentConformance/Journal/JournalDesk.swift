package import PaymentAbstraction
internal import PaymentBase

/// Writes to a journal what a till would write, for checks and tests.
package struct JournalDesk: Sendable {
    package let journal: any Journal
    private let prefix: String
    private let count = Locked(0)

    /// A desk; two at one journal need different names.
    package init(_ journal: any Journal, name: String = "desk") { (self.journal, prefix) = (journal, name) }

    package static let one = ProviderIdentity("one", adapter: "memory", environment: "sandbox", merchant: "m-1")
    package static let two = ProviderIdentity("two", adapter: "memory", environment: "sandbox", merchant: "m-2")
    /// Who runs what begins here.
    package static let owner = "till"

    /// A moment, so many milliseconds after the beginning of all.
    package static func at(_ milliseconds: Int64) -> JournalInstant {
        JournalInstant(wall: 1_700_000_000_000 + milliseconds, uptime: 1_000_000 + milliseconds, boot: "b")
    }

    // MARK: - Writing

    /// A name that no write had.
    package func fresh() -> WriteID {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return WriteID("\(prefix)-\(number)")
    }

    /// Writes parts about an attempt.
    @discardableResult
    package func write(
        _ name: String, _ parts: [JournalEntry.Part], scope: String = "", at milliseconds: Int64 = 0,
        events: [PaymentEvent] = [], told: [String] = []
    ) async throws -> JournalAnswer {
        var entry = JournalEntry(try Self.key(name, scope), parts)
        entry.events = events
        entry.told = Set(try told.map { try Self.key($0, scope) })
        return try await journal.write(entry, fresh(), at: Self.at(milliseconds))
    }

    /// Writes what must be accepted.
    @discardableResult
    package func accept(
        _ name: String, _ parts: [JournalEntry.Part], scope: String = "", at milliseconds: Int64 = 0,
        events: [PaymentEvent] = [], told: [String] = [], line: Int = #line
    ) async throws -> AttemptFacts {
        let answer = try await write(name, parts, scope: scope, at: milliseconds, events: events, told: told)
        guard case .accepted(let facts) = answer else { throw JournalBreach("line \(line): \(name) gave \(answer)") }
        return facts
    }

    /// Begins an attempt and opens its first send, as one entry.
    @discardableResult
    package func send(
        _ intent: AttemptIntent, _ provider: ProviderIdentity = Self.one, owner: String = Self.owner,
        at milliseconds: Int64 = 0, line: Int = #line
    ) async throws -> AttemptFacts {
        try await accept(
            intent.attempt.text, [Self.begin(intent, provider, owner: owner), Self.open(owner: owner)],
            scope: intent.scope, at: milliseconds, line: line)
    }

    /// Begins an attempt, sends it and writes its end, in two entries; the caller is told.
    @discardableResult
    package func done(
        _ intent: AttemptIntent, _ verdict: Verdict, names: [String] = [], _ provider: ProviderIdentity = Self.one,
        at milliseconds: Int64 = 0, isTold: Bool = true, line: Int = #line
    ) async throws -> AttemptFacts {
        try await send(intent, provider, at: milliseconds, line: line)
        let facts = try await accept(
            intent.attempt.text, Self.closing(verdict, names: names, provider), scope: intent.scope,
            at: milliseconds + 1, line: line)
        guard isTold, facts.hasMoved else { return facts }
        return try await accept(
            intent.attempt.text, [], scope: intent.scope, at: milliseconds + 2, told: [intent.attempt.text], line: line)
    }

    // MARK: - Parts

    package static func begin(
        _ intent: AttemptIntent, _ provider: ProviderIdentity = one, owner: String = owner, after: [String] = []
    ) -> JournalEntry.Part {
        var terms = AdmissionTerms(provider, owner: owner)
        terms.after = Set(after.compactMap { try? AttemptID($0) })
        return .begin(intent, terms)
    }

    package static func open(
        owner: String = owner, key: String? = nil, lives: Int64? = nil, leaves: Int64? = 100
    ) -> JournalEntry.Part { .open(owner: owner, SendTerms(key: key, keyLives: lives, leavesWithin: leaves)) }

    /// The end of a sale that was answered.
    package static func closing(
        _ verdict: Verdict, names: [String] = [], _ provider: ProviderIdentity = one
    ) -> [JournalEntry.Part] {
        let named: [JournalEntry.Part] = names.isEmpty ? [] : [.names(provider, names)]
        return [.close(send: nil, .answered)] + named + [
            .end(round: nil, .owner), .word(word(.reply, verdict, send: 1)),
        ]
    }

    /// The end of a sale of which nobody knows.
    package static let lost: [JournalEntry.Part] = [.close(send: nil, .lost), .end(round: nil, .owner)]

    package static func word(
        _ source: AttemptFacts.Word.Source, _ verdict: Verdict, send: Int? = nil, time: Int64? = nil,
        id: String? = nil
    ) -> AttemptFacts.Word {
        var word = AttemptFacts.Word(source, .verdict(verdict), at: at(0))
        (word.send, word.providerTime, word.id) = (send, time, id)
        return word
    }

    // MARK: - Contents

    package static func key(_ name: String, _ scope: String = "") throws -> AttemptKey {
        AttemptKey(try AttemptID(name), scope: scope)
    }

    package static func intent(
        _ name: String, _ operation: PaymentOperation = .sale, _ cents: Int64 = 100, reference: String? = nil,
        of payment: String? = nil, scope: String = ""
    ) throws -> AttemptIntent {
        var intent = AttemptIntent(
            try AttemptID(name), operation, .cents(cents), reference: reference ?? "order-\(name)",
            payment: try payment.map { try PaymentID($0) }, source: payment == nil ? .card : nil,
            last4: payment == nil ? "1111" : nil)
        (intent.scope, intent.content) = (scope, "digest")
        return intent
    }

    package static func approved(_ cents: Int64 = 100, _ references: PaymentReferences = [:]) -> Verdict {
        .approved(Approval(.cents(cents), references: references))
    }

    package static let declined = Verdict.declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))
    package static let pending = Verdict.pending(Pending(lookAgain: true))

    package static func event(
        _ kind: String, _ sequence: Int, of payment: String?, at instant: Int64 = 1
    ) throws -> PaymentEvent {
        PaymentEvent(
            PaymentEvent.Kind(rawValue: kind), sequence: sequence, at: instant,
            payment: try payment.map { try PaymentID($0) }, attributes: ["n": "\(sequence)", "ü": "\"'\n💶", "": ""])
    }

    // MARK: - Reading

    package func facts(_ name: String, scope: String = "") async throws -> AttemptFacts? {
        try await journal.facts(try Self.key(name, scope))
    }

    package func held(_ name: String, scope: String = "", line: Int = #line) async throws -> AttemptFacts {
        guard let facts = try await facts(name, scope: scope) else {
            throw JournalBreach("line \(line): \(name) is not there")
        }
        return facts
    }

    /// All of a query, page by page.
    package func names(_ query: JournalQuery, scope: String = "", limit: Int = 100) async throws -> [String] {
        var names: [String] = []
        var cursor: JournalCursor?
        repeat {
            let page = try await journal.page(query, scope: scope, after: cursor, limit: limit)
            names += page.rows.map(\.intent.attempt.text)
            cursor = page.next
        } while cursor != nil
        return names
    }

    package func holders(_ name: String, _ provider: ProviderIdentity = Self.one) async throws -> [String] {
        try await journal.holders(name, of: provider).map(\.intent.attempt.text)
    }

    package func timeline(_ name: String, scope: String = "") async throws -> [PaymentEvent] {
        try await journal.timeline(try Self.key(name, scope))
    }

    /// Does something many times at once.
    package func atOnce<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}

extension Money {
    static func cents(_ cents: Int64) -> Money { Money(minorUnits: cents, .eur) }
}
