/// The search for card numbers in one text. Each scalar costs the same, whatever the text repeats.
struct CardNumberSearch {
    private let scalars: [Unicode.Scalar]
    /// The value of each scalar that is a digit; `noDigit` for the others.
    private let values: [UInt8]
    private var isHidden: [Bool]

    private static let noDigit: UInt8 = 255

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        values = scalars.map { Masking.digit($0).map { UInt8(truncatingIfNeeded: $0) } ?? Self.noDigit }
        isHidden = [Bool](repeating: false, count: scalars.count)
    }

    /// Whether there is one; marks what is to be hidden.
    mutating func finds() -> Bool {
        findRuns()
        findGroups()
        return isHidden.contains(true)
    }

    /// The text with a star for each byte of what is hidden.
    var masked: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.count)
        for (scalar, isHidden) in zip(scalars, isHidden) {
            if isHidden {
                bytes.append(contentsOf: repeatElement(UInt8(ascii: "*"), count: UTF8.width(scalar)))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func isDigit(_ place: Int) -> Bool { values[place] != Self.noDigit }

    private mutating func hide(_ number: DigitRun) {
        for place in number.places.dropLast(4) { isHidden[place] = true }
    }

    // MARK: - Runs

    /// How many scalars may be between two digits.
    private static let gapMax = 3

    private mutating func findRuns() {
        var index = 0
        while index < scalars.count {
            guard isDigit(index) else {
                index += 1
                continue
            }
            let (count, end) = run(from: index)
            if count >= Masking.cardDigits.lowerBound {
                var places: [Int] = []
                places.reserveCapacity(count)
                for place in index..<end where isDigit(place) { places.append(place) }
                let number = DigitRun(places, values)
                if number.hasCard { hide(number) }
            }
            index = end
        }
    }

    /// How many digits there are from a place on, up to a gap that is too wide or no gap, and where the last of them ends.
    private func run(from start: Int) -> (count: Int, end: Int) {
        var (count, next, end) = (0, start, start)
        while next < scalars.count {
            if isDigit(next) {
                (count, end) = (count + 1, next + 1)
            } else if next - end >= Self.gapMax || !Self.isGap(scalars[next]) {
                break
            }
            next += 1
        }
        return (count, end)
    }

    /// Whether a scalar is a blank or a dash, or is not seen as a sign of its own.
    private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == " " || scalar == "-" }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .dashPunctuation, .format, .nonspacingMark, .enclosingMark: return true
        default: return scalar == "\u{2212}"
        }
    }

    // MARK: - Groups

    /// How many digits a group on a card has; the last one may have fewer.
    private static let groupDigits = 4...6
    /// The shortest number that is printed in groups.
    private static let groupedMin = 13
    /// How many groups a number has.
    private static let (groupsMin, groupsMax) = (3, 5)

    /// Finds numbers whose groups are set apart by points or other marks.
    private mutating func findGroups() {
        // The groups before the one that is read, as far as a number with it could have them.
        var (groups, index) = ([Range<Int>](), 0)
        while index < scalars.count {
            guard isDigit(index) else {
                index += 1
                continue
            }
            var end = index + 1
            while end < scalars.count, isDigit(end) { end += 1 }
            let follows = groups.last.map { $0.upperBound + 1 == index && Self.isMark(scalars[index - 1]) } ?? false
            if !follows { groups.removeAll(keepingCapacity: true) }
            findGroups(groups, last: index..<end)
            // A group of another length is in no number but as its last.
            if Self.groupDigits.contains(end - index) {
                groups.append(index..<end)
                if groups.count == Self.groupsMax { groups.removeFirst() }
            } else {
                groups = []
            }
            index = end
        }
    }

    private mutating func findGroups(_ groups: [Range<Int>], last: Range<Int>) {
        guard groups.count + 1 >= Self.groupsMin else { return }
        for first in 0...(groups.count + 1 - Self.groupsMin) {
            let count = groups[first...].reduce(last.count) { $0 + $1.count }
            guard (Self.groupedMin...Masking.cardDigits.upperBound).contains(count) else { continue }
            let number = DigitRun(Array((groups[first...] + [last]).joined()), values)
            if number.isCard { hide(number) }
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        marks.contains(scalar) || scalar.properties.isWhitespace
    }

    private static let marks: Set<Unicode.Scalar> = [
        ".", "/", "_", ":", ";", ",", "|", "+", "=", "*", "\u{B7}", "\u{2022}",
    ]
}

/// Digits that may be one number, and where they are in a text.
private struct DigitRun {
    let places: [Int]
    private let digits: [UInt8]
    /// The last digits of the sums up to each digit, with those at even indices doubled as Luhn's check does, or those at odd
    /// ones.
    private var sums: [(even: UInt8, odd: UInt8)] = [(0, 0)]

