internal import PaymentBase

/// The days that are reconciled, in universal time.
struct ReconciledDays: Sendable {
    /// A day, in milliseconds.
    static let day: Int64 = 86_400_000
    /// The most days at once.
    static let daysMax: Int64 = 366

    let first: CalendarDate
    let last: CalendarDate

    init(_ call: Invocation) throws(UsageError) {
        func date(_ name: String) throws(UsageError) -> CalendarDate {
            guard let text = call.given[name] else { throw UsageError(message: "--\(name) DAY is missing") }
            guard let date = CalendarDate(iso: text) else {
                throw UsageError(message: "--\(name) takes a day such as 2026-11-30, not \(text)")
            }
            return date
        }
        try self.init(date("from"), date("to"))
    }

    init(_ first: CalendarDate, _ last: CalendarDate) throws(UsageError) {
        (self.first, self.last) = (first, last)
        if last < first { throw UsageError(message: "--to \(last.isoText) is before --from \(first.isoText)") }
        if last.daysSince1970 - first.daysSince1970 >= Self.daysMax {
            throw UsageError(message: "\(Self.daysMax) days are reconciled at once, at most")
        }
    }

    /// The first moment, in milliseconds since 1970.
    var start: Int64 { first.daysSince1970 * Self.day }
    /// The first moment that is no longer meant.
    var end: Int64 { (last.daysSince1970 + 1) * Self.day }

    func contains(_ moment: Int64) -> Bool { start <= moment && moment < end }
}
