/// Finds card numbers in text that came from outside and masks them.
public enum Masking {
    /// The shortest and the longest card number.
    public static let cardDigits = 12...19

    /// Replaces all but the last four digits of every run that could be a card number.
    ///
    /// A run is 12 to 19 digits, with single spaces or hyphens allowed between them, that passes the Luhn check.
    public static func cardNumbers(in text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count(where: isDigit) >= cardDigits.lowerBound else { return text }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard isDigit(bytes[index]) else {
                out.append(bytes[index])
                index += 1
                continue
            }
            let end = runEnd(bytes, index)
            out.append(contentsOf: masked(bytes[index..<end]))
            index = end
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Whether a text could hold a card number; a UUID is none, whatever its digits happen to be.
    public static func findsCardNumber(in text: String) -> Bool { !isUUID(text) && cardNumbers(in: text) != text }

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

    /// Whether a number stands on both sides of a place, or has its only separator there.
    private static func crossesNumber(_ bytes: [UInt8], _ place: Int) -> Bool {
        guard place > 0, place < bytes.count else { return false }
        if isBetweenDigits(bytes, place) || isBetweenDigits(bytes, place - 1) { return true }
        return isDigitOrMask(bytes[place - 1]) && isDigitOrMask(bytes[place])
    }

    private static func isDigitOrMask(_ byte: UInt8) -> Bool { isDigit(byte) || byte == UInt8(ascii: "*") }

    /// Whether a single space or hyphen stands at a place, between two digits.
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

    private static func runEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        var end = start + 1
        while end < bytes.count {
            if isDigit(bytes[end]) {
                end += 1
            } else if bytes[end] == 32 || bytes[end] == 45, end + 1 < bytes.count, isDigit(bytes[end + 1]) {
                end += 2
            } else {
                break
            }
        }
        return end
    }

    private static func masked(_ run: ArraySlice<UInt8>) -> [UInt8] {
        let digits = run.filter(isDigit)
        guard digits.count >= cardDigits.lowerBound else { return Array(run) }
        let window = min(digits.count, cardDigits.upperBound)
        let suspicious = (cardDigits.lowerBound...window).contains { length in
            (0...(digits.count - length)).contains { luhn(digits[$0..<($0 + length)]) }
        }
        guard suspicious else { return Array(run) }
        var left = digits.count - 4
        return run.map { byte in
            guard isDigit(byte), left > 0 else { return byte }
            left -= 1
            return UInt8(ascii: "*")
        }
    }

    private static func luhn(_ digits: ArraySlice<UInt8>) -> Bool {
        var sum = 0
        for (offset, digit) in digits.reversed().enumerated() {
            let value = Int(digit - 48) * (offset % 2 == 1 ? 2 : 1)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }
}
