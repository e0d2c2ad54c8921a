/// A day of the proleptic Gregorian calendar, from 0001-01-01 to 9999-12-31.
public struct CalendarDate: Sendable, Hashable {
    /// The days before 1970-01-01 that the first day lies.
    static let firstDay: Int64 = -719_162
    /// The days after 1970-01-01 that the last day lies.
    static let lastDay: Int64 = 2_932_896

    /// The year, from 1 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Makes a day, or nil when the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Self.dayCount(year: year, month: month) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Makes the day that lies so many days after 1970-01-01, or nil outside the range.
    public init?(daysSince1970 days: Int64) {
        guard (Self.firstDay...Self.lastDay).contains(days) else { return nil }
        // Years that start in March put the leap day last; 400 of them have 146,097 days.
        let shifted = Int(days) + 719_468
        let era = shifted >= 0 ? shifted / 146_097 : (shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// Reads `yyyy-mm-dd`; nil for anything else.
    public init?(iso text: String) {
        var digits = DigitScanner(text)
        guard
            let year = digits.number(4), digits.take(Byte.minus), let month = digits.number(2),
            digits.take(Byte.minus), let day = digits.number(2), digits.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Reads `dd-mm-yyyy`; nil for anything else.
    public init?(dayFirst text: String) {
        var digits = DigitScanner(text)
        guard
            let day = digits.number(2), digits.take(Byte.minus), let month = digits.number(2),
            digits.take(Byte.minus), let year = digits.number(4), digits.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// How many days the day lies after 1970-01-01.
    public var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear / 400
        let yearOfEra = marchYear - era * 400
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    /// The day as `yyyy-mm-dd`.
    public var isoText: String { String(decoding: isoBytes, as: UTF8.self) }

    /// The day as `dd-mm-yyyy`.
    public var dayFirstText: String {
        let bytes = isoBytes
        return String(decoding: bytes[8...] + bytes[4...7] + bytes[..<4], as: UTF8.self)
    }

    /// The bytes of `yyyy-mm-dd`.
    var isoBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Timestamp.standardCapacity)
        Self.append(year, digits: 4, to: &bytes)
        bytes.append(Byte.minus)
        Self.append(month, digits: 2, to: &bytes)
        bytes.append(Byte.minus)
        Self.append(day, digits: 2, to: &bytes)
        return bytes
    }

    /// Appends a number that has so many digits at the most, with leading zeros.
    static func append(_ value: Int, digits: Int, to bytes: inout [UInt8]) {
        var unit = 1
        for _ in 1..<digits { unit *= 10 }
        while unit > 0 {
            bytes.append(Byte.zero + UInt8(value / unit % 10))
            unit /= 10
        }
    }

    private static func dayCount(year: Int, month: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}

extension CalendarDate: Comparable {
    public static func < (one: CalendarDate, other: CalendarDate) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }
}
