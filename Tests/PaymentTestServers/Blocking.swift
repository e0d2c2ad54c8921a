internal import Foundation
public import PaymentBase

/// Waiting on a thread of the test server, which is no task.
public enum Blocking {
    /// Blocks this thread until the promise is fulfilled.
    public static func wait(for promise: Promise<Bool>) {
        let done = DispatchSemaphore(value: 0)
        Task {
            _ = await promise.value()
            done.signal()
        }
        done.wait()
    }
}
