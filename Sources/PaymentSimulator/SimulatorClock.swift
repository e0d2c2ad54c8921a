public import PaymentBase

/// A clock that can be put forward: what the providers of a sandbox live by.
///
/// On a stage of the tests it stays deterministic: everything that it waits for runs in the waiting task or in its
/// children, which run where their parent runs.
public final class SimulatorClock: PaymentClock {
    /// The furthest that one call may put the clock forward, in milliseconds: ten years.
    public static let advanceMillisecondsMax: Int64 = 10 * 366 * 86_400_000

    private struct State {
        var offset: Int64 = 0
        /// Whom an advance wakes, so that they look how long there still is to wait.
        var sleepers: [Int: Promise<Bool>] = [:]
        var nextNumber = 0
    }

    private let base: any PaymentClock
    private let state = Locked(State())

    /// Makes a clock that shows what another shows, until it is put forward.
    public init(_ base: any PaymentClock) { self.base = base }

    public var now: Int64 { state.withLock { $0.offset } + base.now }

    /// How far it has been put forward, in milliseconds.
    public var offset: Int64 { state.withLock { $0.offset } }

    /// Puts the clock forward and wakes the tasks that slept until then; backwards and too far do nothing.
    public func advance(by milliseconds: Int64) {
        guard (0...Self.advanceMillisecondsMax).contains(milliseconds) else { return }
        let sleepers = state.withLock { state in
            state.offset += milliseconds
            return state.sleepers.sorted { $0.key < $1.key }
        }
        for sleeper in sleepers { sleeper.value.fulfill(true) }
    }

    public func sleep(until instant: Int64) async throws {
        while true {
            let wake = Promise<Bool>()
            let (number, offset) = state.withLock { state in
                state.nextNumber += 1
                state.sleepers[state.nextNumber] = wake
                return (state.nextNumber, state.offset)
            }
            defer { state.withLock { $0.sleepers[number] = nil } }
            try Task.checkCancellation()
            if base.now + offset >= instant { return }
            await withTaskGroup(of: Void.self) { [base] group in
                group.addTask {
                    // Ends early only when it is cancelled, which the next round finds.
                    try? await base.sleep(until: instant - offset)
                    wake.fulfill(true)
                }
                _ = await wake.value()
                group.cancelAll()
            }
        }
    }
}
