internal import PaymentBase
internal import PaymentModel

/// What keys have refunded today. It is counted in this process from its start on.
final class KeyBudget: Sendable {
    private struct Day: Sendable {
        let number: Int64
        /// What is refunded or may be, in minor units.
        var sums: [Currency: Int64] = [:]
    }

    private static let dayMilliseconds: Int64 = 86_400_000
    /// How many days of a key are kept: a clock that is set forward and back finds its day again.
    private static let daysMax = 8
    /// The days on which each key refunded last, the latest use at the end.
    private let days = Locked([String: [Day]]())

    /// Counts an amount of a key; false if that is more than it may refund today.
    func take(_ amount: Money, of key: ServiceKey, at now: Int64) -> Bool {
        guard let most = key.refundMaxPerDay else { return true }
        let today = now / Self.dayMilliseconds
        return days.withLock { days in
            let held = days[key.digest] ?? []
            var day = held.first { $0.number == today } ?? Day(number: today)
            let (sum, isTooMuch) = (day.sums[amount.currency] ?? 0).addingReportingOverflow(amount.minorUnits)
            guard !isTooMuch, let limit = most[amount.currency], sum <= limit.minorUnits else { return false }
            day.sums[amount.currency] = sum
            let others = Array(held.filter { $0.number != today }.suffix(Self.daysMax - 1))
            days[key.digest] = others + [day]
            return true
        }
    }

    /// Nothing of an amount was refunded after all. It was counted at a moment, and only that moment's day has it.
    func release(_ amount: Money, of key: ServiceKey, takenAt moment: Int64) {
        days.withLock { days in
            let number = moment / Self.dayMilliseconds
            guard var held = days[key.digest], let place = held.firstIndex(where: { $0.number == number }) else {
                return
            }
            held[place].sums[amount.currency] = max(
                0, (held[place].sums[amount.currency] ?? 0).subtractingSaturating(amount.minorUnits))
            days[key.digest] = held
        }
    }
}

/// What a key allows of an attempt that is new. A repeat of a recorded attempt is never refused by it.
struct KeyCheck: Sendable {
    let key: ServiceKey
    /// How much is charged or refunded at most.
    let amount: Money
    let returnsMoney: Bool
    let reader: String?
    let budget: KeyBudget

    /// Why the attempt may not begin at a moment; nil if it may.
    func refusal(at now: Int64) -> Problem? {
        if let reader, let readers = key.readers, !readers.contains(reader) {
            return Problem(.forbidden, "This key may not use the reader \(reader).")
        }
        if returnsMoney, amount.isZero { return nil }
        if returnsMoney, !key.mayRefund {
            return Problem(
                .forbidden,
                "This key may not return what was charged. An office key may, or one that is configured so.")
        }
        let most = returnsMoney ? key.refundMax : key.amountMax
        if let most {
            guard let limit = most[amount.currency] else {
                return Problem(.forbidden, "This key has no amounts in \(amount.currency).")
            }
            guard amount.minorUnits <= limit.minorUnits else {
                return Problem(.forbidden, "This key may not move more than \(limit) at once (got \(amount)).")
            }
        }
        if returnsMoney, !budget.take(amount, of: key, at: now) {
            return Problem(.forbidden, "This key has reached what it may refund today.")
        }
        return nil
    }

    /// The most that the attempt may return, however the payment changes until it begins; nil where the key sets no limit.
    var returnedMost: Money? {
        let isLimited = !key.mayRefund || key.refundMax != nil || key.refundMaxPerDay != nil
        guard isLimited else { return nil }
        // What returns nothing now may return something then: a tip that is raised in between.
        return returnsMoney ? amount : .zero(amount.currency)
    }

    /// The attempt that began at a moment ended and moved nothing.
    func release(begunAt moment: Int64) {
        if returnsMoney { budget.release(amount, of: key, takenAt: moment) }
    }
}
