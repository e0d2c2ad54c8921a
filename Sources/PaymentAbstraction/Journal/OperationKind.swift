/// What a movement does to the money.
enum MovementKind: String, Hashable, Sendable {
    case pays, captures, givesBack, voids, none
}

extension PaymentOperation {
    /// What the operation does. A refund and an unlinked refund are one kind.
    var movementKind: MovementKind {
        switch self {
        case .sale, .authorize, .debit: .pays
        case .capture: .captures
        case .refund, .unlinkedRefund: .givesBack
        case .void: .voids
        case .adjust, .tipAdjustment, .verify, .tokenize: .none
        }
    }

    /// Whether it must not happen twice under one reference. Totals of adjustments, tips and voids are absolute.
    var paysOnce: Bool {
        switch movementKind {
        case .pays, .captures, .givesBack: true
        case .voids, .none: false
        }
    }

    /// Whether one movement at the provider can be either: providers execute a void as a refund.
    func isLike(_ other: PaymentOperation) -> Bool {
        let back: Set<MovementKind> = [.givesBack, .voids]
        if self == other { return true }
        if movementKind == .none { return false }
        return movementKind == other.movementKind || back.contains(movementKind) && back.contains(other.movementKind)
    }

    /// Whether it may fail after it was accepted, and be executed after it failed.
    var canTurn: Bool {
        switch self {
        case .capture, .refund, .unlinkedRefund, .void, .adjust: true
        case .sale, .authorize, .tipAdjustment, .verify, .tokenize, .debit: false
        }
    }

    /// Whether two executions move the sum of both amounts; else the last one gives the new total.
    var addsUp: Bool {
        switch self {
        case .sale, .debit, .authorize, .capture, .refund, .unlinkedRefund: true
        case .adjust, .tipAdjustment, .void, .verify, .tokenize: false
        }
    }

    /// Whether it changes a payment as a whole, so that nothing else may be open beside it.
    var changesWhole: Bool {
        switch self {
        case .void, .adjust, .tipAdjustment: true
        case .sale, .authorize, .capture, .refund, .unlinkedRefund, .verify, .tokenize, .debit: false
        }
    }

    /// Whether it starts a payment if it names none.
    var startsPayment: Bool {
        switch self {
        case .sale, .authorize, .debit, .unlinkedRefund, .verify, .tokenize: true
        case .capture, .adjust, .void, .refund, .tipAdjustment: false
        }
    }
}
