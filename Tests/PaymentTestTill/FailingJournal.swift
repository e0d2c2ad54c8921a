public import PaymentAbstraction
internal import PaymentBase

/// A journal whose n-th write fails, before or after it was written.
public final class FailingJournal: Journal {
    /// How the write fails.
    public enum Kind: String, Sendable, CaseIterable { case before, after }

    private let inner: any Journal
    private let failing: ClosedRange<Int>
    private let kind: Kind
    private let count = Locked(0)

    /// Fails one write; or, with `lasting`, that one and so many after it.
    public init(_ inner: any Journal, failing: Int, lasting: Int = 0, _ kind: Kind) {
        self.inner = inner
        (self.failing, self.kind) = (failing...(failing + lasting), kind)
    }

    /// How many writes there were.
    public var writes: Int { count.withLock { $0 } }

    private func write<Value>(_ body: () async throws -> Value) async throws -> Value {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard failing.contains(number) else { return try await body() }
        if kind == .after { _ = try await body() }
        throw JournalFailure.store("the test makes write \(number) fail")
    }

    public func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try await write { try await inner.begin(intent, terms, at: instant) }
    }

    public func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try await write { try await inner.mark(attempt, round: round, mark) }
    }

    public func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try await write { try await inner.conclude(attempt, round: round, conclusion) }
    }

    public func append(_ events: [PaymentEvent]) async throws {
        try await write { try await inner.append(events) }
    }

    public func records(_ query: JournalQuery) async throws -> [AttemptRecord] { try await inner.records(query) }

    public func timeline(of payment: PaymentID) async throws -> [PaymentEvent] {
        try await inner.timeline(of: payment)
    }
}
