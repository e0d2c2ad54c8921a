/// Takes fixed-width numbers and separators off the front of a text.
struct DigitScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether everything has been taken.
    var isAtEnd: Bool { index == bytes.count }

    /// The byte that comes next, or nil at the end.
    var next: UInt8? { isAtEnd ? nil : bytes[index] }

    /// Takes one byte if it is this one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    /// Takes a number of exactly `width` digits.
    mutating func number(_ width: Int) -> Int? {
        guard index + width <= bytes.count else { return nil }
        var value = 0
        for place in index..<(index + width) {
            guard Byte.isDigit(bytes[place]) else { return nil }
            value = value * 10 + Int(bytes[place] - Byte.zero)
        }
        index += width
        return value
    }

    /// Takes 1 to `max` digits of a fraction and gives the thousandths; the rest is cut off, not rounded.
    mutating func thousandths(digitsMax max: Int) -> Int? {
        var value = 0
        var count = 0
        while let byte = next, Byte.isDigit(byte) {
            if count < 3 { value = value * 10 + Int(byte - Byte.zero) }
            count += 1
            index += 1
        }
        guard (1...max).contains(count) else { return nil }
        for _ in 0..<Swift.max(0, 3 - count) { value *= 10 }
        return value
    }
}
