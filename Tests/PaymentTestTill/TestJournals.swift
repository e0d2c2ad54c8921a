internal import Dispatch
internal import PaymentBase
package import PaymentJournalKit
package import PaymentModel
internal import PaymentTesting

/// A journal whose n-th write fails, before or after it was written.
package final class FailingJournal: JournalWrapper {
    /// How the write fails.
    package enum Kind: String, Sendable, CaseIterable {
        /// It is not written, and the store says so.
        case before
        /// It is written, and no reply says so.
        case after
        /// It is not written, and no reply says so.
        case unknown
    }

    package let inner: any Journal
    private let failing: ClosedRange<Int>
    private let kind: Kind
    private let count = Locked(0)

    /// Fails one write; or, with `lasting`, that one and so many after it.
    package init(_ inner: any Journal, failing: Int, lasting: Int = 0, _ kind: Kind) {
        self.inner = inner
        (self.failing, self.kind) = (failing...(failing + lasting), kind)
    }

    /// How many writes there were.
    package var writes: Int { count.withLock { $0 } }

    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        let number = count.withLock { count in
            count += 1
            return count
        }
        guard failing.contains(number) else { return try await inner.write(entry, id, at: instant) }
        if kind == .after { _ = try await inner.write(entry, id, at: instant) }
        let words = "the test makes write \(number) fail"
        throw kind == .before ? .notWritten(words) : .writeUnconfirmed(words)
    }
}

/// A journal on threads of its own, made to fit on a stage: each call blocks the stage's thread until it is answered.
package final class SchedulerJournal: Journal {
    /// Runs what is waited for beside the common pool, all of whose threads may be waiting here.
    private final class Beside: TaskExecutor {
        private let queue = DispatchQueue(label: "journal beside a stage")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private static let beside = Beside()
    private let inner: any Journal

    package init(_ inner: any Journal) { self.inner = inner }

    /// Does asynchronous work from synchronous code.
    package static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let end = DispatchSemaphore(value: 0)
        let result = Locked(Result<Value, any Error>?.none)
        Task.detached(executorPreference: beside) {
            let answer: Result<Value, any Error>
            do { answer = .success(try await body()) } catch { answer = .failure(error) }
            result.withLock { $0 = answer }
            end.signal()
        }
        end.wait()
        guard let answer = result.withLock({ $0 }) else { throw JournalFailure.notWritten("no answer") }
        return try answer.get()
    }

    /// Opens a journal from synchronous code.
    package static func open<Opened: Journal>(
        _ body: @escaping @Sendable () async throws -> Opened
    ) throws -> SchedulerJournal { SchedulerJournal(try wait(body)) }

    /// The same, for calls that fail as a journal does.
    private static func asked<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws(JournalFailure) -> Value {
        do { return try wait(body) } catch { throw error as? JournalFailure ?? .notWritten("\(type(of: error))") }
    }

    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        try Self.asked { [inner] in try await inner.write(entry, id, at: instant) }
    }

    package func preview(
        _ entry: JournalEntry, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        try Self.asked { [inner] in try await inner.preview(entry, at: instant) }
    }

    package func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try Self.asked { [inner] in try await inner.attempts(query, after: cursor, limit: limit) }
    }

    package func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        try Self.asked { [inner] in try await inner.payment(id) }
    }

    package func takeDue(_ terms: DueTerms, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage {
        try Self.asked { [inner] in try await inner.takeDue(terms, at: instant) }
    }

    package func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        try Self.asked { [inner] in try await inner.timeline(payment) }
    }

    package func feed(after position: FeedPosition?, limit: Int) async throws(JournalFailure) -> FeedPage? {
        try Self.asked { [inner] in try await inner.feed(after: position, limit: limit) }
    }

    package func changeDeliveries<Value: Sendable>(
        _ body: @escaping @Sendable (inout any DeliveryRows) throws -> Value
    ) async throws(JournalFailure) -> Value {
        try Self.asked { [inner] in try await inner.changeDeliveries(body) }
    }

    package func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        try Self.asked { [inner] in try await inner.add(events, to: payment) }
    }

    package func time(_ ours: Attempt.Instant) async throws(JournalFailure) -> Attempt.Instant { ours }

    package func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        try Self.asked { [inner] in try await inner.changed(attempt, after: entry) }
    }

    package func generation() async throws(JournalFailure) -> JournalGeneration {
        try Self.asked { [inner] in try await inner.generation() }
    }

    package func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        try Self.asked { [inner] in try await inner.draw(count) }
    }

    package var processes: any ProcessRegistry { inner.processes }
    package var place: String { inner.place }
}
