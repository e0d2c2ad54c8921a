import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentJournalKit
import PaymentModel
import PaymentTestTill
import Testing

@testable import PaymentCLI

/// What the tools around the library report about money: live runs and comparisons.
@Suite struct ToolTests {
    private let shop = Shop()

    /// What a live run reports as opened, at a provider whose sales or refunds are decided later.
    private func closings(of driver: Fake) throws -> [LiveRun.Closing] {
        var driver = driver
        driver.capabilities.sources.insert(.reader)
        driver.capabilities.usesProviderTerminal = true
        let run = LiveRun(
            client: try shop.client(driver), provider: "p", amount: .cents(1_015), paymentsMax: 1,
            within: .seconds(30), run: "live-1", begin: { _ in }, ask: nil)
        return try shop.play { try await run.play { _ in }.closings }
    }

    @Test func liveRun_whoseSaleIsPending_reportsItAsOpen() throws {
        var driver = Fake(shop.ledger)
        driver.onSale = { _, context in
            try await context.exchange(.money) { _ in .pending(Pending(shouldPoll: false)) }
        }
        let closings = try closings(of: driver)
        #expect(closings.contains { !$0.isClosed }, "The report's closings: \(closings)")
    }

    @Test func liveRun_whoseRefundIsPending_reportsItAsOpen() throws {
        var driver = Fake(shop.ledger)
        driver.onRefund = { _, context in
            try await context.exchange(.money) { _ in .pending(Pending(shouldPoll: false)) }
        }
        let closings = try closings(of: driver)
        #expect(!closings.isEmpty)
        #expect(closings.allSatisfy { !$0.isClosed }, "The report's closings: \(closings)")
    }

    /// What differs when two equal providers play a scenario in which each gets another amount.
    private func differing(
        _ amounts: [Money], _ play: @escaping @Sendable (CheckContext, Money) async throws -> PaymentResult
    ) throws -> [ScenarioResult.Aspect] {
        let memory = try #require(HarnessRegistry.builtin["memory"])
        let left = Locked(amounts)
        let scenario = Scenario("amounts", "Each provider gets another amount.") { context in
            try await play(context, left.withLock { $0.removeFirst() })
        }
        let row = try ProviderComparison([memory, memory]).play(scenario)
        #expect(row.observations.allSatisfy { $0.result == "approved" }, "\(row.observations.map(\.result))")
        return row.differing
    }

    @Test func comparisonOfRefunds_ofDifferentParts_differs() throws {
        let differing = try differing([.cents(100), .cents(9_900)]) { context, part in
            let payment = try await context.approvedSale(.cents(10_000))
            return try await context.client.refund(payment.id, of: part)
        }
        #expect(differing.contains(.amounts) && differing.contains(.ledger), "\(differing)")
    }

    @Test func comparisonOfSales_inDifferentCurrencies_differs() throws {
        let differing = try differing([.cents(10_000), Money(minorUnits: 10_000, .usd)]) { context, amount in
            .approved(try await context.approvedSale(amount))
        }
        #expect(differing.contains(.amounts) && differing.contains(.ledger), "\(differing)")
    }
}
