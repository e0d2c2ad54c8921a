/// A number for a word of a vendor's kit that keeps values which its document doesn't list.
public protocol SDKIntegerCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == Int {
    /// Takes the number as the kit has it.
    init(rawValue: Int)
}

extension SDKIntegerCode {
    /// The kit's number in digits.
    public var description: String { String(rawValue) }
}

/// A word of a vendor's kit that keeps spellings which its document doesn't list.
public protocol SDKTextCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == String {
    /// Takes the word as the kit spells it.
    init(rawValue: String)
}

extension SDKTextCode {
    /// The word as the kit spells it.
    public var description: String { rawValue }
}

/// An amount or rate of a vendor's kit as exact decimal text, where the SDK itself has a binary or decimal number.
///
/// Two are equal when their values are: `10.50` and `10.5` are one amount, and ``text`` is `10.5` for both.
public struct SDKDecimal: Sendable, Hashable, CustomStringConvertible {
    /// The most digits that an amount may have; more are refused.
    public static let digitsMax = 38
    /// The most places that an amount of minor units may have behind its point.
    public static let placesMax = 18

    /// The amount in plain digits, without an exponent and without zeros that say nothing.
    public let text: String

    /// Reads an amount such as `49.99`, `-3` or `1e-05`, as numbers are printed; nil for anything else.
    public init?(_ text: String) {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        let mantissa = rest.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let halves = mantissa.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard mantissa.count <= Self.digitsMax + 1, halves.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isDigit) })
        else { return nil }
        var places = halves.count == 2 ? halves[1].count : 0
        if mantissa.endIndex != rest.endIndex {
            let exponent = String(rest[mantissa.endIndex...].dropFirst())
            guard let shift = exponent.flatMap(Int.init), shift.magnitude <= Self.digitsMax else { return nil }
            places -= shift
        }
        let digits = halves.flatMap { Array($0) }
        guard let plain = Self.plain(digits, places: places) else { return nil }
        self.text = isNegative && plain != "0" ? "-\(plain)" : plain
    }

    /// Takes an amount of minor units with so many places behind the point: 4999 and 2 are `49.99`.
    public init?(minorUnits: Int64, places: Int) {
        guard (0...Self.placesMax).contains(places) else { return nil }
        guard let plain = Self.plain(Array(String(minorUnits.magnitude).utf8), places: places) else { return nil }
        text = minorUnits < 0 ? "-\(plain)" : plain
    }

    /// The amount in minor units; nil, and never rounded, when it has more places than that or doesn't fit.
    public func minorUnits(places: Int) -> Int64? {
        guard (0...Self.placesMax).contains(places) else { return nil }
        let halves = text.split(separator: ".", maxSplits: 1)
        let fraction = halves.count == 2 ? halves[1] : ""
        guard fraction.utf8.count <= places, let whole = halves.first else { return nil }
        return Int64("\(whole)\(fraction)" + String(repeating: "0", count: places - fraction.utf8.count))
    }

    /// The amount in plain digits.
    public var description: String { text }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// Sets the point so many places from the right, and leaves out zeros in front and behind.
    private static func plain(_ digits: [UInt8], places: Int) -> String? {
        let zero = UInt8(ascii: "0")
        var digits = digits
        if places < 0 { digits += Array(repeating: zero, count: -places) }
        let missing = max(0, places) + 1 - digits.count
        if missing > 0 { digits.insert(contentsOf: Array(repeating: zero, count: missing), at: 0) }
        let point = digits.count - max(0, places)
        var whole = digits[..<point].drop { $0 == zero }
        if whole.isEmpty { whole = [zero] }
        let fraction = digits[point...].reversed().drop { $0 == zero }.reversed()
        guard whole.count + fraction.count <= digitsMax else { return nil }
        let text = String(decoding: whole, as: UTF8.self)
        return fraction.isEmpty ? text : text + "." + String(decoding: fraction, as: UTF8.self)
    }
}
