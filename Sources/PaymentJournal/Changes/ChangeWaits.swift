internal import PaymentAbstraction
internal import PaymentBase

/// Who waits for more to be written about which attempt, by this process or another.
final class ChangeWaits: Sendable {
    /// One who waits.
    struct Waiter: Sendable {
        let known: AttemptFacts
        let promise: Promise<Bool>
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
        var lastNumber = 0
        var watch: LogWatch?
        var isClosed = false
    }

    private let state = Locked(State())
    private let log: String

    /// Watches a log while somebody waits.
    init(log: String) { self.log = log }

    /// Waits from now on; nil when nobody can wait any more. `changed` is called when somebody may have written.
    func add(_ waiter: Waiter, changed: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            if state.isClosed { return nil }
            state.lastNumber += 1
            state.waiters[state.lastNumber] = waiter
            if state.watch == nil { state.watch = LogWatch(log: log, changed: changed) }
            return state.lastNumber
        }
    }

    /// Waits no longer.
    func remove(_ number: Int) {
        let idle: LogWatch? = state.withLock { state in
            state.waiters[number] = nil
            guard state.waiters.isEmpty else { return nil }
            defer { state.watch = nil }
            return state.watch
        }
        idle?.end()
    }

    /// Something was written about attempts.
    func wake(_ keys: [AttemptKey]) {
        if keys.isEmpty { return }
        let found = all.filter { keys.contains($0.known.intent.key) }
        for waiter in found { waiter.promise.fulfil(true) }
    }

    /// Everybody who waits now.
    var all: [Waiter] { state.withLock { Array($0.waiters.values) } }

    /// Lets everybody go.
    func close() {
        let (waiters, watch) = state.withLock { state in
            defer { (state.isClosed, state.watch) = (true, nil) }
            return (Array(state.waiters.values), state.watch)
        }
        watch?.end()
        for waiter in waiters { waiter.promise.fulfil(false) }
    }
}
