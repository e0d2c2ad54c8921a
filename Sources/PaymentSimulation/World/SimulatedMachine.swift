internal import PaymentBase
internal import PaymentTesting

/// A machine's clock, which somebody can set, and which begins again when the machine is started again.
final class SimulatedMachine: PaymentClock {
    private struct State {
        var offset: Int64 = 0
        var bootedAt: Int64
        var bootCount = 1
    }

    private let scheduler: TestScheduler
    private let number: Int
    private let state: Locked<State>

    init(_ scheduler: TestScheduler, _ number: Int, offset: Int64) {
        (self.scheduler, self.number) = (scheduler, number)
        // It was started some while ago.
        state = Locked(State(offset: offset, bootedAt: scheduler.now - 3_600_000))
    }

    var now: Int64 { scheduler.now + state.withLock { $0.offset } }
    var uptime: Int64 { scheduler.now - state.withLock { $0.bootedAt } }
    var boot: String { "machine-\(number)-\(state.withLock { $0.bootCount })" }

    func sleep(until instant: Int64) async throws {
        try await scheduler.sleep(until: scheduler.now + max(0, instant - now))
    }

    /// Its clock is right again.
    func correct() { state.withLock { $0.offset = 0 } }

    func set(by milliseconds: Int64) { state.withLock { $0.offset += milliseconds } }

    func reboot() {
        let now = scheduler.now
        state.withLock { ($0.bootedAt, $0.bootCount) = (now, $0.bootCount + 1) }
    }
}
