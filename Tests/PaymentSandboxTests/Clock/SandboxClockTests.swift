import PaymentBase
import PaymentSandbox
import PaymentTesting
import Testing

@Suite struct SandboxClockTests {
    @Test func itShowsTheOtherClockUntilItIsPutForward() {
        let stage = Stage(now: 1_000)
        let clock = SandboxClock(stage)
        #expect(clock.now == 1_000)
        clock.advance(by: 500)
        #expect(clock.now == 1_500 && clock.offset == 500 && stage.now == 1_000)
        clock.advance(by: -1)
        clock.advance(by: SandboxClock.advanceMillisecondsMax + 1)
        #expect(clock.offset == 500)
    }

    @Test func sleepersOfAStageWakeInOrder() throws {
        let stage = Stage(now: 0)
        let clock = SandboxClock(stage)
        let woken = Locked([Int]())
        try stage.play {
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
        #expect(stage.now == 30)
    }

    @Test func puttingItForwardWakesWhoeverIsDueAndNobodyElse() throws {
        let stage = Stage(now: 0)
        let clock = SandboxClock(stage)
        let (early, late) = try stage.play {
            let early = Task(executorPreference: stage) { try await clock.sleep(until: 1_000) }
            let late = Task(executorPreference: stage) {
                try await clock.sleep(until: 5_000)
                return stage.now
            }
            await Task.yield()
            await Task.yield()
            clock.advance(by: 1_000)
            try await early.value
            return (stage.now, try await late.value)
        }
        #expect(early == 0)
        // One of the five seconds was skipped.
        #expect(late == 4_000)
    }

    @Test func cancellationEndsASleep() throws {
        let stage = Stage(now: 0)
        let clock = SandboxClock(stage)
        let isCancelled = try stage.play {
            let sleeper = Task(executorPreference: stage) { try await clock.sleep(until: .max) }
            await Task.yield()
            sleeper.cancel()
            if case .failure(let error) = await sleeper.result { return error is CancellationError }
            return false
        }
        #expect(isCancelled && stage.now == 0)
    }

    @Test func onTheMachinesClockAnAdvanceEndsALongSleep() async throws {
        let clock = SandboxClock(SystemClock())
        let hour: Int64 = 3_600_000
        let end = clock.now + hour
        async let sleep: Void = clock.sleep(until: end)
        clock.advance(by: hour)
        try await sleep
        #expect(clock.now >= end)
    }
}
