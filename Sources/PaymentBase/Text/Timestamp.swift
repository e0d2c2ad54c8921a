/// A moment in whole milliseconds since 1970, between the years 1 and 9999.
///
/// Texts are ISO 8601 as the providers write it: `yyyy-mm-ddThh:mm:ss`, a fraction of 1 to 9 digits that is cut to
/// milliseconds, and `Z`, `±hh:mm` or `±hhmm`. Refused are the leap second 60, the hour 24, offsets of 24 hours and
/// more, lower-case `t` and `z`, and moments outside the years. `-00:00` is universal time.
public struct Timestamp: Sendable, Hashable {
    /// The most digits that a fraction of a second is read with.
    public static let fractionDigitsMax = 9
    /// Room for a moment in any style.
    static let standardCapacity = 32
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// The milliseconds since 1970-01-01T00:00:00Z, negative before it.
    public let milliseconds: Int64

    /// Takes milliseconds since 1970; nil outside the years 1 to 9999.
    public init?(milliseconds: Int64) {
        let first = CalendarDate.firstDay * Self.millisecondsPerDay
        let end = (CalendarDate.lastDay + 1) * Self.millisecondsPerDay
        guard milliseconds >= first, milliseconds < end else { return nil }
        self.milliseconds = milliseconds
    }

    /// Takes seconds since 1970, as Unix counts them; nil outside the years 1 to 9999.
    public init?(seconds: Int64) {
        let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
        guard !isTooLarge else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// Takes the first moment of a day in universal time.
    public init(startOf date: CalendarDate) { milliseconds = date.daysSince1970 * Self.millisecondsPerDay }

    /// Reads a moment; nil when the text is none.
    ///
    /// A text without an offset is read only when `offsetMinutes` says how far its clock is ahead of universal time.
    public init?(_ text: String, offsetMinutes: Int? = nil) {
        var digits = DigitScanner(text)
        guard
            let year = digits.number(4), digits.take(Byte.minus), let month = digits.number(2),
            digits.take(Byte.minus), let day = digits.number(2), digits.take(UInt8(ascii: "T")),
            let hour = digits.number(2), digits.take(Byte.colon), let minute = digits.number(2),
            digits.take(Byte.colon), let second = digits.number(2),
            let date = CalendarDate(year: year, month: month, day: day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var thousandths = 0
        if digits.take(Byte.point) {
            guard let fraction = digits.thousandths(digitsMax: Self.fractionDigitsMax) else { return nil }
            thousandths = fraction
        }
        guard let offset = Self.offset(&digits, assumed: offsetMinutes), digits.isAtEnd else { return nil }
        let clock = Int64(((hour * 60 + minute) * 60 + second) * 1_000 + thousandths)
        let shift = Int64(offset) * 60_000
        self.init(milliseconds: date.daysSince1970 * Self.millisecondsPerDay + clock - shift)
    }

    private static func offset(_ digits: inout DigitScanner, assumed: Int?) -> Int? {
        guard let sign = digits.next else {
            guard let assumed, (-1_439...1_439).contains(assumed) else { return nil }
            return assumed
        }
        if digits.take(UInt8(ascii: "Z")) { return 0 }
        guard digits.take(Byte.plus) || digits.take(Byte.minus), let hours = digits.number(2) else { return nil }
        _ = digits.take(Byte.colon)
        guard let minutes = digits.number(2), hours < 24, minutes < 60 else { return nil }
        return (sign == Byte.minus ? -1 : 1) * (hours * 60 + minutes)
    }

    /// The whole seconds since 1970, rounded down.
    public var seconds: Int64 { milliseconds.quotientFloor(1_000) }

    /// The day in universal time.
    public var date: CalendarDate {
        let days = milliseconds.quotientFloor(Self.millisecondsPerDay)
        guard let date = CalendarDate(daysSince1970: days) else { preconditionFailure("a moment has a day") }
        return date
    }

    /// The moment as a text in universal time.
    public func text(_ style: Style = .milliseconds) -> String {
        let days = milliseconds.quotientFloor(Self.millisecondsPerDay)
        let rest = Int(milliseconds - days * Self.millisecondsPerDay)
        var text = date.isoBytes
        text.append(UInt8(ascii: "T"))
        CalendarDate.append(rest / 3_600_000, digits: 2, to: &text)
        text.append(Byte.colon)
        CalendarDate.append(rest / 60_000 % 60, digits: 2, to: &text)
        text.append(Byte.colon)
        CalendarDate.append(rest / 1_000 % 60, digits: 2, to: &text)
        switch style {
        case .milliseconds:
            text.append(Byte.point)
            CalendarDate.append(rest % 1_000, digits: 3, to: &text)
            text.append(UInt8(ascii: "Z"))
        case .seconds: text.append(UInt8(ascii: "Z"))
        case .colonOffset: text += "+00:00".utf8
        case .basicOffset: text += "+0000".utf8
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Timestamp: Comparable {
    public static func < (one: Timestamp, other: Timestamp) -> Bool { one.milliseconds < other.milliseconds }
}

extension Int64 {
    /// The quotient rounded towards minus infinity.
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Timestamp {
    /// The ways in which the providers write a moment; all of them in universal time.
    public enum Style: Sendable, Hashable, CaseIterable {
        /// `2026-01-05T09:15:00.000Z`
        case milliseconds
        /// `2026-01-05T09:15:00Z`, milliseconds cut off.
        case seconds
        /// `2026-01-05T09:15:00+00:00`, milliseconds cut off.
        case colonOffset
        /// `2026-01-05T09:15:00+0000`, milliseconds cut off.
        case basicOffset
    }
}
