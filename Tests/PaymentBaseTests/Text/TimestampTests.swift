import Foundation
import PaymentBase
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-01-05T09:15:00.000Z", 1_767_604_500_000),
        ("2023-12-02T16:16:48.163Z", 1_701_533_808_163), ("2023-06-12T12:08:36+00:00", 1_686_571_716_000),
        ("2020-08-24T07:44:44+0000", 1_598_255_084_000), ("2026-01-05T10:15:00+01:00", 1_767_604_500_000),
        ("2026-01-05T04:45:00-0430", 1_767_604_500_000), ("2026-01-05T09:15:00-00:00", 1_767_604_500_000),
        ("1969-12-31T23:59:59.999Z", -1), ("1970-01-01T00:00:00+23:59", -86_340_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ("2026-01-05T09:15:00.1Z", 1_767_604_500_100), ("2026-01-05T09:15:00.12Z", 1_767_604_500_120),
        ("2026-01-05T09:15:00.1239Z", 1_767_604_500_123), ("2026-01-05T09:15:00.999999999Z", 1_767_604_500_999),
        ("1969-12-31T23:59:59.9999Z", -1),
    ])
    func textsOfTheProviders(text: String, milliseconds: Int64) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-01-05", "2026-01-05T09:15:00", "2026-01-05T09:15Z", "2026-01-05 09:15:00Z", "2026-01-05t09:15:00Z",
        "2026-01-05T09:15:00z", "2026-1-05T09:15:00Z", "26-01-05T09:15:00Z", "2026-01-05T24:00:00Z",
        "2026-01-05T23:60:00Z",
        "2016-12-31T23:59:60Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-05T09:15:00.Z", "2026-01-05T09:15:00,1Z",
        "2026-01-05T09:15:00.1234567890Z", "2026-01-05T09:15:00+24:00", "2026-01-05T09:15:00+00:60",
        "2026-01-05T09:15:00+1:00",
        "2026-01-05T09:15:00+01", "2026-01-05T09:15:00+01:0", "2026-01-05T09:15:00+01:000", "2026-01-05T09:15:00ZZ",
        " 2026-01-05T09:15:00Z", "2026-01-05T09:15:00Z ", "2026-01-05T09:15:00Z\n", "2026-01-05T09:15:00 Z",
        "+2026-01-05T09:15:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "２026-01-05T09:15:00Z", "2026-01-05T-9:15:00Z", "2026-01-05T09:15:00\u{2212}01:00", "20260105T091500Z",
    ])
    func textsThatAreNoMoments(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func aTextWithoutOffsetNeedsOne() {
        #expect(Timestamp("2055-05-05T00:00:00", offsetMinutes: 0)?.text(.seconds) == "2055-05-05T00:00:00Z")
        #expect(Timestamp("2055-05-05T00:00:00", offsetMinutes: 180)?.text(.seconds) == "2055-05-04T21:00:00Z")
        #expect(Timestamp("2055-05-05T00:00:00Z", offsetMinutes: 180)?.text(.seconds) == "2055-05-05T00:00:00Z")
        for minutes in [1_440, -1_440, Int.min, Int.max] {
            #expect(Timestamp("2055-05-05T00:00:00", offsetMinutes: minutes) == nil)
        }
    }

    @Test func everyStyleIsWrittenAndRead() throws {
        let moment = try #require(Timestamp(milliseconds: 1_767_604_509_007))
        #expect(moment.text() == "2026-01-05T09:15:09.007Z")
        #expect(moment.text(.seconds) == "2026-01-05T09:15:09Z")
        #expect(moment.text(.colonOffset) == "2026-01-05T09:15:09+00:00")
        #expect(moment.text(.basicOffset) == "2026-01-05T09:15:09+0000")
        for style in Timestamp.Style.allCases {
            let cut: Int64 = style == .milliseconds ? 7 : 0
            #expect(Timestamp(moment.text(style))?.milliseconds == 1_767_604_509_000 + cut)
        }
    }

    @Test func momentsOutsideTheYearsAreRefused() {
        let first = -62_135_596_800_000 as Int64
        let last = 253_402_300_799_999 as Int64
        #expect(Timestamp(milliseconds: first)?.text() == "0001-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: last)?.text() == "9999-12-31T23:59:59.999Z")
        for value in [first - 1, last + 1, Int64.min, Int64.max] { #expect(Timestamp(milliseconds: value) == nil) }
        for value in [Int64.min, Int64.max, last] { #expect(Timestamp(seconds: value) == nil) }
        #expect(Timestamp(seconds: 1_767_604_500)?.text(.seconds) == "2026-01-05T09:15:00Z")
        #expect(Timestamp(milliseconds: -1)?.seconds == -1)
        #expect(Timestamp(milliseconds: -1_000)?.seconds == -1)
        #expect(Timestamp(milliseconds: 999)?.seconds == 0)
    }

    @Test func everyDayOfFourHundredYears() throws {
        var expected = (year: 1_801, month: 1, day: 1)
        let start = try #require(CalendarDate(year: 1_801, month: 1, day: 1)).daysSince1970
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for offset in 0..<Int64(146_097) {
            let date = try #require(CalendarDate(daysSince1970: start + offset))
            let isRight =
                (date.year, date.month, date.day) == expected && date.daysSince1970 == start + offset
                && CalendarDate(iso: date.isoText) == date && CalendarDate(dayFirst: date.dayFirstText) == date
            if !isRight { Issue.record("\(date.isoText) is not \(expected)") }
            let isLeap = expected.year % 4 == 0 && (expected.year % 100 != 0 || expected.year % 400 == 0)
            let length = expected.month == 2 && isLeap ? 29 : lengths[expected.month - 1]
            expected.day += 1
            if expected.day > length { expected = (expected.year, expected.month + 1, 1) }
            if expected.month > 12 { expected = (expected.year + 1, 1, 1) }
        }
        #expect(expected == (2_201, 1, 1))
        #expect(CalendarDate(year: 2_201, month: 1, day: 1)?.daysSince1970 == start + 146_097)
    }

    @Test func theFirstAndLastDays() {
        #expect(CalendarDate(daysSince1970: -719_162)?.isoText == "0001-01-01")
        #expect(CalendarDate(daysSince1970: 2_932_896)?.isoText == "9999-12-31")
        for days in [-719_163, 2_932_897, Int64.min, Int64.max] { #expect(CalendarDate(daysSince1970: days) == nil) }
    }

    @Test func datesOfTheProviders() throws {
        let date = try #require(CalendarDate(dayFirst: "05-01-2026"))
        #expect(date.isoText == "2026-01-05")
        #expect(date.dayFirstText == "05-01-2026")
        #expect(Timestamp(startOf: date).milliseconds == 1_767_571_200_000)
        #expect(Timestamp("2026-01-05T23:59:59Z")?.date == date)
        #expect(Timestamp("1969-12-31T23:59:59Z")?.date.isoText == "1969-12-31")
        for text in ["2026-01-05", "5-1-2026", "31-02-2026", "05.01.2026", "05-01-2026 ", ""] {
            #expect(CalendarDate(dayFirst: text) == nil)
        }
        for text in ["05-01-2026", "2026-1-5", "2026-02-30", "2026-01-05T", ""] {
            #expect(CalendarDate(iso: text) == nil)
        }
    }

    @Test func randomMomentsAreWrittenAsFoundationWritesThem() {
        let random = SeededRandom(seed: 5)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2_000 {
            let milliseconds = Int64(random.next() % 4_000_000_000_000)
            let text = Timestamp(milliseconds: milliseconds)?.text()
            let seconds = Date(timeIntervalSince1970: Double(milliseconds / 1_000)).ISO8601Format()
            #expect(text?.prefix(19) == seconds.prefix(19))
            #expect(
                text.flatMap { try? Date($0, strategy: style) }.map {
                    Int64(($0.timeIntervalSince1970 * 1_000).rounded())
                }
                    == milliseconds)
        }
    }

    @Test func everyMutationOfOneCharacterIsRefusedOrReadAsWritten() {
        let bytes = Array("2024-02-29T23:59:59.123Z".utf8)
        var refused = 0
        for place in bytes.indices {
            for byte in UInt8(0)...0x7F where byte != bytes[place] {
                var mutated = bytes
                mutated[place] = byte
                let text = String(decoding: mutated, as: UTF8.self)
                guard let moment = Timestamp(text) else {
                    refused += 1
                    continue
                }
                #expect(moment.text() == text)
            }
        }
        #expect(refused > 2_000)
    }
}

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
