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
        "41111111-1111-1111-0000-00000000000g", "4111111111111111-0000-0000-000000000",
        "411111111-111-1111-0000-000000000000",
        "36-1111-111114", "361111111114",
    ])
    func aCardNumberIsFound(_ text: String) { #expect(Masking.findsCardNumber(in: text)) }

    /// A UUID in either case, what has a digit too few, and twelve that no card has.
    @Test(arguments: [
        "41111111-1111-1111-0000-00000000000A", "41111111-1111-1111-0000-00000000000a", "41111111111",
        "order-36 1111 11111",
        "361111111115", "",
    ])
    func whatIsNoneStaysAsItIs(_ text: String) { #expect(!Masking.findsCardNumber(in: text)) }
}
