import PaymentBase
import PaymentHarnesses
import PaymentModel
import PaymentTesting
import Testing

@testable import PaymentConformance

/// The same scenarios at several providers.
@Suite struct ProviderComparisonTests {
    private static func harness(_ name: String) throws -> any ConformanceHarness {
        try #require(HarnessRegistry.builtin[name])
    }

    @Test func whatIsNotComparedIsWhatTheFiveDeclare() throws {
        let harnesses = try ["adyen", "arise", "ecommpay", "halo", "ni"].map(Self.harness)
        let comparison = try ProviderComparison(harnesses)
        #expect(Scenario.all.count >= 40 && Set(Scenario.all.map(\.name)).count == Scenario.all.count)
        let rows = Scenario.all.map { comparison.play($0) }
        #expect(rows.flatMap(\.undeclared).isEmpty)
        // A change of what is compared changes this number.
        #expect(rows.reduce(0) { $0 + $1.notCompared } == 77)
        #expect(rows.allSatisfy { $0.observations.contains(where: \.isPlayed) }, "every scenario is played somewhere")
        let broken = rows.flatMap(\.observations).filter { $0.result.hasPrefix("broken off") }
        #expect(broken.isEmpty, "\(broken.map(\.result))")
        // What was lost stays open where nothing shows it, and is named.
        let lost = try #require(rows.first { $0.scenario == "recovered-nothing" })
        #expect(lost.observations[1].open == ["sale in doubt"] && lost.observations[3].open.isEmpty)
        let sale = try #require(rows.first { $0.scenario == "sale" })
        #expect(sale.observations.allSatisfy { $0.amounts.contains("captured all") && !$0.receipt.isEmpty })
        #expect(rows == Scenario.all.map { comparison.play($0) }, "one seed, one outcome")
    }

    /// What a reader can't do with a source, and what steers a simulator alone, is no result.
    @Test func outcomeThatCannotComeAbout_isNotPlayedAndNoResult() throws {
        let harnesses = try ["arise", "memory"].map(Self.harness)
        func row(_ name: String, from source: PaymentSource.Kind) throws -> ProviderComparison.Row {
            let scenario = try #require(Scenario.all.first { $0.name == name })
            return try ProviderComparison(harnesses, source: source).play(scenario)
        }
        for name in ["wrong-pin", "no-pin", "no-card", "unreadable", "cancelled-at-the-till"] {
            let row = try row(name, from: .card)
            #expect(row.played.isEmpty && !row.isCompared && row.undeclared.isEmpty, "\(name): \(row.observations)")
        }
        let expired = try row("expired", from: .reader)
        #expect(expired.observations.map(\.isPlayed) == [false, true] && !expired.isCompared && expired.isSameResult)
        #expect(expired.differing.isEmpty && expired.observations[0].result.contains("can't be brought about"))
    }

    @Test func sale_card_showsBrandAndEntry() throws {
        let comparison = try ProviderComparison(try ["adyen", "arise", "halo"].map(Self.harness))
        let sale = try #require(Scenario.all.first { $0.name == "sale" })
        let row = comparison.play(sale)
        for observation in row.observations {
            #expect(observation.card.contains { $0.hasPrefix("brand ") }, "\(observation.card)")
        }
        // Each provider has a word of its own for the brand.
        #expect(row.differing.contains(.card))
    }

    @Test func tipAskedAtTheTerminal_isInTheAmount_whereATerminalCanAsk() throws {
        let names = ["adyen", "arise", "halo", "adyen-mobile"].filter { HarnessRegistry.builtin[$0] != nil }
        let comparison = try ProviderComparison(try names.map(Self.harness))
        let scenario = try #require(Scenario.all.first { $0.name == "tip-asked" })
        let row = comparison.play(scenario)
        #expect(row.observations.map(\.isPlayed) == names.map { $0 == "adyen" } && row.undeclared.isEmpty)
        #expect(row.observations[0].result.hasPrefix("approved"), "\(row.observations[0])")
        // More was charged than was asked for: the tip.
        let sale = comparison.play(try #require(Scenario.all.first { $0.name == "sale" }))
        #expect(row.observations[0].books != sale.observations[0].books, "\(row.observations[0].books)")
        for observation in row.observations.dropFirst() {
            #expect(observation.result.hasSuffix("a terminal that asks for a tip can't be brought about here"))
        }
    }

    @Test func declinedCard_replyLost_isNeverApproved() throws {
        let comparison = try ProviderComparison(try ["adyen", "arise", "ecommpay", "halo", "ni"].map(Self.harness))
        let scenario = try #require(Scenario.all.first { $0.name == "declined-reply-lost" })
        let row = comparison.play(scenario)
        #expect(row.played.count == 5 && row.undeclared.isEmpty)
        #expect(row.observations.allSatisfy { $0.books.isEmpty && !$0.result.hasPrefix("approved") })
    }

    @Test func theSeedDrawsWhoComesFirst() throws {
        let harnesses = try ["memory", "arise", "halo", "ni"].map(Self.harness)
        let (one, other) = (try ProviderComparison(harnesses, seed: 1), try ProviderComparison(harnesses, seed: 2))
        let orders = Scenario.all.map { one.order($0) }
        #expect(orders == Scenario.all.map { one.order($0) } && orders != Scenario.all.map { other.order($0) })
        #expect(Set(orders.compactMap(\.first)) == [0, 1, 2, 3])
        #expect(orders.allSatisfy { $0.sorted() == [0, 1, 2, 3] })
    }

    /// A provider that can't be opened after a while.
    private struct Failing: ConformanceHarness {
        struct Broken: Error {}
        let inner: any ConformanceHarness
        let name = "failing"
        var declaration: ConformanceProfile { inner.declaration }
        let left = Counter(2)
        func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
            guard left.take() else { throw Broken() }
            return try inner.open(scheduler)
        }
    }

    @Test func aCandidateThatBreaksIsAResultAndNoEnd() throws {
        let memory = try Self.harness("memory")
        let comparison = try ProviderComparison([Failing(inner: memory), memory])
        let rows = Scenario.all.prefix(3).map { comparison.play($0) }
        #expect(rows.allSatisfy { $0.observations[1].result.hasPrefix("broken off") == false })
        #expect(rows[2].observations[0].result == "broken off: an error of type Broken")
        #expect(rows[2].observations[0].isPlayed && rows[2].undeclared.isEmpty)
    }

    @Test func whatIsNotPlayedWithoutHavingBeenDeclaredIsNamed() throws {
        let comparison = try ProviderComparison([try Self.harness("memory"), try Self.harness("arise")])
        let sudden = Scenario("sudden", "Nobody declared it.") { _ in throw NotApplicable("today it is closed") }
        let row = comparison.play(sudden)
        #expect(row.undeclared == [0, 1] && row.notCompared == 2)
        let declared = comparison.play(
            Scenario("none", needs: ["no.such"], "Needs what nobody has.") { _ in
                throw NotApplicable("it was played")
            })
        #expect(declared.undeclared.isEmpty && declared.observations[0].result == "not played: there is no no.such")
    }
}

/// Counts down, from wherever it is called.
private final class Counter: Sendable {
    private let left: Locked<Int>
    init(_ left: Int) { self.left = Locked(left) }
    func take() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}
