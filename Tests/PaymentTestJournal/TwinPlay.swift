internal import PaymentBase
package import PaymentConformance
package import PaymentJournalKit
package import PaymentModel
internal import PaymentTesting

/// A check of the suite of providers over two journals at once that get the same calls: the one in memory and a store.
package struct TwinPlay: Sendable {
    private let harness: any ConformanceHarness
    private let table: LateRegistry
    private let store: any Journal
    private let generation: JournalGeneration

    /// Takes a store that is empty, and that asks `table` which processes live.
    package init(_ harness: any ConformanceHarness, _ store: any Journal, _ table: LateRegistry) async throws {
        (self.harness, self.store, self.table) = (harness, store, table)
        generation = try await store.generation()
    }

    /// Plays one check; says whether it passed, and what the two journals did differently.
    package func play(_ check: Check) -> (passed: Bool, differences: [String]) {
        var suite = ConformanceRunner(harness)
        let twins = Locked([TwinJournal]())
        suite.makeJournal = { [table, store, generation] scheduler, processes in
            table.follow(processes)
            let twin = TwinJournal(InMemoryJournal(processes: processes, generation: generation), store)
            twins.withLock { $0.append(twin) }
            return ClockPausingJournal(twin, scheduler)
        }
        let result = suite.run(check)
        return (result.status == .passed, twins.withLock { $0 }.flatMap(\.differences))
    }
}

/// Two journals that get the same calls, one after the other: after every write, what both keep is compared. The first one
/// answers.
package final class TwinJournal: JournalWrapper {
    package let inner: any Journal
    private let other: any Journal
    private let found = Locked([String]())
    private let turns = Turns()

    /// So many attempts are compared of each page.
    private static let comparedMax = 1_000
    /// So many differences are kept.
    private static let keptMax = 20

    /// Both journals have to be empty, and share one registry of processes.
    package init(_ first: any Journal, _ other: any Journal) { (inner, self.other) = (first, other) }

    /// What the two did differently, in words.
    package var differences: [String] { found.withLock { $0 } }

    private func differ(_ what: String, _ first: some Any, _ second: some Any) {
        let words = "\(what): \(Self.gap("\(first)", "\(second)"))"
        found.withLock { if $0.count < Self.keptMax { $0.append(words) } }
    }

    private func compare<Value: Equatable>(_ what: String, _ first: Value, _ second: Value) {
        if first != second { differ(what, first, second) }
    }

    /// What the other one says to a question, or how it failed.
    private func ask<Value>(_ body: (any Journal) async throws(JournalFailure) -> Value) async -> Result<
        Value, JournalFailure
    > {
        do { return .success(try await body(other)) } catch { return .failure(error) }
    }

    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        await turns.take()
        defer { turns.leave() }
        let second = await ask { other throws(JournalFailure) in try await other.write(entry, id, at: instant) }
        let first = try await inner.write(entry, id, at: instant)
        switch second {
        case .failure(let failure): differ("\(entry.command)", first, failure)
        case .success(let answer): compare("\(entry.command)", first.comparable, answer.comparable)
        }
        if let held = first.attempt { try await compare(held) }
        return first
    }

    /// Compares everything that can be read of an attempt.
    private func compare(_ held: Attempt) async throws(JournalFailure) {
        let (id, payment) = (held.intent.attempt, held.intent.paymentID)
        let stored = await ask { other throws(JournalFailure) in try await other.payment(payment) }
        compare("payment \(payment)", .success(try await inner.payment(payment)), stored)
        let timeline = await ask { other throws(JournalFailure) in try await other.timeline(payment) }
        compare("timeline of \(payment)", .success(try await inner.timeline(payment)), timeline)
        var queries: [JournalQuery] = [.attempt(id), .origins(scope: nil), .origins(scope: held.intent.scope)]
        queries += [.open(scope: nil), .open(scope: held.intent.scope)]
        queries += held.names.map { .named(ProviderName($0.account, $0.value)) }
        if let reference = PaymentRecord.Reference(held.intent) {
            queries.append(.reference(scope: reference.scope, reference.text))
        }
        for query in queries { try await compare(query) }
    }

    private func compare(_ query: JournalQuery) async throws(JournalFailure) {
        let first = try await inner.attempts(query, after: nil, limit: Self.comparedMax)
        let second = await ask { other throws(JournalFailure) in
            try await other.attempts(query, after: nil, limit: Self.comparedMax)
        }
        switch second {
        case .failure(let failure): differ("\(query)", first, failure)
        case .success(let page):
            compare("\(query), unreadable", first.unreadable, page.unreadable)
            compare("\(query)", first.attempts.comparable(query), page.attempts.comparable(query))
        }
    }

    package func preview(
        _ entry: JournalEntry, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        await turns.take()
        defer { turns.leave() }
        let second = await ask { other throws(JournalFailure) in try await other.preview(entry, at: instant) }
        let first = try await inner.preview(entry, at: instant)
        compare("preview of \(entry.command)", .success(first.comparable), second.map(\.comparable))
        return first
    }

    package func takeDue(_ terms: DueTerms, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage {
        await turns.take()
        defer { turns.leave() }
        let second = await ask { other throws(JournalFailure) in try await other.takeDue(terms, at: instant) }
        let first = try await inner.takeDue(terms, at: instant)
        compare("due at \(instant.wall)", .success(first), second)
        return first
    }

    package func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        await turns.take()
        defer { turns.leave() }
        let second = await ask { other throws(JournalFailure) in try await other.add(events, to: payment) }
        if case .failure(let failure) = second { differ("steps of \(payment)", "added", failure) }
        try await inner.add(events, to: payment)
        let timeline = await ask { other throws(JournalFailure) in try await other.timeline(payment) }
        compare("timeline of \(payment)", .success(try await inner.timeline(payment)), timeline)
    }

    package func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        await turns.take()
        defer { turns.leave() }
        let second = await ask { other throws(JournalFailure) in try await other.draw(count) }
        let first = try await inner.draw(count)
        compare("numbers", .success(first), second)
        return first
    }

    /// Where two texts part, with what is before and after it.
    private static func gap(_ one: String, _ other: String) -> String {
        let (a, b) = (Array(one), Array(other))
        var place = 0
        while place < a.count, place < b.count, a[place] == b[place] { place += 1 }
        func part(_ text: [Character]) -> String { String(text[max(0, place - 80)..<min(text.count, place + 200)]) }
        return "\n  first: \(part(a))\n  other: \(part(b))"
    }
}

