import PaymentConformance
import PaymentHarnesses
import Testing

@Suite struct EcommpayMutantTests {
    @Test(arguments: EcommpayMutants.all) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        try mutant.isCaught(EcommpayHarness())
    }

    @Test(arguments: EcommpayMutants.tokens) func andThoseOfTokensThroughTheGate(_ mutant: Mutant) throws {
        try mutant.isCaught(EcommpayHarness(tokenizesAtGate: true))
    }

    @Test(arguments: EcommpayMutants.beginnings) func andThoseOfPaymentsAtTheGate(_ mutant: Mutant) throws {
        try mutant.isCaught(try #require(EcommpayHarness.all().first { $0.name == "ecommpay-gate" }))
    }

    @Test(arguments: EcommpayMutants.pages) func andThoseOfThePaymentPage(_ mutant: Mutant) throws {
        try mutant.isCaught(try #require(EcommpayHarness.all().first { $0.name == "ecommpay-page" }))
    }

    @Test(arguments: Check.all.filter { $0.needs.contains("tokenize") })
    func tokensThroughTheGatePassTheirChecks(_ check: Check) {
        let result = ConformanceRunner(EcommpayHarness(tokenizesAtGate: true)).run(check)
        #expect(result.status == .passed, "\(result.detail)")
    }

    @Test func thereAreEnough() {
        let all =
            EcommpayMutants.all + EcommpayMutants.tokens + EcommpayMutants.beginnings + EcommpayMutants.pages
        print("ecommpay: \(all.count) mutants")
        #expect(all.count >= 20)
        #expect(Set(all.map(\.id)).count == all.count)
    }
}
