internal import PaymentAbstraction
internal import PaymentBase

/// Who of this process waits for more to be written about which attempt.
final class ChangeWaits: Sendable {
    /// One who waits.
    struct Waiter: Sendable {
        let known: AttemptFacts
        let lock: Int64
        let promise: Promise<Bool>
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
        var lastNumber = 0
        var isClosed = false
    }

    private let state = Locked(State())

    /// Waits from now on; nil when nobody can wait any more.
    func add(_ waiter: Waiter) -> Int? {
        state.withLock { state in
            if state.isClosed { return nil }
            state.lastNumber += 1
            state.waiters[state.lastNumber] = waiter
            return state.lastNumber
        }
    }

    /// Waits no longer.
    func remove(_ number: Int) { state.withLock { $0.waiters[number] = nil } }

    /// Something was written about attempts, named by their locks.
    func wake(_ locks: Set<Int64>) {
        for waiter in all where locks.contains(waiter.lock) { waiter.promise.fulfil(true) }
    }

    /// Everybody who waits now.
    var all: [Waiter] { state.withLock { Array($0.waiters.values) } }

    /// Lets everybody go.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.promise.fulfil(false) }
    }
}
