public import PaymentBase

/// One thread that runs every task handed to it and moves the clock when nothing else is left to do.
///
/// With a seed, the order in which ready jobs run is drawn from it, so that one number replays a whole run. Work that
/// waits for another thread (a socket, say) would look idle; its caller says so with ``hold()``, and the clock
/// does not move until ``release()``.
public final class TestScheduler: TaskExecutor, PaymentClock {
    /// Nothing can run any more although the body has not ended.
    public struct Deadlock: Error {}

    private struct Sleeper {
        let instant: Int64
        let number: Int
        let wake: Promise<Bool>
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var now: Int64
        var sleepers: [Sleeper] = []
        var sleeperCount = 0
        var stepCount = 0
        /// How much is under way on other threads.
        var heldCount = 0
        /// Rung when something arrives; there while this thread sleeps.
        var bell: ThreadSignal?
    }

    private let state: Locked<State>
    private let random: SeededRandom?

    /// Makes a stage whose clock starts at `now`; with a seed, ready jobs run in an order drawn from it.
    public init(now: Int64 = 1_767_225_600_000, seed: UInt64? = nil) {
        state = Locked(State(now: now))
        random = seed.map { SeededRandom(seed: $0) }
    }

    public var now: Int64 { state.withLock { $0.now } }

    /// How many jobs and wake-ups it has run.
    public var steps: Int { state.withLock { $0.stepCount } }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let bell = state.withLock { state in
            state.jobs.append(job)
            return state.bell.take()
        }
        bell?.ring()
    }

    /// Stops the clock for something that is under way on another thread.
    public func hold() { state.withLock { $0.heldCount += 1 } }

    /// Lets the clock run again, once for each ``hold()``.
    public func release() {
        let bell = state.withLock { state in
            state.heldCount -= 1
            precondition(state.heldCount >= 0, "the clock was released more often than held")
            return state.heldCount == 0 ? state.bell.take() : nil
        }
        bell?.ring()
    }

    public func sleep(until instant: Int64) async throws {
        let wake = Promise<Bool>()
        let number = state.withLock { state in
            state.sleeperCount += 1
            state.sleepers.append(Sleeper(instant: instant, number: state.sleeperCount, wake: wake))
            return state.sleeperCount
        }
        _ = await withTaskCancellationHandler {
            await wake.value()
        } onCancel: {
            state.withLock { $0.sleepers.removeAll { $0.number == number } }
            wake.fulfill(false)
        }
        try Task.checkCancellation()
    }

    /// Moves the clock on and wakes the tasks that slept until then.
    public func advance(by milliseconds: Int64) {
        let due = state.withLock { state in
            state.now += milliseconds
            let due = state.sleepers.filter { $0.instant <= state.now }
            state.sleepers.removeAll { $0.instant <= state.now }
            return due
        }
        for sleeper in due { sleeper.wake.fulfill(true) }
    }

    /// Runs `body` to its end on this thread.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let end = Locked(Result<Value, any Error>?.none)
        Task(executorPreference: self) {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            end.withLock { $0 = result }
        }
        while true {
            if let result = end.withLock({ $0 }) { return try result.get() }
            guard step() else { throw Deadlock() }
        }
    }

    /// Lets all tasks continue, sleepers included, until none is left.
    public func drain() { while step() {} }

    /// Runs what is ready now, without moving the clock.
    public func settle() { while runJob() {} }

    private func step() -> Bool { runJob() || waitForOthers() || wakeNext() }

    /// Sleeps while nothing can be done here and something is under way elsewhere; false when nothing is.
    private func waitForOthers() -> Bool {
        let bell = state.withLock { state -> (isHeld: Bool, bell: ThreadSignal?) in
            guard state.heldCount > 0 else { return (false, nil) }
            guard state.jobs.isEmpty else { return (true, nil) }
            let bell = ThreadSignal()
            state.bell = bell
            return (true, bell)
        }
        bell.bell?.wait()
        return bell.isHeld
    }

    private func runJob() -> Bool {
        let job = state.withLock { state -> UnownedJob? in
            guard !state.jobs.isEmpty else { return nil }
            state.stepCount += 1
            let index = random.map { Int($0.next() % UInt64(state.jobs.count)) } ?? 0
            return state.jobs.remove(at: index)
        }
        guard let job else { return false }
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    private func wakeNext() -> Bool {
        let sleeper = state.withLock { state -> Sleeper? in
            let next = state.sleepers.indices.min { one, other in
                let (a, b) = (state.sleepers[one], state.sleepers[other])
                return (a.instant, a.number) < (b.instant, b.number)
            }
            guard let next else { return nil }
            state.stepCount += 1
            let sleeper = state.sleepers.remove(at: next)
            state.now = max(state.now, sleeper.instant)
            return sleeper
        }
        return sleeper?.wake.fulfill(true) ?? false
    }
}
