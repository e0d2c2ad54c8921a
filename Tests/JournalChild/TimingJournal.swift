import PaymentAbstraction
import PaymentBase

/// A journal that measures how long each call takes.
struct TimingJournal: Journal {
    private let inner: any Journal
    private let times = Locked([Int64]())

    init(_ inner: any Journal) { self.inner = inner }

    /// How long each call has taken, in microseconds.
    var waits: [Int64] { times.withLock { $0 } }

    private func timed<Value>(_ body: () async throws -> Value) async throws -> Value {
        let clock = ContinuousClock()
        let start = clock.now
        defer {
            let (seconds, attoseconds) = (clock.now - start).components
            times.withLock { $0.append(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) }
        }
        return try await body()
    }

    func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try await timed { try await inner.begin(intent, terms, at: instant) }
    }

    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try await timed { try await inner.mark(attempt, round: round, mark) }
    }

    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try await timed { try await inner.conclude(attempt, round: round, conclusion) }
    }

    func append(_ events: [PaymentEvent]) async throws { try await timed { try await inner.append(events) } }

    func records(_ query: JournalQuery) async throws -> [AttemptRecord] {
        try await timed { try await inner.records(query) }
    }

    func timeline(of payment: PaymentID) async throws -> [PaymentEvent] {
        try await timed { try await inner.timeline(of: payment) }
    }
}
