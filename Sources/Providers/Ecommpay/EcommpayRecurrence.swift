public import PaymentAbstraction
public import PaymentBase

/// When later charges of a registered card are made, and over what.
public struct EcommpayRecurrence: Hashable, Sendable {
    /// One charge that is due on a day.
    public struct Charge: Hashable, Sendable {
        /// The day on which it is made.
        public let date: CalendarDate
        /// What is charged then.
        public let amount: Money

        /// Makes a charge.
        public init(_ date: CalendarDate, _ amount: Money) { (self.date, self.amount) = (date, amount) }
    }

    /// How many periods lie between two charges.
    public private(set) var interval: Int?
    /// The time of day, as `HH:mm:ss`.
    public private(set) var time: String?
    /// The day of the first charge.
    public private(set) var start: CalendarDate?
    /// What the merchant calls the charges to come.
    public private(set) var scheduledPayment: String?
    /// Single charges, where they do not follow a rule.
    public private(set) var schedule: [Charge]

    /// Makes a recurrence.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when a part of it is none.
    public init(
        interval: Int? = nil, time: String? = nil, start: CalendarDate? = nil, scheduledPayment: String? = nil,
        schedule: [Charge] = []
    ) throws(PaymentError) {
        func refuse(_ why: String) -> PaymentError {
            PaymentError.notExecuted(.invalidRequest, why)
        }
        if let interval, !(1...100).contains(interval) { throw refuse("an interval is 1 to 100 periods") }
        if let time, !Self.isTime(time) { throw refuse("\(time) is no time of the form HH:mm:ss") }
        if let name = scheduledPayment, !(1...255).contains(name.utf8.count) {
            throw refuse("the name of charges to come has 1 to 255 characters")
        }
        if schedule.contains(where: { $0.amount.minorUnits <= 0 }) { throw refuse("a charge is more than nothing") }
        if Set(schedule.map(\.amount.currency)).count > 1 { throw refuse("a schedule has one currency") }
        (self.interval, self.time, self.start) = (interval, time, start)
        (self.scheduledPayment, self.schedule) = (scheduledPayment, schedule)
    }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }) else { return false }
        let numbers = parts.compactMap { UInt8($0) }
        return numbers.count == 3 && numbers[0] < 24 && numbers[1] < 60 && numbers[2] < 60
    }
}
