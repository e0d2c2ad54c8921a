import PaymentAbstraction
import PaymentBase
import Testing

@Suite struct CardNumberSearchTests {
    @Test func noIdentifierOfOursIsTakenForACard() {
        let random = SeededRandom(seed: 7)
        var (masked, found) = (0, 0)
        for number in 0..<100_000 {
            let id = TimeOrderedID.make(now: 1_795_290_000_000 + Int64(number), random: random)
            if Masking.findsCardNumber(in: id) { found += 1 }
            if Masking.cardNumbers(in: id) != id { masked += 1 }
        }
        #expect(found == 0)
        // Without the exception some of them would be refused as references.
        #expect(masked > 0)
    }

    @Test(arguments: [
        "4111111111111111", "4111 1111 1111 1111", "order-4111-1111-1111-1111", "x4111111111111111y",
        "41111111-1111-1111-0000-00000000000g",
    ])
    func aCardNumberIsFound(_ text: String) { #expect(Masking.findsCardNumber(in: text)) }
}
