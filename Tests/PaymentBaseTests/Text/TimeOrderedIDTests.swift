import PaymentBase
import Testing

@Suite struct TimeOrderedIDTests {
    /// Gives the same words again and again.
    private struct Fixed: RandomSource {
        let word: UInt64
        func next() -> UInt64 { word }
    }

    @Test(arguments: [
        (Int64(0), UInt64(0), "00000000-0000-7000-8000-000000000000"),
        (-1, UInt64.max, "00000000-0000-7fff-bfff-ffffffffffff"),
        (0x0123_4567_89AB, 0xFEDC_BA98_7654_3210, "01234567-89ab-7210-bedc-ba9876543210"),
        (0xFFFF_FFFF_FFFF, 0x0FFF, "ffffffff-ffff-7fff-8000-000000000fff"),
    ])
    func everyDigitHasItsPlace(now: Int64, word: UInt64, text: String) {
        #expect(TimeOrderedID.make(now: now, random: Fixed(word: word)) == text)
        #expect(TimeOrderedID.instant(of: text) == max(0, now))
    }
}
