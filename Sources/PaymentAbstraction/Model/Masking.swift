/// Finds card numbers in text that came from outside and masks them.
public enum Masking {
    /// The shortest and the longest card number.
    public static let cardDigits = 12...19

    /// Replaces all but the last four digits of every run that could be a card number. A masked text has as many bytes of
    /// UTF-8 as before.
    ///
    /// A run is 12 to 19 digits of any script that pass the Luhn check. Up to three blanks, dashes or scalars that are not
    /// seen may be between two of them. A point, slash or underscore may be there where the groups are as long as
    /// those on a card: a date or a number with decimals has others.
    public static func cardNumbers(in text: String) -> String {
        guard hasDigits(text) else { return text }
        let scalars = Array(text.unicodeScalars)
        let values = scalars.map(digit)
        var hidden = Set<Int>()
        var index = 0
        while index < scalars.count {
            guard values[index] != nil else {
                index += 1
                continue
            }
            let places = run(scalars, values, index)
            if isSuspicious(places.compactMap { values[$0] }) { hidden.formUnion(places.dropLast(4)) }
            index = (places.last ?? index) + 1
        }
        hideGroups(scalars, values, &hidden)
        if hidden.isEmpty { return text }
        var out = String.UnicodeScalarView()
        for (place, scalar) in scalars.enumerated() {
            if hidden.contains(place) {
                out.append(contentsOf: repeatElement("*", count: UTF8.width(scalar)))
            } else {
                out.append(scalar)
            }
        }
        return String(out)
    }

    /// The value of a digit of any script; nil for what is none.
    package static func digit(_ scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII { return (48...57).contains(scalar.value) ? Int(scalar.value) - 48 : nil }
        guard scalar.properties.generalCategory == .decimalNumber else { return nil }
        return scalar.properties.numericValue.map { Int($0) }
    }

    /// Whether a text could hold a card number; a UUID is none, whatever its digits happen to be.
    public static func findsCardNumber(in text: String) -> Bool { !isUUID(text) && cardNumbers(in: text) != text }

    /// A text without card numbers, and no longer than so many Unicode scalars.
    package static func shown(_ text: String, scalarsMax: Int) -> String {
        beginning(of: cardNumbers(in: text), scalarsMax: scalarsMax)
    }

