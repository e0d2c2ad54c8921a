internal import PaymentAbstraction
public import PaymentConformance
public import PaymentSimulator

extension LedgerView {
    /// A provider's books as the suite reads them; `units` makes the standard's minor units of the provider's own.
    public init(_ ledger: Ledger, units: (Int64, String) -> Int64 = { units, _ in units }) {
        let entries = ledger.movements.map { movement in
            LedgerView.Entry(
                attempt: movement.attempt, payment: movement.payment, movement.direction,
                units(movement.amount.minorUnits, movement.amount.currency), movement.amount.currency,
                cause: movement.cause, source: PaymentSource.Kind(rawValue: movement.entry))
        }
        self.init(entries, isBalanced: ledger.isBalanced)
    }
}

extension Ledger.Movement {
    /// Which way it went, in neutral words.
    fileprivate var direction: LedgerView.Direction {
        switch (from, to) {
        case (.cardholder, .merchant): .charge
        case (.cardholder, _): .hold
        case (.held, .merchant): .capture
        case (.held, _): .release
        case (.merchant, .cardholder): .reversal
        case (.refunded, _): .returned
        case (.merchant, _), (.funds, _): .refund
        }
    }
}
