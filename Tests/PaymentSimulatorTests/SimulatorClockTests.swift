import PaymentBase
import PaymentSimulator
import PaymentTesting
import Testing

@Suite struct SimulatorClockTests {
    @Test func itShowsTheOtherClockUntilItIsPutForward() {
        let scheduler = TestScheduler(now: 1_000)
        let clock = SimulatorClock(scheduler)
        #expect(clock.now == 1_000)
        clock.advance(by: 500)
        #expect(clock.now == 1_500 && clock.offset == 500 && scheduler.now == 1_000)
        clock.advance(by: -1)
        clock.advance(by: SimulatorClock.advanceMillisecondsMax + 1)
        #expect(clock.offset == 500)
    }

    @Test func sleepersOfAStageWakeInOrder() throws {
        let scheduler = TestScheduler(now: 0)
        let clock = SimulatorClock(scheduler)
        let woken = Locked([Int]())
        try scheduler.run {
            await withTaskGroup(of: Void.self) { group in
                for number in [30, 10, 20] {
                    group.addTask {
                        try? await clock.sleep(until: Int64(number))
                        woken.withLock { $0.append(number) }
                    }
                }
            }
        }
        #expect(woken.withLock { $0 } == [10, 20, 30])
        #expect(scheduler.now == 30)
    }

    @Test func puttingItForward_wakesOnlySleepersThatAreDue() throws {
        let scheduler = TestScheduler(now: 0)
        let clock = SimulatorClock(scheduler)
        let (early, late) = try scheduler.run {
            let early = Task(executorPreference: scheduler) { try await clock.sleep(until: 1_000) }
            let late = Task(executorPreference: scheduler) {
                try await clock.sleep(until: 5_000)
                return scheduler.now
            }
            await Task.yield()
            await Task.yield()
            clock.advance(by: 1_000)
            try await early.value
            return (scheduler.now, try await late.value)
        }
        #expect(early == 0)
        // One of the five seconds was skipped.
        #expect(late == 4_000)
    }

    @Test func cancellationEndsASleep() throws {
        let scheduler = TestScheduler(now: 0)
        let clock = SimulatorClock(scheduler)
        let isCancelled = try scheduler.run {
            let sleeper = Task(executorPreference: scheduler) { try await clock.sleep(until: .max) }
            await Task.yield()
            sleeper.cancel()
            if case .failure(let error) = await sleeper.result { return error is CancellationError }
            return false
        }
        #expect(isCancelled && scheduler.now == 0)
    }

    @Test func onTheMachinesClockAnAdvanceEndsALongSleep() async throws {
        let clock = SimulatorClock(SystemClock())
        let hour: Int64 = 3_600_000
        let end = clock.now + hour
        async let sleep: Void = clock.sleep(until: end)
        clock.advance(by: hour)
        try await sleep
        #expect(clock.now >= end)
    }
}

/// A clock on which no task waits: its time is a stage's.
struct InstantClock: PaymentClock {
    let scheduler: TestScheduler

    var now: Int64 { scheduler.now }
    func sleep(until instant: Int64) async throws {}
}
