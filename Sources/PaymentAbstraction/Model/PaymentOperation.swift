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
    /// Give back what was charged, or a part of it.
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

    /// Whether it starts a payment of its own rather than acting on one.
    public var isOrigin: Bool {
        switch self {
        case .sale, .authorize, .unlinkedRefund, .verify, .tokenize, .debit: true
        case .capture, .adjust, .void, .refund, .tipAdjustment: false
        }
    }
}

/// The provider's names for what it did, by the name of the field; never a secret.
public typealias PaymentReferences = [String: String]
