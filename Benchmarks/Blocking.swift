import Foundation
import PaymentBase

/// Runs a task to its end from code that is none.
enum Blocking {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let end = Locked(Result<Value, any Error>?.none)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            end.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = end.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
