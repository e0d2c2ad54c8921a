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

    // MARK: - Behind a prefix of the caller's (version 8)

    struct Prefixed: Sendable {
        let prefix: UInt64
        let now: Int64
        let word: UInt64
        let text: String
    }

    static let prefixed: [Prefixed] = [
        Prefixed(prefix: 0, now: 0, word: 0, text: "00000000-0000-8000-8000-000000000000"),
        Prefixed(prefix: .max, now: -1, word: .max, text: "ffffffff-ffff-8000-8000-03ffffffffff"),
        Prefixed(
            prefix: 0x0123_4567_89AB, now: 0x89AB_CDEF * 1_000, word: 0, text: "01234567-89ab-889a-af37-bc0000000000"),
        Prefixed(
            prefix: 0x0123_4567_89AB, now: 0x89AB_CDEF * 1_000 + 999, word: .max,
            text: "01234567-89ab-889a-af37-bfffffffffff"),
        Prefixed(
            prefix: 0x7FFF_0123_4567_89AB, now: 0xFFFF_FFFF * 1_000, word: 0,
            text: "01234567-89ab-8fff-bfff-fc0000000000"),
    ]

    @Test(arguments: prefixed)
    func prefixed_eachPart_hasItsPlace(_ each: Prefixed) {
        let id = TimeOrderedID.make(prefix: each.prefix, now: each.now, random: Fixed(word: each.word))
        #expect(id == each.text)
        #expect(TimeOrderedID.instant(of: id) == nil, "it does not hold a moment in milliseconds")
    }

    @Test func prefixed_drawnOften_isUniqueAndOfItsForm() throws {
        let random = SeededRandom(seed: 8)
        var ids: Set<String> = []
        let count = 20_000
        for number in 0..<count {
            let id = TimeOrderedID.make(
                prefix: 0xBEEF_0123_4567, now: 1_767_225_600_000 + Int64(number / 1_000), random: random)
            ids.insert(id)
            let parts = id.split(separator: "-", omittingEmptySubsequences: false)
            try #require(parts.map(\.utf8.count) == [8, 4, 4, 4, 12])
            let digits = parts.joined()
            #expect(digits.hasPrefix("beef01234567"), "the prefix is the first 12 digits of \(id)")
            #expect(digits.allSatisfy { "0123456789abcdef".contains($0) })
            #expect(parts[2].first == "8", "the version of \(id)")
            #expect(parts[3].first.map { "89ab".contains($0) } == true, "the variant of \(id)")
        }
        #expect(ids.count == count)
    }

    /// Ids of one prefix sort by the second in which they were drawn, whatever the random bits are.
    @Test func prefixed_ofLaterSeconds_sortLater() {
        let moments: [Int64] = [0, 1, 0xF_FFFF, 0x10_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
        let ids = moments.map { second in
            [UInt64.max, 0].map { TimeOrderedID.make(prefix: 7, now: second * 1_000, random: Fixed(word: $0)) }
        }
        for (earlier, later) in zip(ids, ids.dropFirst()) {
            for one in earlier { for other in later { #expect(one < other) } }
        }
    }
}
