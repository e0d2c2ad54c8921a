import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentSimulator
import Testing

/// Under every reading of the documents the journal says of money what the books say; the whole suite under each is a
/// step of its own in CI.
@Suite struct ReadingTests {
    /// One check for each way in which money moves or doesn't.
    private static let names: Set<String> = [
        "sale.from-reader", "sale.insufficient-funds", "sale.from-saved", "refund.part", "refund.unlinked-reader",
        "capture.part", "lookup.reply-lost", "lookup.late-arrival", "reader.cancel-waiting", "sale.tip",
    ]
    private static let checks = Check.all.filter { names.contains($0.id) }

    @Test func theChecksAreThere() { #expect(Self.checks.count == Self.names.count) }

    private static let harnesses: [any VariantHarness] = [
        AdyenHarness(), ARISEHarness(), EcommpayHarness(), HaloHarness(), NIHarness(),
    ]

    @Test(arguments: harnesses.flatMap { harness in harness.playable.map(\.id) })
    func noReadingMisreportsMoney(_ reading: String) throws {
        let harness = try #require(Self.harnesses.first { reading.hasPrefix($0.name + ".") })
        let known = try #require(harness.readings.first { $0.id == reading })
        let report = try #require(harness.readingReports(Self.checks, only: [reading]).first)
        let worse = report.worse.map { "\($0.check): \($0.status.rawValue): \($0.detail)" }
        #expect(!report.outcomes.isEmpty)
        #expect(report.misreported == 0, "\(worse)")
        let isMet = known.isMet(by: report)
        #expect(isMet, "\(worse)")
    }

    /// Drivers that are broken on purpose tell something else than the books, and that is seen.
    @Test func aDriverThatMisreportsIsSeen() throws {
        let misreporting = Mutant.all.filter { mutant in
            guard let check = Check.all.first(where: { $0.id == mutant.caughtBy }) else { return false }
            var conformance = ConformanceRunner(MemoryHarness())
            conformance.mutant = mutant
            return conformance.outcome(of: check).status == .misreported
        }
        #expect(misreporting.count >= 5, "\(misreporting)")
    }

    @Test func whatIsOpenIsUnknownAndNotMisreported() throws {
        let harness = AdyenHarness()
        let check = try #require(Check.all.first { $0.id == "capture.part" })
        let silent = ConformanceRunner(harness.using(variant: "adyen.webhook.delivery.none"))
        #expect(silent.outcome(of: check).status == .leftOpen)
    }

    @Test func aReadingThatIsNotPlayedIsNoHarness() {
        let harness = AdyenHarness().using(variant: "adyen.expire.expires")
        #expect(ConformanceRunner(harness).outcome(of: Check.all[0]).status == .leftOpen)
    }
}
