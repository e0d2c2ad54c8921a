/// Powers of ten that fit into 64 bits.
package enum PowerOfTen {
    /// The highest one that fits.
    static let exponentMax = 19

    /// Ten to the power of `exponent`; nil when it is negative or doesn't fit.
    package static func value(_ exponent: Int) -> UInt64? {
        table.indices.contains(exponent) ? table[exponent] : nil
    }

    private static let table: [UInt64] = (0..<exponentMax).reduce(into: [1]) { powers, index in
        powers.append(powers[index] * 10)
    }
}

/// A decimal number read from text without loss: its sign, its significant digits and its power of ten.
package struct ExactDecimal: Sendable {
    /// Whether a minus stood in front.
    package let isNegative: Bool
    /// The digits without closing zeros; nil when they don't fit into 64 bits.
    package let coefficient: UInt64?
    /// The power of ten that the coefficient is multiplied by; 0 for zero.
    package let exponent: Int

    /// The longest text that is read.
    static let charactersMax = 64
    /// Where the power of ten of the exponent form stops being counted; far beyond any amount.
    static let exponentCountedMax = 1_000_000

    /// Which texts are read.
    package enum Form {
        /// What a person or an application writes: `49.99`.
        case plain
        /// What a JSON number or another machine's decimal may look like: `1E+1`, `00.50`.
        case wire
    }

    /// Why a text is no decimal number.
    package enum Flaw: Error, Hashable {
        case empty, tooLong, sign, space, grouping, point, leadingZero, exponentForm, character
    }

    /// Why a number is no whole count of minor units.
    enum Misfit: Error, Hashable {
        case decimals(Int), size
    }

    /// Reads a text.
    package init(_ text: String, _ form: Form) throws(Flaw) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.charactersMax else { throw .tooLong }
        let start = bytes[0] == UInt8(ascii: "-") ? 1 : 0
        let whole = start..<Self.endOfDigits(bytes, start)
        guard !whole.isEmpty else { throw Self.flaw(bytes, start) }
        if form == .plain, whole.count > 1, bytes[start] == UInt8(ascii: "0") { throw .leadingZero }
        var fraction = whole.upperBound..<whole.upperBound
        if fraction.lowerBound < bytes.count, bytes[fraction.lowerBound] == UInt8(ascii: ".") {
            fraction = (whole.upperBound + 1)..<Self.endOfDigits(bytes, whole.upperBound + 1)
            guard !fraction.isEmpty else { throw .point }
        }
        var end = fraction.upperBound
        var power = 0
        if form == .wire, end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
            (power, end) = try Self.power(bytes, end + 1)
        }
        guard end == bytes.count else { throw Self.flaw(bytes, end) }
        let digits = Self.digits(bytes, whole, fraction)
        isNegative = start == 1
        coefficient = digits.coefficient
        exponent = coefficient == 0 ? 0 : digits.closingZeroCount - fraction.count + power
    }

    /// The number as a count of units of ten to the power of `-decimals`.
    func units(decimals: Int) throws(Misfit) -> Int64 {
        let power = exponent + decimals
        guard power >= 0 else { throw .decimals(-exponent) }
        guard let coefficient, let factor = PowerOfTen.value(power) else { throw .size }
        let (magnitude, overflow) = coefficient.multipliedReportingOverflow(by: factor)
        guard !overflow, let units = Int64(magnitude: magnitude, isNegative: isNegative) else { throw .size }
        return units
    }
}

extension ExactDecimal {
    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func endOfDigits(_ bytes: [UInt8], _ start: Int) -> Int {
        var end = start
        while end < bytes.count, isDigit(bytes[end]) { end += 1 }
        return end
    }

    /// The power of ten after an `e`, and where it ends.
    private static func power(_ bytes: [UInt8], _ start: Int) throws(Flaw) -> (power: Int, end: Int) {
        let signed = start < bytes.count && (bytes[start] == UInt8(ascii: "-") || bytes[start] == UInt8(ascii: "+"))
        let first = signed ? start + 1 : start
        let end = endOfDigits(bytes, first)
        guard end > first else { throw .exponentForm }
        var power = 0
        for byte in bytes[first..<end] { power = min(exponentCountedMax, power * 10 + Int(byte & 15)) }
        return (signed && bytes[start] == UInt8(ascii: "-") ? -power : power, end)
    }

    /// The digits of both ranges as one number without its closing zeros, which are counted instead.
    private static func digits(
        _ bytes: [UInt8], _ whole: Range<Int>, _ fraction: Range<Int>
    ) -> (coefficient: UInt64?, closingZeroCount: Int) {
        var coefficient: UInt64? = 0
        var zeroCount = 0
        for index in whole.lowerBound..<fraction.upperBound where isDigit(bytes[index]) {
            guard bytes[index] != UInt8(ascii: "0") else {
                zeroCount += 1
                continue
            }
            coefficient = coefficient.flatMap { appended($0, UInt64(bytes[index] & 15), after: zeroCount) }
            zeroCount = 0
        }
        return (coefficient, zeroCount)
    }

    private static func appended(_ coefficient: UInt64, _ digit: UInt64, after zeroCount: Int) -> UInt64? {
        if coefficient == 0 { return digit }
        guard let factor = PowerOfTen.value(zeroCount + 1) else { return nil }
        let (shifted, multiplyOverflow) = coefficient.multipliedReportingOverflow(by: factor)
        let (sum, addOverflow) = shifted.addingReportingOverflow(digit)
        return multiplyOverflow || addOverflow ? nil : sum
    }

    /// What is wrong with the first byte that doesn't belong.
    private static func flaw(_ bytes: [UInt8], _ index: Int) -> Flaw {
        guard index < bytes.count else { return .character }
        switch bytes[index] {
        case UInt8(ascii: "+"), UInt8(ascii: "-"): return .sign
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return .space
        case UInt8(ascii: ","), UInt8(ascii: "'"), UInt8(ascii: "_"): return .grouping
        case UInt8(ascii: "."): return .point
        case UInt8(ascii: "e"), UInt8(ascii: "E"): return index == 0 ? .character : .exponentForm
        default: return .character
        }
    }
}

extension ExactDecimal.Flaw {
    /// What to do about it.
    package var advice: String {
        switch self {
        case .empty: "it is empty"
        case .tooLong: "it is longer than \(ExactDecimal.charactersMax) characters"
        case .sign: "leave the sign out"
        case .space: "leave the spaces out"
        case .grouping: "leave out what groups the digits, and write the decimals after a full stop"
        case .point: "write one full stop with digits on both sides, or none"
        case .leadingZero: "leave the leading zeros out"
        case .exponentForm: "write the digits out instead of a power of ten"
        case .character: "use only the digits 0 to 9 and one full stop"
        }
    }
}

extension Int64 {
    /// A number from its absolute value and its sign; nil when it doesn't fit.
    package init?(magnitude: UInt64, isNegative: Bool) {
        if isNegative {
            guard magnitude <= Int64.min.magnitude else { return nil }
            self = Int64(truncatingIfNeeded: 0 &- magnitude)
        } else {
            guard magnitude <= Int64.max.magnitude else { return nil }
            self = Int64(truncatingIfNeeded: magnitude)
        }
    }
}