    var count: Int { digits.count }

    init(_ places: [Int], _ values: [UInt8]) {
        (self.places, digits) = (places, places.map { values[$0] })
        sums.reserveCapacity(places.count + 1)
        for (index, digit) in digits.enumerated() {
            let (sum, doubled) = (sums[index], digit > 4 ? digit * 2 - 9 : digit * 2)
            let isEven = index % 2 == 0
            sums.append(((sum.even + (isEven ? doubled : digit)) % 10, (sum.odd + (isEven ? digit : doubled)) % 10))
        }
    }

    /// Whether a part of it is a card number; it has as many digits at least. One of a rare form has whole groups of digits
    /// alone: a moment in milliseconds with a counter behind it would be one too often.
    var hasCard: Bool {
        for start in 0...(count - Masking.cardDigits.lowerBound) {
            let four = beginning(start)
            for length in Masking.cardDigits.lowerBound...min(Masking.cardDigits.upperBound, count - start) {
                let part = start..<(start + length)
                guard passesLuhn(part), IssuerRanges.has(beginning: four, count: length) else { continue }
                let isRare = IssuerRanges.isRare(first: digits[start], count: length)
                if !isRare || begins(part.lowerBound) && (part.upperBound == count || begins(part.upperBound)) {
                    return true
                }
            }
        }
        return false
    }

    /// Whether all of it begins as a card number that has as many digits, and passes the Luhn check.
    var isCard: Bool { count >= 4 && passesLuhn(0..<count) && IssuerRanges.has(beginning: beginning(0), count: count) }

    /// The first four digits of a part.
    private func beginning(_ start: Int) -> Int {
        Int(digits[start]) * 1_000 + Int(digits[start + 1]) * 100 + Int(digits[start + 2]) * 10 + Int(digits[start + 3])
    }

    /// The last digit counts as it is, and the one before it doubled.
    private func passesLuhn(_ part: Range<Int>) -> Bool {
        let (before, all) = (sums[part.lowerBound], sums[part.upperBound])
        return part.upperBound % 2 == 0 ? all.even == before.even : all.odd == before.odd
    }

    /// Whether a group of digits begins at an index.
    private func begins(_ index: Int) -> Bool { index == 0 || places[index] != places[index - 1] + 1 }
}

/// How the numbers of cards begin, and how long they are (after public tables of issuers'
/// ranges; the standard itself, ISO/IEC 7812-1, was not read).
///
/// | begin with | digits | scheme |
/// |---|---|---|
/// | 4 | 13, 16 to 19 | Visa |
/// | 51 to 55, 2221 to 2720 | 16 | Mastercard |
/// | 50, 56 to 69; 4936 | 12 to 19 | Maestro, Discover, UnionPay, RuPay, Verve, Elo, Troy |
/// | 34, 37 | 15 | American Express |
/// | 30, 36, 38, 39 | 12 to 19 | Diners Club: 14 and more; shorter ones are masked to be sure |
/// | 35; 2131, 1800 | 16 to 19; 15 to 19 | JCB |
/// | 1 | 15 | UATP |
/// | 31 | 19 | T-Union |
/// | 2200 to 2205 | 16 to 19 | Mir, BORICA |
/// | 81; 82 | 14 to 19; 16 to 19 | UnionPay; RuPay |
/// | 1946; 8600; 9704; 9792; 9860 | 16 to 19 | GPN; UzCard; Napas; Troy; Humo |
enum IssuerRanges {
    /// Whether a card's number of so many digits may begin with these four.
    static func has(beginning four: Int, count: Int) -> Bool {
        guard Masking.cardDigits.contains(count) else { return false }
        switch count {
        case 16...19: return isLong(four, isSixteen: count == 16)
        case 15:
            return isShort(four) || [34, 37, 81].contains(four / 100) || four / 1_000 == 1 || four == 2_131
        case 14: return isShort(four) || four / 100 == 81
        case 13: return isShort(four) || four / 1_000 == 4
        default: return isShort(four)
        }
    }

    /// Whether a number has a form that few cards and many other numbers have.
    static func isRare(first: UInt8, count: Int) -> Bool { count < 16 && first != 3 && first != 4 }

    private static func isShort(_ four: Int) -> Bool {
        [30, 36, 38, 39, 50].contains(four / 100) || (56...69).contains(four / 100) || four == 4_936
    }

    private static func isLong(_ four: Int, isSixteen: Bool) -> Bool {
        switch four {
        case 5_100..<5_600, 2_221...2_720: isSixteen
        case 3_000..<3_100, 3_500..<3_700, 3_800..<7_000, 2_200...2_205, 8_100..<8_300: true
        case 3_100..<3_200: !isSixteen
        default: [1_800, 1_946, 2_131, 8_600, 9_704, 9_792, 9_860].contains(four)
        }
    }
}