    /// The beginning of a text in which card numbers are masked already, with at most so many Unicode scalars.
    ///
    /// It ends before a number that the end would split, masked or not: the digits that are left of one say more than
    /// those that a mask leaves.
    static func beginning(of text: String, scalarsMax: Int) -> String {
        guard text.utf8.count > scalarsMax else { return text }
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: scalarsMax, limitedBy: scalars.endIndex)
        guard let end, end < scalars.endIndex else { return text }
        let bytes = Array(text.utf8)
        var cut = text.utf8.distance(from: text.startIndex, to: end)
        if crossesNumber(bytes, cut) {
            while cut > 0, isDigitOrMask(bytes[cut - 1]) || isBetweenDigits(bytes, cut - 1) { cut -= 1 }
        }
        return String(decoding: bytes[..<cut], as: UTF8.self)
    }

    /// Whether a number is on both sides of a place, or has its only separator there.
    private static func crossesNumber(_ bytes: [UInt8], _ place: Int) -> Bool {
        guard place > 0, place < bytes.count else { return false }
        if isBetweenDigits(bytes, place) || isBetweenDigits(bytes, place - 1) { return true }
        return isDigitOrMask(bytes[place - 1]) && isDigitOrMask(bytes[place])
    }

    private static func isDigitOrMask(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "*") }

    /// Whether a single space or hyphen is at a place, between two digits.
    private static func isBetweenDigits(_ bytes: [UInt8], _ place: Int) -> Bool {
        guard place > 0, place + 1 < bytes.count, bytes[place] == 32 || bytes[place] == 45 else { return false }
        return isDigitOrMask(bytes[place - 1]) && isDigitOrMask(bytes[place + 1])
    }

    private static func isUUID(_ text: String) -> Bool {
        guard text.utf8.count == 36 else { return false }
        return text.utf8.enumerated().allSatisfy { offset, byte in
            switch offset {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: isDigit(byte) || (65...70).contains(byte) || (97...102).contains(byte)
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    /// Whether a text has as many digits as a card number.
    private static func hasDigits(_ text: String) -> Bool {
        var (count, isASCII) = (0, true)
        for byte in text.utf8 {
            if isDigit(byte) { count += 1 }
            if byte >= 0x80 { isASCII = false }
        }
        if isASCII || count >= cardDigits.lowerBound { return count >= cardDigits.lowerBound }
        return text.unicodeScalars.count { digit($0) != nil } >= cardDigits.lowerBound
    }

    /// How many scalars may be between two digits.
    private static let gapMax = 3

    /// The places of the digits of a run that begins at a place.
    private static func run(_ scalars: [Unicode.Scalar], _ values: [Int?], _ start: Int) -> [Int] {
        var places = [start]
        var next = start + 1
        while next < scalars.count {
            if values[next] != nil {
                places.append(next)
            } else if next - (places.last ?? next) > gapMax || !isGap(scalars[next]) {
                break
            }
            next += 1
        }
        return places
    }

    /// Whether a scalar is a blank or a dash, or is not seen as a sign of its own.
    private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar == " " || scalar == "-" }
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .dashPunctuation, .format, .nonspacingMark, .enclosingMark: return true
        default: return scalar == "\u{2212}"
        }
    }

    /// Hides numbers whose groups are set apart by points, slashes or underscores.
    private static func hideGroups(_ scalars: [Unicode.Scalar], _ values: [Int?], _ hidden: inout Set<Int>) {
        var (groups, index) = ([Range<Int>](), 0)
        while index < scalars.count {
            guard values[index] != nil else {
                index += 1
                continue
            }
            var end = index + 1
            while end < scalars.count, values[end] != nil { end += 1 }
            let follows = groups.last.map { $0.upperBound + 1 == index && isMark(scalars[index - 1]) } ?? false
            groups = follows ? groups.suffix(groupsMax - 1) + [index..<end] : [index..<end]
            for first in groups.indices.dropLast(groupsMin - 1) {
                let number = groups[first...]
                let places = number.flatMap { Array($0) }
                guard number.dropLast().allSatisfy({ groupDigits.contains($0.count) }),
                    isCard(places.compactMap { values[$0] })
                else { continue }
                hidden.formUnion(places.dropLast(4))
            }
            index = end
        }
    }

    /// How many digits a group on a card has; the last one may have fewer.
    private static let groupDigits = 4...6
    /// The shortest number that is printed in groups.
    private static let groupedMin = 13
    /// How many groups a number has.
    private static let (groupsMin, groupsMax) = (3, 5)

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [".", "/", "_", "\u{B7}", "\u{2022}"].contains(scalar)
    }

    /// Whether digits are a whole card number: they begin as one, and pass the Luhn check.
    private static func isCard(_ digits: [Int]) -> Bool {
        guard (groupedMin...cardDigits.upperBound).contains(digits.count) else { return false }
        let beginning = digits.prefix(4).reduce(0) { $0 * 10 + $1 }
        return ((3_000..<7_000).contains(beginning) || (2_221...2_720).contains(beginning)) && luhn(digits[...])
    }

    /// Whether a part of a run passes the Luhn check.
    private static func isSuspicious(_ digits: [Int]) -> Bool {
        guard digits.count >= cardDigits.lowerBound else { return false }
        let window = min(digits.count, cardDigits.upperBound)
        return (cardDigits.lowerBound...window).contains { length in
            (0...(digits.count - length)).contains { luhn(digits[$0..<($0 + length)]) }
        }
    }

    private static func luhn(_ digits: ArraySlice<Int>) -> Bool {
        var sum = 0
        for (offset, digit) in digits.reversed().enumerated() {
            let value = digit * (offset % 2 == 1 ? 2 : 1)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }
}
