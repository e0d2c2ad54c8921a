package import PaymentBase
package import PaymentJournalKit
public import PaymentModel

/// The smallest till that there can be: it makes attempts and settles what others left behind, with as few writes as the
/// rules allow, so that a store can be tried under crashes and races without an engine above it.
package struct JournalTestClient: Sendable {
    /// How an attempt ended here.
    package enum End: Hashable, Sendable {
        /// The provider answered.
        case done(Verdict)
        /// It was made before, or elsewhere.
        case known(Attempt.State)
        /// Its outcome is not known.
        case open
        /// The journal refused it.
        case refused(JournalRefusal)
    }

    /// Asks the provider to do something, or whether it did; nil if there is no answer, or nothing of it.
    package typealias Exchange = @Sendable (Attempt.Intent) async throws -> Verdict?

    /// How often a write is repeated whose fate is unknown, and how often an attempt is offered that has to wait.
    private static let triesMax = 50
    /// How often a process that is waited for is looked at, in milliseconds.
    private static let aliveEveryMilliseconds: Int64 = 50

    private let journal: any Journal
    private let owner: String
    private let processes: any ProcessRegistry
    private let milliseconds: Int64
    private let clock: any PaymentClock

    /// A till whose writes no other process makes: `owner` is in their ids. By `clock` it looks whether the processes live for
    /// which it waits; what it writes carries `milliseconds`.
    package init(
        _ journal: any Journal, owner: String, _ processes: any ProcessRegistry, at milliseconds: Int64 = 0,
        clock: any PaymentClock = SystemClock()
    ) {
        (self.journal, self.owner, self.processes) = (journal, owner, processes)
        (self.milliseconds, self.clock) = (milliseconds, clock)
    }

    private func write(_ attempt: AttemptID, _ step: String, _ command: JournalCommand) async throws -> JournalAnswer {
        let id = WriteID("\(owner)-\(milliseconds)-\(attempt)-\(step)")
        for _ in 0..<Self.triesMax {
            do {
                return try await journal.write(JournalEntry(command), id, at: JournalTestWriter.at(milliseconds))
            } catch {
                guard case .writeUnconfirmed = error else { throw error }
            }
        }
        throw JournalViolation("the fate of a write stays unknown")
    }

    /// Makes an attempt: written down and opened before it is asked for, and its end in one write after that.
    package func make(
        _ intent: Attempt.Intent, _ account: ProviderIdentity = JournalTestWriter.one, _ exchange: Exchange
    ) async throws -> End {
        let id = intent.attempt
        for number in 0..<Self.triesMax {
            let begun = try await write(id, "begin-\(number)", JournalTestWriter.request(intent, account, owner: owner))
            switch begun {
            case .written(_, let receipt):
                guard let run = receipt.run, let request = receipt.request else {
                    throw JournalViolation("an attempt gave \(begun)")
                }
                return try await send(intent, account, run, request, exchange)
            case .known(let held):
                guard held.state == .running, try await wait(for: id) else { return .known(held.state) }
            case .refused(let refusal, _):
                guard try await wait(for: refusal.open) else { return .refused(refusal) }
            case .kept, .hint: throw JournalViolation("an attempt gave \(begun)")
            }
        }
        return .refused(.blocked(by: []))
    }

    private func wait(for ids: [AttemptID]) async throws -> Bool {
        guard let first = ids.first else { return false }
        return try await wait(for: first)
    }

    /// Waits until a living process has written more of an attempt's payment, or is gone; false if none works on it.
    private func wait(for id: AttemptID) async throws -> Bool {
        guard let held = try await journal.attempts(.attempt(id), after: nil, limit: 1).attempts.first,
            let stored = try await journal.payment(held.intent.paymentID)
        else { return false }
        // What was decided since is offered again.
        guard let now = stored.attempts.first(where: { $0.intent.attempt == id }), now.isOpen else { return true }
        guard now.state == .running, let run = now.newest, processes.isAlive(run.owner) else { return false }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await journal.changed(id, after: stored.entry) }
            group.addTask {
                while processes.isAlive(run.owner), !Task.isCancelled {
                    do { try await clock.sleep(until: clock.now + Self.aliveEveryMilliseconds) } catch { break }
                }
            }
            _ = try await group.next()
            group.cancelAll()
        }
        return true
    }

    private func send(
        _ intent: Attempt.Intent, _ account: ProviderIdentity, _ run: Int, _ request: Int, _ exchange: Exchange
    ) async throws -> End {
        let verdict = try await exchange(intent)
        let names = verdict?.references.values.sorted() ?? []
        let closed = try await write(
            intent.attempt, "close-\(request)",
            JournalTestWriter.finish(
                intent.attempt, verdict, names: names, account, owner: owner, run: run, request: request)
        )
        guard case .written(_, let receipt) = closed, receipt.refusal == nil else {
            throw JournalViolation("the end of an attempt gave \(closed)")
        }
        return verdict.map { .done($0) } ?? .open
    }

    /// Settles what no process works on any more; returns what stays open.
    package func recover(asking ask: Exchange) async throws -> [AttemptID] {
        var left: [AttemptID] = []
        for held in try await JournalTestWriter(journal).all(.open(scope: nil)) {
            let id = held.intent.attempt
            if !held.isEnded, let run = held.newest {
                let isOurs = run.owner == owner
                guard !isOurs, !processes.isAlive(run.owner) else {
                    left.append(id)
                    continue
                }
                let ended = try await write(id, "over", .takeOver(id, run: run.number, .died))
                guard case .written = ended else { throw JournalViolation("a take-over gave \(ended)") }
            }
            guard let stored = try await journal.payment(held.intent.paymentID),
                let now = stored.attempts.first(where: { $0.intent.attempt == id }), now.isOpen
            else { continue }
            // If it does not show, it was asked long after, so that the absence counts.
            let verdict = try await ask(held.intent)
            let asked = verdict == nil ? milliseconds + 60_000 : milliseconds
            let found = try await write(
                id, "found", JournalTestWriter.lookup(now, known: stored.entry, verdict, at: asked))
            if found.attempt?.isOpen != false { left.append(id) }
        }
        return left
    }
}