/// Lets one caller after the other do something.
private final class Turns: Sendable {
    private let state = Locked((isTaken: false, waiting: [Promise<Bool>]()))

    func take() async {
        let mine = Promise<Bool>()
        let isFree = state.withLock { state in
            defer { state.isTaken = true }
            if state.isTaken { state.waiting.append(mine) }
            return !state.isTaken
        }
        if !isFree { _ = await mine.value() }
    }

    func leave() {
        let next = state.withLock { state -> Promise<Bool>? in
            if state.waiting.isEmpty { state.isTaken = false } else { return state.waiting.removeFirst() }
            return nil
        }
        next?.fulfill(true)
    }
}

extension JournalAnswer {
    /// What two journals must say alike; a repeated write says nothing of alerts.
    fileprivate var comparable: JournalAnswer {
        guard case .written(let attempt, var receipt) = self else { return self }
        receipt.alerts = []
        return .written(attempt, receipt)
    }
}

extension [Attempt] {
    /// What two journals must find alike: a store reads payment by payment, so that the order is its own; and it finds by a
    /// reference what pays once under it.
    fileprivate func comparable(_ query: JournalQuery) -> [Attempt] {
        let found =
            switch query {
            case .reference: filter { PaymentRecord.Reference($0.intent) != nil }
            case .attempt, .named, .origins, .open: self
            }
        return found.sorted { $0.intent.attempt.text < $1.intent.attempt.text }
    }
}

/// Several journals on one store, each of which gets a call in its turn.
package struct TurnsJournal: JournalWrapper {
    private let journals: [any Journal]
    private let counter = Counter()

    /// Takes journals that share their payments.
    package init(_ journals: [any Journal]) { self.journals = journals }

    package var inner: any Journal { journals[counter.next() % journals.count] }
}

/// The registry of a store that is opened before the processes of a check are known.
package final class LateRegistry: ProcessRegistry {
    private let table = Locked((any ProcessRegistry)?.none)

    /// A registry that knows no process.
    package init() {}

    package var own: String { "store" }
    package func isAlive(_ owner: String) -> Bool { table.withLock { $0 }?.isAlive(owner) ?? false }
    /// Answers as another one from now on.
    package func follow(_ registry: any ProcessRegistry) { table.withLock { $0 = registry } }
}
