internal import PaymentBase

/// The clocks of the zones in which the simulated processors settle; by the rules in force since 2007.
public enum ARISEZone {
    /// A time of the day at which a batch closes.
    public struct Slot: Hashable, Sendable {
        /// The hour of the day.
        public let hours: Int64
        /// The minute of the hour.
        public let minutes: Int64
        /// The zone's IANA name.
        public let zone: String

        /// Names a time of the day.
        public init(hours: Int64, minutes: Int64, zone: String) {
            (self.hours, self.minutes, self.zone) = (hours, minutes, zone)
        }
    }

    /// Standard time's minutes ahead of universal time, and whether clocks go forward in summer.
    private static let zones: [String: (minutes: Int64, hasSummer: Bool)] = [
        "America/New_York": (-300, true), "America/Chicago": (-360, true), "America/Denver": (-420, true),
        "America/Phoenix": (-420, false), "America/Los_Angeles": (-480, true), "UTC": (0, false),
    ]
    private static let dayMilliseconds: Int64 = 86_400_000

    /// The last moment at or before `now` at which the slot's clock showed its time; nil for a zone that isn't known.
    static func last(_ slot: Slot, before now: Int64) -> Int64? {
        guard let zone = zones[slot.zone] else { return nil }
        let days = (now + zone.minutes * 60_000) / dayMilliseconds
        return (days - 2...days + 1).compactMap { day in
            let clock = day * dayMilliseconds + (slot.hours * 60 + slot.minutes) * 60_000
            let standard = clock - zone.minutes * 60_000
            let moment = zone.hasSummer && isSummer(clock, zone.minutes) ? standard - 3_600_000 : standard
            return moment <= now ? moment : nil
        }.max()
    }

    /// Whether a local clock time lies between the second Sunday of March and the first Sunday of November, at two.
    private static func isSummer(_ clock: Int64, _ minutes: Int64) -> Bool {
        let date = Timestamp(milliseconds: clock)?.date
        guard let date, let begin = sunday(2, of: 3, date.year), let end = sunday(1, of: 11, date.year) else {
            return false
        }
        return clock >= begin + 2 * 3_600_000 && clock < end + 2 * 3_600_000
    }

    /// The first moment of a month's first, second … Sunday, as a local clock time.
    private static func sunday(_ number: Int64, of month: Int, _ year: Int) -> Int64? {
        guard let first = CalendarDate(year: year, month: month, day: 1) else { return nil }
        // The first of January 1970 was a Thursday.
        let weekday = (first.daysSince1970 + 4) % 7
        return (first.daysSince1970 + (7 - weekday) % 7 + (number - 1) * 7) * dayMilliseconds
    }
}
