/// Takes card numbers, and the logins of addresses, out of text from outside.
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
        var search = CardNumberSearch(text)
        return search.finds() ? search.masked : text
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

    /// A text without card numbers, and no longer than so many Unicode scalars.
    package static func shown(_ text: String, scalarsMax: Int) -> String {
        beginning(of: cardNumbers(in: text), scalarsMax: scalarsMax)
    }

    /// The beginning of a text in which card numbers are masked already, with at most so many Unicode scalars.
    ///
    /// It ends before a number that the end would split, masked or not: the digits that are left of one say more than
    /// those that a mask leaves.
    package static func beginning(of text: String, scalarsMax: Int) -> String {
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
        if text.utf8.count < cardDigits.lowerBound { return false }
        var (count, isASCII) = (0, true)
        for byte in text.utf8 {
            if isDigit(byte) { count += 1 }
            if byte >= 0x80 { isASCII = false }
        }
        if isASCII || count >= cardDigits.lowerBound { return count >= cardDigits.lowerBound }
        return text.unicodeScalars.count { digit($0) != nil } >= cardDigits.lowerBound
    }
}
