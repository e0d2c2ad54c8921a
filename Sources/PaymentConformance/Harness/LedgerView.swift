public import PaymentModel

/// A provider's books in neutral words.
public struct LedgerView: Hashable, Sendable {
    /// Which way money went.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        /// From the cardholder to the merchant.
        case charge
        /// Set aside.
        case hold
        /// From what was set aside to the merchant.
        case capture
        /// From what was set aside back to the cardholder.
        case release
        /// From the merchant back to the cardholder, as if it had never been.
        case reversal
        /// Refunded to the cardholder.
        case refund
        /// A refund that came back to the merchant.
        case returned
    }

    /// One movement.
    public struct Entry: Hashable, Sendable {
        /// The attempt, where the provider knows it; otherwise empty.
        public let attempt: String
        /// The provider's own name of the payment.
        public let payment: String
        /// Which way the money went.
        public let direction: Direction
        /// How much, in the currency's smallest unit.
        public let minorUnits: Int64
        /// The currency's code.
        public let currency: String
        /// What caused it, in the provider's words.
        public let cause: String
        /// How the card came, as the provider understood the request; nil where its books don't say.
        public let source: PaymentSource.Kind?

        /// Makes an entry.
        public init(
            attempt: String, payment: String, _ direction: Direction, _ minorUnits: Int64, _ currency: String,
            cause: String, source: PaymentSource.Kind? = nil
        ) {
            (self.attempt, self.payment, self.direction) = (attempt, payment, direction)
            (self.minorUnits, self.currency, self.cause, self.source) = (minorUnits, currency, cause, source)
        }
    }

    /// Every movement, in order.
    public let entries: [Entry]
    /// Whether the provider itself says that its accounts add up.
    public let isBalanced: Bool

    /// Makes a view.
    public init(_ entries: [Entry], isBalanced: Bool) { (self.entries, self.isBalanced) = (entries, isBalanced) }

    /// The movements of an attempt.
    public func entries(of attempt: AttemptID) -> [Entry] { entries.filter { $0.attempt == attempt.text } }

    /// What an attempt moved one way, in minor units.
    public func sum(of attempt: AttemptID, _ direction: Direction) -> Int64 {
        entries(of: attempt).filter { $0.direction == direction }.map(\.minorUnits).sum
    }
}

extension Sequence<Int64> {
    /// What they come to; a sum that can't be held stays at the end of the numbers, where no amount is.
    var sum: Int64 { reduce(0) { $0.adding($1) } }
}

extension Int64 {
    /// The sum of two numbers of a provider's books, which stays at the end of the numbers where it can't be held.
    package func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference of two numbers of a provider's books, in the same way.
    package func subtracting(_ other: Int64) -> Int64 {
        let (rest, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : rest
    }
}

/// The provider's books as far as a driver can know them: with what it could neither see nor prevent taken out, and
/// nothing else.
extension LedgerView {
    /// Without the further times that the provider carried one and the same request out: the same movement of an
    /// attempt, to the last minor unit, and no more often than the fault carries it out.
    func withoutRepeats(of attempt: AttemptID, executions: Int) -> LedgerView {
        var seen: [(entry: Entry, count: Int)] = []
        let kept = entries.filter { entry in
            guard entry.attempt == attempt.text else { return true }
            guard let index = seen.firstIndex(where: { entry.isRepeat(of: $0.entry) }) else {
                seen.append((entry, 1))
                return true
            }
            seen[index].count += 1
            return seen[index].count > executions
        }
        return LedgerView(kept, isBalanced: isBalanced)
    }

    /// How much was moved under an attempt in all, whichever way.
    func moved(by attempt: AttemptID) -> Int64 { entries(of: attempt).map(\.minorUnits).sum }

    /// Without the one movement of an attempt, and without what the provider let go of the same payment because of it;
    /// where the attempt has more than one movement, nothing is taken out.
    func withoutOnly(_ attempt: AttemptID) -> LedgerView {
        guard let only = entries(of: attempt).first, entries(of: attempt).count == 1 else { return self }
        let isDue: (Entry) -> Bool = { entry in
            let isReleased = entry.attempt.isEmpty && entry.direction == .release && entry.payment == only.payment
            return entry == only || only.direction == .capture && isReleased
        }
        return LedgerView(entries.filter { !isDue($0) }, isBalanced: isBalanced)
    }

    /// With the amount that the provider named for an attempt in the place of the one that it booked; only where it
    /// booked one movement, and named no more than was asked for.
    func believing(_ named: Money, of asked: Money, for attempt: AttemptID) -> LedgerView {
        let booked = entries(of: attempt)
        let isPossible = named.currency == asked.currency && named.minorUnits <= asked.minorUnits && !named.isNegative
        guard booked.count == 1, booked[0].currency == asked.currency.code, isPossible else { return self }
        // Where one capture lets the rest go, what it is over and what is let go are one amount.
        let more = named.minorUnits.subtracting(booked[0].minorUnits)
        let changed = entries.map { entry in
            if entry.attempt == attempt.text { return entry.moving(named.minorUnits) }
            let isRest = entry.attempt.isEmpty && entry.direction == .release && entry.payment == booked[0].payment
            return booked[0].direction == .capture && isRest ? entry.moving(entry.minorUnits.subtracting(more)) : entry
        }
        return LedgerView(changed, isBalanced: isBalanced)
    }
}

extension LedgerView.Entry {
    /// Whether it is what another one is, done once more.
    fileprivate func isRepeat(of other: Self) -> Bool {
        (direction, minorUnits, currency) == (other.direction, other.minorUnits, other.currency)
    }

    /// The same over another amount.
    fileprivate func moving(_ units: Int64) -> Self {
        Self(attempt: attempt, payment: payment, direction, units, currency, cause: cause)
    }
}
