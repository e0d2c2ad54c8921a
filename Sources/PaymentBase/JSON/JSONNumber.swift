/// A number as it was written, digit for digit; `10.10`, `10.1` and `1.01e1` are three different numbers.
///
/// Nothing is rounded: a conversion gives the exact value or nil.
public struct JSONNumber: Sendable {
    /// The most digits that ``decimalText`` writes.
    public static let plainDigitsMax = 400
    /// The most places that an amount can be scaled by.
    public static let placesMax = 18

    /// The text as it was written.
    public let text: String

    /// Takes a text that is a JSON number.
    ///
    /// - Throws: `invalidNumber` when the text is anything else, white space included.
    public init(_ text: String) throws(JSONError) {
        let bytes = Array(text.utf8)
        let (end, isValid) = JSONDecimal.scan(bytes, from: 0)
        guard isValid, end == bytes.count else { throw JSONError(.invalidNumber, at: end, in: bytes) }
        self.text = text
    }

    /// Makes a whole number.
    public init(_ value: Int64) { text = String(value) }

    /// Makes `units` divided by ten to the power of `places`, with exactly that many places: 1099 and 2 give `10.99`.
    public init(units: Int64, places: Int) {
        var bytes: [UInt8] = []
        Self.append(units: units, places: places, to: &bytes)
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Takes a text that the scanner has accepted.
    init(scanned text: String) { self.text = text }

    /// The value, if it is a whole number that fits; `100`, `100.0` and `1e2` are all one hundred.
    public var int64: Int64? { scaled(places: 0) }

    /// The value times ten to the power of `places`, if that is exactly a whole number: `10.990` at 2 places is 1099.
    public func scaled(places: Int) -> Int64? {
        precondition((0...Self.placesMax).contains(places), "an amount has 0 to \(Self.placesMax) places")
        return shortScaled(places) ?? parts.scaled(places: places)
    }

    /// The same of a few digits without an exponent, which nearly all numbers are, without a copy; nil of all others.
    private func shortScaled(_ places: Int) -> Int64? {
        // So many digits fit, whatever they are.
        guard text.utf8.count + places <= Self.placesMax else { return nil }
        var (value, missing) = (Int64(0), places)
        var (isNegative, isFraction) = (false, false)
        for byte in text.utf8 {
            if Byte.isDigit(byte) {
                if isFraction {
                    guard missing > 0 || byte == Byte.zero else { return nil }
                    if missing == 0 { continue }
                    missing -= 1
                }
                value = value * 10 + Int64(byte - Byte.zero)
            } else if byte == Byte.point {
                isFraction = true
            } else if byte == Byte.minus {
                isNegative = true
            } else {
                return nil
            }
        }
        for _ in 0..<missing { value *= 10 }
        return isNegative ? -value : value
    }

    /// The value without an exponent, with every written place; nil beyond ``plainDigitsMax`` digits.
    public var decimalText: String? {
        let isPlain = text.utf8.count <= Self.plainDigitsMax && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        return isPlain ? text : parts.plainText(digitsMax: Self.plainDigitsMax)
    }

    private var parts: JSONDecimal {
        let bytes = Array(text.utf8)
        return JSONDecimal(bytes, from: 0, to: bytes.count)
    }

    /// Writes an amount of minor units with a fixed number of places.
    static func append(units: Int64, places: Int, to bytes: inout [UInt8]) {
        precondition((0...placesMax).contains(places), "an amount has 0 to \(placesMax) places")
        if units < 0 { bytes.append(Byte.minus) }
        let start = bytes.count
        var rest = units.magnitude
        var written = 0
        while rest > 0 || written <= places {
            if written == places, places > 0 { bytes.append(Byte.point) }
            bytes.append(Byte.zero + UInt8(rest % 10))
            rest /= 10
            written += 1
        }
        var low = start
        var high = bytes.count - 1
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
    }
}

extension JSONNumber: Hashable {
    public static func == (one: JSONNumber, other: JSONNumber) -> Bool { one.text == other.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension JSONNumber: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int64) { self.init(value) }
}

extension JSONNumber: CustomStringConvertible, CustomReflectable {
    /// How long the number is; never its digits, which may be those of a card.
    public var description: String { "JSONNumber(\(text.utf8.count) characters)" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

/// The parts of a number text, on which exact conversions are made without any rounding.
struct JSONDecimal {
    /// Exponents are cut to this size; no text that fits into memory has enough digits to notice.
    private static let exponentMax = 1 << 40

    private let bytes: [UInt8]
    private let digitsStart: Int
    private let pointIndex: Int
    private let digitsEnd: Int
    private let isNegative: Bool
    private let exponent: Int

    /// Takes a number apart that the grammar has already accepted.
    init(_ bytes: [UInt8], from start: Int, to end: Int) {
        self.bytes = bytes
        var index = start
        isNegative = index < end && bytes[index] == Byte.minus
        if isNegative { index += 1 }
        digitsStart = index
        var point: Int?
        while index < end, Byte.isDigit(bytes[index]) || bytes[index] == Byte.point {
            if bytes[index] == Byte.point { point = index }
            index += 1
        }
        digitsEnd = index
        pointIndex = point ?? index
        exponent = Self.exponent(bytes, from: index, to: end)
    }

    private static func exponent(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        guard start < end else { return 0 }
        var value = 0
        var isNegative = false
        for index in (start + 1)..<end {
            if bytes[index] == Byte.minus { isNegative = true }
            guard Byte.isDigit(bytes[index]) else { continue }
            value = min(value * 10 + Int(bytes[index] - Byte.zero), exponentMax)
        }
        return isNegative ? -value : value
    }

    private var fractionCount: Int { pointIndex == digitsEnd ? 0 : digitsEnd - pointIndex - 1 }
    private var digitCount: Int { pointIndex - digitsStart + fractionCount }

    /// The number times ten to the power of `places`, if that is a whole number that fits.
    func scaled(places: Int) -> Int64? {
        let shift = exponent - fractionCount + places
        let kept = digitCount + min(shift, 0)
        var value: Int64 = 0
        var seen = 0
        for index in digitsStart..<digitsEnd where index != pointIndex {
            let digit = Int64(bytes[index] - Byte.zero)
            if seen < kept {
                guard let next = Self.append(digit, to: value) else { return nil }
                value = next
            } else if digit != 0 {
                return nil
            }
            seen += 1
        }
        guard value != 0 else { return 0 }
        var zeros = max(shift, 0)
        while zeros > 0 {
            guard let next = Self.append(0, to: value) else { return nil }
            value = next
            zeros -= 1
        }
        if isNegative { return value }
        return value == Int64.min ? nil : -value
    }

    /// Adds a digit to a value that is kept negative, because the negative range is the larger one.
    private static func append(_ digit: Int64, to value: Int64) -> Int64? {
        let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
        let (sum, tooSmall) = tens.subtractingReportingOverflow(digit)
        return tooLarge || tooSmall ? nil : sum
    }

    /// The number without an exponent, or nil when that takes more than `digitsMax` digits.
    func plainText(digitsMax: Int) -> String? {
        var digits: [UInt8] = []
        for index in digitsStart..<digitsEnd where index != pointIndex { digits.append(bytes[index]) }
        var whole = pointIndex - digitsStart + exponent
        guard abs(whole) <= digitsMax, digits.count <= digitsMax else { return nil }
        if whole < 1 {
            digits.insert(contentsOf: repeatElement(Byte.zero, count: 1 - whole), at: 0)
            whole = 1
        }
        if whole > digits.count { digits.append(contentsOf: repeatElement(Byte.zero, count: whole - digits.count)) }
        while whole > 1, digits[0] == Byte.zero {
            digits.removeFirst()
            whole -= 1
        }
        guard digits.count <= digitsMax else { return nil }
        if whole < digits.count { digits.insert(Byte.point, at: whole) }
        if isNegative { digits.insert(Byte.minus, at: 0) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The end of the number that starts at `start`, or the place where it breaks the grammar.
    static func scan(_ bytes: [UInt8], from start: Int) -> (end: Int, isValid: Bool) {
        let count = bytes.count
        var index = start
        if index < count, bytes[index] == Byte.minus { index += 1 }
        guard index < count, Byte.isDigit(bytes[index]) else { return (index, false) }
        let leadingZero = bytes[index] == Byte.zero
        index += 1
        if leadingZero, index < count, Byte.isDigit(bytes[index]) { return (index, false) }
        while index < count, Byte.isDigit(bytes[index]) { index += 1 }
        if index < count, bytes[index] == Byte.point {
            index += 1
            guard index < count, Byte.isDigit(bytes[index]) else { return (index, false) }
            while index < count, Byte.isDigit(bytes[index]) { index += 1 }
        }
        if index < count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < count, bytes[index] == Byte.plus || bytes[index] == Byte.minus { index += 1 }
            guard index < count, Byte.isDigit(bytes[index]) else { return (index, false) }
            while index < count, Byte.isDigit(bytes[index]) { index += 1 }
        }
        return (index, true)
    }
}
