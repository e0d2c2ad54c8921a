/// Finds card numbers in text that came from outside and masks them.
public enum Masking {
    /// The shortest and the longest card number.
    public static let cardDigits = 12...19

    /// Replaces all but the last four digits of every run that could be a card number. A masked text has as many bytes of
    /// UTF-8 as before.
    ///
    /// A run is 12 to 19 digits of any script that begin as a card's number of that length (`IssuerRanges`) and pass the Luhn
    /// check. Up to three blanks, dashes or scalars that are not seen may be between two of them. A point, another such mark, a
    /// tab or a line's end may be there where the groups are as long as those on a card: a date or a number with decimals has
    /// others.
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
            if isSuspicious(places, values) { hidden.formUnion(places.dropLast(4)) }
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

    /// Takes the user and the password out of every address in a text, and what follows `password=`.
    package static func logins(in text: String) -> String {
        guard text.contains("://") || text.contains("password=") else { return text }
        let text = withoutPasswords(text)
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isWhitespace).map { word in
            // What ends a word is put back: it is one character before each but the first.
            let start = word.startIndex == text.startIndex ? "" : String(text[text.index(before: word.startIndex)])
            return start + withoutLogins(word)
        }.joined()
    }

    /// What a connection string has between single quotes may have blanks; other values end at one.
    private static func withoutPasswords(_ text: String) -> String {
        var (out, rest) = ("", text[...])
        while let name = rest.firstRange(of: "password=") {
            out += rest[..<name.upperBound]
            rest = rest[name.upperBound...]
            let end = rest.first == "'" ? endOfQuoted(rest) : endOfPlain(rest)
            if end > rest.startIndex { out += "…" }
            rest = rest[end...]
        }
        return out + rest
    }

    private static func endOfQuoted(_ text: Substring) -> String.Index {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if text[index] == "'", !isEscaped { return text.index(after: index) }
            isEscaped = text[index] == "\\" && !isEscaped
        }
        return text.endIndex
    }

    private static func endOfPlain(_ text: Substring) -> String.Index {
        var end = text.firstIndex(where: \.isWhitespace) ?? text.endIndex
        while end > text.startIndex, isQuote(text[text.index(before: end)]) { end = text.index(before: end) }
        return end
    }

    private static func isQuote(_ character: Character) -> Bool { "\"'<>".contains(character) }

    private static func withoutLogins(_ word: Substring) -> String {
        guard let last = word.lastIndex(of: "@") else { return String(word) }
        var (out, rest) = ("", word)
        while let scheme = rest.firstRange(of: "://"), scheme.upperBound <= last {
            out += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            // A quotation mark behind a login or a path ends the address; before both it is a part of the login.
            let near = rest.prefix { !isQuote($0) }
            if let at = near.lastIndex(of: "@") ?? (near.contains("/") ? nil : last) {
                out += "…"
                rest = rest[at...]
            } else {
                out += near
                rest = rest[near.endIndex...]
            }
        }
        return out + rest
    }

    /// The value of a digit of any script; nil for what is none.
    package static func digit(_ scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII { return (48...57).contains(scalar.value) ? Int(scalar.value) - 48 : nil }
        guard scalar.properties.generalCategory == .decimalNumber else { return nil }
        return scalar.properties.numericValue.map { Int($0) }
    }

    /// Whether a text could hold a card number; a UUID is none, whatever its digits happen to be.
    public static func findsCardNumber(in text: String) -> Bool {
        !AttemptID.isUUID(text) && cardNumbers(in: text) != text
    }

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

    /// Hides numbers whose groups are set apart by points or other marks.
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
                    places.count >= groupedMin, isCard(places.compactMap { values[$0] }[...])
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
        marks.contains(scalar) || scalar.properties.isWhitespace
    }

    private static let marks: Set<Unicode.Scalar> = [
        ".", "/", "_", ":", ";", ",", "|", "+", "=", "*", "\u{B7}", "\u{2022}",
    ]

    /// Whether digits are a whole card number: they begin as one of their length, and pass the Luhn check.
    private static func isCard(_ digits: ArraySlice<Int>) -> Bool { IssuerRanges.has(digits) && luhn(digits) }

    /// Whether a part of a run is a card number. One of a rare form has whole groups of digits alone: a moment in
    /// milliseconds with a counter behind it would be one too often.
    private static func isSuspicious(_ places: [Int], _ values: [Int?]) -> Bool {
        guard places.count >= cardDigits.lowerBound else { return false }
        let digits = places.compactMap { values[$0] }
        let begins = { (index: Int) in index == 0 || places[index] != places[index - 1] + 1 }
        let window = min(digits.count, cardDigits.upperBound)
        return (cardDigits.lowerBound...window).contains { length in
            (0...(digits.count - length)).contains { start in
                let (part, end) = (digits[start..<(start + length)], start + length)
                guard isCard(part) else { return false }
                return !IssuerRanges.isRare(part) || begins(start) && (end == digits.count || begins(end))
            }
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
    /// Whether digits begin as the number of a card that has as many.
    static func has(_ digits: ArraySlice<Int>) -> Bool {
        guard Masking.cardDigits.contains(digits.count) else { return false }
        let four = digits.prefix(4).reduce(0) { $0 * 10 + $1 }
        switch digits.count {
        case 16...19: return isLong(four, isSixteen: digits.count == 16)
        case 15:
            return isShort(four) || [34, 37, 81].contains(four / 100) || four / 1_000 == 1 || four == 2_131
        case 14: return isShort(four) || four / 100 == 81
        case 13: return isShort(four) || four / 1_000 == 4
        default: return isShort(four)
        }
    }

    /// Whether a number has a form that few cards and many other numbers have.
    static func isRare(_ digits: ArraySlice<Int>) -> Bool {
        digits.count < 16 && digits.first.map { ![3, 4].contains($0) } ?? false
    }

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
