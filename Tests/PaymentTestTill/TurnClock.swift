public import PaymentBase

/// A clock whose milliseconds are turns of the shared pool of threads.
///
/// A limit by the machine's clock ends too early where other tests keep the pool busy. By this clock the code under test
/// gets as many turns within a limit as on an idle machine.
public final class TurnClock: PaymentClock {
    private struct State {
        var now = SystemClock().now
        var sleepers: Set<Int> = []
        var nextNumber = 0
    }

    private let machine = SystemClock()
    private let state = Locked(State())

    /// Makes a clock that begins at the machine's time.
    public init() {}

    public var now: Int64 { state.withLock { $0.now } }

    public func sleep(until instant: Int64) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.sleepers.insert(state.nextNumber)
            return state.nextNumber
        }
        defer { state.withLock { _ = $0.sleepers.remove(number) } }
        while now < instant {
            try await machine.sleep(until: machine.now + 1)
            // The oldest sleeper counts the turns for all.
            state.withLock { if $0.sleepers.min() == number { $0.now += 1 } }
        }
    }
}
