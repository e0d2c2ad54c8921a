import PaymentBase
import PaymentTesting
import Testing

@testable import PaymentCore

/// One sleeper ends all waits, each at its own time.
@Suite struct DeadlineTimerTests {
    private let scheduler = TestScheduler(now: 0)
    private let ended = Locked([(name: String, at: Int64)]())

    private func add(_ keeper: DeadlineTimer, _ name: String, _ end: Int64) -> Int {
        keeper.add(end) { [ended, scheduler] in ended.withLock { $0.append((name, scheduler.now)) } }
    }

    @Test func eachEndsAtItsTimeInWhateverOrderTheyCome() throws {
        let keeper = DeadlineTimer(scheduler, scheduler)
        try scheduler.run { [scheduler, self] in
            for (name, end) in [("late", 900), ("early", 100), ("middle", 500), ("with it", 500)] as [(String, Int64)] {
                _ = add(keeper, name, end)
            }
            try await scheduler.sleep(until: 2_000)
        }
        let seen = ended.withLock { $0 }
        #expect(seen.map(\.name) == ["early", "middle", "with it", "late"])
        #expect(seen.map(\.at) == [100, 500, 500, 900])
    }

    /// What is taken back never ends, and no task sleeps for it any more.
    @Test func whatIsTakenBackNeverEnds() throws {
        let keeper = DeadlineTimer(scheduler, scheduler)
        try scheduler.run { [scheduler, self] in
            let (first, second) = (add(keeper, "first", 100), add(keeper, "second", 200))
            keeper.remove(first)
            try await scheduler.sleep(until: 150)
            _ = add(keeper, "third", 160)
            try await scheduler.sleep(until: 170)
            keeper.remove(second)
            try await scheduler.sleep(until: 1_000)
        }
        #expect(ended.withLock { $0.map(\.name) } == ["third"])
        scheduler.drain()
        #expect(scheduler.now == 1_000)
    }

    /// The time of day, which people set, over the scheduler's, which no person sets.
    struct SetClock: PaymentClock {
        let scheduler: TestScheduler
        let offset = Locked<Int64>(0)
        var now: Int64 { scheduler.now + offset.withLock { $0 } }
        var uptime: Int64 { scheduler.now }
        func sleep(until instant: Int64) async throws {
            try await scheduler.sleep(until: instant - offset.withLock { $0 })
        }
    }

    /// A task that waits a second does, whatever becomes of the time of day in that second.
    @Test(arguments: [Int64(-3_600_000), 3_600_000]) func aClockThatIsSetMakesNoWaitLonger(_ step: Int64) throws {
        let clock = SetClock(scheduler: scheduler)
        let keeper = DeadlineTimer(clock, scheduler)
        try scheduler.run { [scheduler, self] in
            clock.offset.withLock { $0 = 7_200_000 }
            _ = add(keeper, "first", clock.uptime + 1_000)
            _ = add(keeper, "second", clock.uptime + 1_500)
            try await scheduler.sleep(until: 500)
            clock.offset.withLock { $0 += step }
            try await scheduler.sleep(until: 5_000)
        }
        let seen = ended.withLock { $0 }
        #expect(seen.map(\.name) == ["first", "second"] && seen.map(\.at) == [1_000, 1_500])
    }

    /// A clock that stands still, and lets no task wait, ends everything at once and goes round for nothing.
    @Test func aClockThatStandsStillEndsEverythingAtOnce() async throws {
        struct Still: PaymentClock {
            let now: Int64 = 7
            func sleep(until instant: Int64) async throws {}
        }
        let keeper = DeadlineTimer(Still(), nil)
        await withCheckedContinuation { over in _ = keeper.add(1_000) { over.resume() } }
    }

    /// One whose time has passed already ends at once.
    @Test func whatIsLateAlreadyEndsAtOnce() throws {
        let keeper = DeadlineTimer(scheduler, scheduler)
        try scheduler.run { [scheduler, self] in
            try await scheduler.sleep(until: 300)
            _ = add(keeper, "past", 100)
            try await scheduler.sleep(until: 301)
        }
        #expect(ended.withLock { $0.map(\.name) } == ["past"])
    }
}
