import PaymentConformance
import PaymentHarnesses
import Testing

@Suite struct EcommpayMutantTests {
    @Test(arguments: EcommpayMutants.all) func theCheckMeantForItCatchesEachMutant(_ mutant: Mutant) throws {
        try mutant.isCaught(EcommpayHarness())
    }

    @Test func thereAreEnough() {
        print("ecommpay: \(EcommpayMutants.all.count) mutants")
        #expect(EcommpayMutants.all.count >= 20)
        #expect(Set(EcommpayMutants.all.map(\.id)).count == EcommpayMutants.all.count)
    }
}
