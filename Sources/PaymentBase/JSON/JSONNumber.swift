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
