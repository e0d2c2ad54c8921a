import Dispatch
import PaymentAbstraction
import PaymentBase

/// A journal on threads of its own, made to fit on a stage: each call blocks the stage's thread until it is answered.
final class StageJournal: Journal {
    private let inner: any Journal
    init(_ inner: any Journal) { self.inner = inner }

    private func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let end = DispatchSemaphore(value: 0)
        let result = Locked(Result<Value, any Error>?.none)
        Task.detached {
            let answer: Result<Value, any Error>
            do { answer = .success(try await body()) } catch { answer = .failure(error) }
            result.withLock { $0 = answer }
            end.signal()
        }
        end.wait()
        guard let answer = result.withLock({ $0 }) else { throw JournalFailure.store("no answer") }
        return try answer.get()
    }

    func begin(_ intent: Intent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try wait { [inner] in try await inner.begin(intent, terms, at: instant) }
    }

    func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try wait { [inner] in try await inner.mark(attempt, round: round, mark) }
    }

    func conclude(_ attempt: AttemptID, round: Int, _ conclusion: Conclusion) async throws -> AttemptRecord {
        try wait { [inner] in try await inner.conclude(attempt, round: round, conclusion) }
    }

    func append(_ events: [PaymentEvent]) async throws { try wait { [inner] in try await inner.append(events) } }

    func records(_ query: JournalQuery) async throws -> [AttemptRecord] {
        try wait { [inner] in try await inner.records(query) }
    }

    func timeline(of payment: PaymentID) async throws -> [PaymentEvent] {
        try wait { [inner] in try await inner.timeline(of: payment) }
    }

    /// Opens a journal from synchronous code.
    static func open<Opened: Journal>(_ body: @escaping @Sendable () async throws -> Opened) throws -> StageJournal {
        let end = DispatchSemaphore(value: 0)
        let result = Locked(Result<Opened, any Error>?.none)
        Task.detached {
            let answer: Result<Opened, any Error>
            do { answer = .success(try await body()) } catch { answer = .failure(error) }
            result.withLock { $0 = answer }
            end.signal()
        }
        end.wait()
        guard let answer = result.withLock({ $0 }) else { throw JournalFailure.store("no answer") }
        return StageJournal(try answer.get())
    }
}
