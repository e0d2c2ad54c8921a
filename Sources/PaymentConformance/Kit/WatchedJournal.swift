internal import PaymentAbstraction
internal import PaymentBase

/// The journal of a kit, which notices when a client is about to send the first byte that may move money.
///
/// What a driver reads beforehand (settings, how a payment stands) is thereby told apart from the exchange that a check
/// is about.
final class WatchedJournal: Journal, NumberSource {
    private let inner = MemoryJournal()
    private let waiting = Locked<[@Sendable () -> Void]>([])

    /// Runs something once, just before the next first exchange that may move money.
    func beforeMoney(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }

    func begin(_ intent: Intent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try await inner.begin(intent, terms, at: instant)
    }

    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try await inner.mark(attempt, round: round, mark)
        guard case .submitted = mark else { return }
        let work = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for step in work { step() }
    }

    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try await inner.conclude(attempt, round: round, conclusion)
    }

    func append(_ events: [PaymentEvent]) async throws { try await inner.append(events) }

    func records(_ query: JournalQuery) async throws -> [AttemptRecord] { try await inner.records(query) }

    func timeline(of payment: PaymentID) async throws -> [PaymentEvent] { try await inner.timeline(of: payment) }

    func draw(_ count: Int64) async throws -> Int64 { try await inner.draw(count) }
}
