/// All amounts of one payment, in its currency.
public struct PaymentAmounts: Hashable, Sendable {
    /// Held or charged at first, as adjusted since.
    public package(set) var authorized: Money
    /// Charged.
    public package(set) var captured: Money
    /// Accepted for charging and not final.
    public package(set) var capturePending: Money
    /// Given back.
    public package(set) var refunded: Money
    /// Accepted for giving back and not final.
    public package(set) var refundPending: Money
    /// Of operations whose outcome nobody knows yet.
    public package(set) var inDoubt: Money
    /// Of operations that are under way.
    public package(set) var inFlight: Money
    /// Held once and let go, because one capture took less.
    public package(set) var released: Money
    /// Whether the payment was undone as a whole.
    public package(set) var isVoided = false
    /// Whether a device approved the payment without the issuer and has not forwarded it yet: until then it can only be
    /// voided.
    public package(set) var isOffline = false

    package init(_ currency: Currency) {
        let zero = Money.zero(currency)
        (authorized, captured, capturePending) = (zero, zero, zero)
        (refunded, refundPending, inDoubt, inFlight, released) = (zero, zero, zero, zero, zero)
    }

    /// What can still be given back: pending reserves, and what is in doubt or under way is not there.
    public var refundable: Money {
        if isVoided || isOffline { return .zero(captured.currency) }
        return Self.left(captured, [refunded, refundPending, inDoubt, inFlight])
    }

    /// What can still be charged of what is held.
    public var capturable: Money {
        if isVoided { return .zero(captured.currency) }
        return Self.left(authorized, [captured, capturePending, inDoubt, inFlight, released])
    }

    /// What is left when all that is gone is taken off; nothing, never less, whatever the sums are.
    private static func left(_ whole: Money, _ gone: [Money]) -> Money {
        let left = gone.reduce(whole.minorUnits) { left, part in
            let (rest, overflow) = left.subtractingReportingOverflow(max(0, part.minorUnits))
            return overflow ? 0 : max(0, rest)
        }
        return Money(minorUnits: max(0, left), whole.currency)
    }
}