extension JournalRefusal {
    /// The open attempts that are in the way.
    fileprivate var open: [AttemptID] {
        switch self {
        case .referenceInUse(let id, .running): [id]
        case .blocked(let ids), .exceeds(_, let ids): ids
        case .referenceInUse, .conflict, .notAllowed, .noSuchPayment, .noSuchAttempt, .otherAccount, .fenced, .inDoubt,
            .changed, .mayBeLost, .claimed, .mayBe, .couldMatch, .runs, .notWritten, .ofCopy, .noProof,
            .pruned:
            []
        }
    }
}

/// A provider that does whatever it is asked, and remembers it: what the journal is compared with.
public final class LedgerProvider: Sendable {
    private let done = Locked([String: [Money]]())

    /// A provider that was asked for nothing yet.
    public init() {}

    /// Does it.
    @discardableResult
    public func execute(_ name: String, _ amount: Money) -> Verdict {
        done.withLock { $0[name, default: []].append(amount) }
        return Self.verdict(name, amount)
    }

    /// What became of an attempt; nil when it was never asked for.
    public func found(_ name: String) -> Verdict? { done.withLock { $0[name]?.first }.map { Self.verdict(name, $0) } }

    /// How often it was done.
    public func count(_ name: String) -> Int { done.withLock { $0[name]?.count ?? 0 } }

    /// Everything that was done.
    public var all: [String: [Money]] { done.withLock { $0 } }

    /// What it answers.
    public static func verdict(_ name: String, _ amount: Money) -> Verdict {
        .approved(Approval(amount, references: ["payment": "at-\(name)"]))
    }

    /// Every attempt of the journal beside the books, and every movement beside the journal.
    package func contradictions(_ journal: any Journal) async throws -> [String] {
        var (found, known): ([String], Set<String>) = ([], [])
        let desk = JournalTestWriter(journal)
        for origin in try await desk.all(.origins(scope: nil)) {
            for attempt in try await desk.family(origin.intent.attempt.text) {
                let name = attempt.intent.attempt.text
                known.insert(name)
                let isRight =
                    switch attempt.state {
                    case .approved: count(name) == 1
                    case .notExecuted, .declined, .reversed: count(name) == 0
                    case .running, .inDoubt, .pending: false
                    }
                if !isRight { found.append("\(name) is \(attempt.state), and was done \(count(name)) times") }
            }
        }
        return found + Set(all.keys).subtracting(known).sorted().map { "\($0) is not in the journal" }
    }
}

/// A journal that lives beyond its process, opened by one: what is tried under crashes and races, whatever keeps it.
public struct OpenedStore: Sendable {
    /// The journal.
    package let journal: any Journal
    /// Returns when a process that died is known to be gone.
    public let awaitDeath: @Sendable (String) async throws -> Void
    /// Reads everything again; gives what is wrong.
    public let problems: @Sendable () async throws -> [String]
    /// Closes it.
    public let close: @Sendable () async -> Void

    /// Takes a journal and what is done with it.
    package init(
        _ journal: any Journal,
        awaitDeath: @escaping @Sendable (String) async throws -> Void = { _ in },
        problems: @escaping @Sendable () async throws -> [String], close: @escaping @Sendable () async -> Void
    ) {
        (self.journal, self.awaitDeath, self.problems, self.close) = (journal, awaitDeath, problems, close)
    }
}

/// Where such a journal is, for this process and for its children.
public struct StorePlace: Sendable {
    /// The one word by which a child finds it.
    public let word: String
    /// Opens it as a process of a name.
    public let open: @Sendable (String) async throws -> OpenedStore

    /// Takes a word for children, and how this process opens it.
    public init(_ word: String, open: @escaping @Sendable (String) async throws -> OpenedStore) {
        (self.word, self.open) = (word, open)
    }
}

/// Counts from one.
public final class Counter: Sendable {
    private let count = Locked(0)
    /// Begins with one.
    public init() {}

    /// The next number.
    public func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
