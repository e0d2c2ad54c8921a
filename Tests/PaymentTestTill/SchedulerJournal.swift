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
        guard let answer = result.withLock({ $0 }) else { throw JournalFailure.notWritten("no answer") }
        return try answer.get()
    }

    /// Opens a journal from synchronous code.
    public static func open<Opened: Journal>(
        _ body: @escaping @Sendable () async throws -> Opened
    ) throws -> SchedulerJournal { SchedulerJournal(try wait(body)) }

    /// The same, for calls that fail as a journal does.
    private static func asked<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws(JournalFailure) -> Value {
        do { return try wait(body) } catch { throw error as? JournalFailure ?? .notWritten("\(type(of: error))") }
    }

    public func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        try Self.asked { [inner] in try await inner.write(entry, id, at: instant) }
    }

    public func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts? {
        try Self.asked { [inner] in try await inner.facts(key) }
    }

    public func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts] {
        try Self.asked { [inner] in try await inner.family(origin) }
    }

    public func holders(_ name: String, of provider: ProviderIdentity) async throws(JournalFailure) -> [AttemptFacts] {
        try Self.asked { [inner] in try await inner.holders(name, of: provider) }
    }

    public func page(
        _ query: JournalQuery, scope: String, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try Self.asked { [inner] in try await inner.page(query, scope: scope, after: cursor, limit: limit) }
    }

    public func due(scope: String, limit: Int, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        try Self.asked { [inner] in try await inner.due(scope: scope, limit: limit, at: instant) }
    }

    public func timeline(_ origin: AttemptKey) async throws(JournalFailure) -> [PaymentEvent] {
        try Self.asked { [inner] in try await inner.timeline(origin) }
    }

    public func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant { ours }

    public func changed(_ known: AttemptFacts) async throws(JournalFailure) {
        try Self.asked { [inner] in try await inner.changed(known) }
    }

    public func draw(_ count: Int64) async throws -> Int64 {
        try Self.asked { [inner] in try await inner.draw(count) }
    }
}
