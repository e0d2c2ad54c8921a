internal import Dispatch
public import PaymentAbstraction
internal import PaymentBase

/// A journal on threads of its own, made to fit on a stage: each call blocks the stage's thread until it is answered.
public final class SchedulerJournal: Journal {
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

    public init(_ inner: any Journal) { self.inner = inner }

    /// Does asynchronous work from synchronous code.
    public static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let end = DispatchSemaphore(value: 0)
        let result = Locked(Result<Value, any Error>?.none)
        Task.detached(executorPreference: beside) {
            let answer: Result<Value, any Error>
            do { answer = .success(try await body()) } catch { answer = .failure(error) }
            result.withLock { $0 = answer }
            end.signal()
        }
        end.wait()
        guard let answer = result.withLock({ $0 }) else { throw JournalFailure.store("no answer") }
        return try answer.get()
    }

    /// Opens a journal from synchronous code.
    public static func open<Opened: Journal>(
        _ body: @escaping @Sendable () async throws -> Opened
    ) throws -> SchedulerJournal { SchedulerJournal(try wait(body)) }

    public func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try Self.wait { [inner] in try await inner.begin(intent, terms, at: instant) }
    }

    public func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try Self.wait { [inner] in try await inner.mark(attempt, round: round, mark) }
    }

    public func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try Self.wait { [inner] in try await inner.conclude(attempt, round: round, conclusion) }
    }

    public func append(_ events: [PaymentEvent]) async throws {
        try Self.wait { [inner] in try await inner.append(events) }
    }

    public func records(_ query: JournalQuery) async throws -> [AttemptRecord] {
        try Self.wait { [inner] in try await inner.records(query) }
    }

    public func timeline(of payment: PaymentID) async throws -> [PaymentEvent] {
        try Self.wait { [inner] in try await inner.timeline(of: payment) }
    }
}
