import Foundation
import PaymentBase
import PaymentTesting
import Testing

@Suite struct StageTests {
    @Test func theClockMovesOnlyWhenNothingElseIsLeftToDo() throws {
        let stage = Stage(now: 1_000)
        let order = Locked([String]())
        let end = try stage.play {
            let sleeper = Task(executorPreference: stage) {
                try await stage.sleep(until: 61_000)
                order.withLock { $0.append("slept until \(stage.now)") }
            }
            order.withLock { $0.append("first at \(stage.now)") }
            try await sleeper.value
            return stage.now
        }
        #expect(end == 61_000)
        #expect(order.withLock { $0 } == ["first at 1000", "slept until 61000"])
    }

    @Test func aBodyThatNothingCanWakeIsReported() {
        let stage = Stage()
        #expect(throws: Stage.Stuck.self) { try stage.play { await Promise<Bool>().value() } }
    }

    @Test func oneSeedGivesOneOrder() throws {
        func order(_ seed: UInt64) throws -> [Int] {
            let stage = Stage(seed: seed)
            let order = Locked([Int]())
            try stage.play {
                let tasks = (0..<20).map { number in
                    Task(executorPreference: stage) { order.withLock { $0.append(number) } }
                }
                for task in tasks { await task.value }
            }
            return order.withLock { $0 }
        }
        #expect(try order(7) == order(7))
        #expect(try order(7) != order(8))
    }

    @Test func theClockStandsStillWhileSomethingIsUnderWayElsewhere() throws {
        let stage = Stage(now: 1_000)
        let woken = try stage.play {
            let sleeper = Task(executorPreference: stage) {
                try await stage.sleep(until: 2_000)
                return stage.now
            }
            let arrived = Promise<Int64>()
            stage.hold()
            Thread.detachNewThread {
                for _ in 0..<10_000 { sched_yield() }
                arrived.fulfil(stage.now)
            }
            let before = await arrived.value()
            stage.release()
            return (before, try await sleeper.value)
        }
        #expect(woken.0 == 1_000)
        #expect(woken.1 == 2_000)
    }

    @Test func aBodyThatWaitsForNobodyIsStuckOnceTheClockIsReleased() {
        let stage = Stage()
        #expect(throws: Stage.Stuck.self) {
            try stage.play {
                stage.hold()
                Thread.detachNewThread { stage.release() }
                _ = await Promise<Bool>().value()
            }
        }
    }
}
