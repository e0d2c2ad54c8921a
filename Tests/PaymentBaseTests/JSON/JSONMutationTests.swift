import PaymentBase
import Testing

@Suite struct JSONMutationTests {
    @Test func twentyThousandVariantsNeitherCrashNorDivideTheReaders() throws {
        var accepted = 0
        for number in 0..<20_000 {
            let seed = UInt64(7_000_000 + number)
            var mutator = Mutator(seed: seed)
            let bytes = mutator.variant()
            do {
                if try Trial.run(bytes, choices: &mutator) { accepted += 1 }
            } catch {
                Issue.record("\(error) for variant seed \(seed)")
            }
        }
        #expect((1_000..<19_000).contains(accepted), "variants must be of both kinds, \(accepted) were accepted")
    }

    @Test func everySeedIsCanonicalOrAtLeastValid() {
        for seed in Seeds.texts { #expect(throws: Never.self) { try JSONReader().read(seed) } }
    }

    @Test func wireMessagesAreWrittenAsTheyWereRead() throws {
        for seed in Seeds.texts.prefix(4) { #expect(try JSONReader().read(seed).bytes() == seed) }
    }
}
