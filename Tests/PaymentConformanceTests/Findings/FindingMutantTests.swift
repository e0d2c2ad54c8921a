import PaymentConformance
import PaymentHarnesses
import Testing

/// What reviews found and was mended, broken once more: the suite notices each, on the harness and under the reading of
/// the documents that bring it about.
@Suite struct FindingMutantTests {
    @Test(arguments: FindingMutant.all) func theSuiteNoticesWhatWasMendedIfItBreaks(_ finding: FindingMutant) throws {
        let check = try #require(Check.all.first { $0.id == finding.mutant.caughtBy }, "there is no such check")
        let harnesses: [any VariantHarness] = AdyenHarness.all() + EcommpayHarness.all()
        let usual = try #require(harnesses.first { $0.name == finding.harness })
        let harness: any ConformanceHarness = finding.reading.map { usual.using(variant: $0) } ?? usual
        let plain = ConformanceRunner(harness).outcome(of: check)
        #expect([.passed, .reportedCorrectly].contains(plain.status), "unbroken: \(plain.status): \(plain.detail)")
        var conformance = ConformanceRunner(harness)
        conformance.mutant = finding.mutant
        let broken = conformance.outcome(of: check)
        print("\(finding): \(plain.status) → \(broken.status)")
        #expect(broken.status > plain.status, "\(finding) survives: \(broken.detail)")
        // What is broken under a reading would not be noticed without it: else it is no mutant of this finding.
        if finding.reading != nil {
            conformance = ConformanceRunner(usual)
            conformance.mutant = finding.mutant
            #expect(conformance.run(check).status == .passed, "\(finding) needs no reading")
        }
    }

    @Test func eachHasANameOfItsOwn() {
        #expect(Set(FindingMutant.all.map(\.mutant.id)).count == FindingMutant.all.count)
        #expect(FindingMutant.all.count >= 9)
    }
}

/// One finding's mistake, made again.
struct FindingMutant: Sendable, CustomStringConvertible {
    /// The finding, as `docs/adyen-ecommpay.md` has it.
    let finding: String
    let harness: String
    /// The reading under which it matters; nil where it matters always.
    var reading: String?
    let mutant: Mutant

    init(_ finding: String, _ harness: String, under reading: String? = nil, _ mutant: Mutant) {
        (self.finding, self.harness, self.reading, self.mutant) = (finding, harness, reading, mutant)
    }

    var description: String { "\(finding): \(mutant)" }

    static let all = adyen + ecommpay
}
