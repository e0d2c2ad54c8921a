import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentModel
import PaymentTesting
import Testing

@testable import PaymentConformance

/// What becomes of a tap that was declined in a call of a vendor's kit, if the entry of its answer is lost.
@Suite struct LostDeclineTests {
    /// Another card of the same call may have been approved, so that the decline counts a quiet period after the
    /// take-over: the one of the plan, or 75 seconds.
    @Test(arguments: ["halo-kit", "ni-kit"])
    func declineOfAKitsCall_entryLost_isOpenAtFirst_andDecidedAfterTheQuietPeriod(_ name: String) throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        let scenario = try #require(FaultSweepScenario.all.first { "\($0)" == "sale that is declined" })
        var waited = 0
        for write in 0..<FaultSweep.writesMax {
            let context = try CheckContext(harness, seed: 1, mutant: nil)
            let (isPlayed, isOpen) = try context.scheduler.run {
                let attempt = try context.attempt()
                let before = try context.watched.writes
                try context.watched.failWrite(after: write, isKept: false)
                _ = try await context.result { try await scenario.call(context, nil, attempt) }
                let writes = try context.watched.writes - before
                context.calm()
                let (fresh, open) = try await context.recovered()
                if open.contains(attempt) {
                    let quiet = context.driver.lookupPlan(for: .sale)?.quiet ?? 75_000
                    try await fresh.wait(quiet - 10_000)
                    #expect(try await fresh.client.recover() == [attempt], "\(name), write \(write)")
                    try await fresh.wait(11_000)
                    #expect(try await fresh.client.recover() == [], "\(name), write \(write)")
                    let record = try await fresh.record(attempt)
                    #expect(record?.state == .declined, "\(name), write \(write): \(String(describing: record?.state))")
                }
                return (write < writes, open.contains(attempt))
            }
            if isOpen { waited += 1 }
            if !isPlayed { break }
        }
        #expect(waited == 1, "\(name)")
    }
}
