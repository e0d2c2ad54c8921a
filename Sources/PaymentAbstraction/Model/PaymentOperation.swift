/// What can be asked of a provider about money.
public enum PaymentOperation: String, Hashable, Sendable, CaseIterable {
    /// Charge at once.
    case sale
    /// Hold an amount, to be captured later.
    case authorize
    /// Charge what is held, or a part of it.
    case capture
    /// Change the amount that is held.
    case adjust
    /// Undo before settlement.
    case void
    /// Refund what was charged, or a part of it.
    case refund
    /// Give money to a card without an original payment.
    case unlinkedRefund
    /// Change the tip of a payment that is not settled yet.
    case tipAdjustment
    /// Check a card without charging it.
    case verify
    /// Turn a card into a token without charging it.
    case tokenize
    /// Charge a card on file without the customer.
    case debit
    /// Money that the customer's bank took back. Only a provider reports it; no client asks for it.
    case chargeback

    /// Whether it starts a payment of its own rather than acting on one.
    public var isOrigin: Bool {
        switch self {
        case .sale, .authorize, .unlinkedRefund, .verify, .tokenize, .debit: true
        case .capture, .adjust, .void, .refund, .tipAdjustment, .chargeback: false
        }
    }
}

/// The provider's names for what it did, by the name of the field; never a secret.
public typealias PaymentReferences = [String: String]

/// What a movement does to the money.
package enum MovementKind: String, Hashable, Sendable {
    case pays, captures, voids, none
    /// The text is part of the ids of the provider's own movements, which journals keep.
    case refunds = "givesBack"
}

extension PaymentOperation {
    /// What the operation does. A refund and an unlinked refund are one kind, and so is a chargeback.
    package var movementKind: MovementKind {
        switch self {
        case .sale, .authorize, .debit: .pays
        case .capture: .captures
        case .refund, .unlinkedRefund, .chargeback: .refunds
        case .void: .voids
        case .adjust, .tipAdjustment, .verify, .tokenize: .none
        }
    }

    /// Whether it must not happen twice under one reference. Totals of adjustments, tips and voids are absolute.
    package var paysOnce: Bool {
        switch movementKind {
        case .pays, .captures, .refunds: true
        case .voids, .none: false
        }
    }

    /// Whether one movement at the provider can be either: providers execute a void as a refund. A chargeback is the
    /// bank's, and never a client's.
    package func isLike(_ other: PaymentOperation) -> Bool {
        let back: Set<MovementKind> = [.refunds, .voids]
        if self == other { return true }
        if movementKind == .none || self == .chargeback || other == .chargeback { return false }
        return movementKind == other.movementKind || back.contains(movementKind) && back.contains(other.movementKind)
    }

    /// Whether it may fail after it was accepted, and be executed after it failed.
    package var canTurn: Bool {
        switch self {
        case .capture, .refund, .unlinkedRefund, .void, .adjust, .chargeback: true
        case .sale, .authorize, .tipAdjustment, .verify, .tokenize, .debit: false
        }
    }

    /// Whether two executions move the sum of both amounts; else the last one gives the new total.
    package var addsUp: Bool {
        switch self {
        case .sale, .debit, .authorize, .capture, .refund, .unlinkedRefund, .chargeback: true
        case .adjust, .tipAdjustment, .void, .verify, .tokenize: false
        }
    }

    /// Whether it changes a payment as a whole, so that nothing else may be open beside it.
    package var changesWhole: Bool {
        switch self {
        case .void, .adjust, .tipAdjustment: true
        case .sale, .authorize, .capture, .refund, .unlinkedRefund, .verify, .tokenize, .debit, .chargeback: false
        }
    }
}
