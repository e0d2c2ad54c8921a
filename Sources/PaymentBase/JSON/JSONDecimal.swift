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
