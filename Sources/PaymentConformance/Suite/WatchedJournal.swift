internal import PaymentAbstraction
internal import PaymentBase

/// The journal of a check, which notices when a client is about to send the first byte that may move money.
///
/// What a driver reads beforehand (settings, how a payment stands) is thereby told apart from the exchange that a check
/// is about. It can also make one write fail.
final class WatchedJournal: Journal, NumberSource {
    private let inner = MemoryJournal()
    private let waiting = Locked<[@Sendable () -> Void]>([])
    private let fault = Locked<(left: Int, isKept: Bool)?>(nil)
    private let count = Locked(0)

    /// How many writes there were.
    var writes: Int { count.withLock { $0 } }

    /// Makes one write fail, after so many others: it is lost, or it is kept and only the word that it is comes to
    /// nothing.
    func failWrite(after skipped: Int, isKept: Bool) { fault.withLock { $0 = (skipped, isKept) } }

    private func writing<Value>(_ work: () async throws -> Value) async throws -> Value {
        count.withLock { $0 += 1 }
        let failing: Bool? = fault.withLock { fault in
            guard let now = fault else { return nil }
            fault = now.left == 0 ? nil : (now.left - 1, now.isKept)
            return now.left == 0 ? now.isKept : nil
        }
        guard let isKept = failing else { return try await work() }
        if isKept { _ = try await work() }
        throw JournalFailure.store("the walk makes this write fail")
    }

    /// Runs something once, just before the next first exchange that may move money.
    func beforeMoney(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

    /// Whether something still waits for an exchange that may move money.
    var isWaiting: Bool { waiting.withLock { !$0.isEmpty } }

    func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try await writing { try await inner.begin(intent, terms, at: instant) }
    }

    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try await writing { try await inner.mark(attempt, round: round, mark) }
        guard case .submitted = mark else { return }
        let work = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for step in work { step() }
    }

    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try await writing { try await inner.conclude(attempt, round: round, conclusion) }
    }

    func append(_ events: [PaymentEvent]) async throws { try await writing { try await inner.append(events) } }

    func records(_ query: JournalQuery) async throws -> [AttemptRecord] { try await inner.records(query) }

    func timeline(of payment: PaymentID) async throws -> [PaymentEvent] { try await inner.timeline(of: payment) }

    func draw(_ count: Int64) async throws -> Int64 { try await writing { try await inner.draw(count) } }
}
