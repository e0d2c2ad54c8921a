import Foundation
import PaymentBase
import PaymentTesting
import Testing

@Suite struct TestSchedulerTests {
    @Test func theClockMovesOnlyWhenNothingElseIsLeftToDo() throws {
        let scheduler = TestScheduler(now: 1_000)
        let order = Locked([String]())
        let end = try scheduler.run {
            let sleeper = Task(executorPreference: scheduler) {
                try await scheduler.sleep(until: 61_000)
                order.withLock { $0.append("slept until \(scheduler.now)") }
            }
            order.withLock { $0.append("first at \(scheduler.now)") }
            try await sleeper.value
            return scheduler.now
        }
        #expect(end == 61_000)
        #expect(order.withLock { $0 } == ["first at 1000", "slept until 61000"])
    }

    @Test func aBodyThatNothingCanWakeIsReported() {
        let scheduler = TestScheduler()
        #expect(throws: TestScheduler.Deadlock.self) { try scheduler.run { await Promise<Bool>().value() } }
    }

    @Test func oneSeedGivesOneOrder() throws {
        func order(_ seed: UInt64) throws -> [Int] {
            let scheduler = TestScheduler(seed: seed)
            let order = Locked([Int]())
            try scheduler.run {
                let tasks = (0..<20).map { number in
                    Task(executorPreference: scheduler) { order.withLock { $0.append(number) } }
                }
                for task in tasks { await task.value }
            }
            return order.withLock { $0 }
        }
        #expect(try order(7) == order(7))
        #expect(try order(7) != order(8))
    }

    @Test func theClockStandsStillWhileSomethingIsUnderWayElsewhere() throws {
        let scheduler = TestScheduler(now: 1_000)
        let woken = try scheduler.run {
            let sleeper = Task(executorPreference: scheduler) {
                try await scheduler.sleep(until: 2_000)
                return scheduler.now
            }
            let arrived = Promise<Int64>()
            scheduler.hold()
            Thread.detachNewThread {
                for _ in 0..<10_000 { sched_yield() }
                arrived.fulfill(scheduler.now)
            }
            let before = await arrived.value()
            scheduler.release()
            return (before, try await sleeper.value)
        }
        #expect(woken.0 == 1_000)
        #expect(woken.1 == 2_000)
    }

    @Test func bodyThatWaitsForNoTask_isStuckOnceTheClockIsReleased() {
        let scheduler = TestScheduler()
        #expect(throws: TestScheduler.Deadlock.self) {
            try scheduler.run {
                scheduler.hold()
                Thread.detachNewThread { scheduler.release() }
                _ = await Promise<Bool>().value()
            }
        }
    }
}
