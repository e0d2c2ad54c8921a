/// What is asked of a payment that there is already, with what the journal knows about it.
public struct FollowUpRequest: Hashable, Sendable {
    /// The payment as the journal has it.
    public let payment: PaymentSnapshot
    /// How much: to capture, to give back, to hold from now on, or of which the tip is.
    public let amount: Money
    /// What is left of it at most, as the journal has it.
    public let remaining: Money
    /// Why, in the merchant's words.
    public var reason: String?
    /// The same request as the merchant's back end made it, to be sent as it is.
    public package(set) var prepared: PreparedRequest?

    /// Whether it asks for all that is left.
    public var isFull: Bool { amount == remaining }

    package init(_ payment: PaymentSnapshot, _ amount: Money, remaining: Money, reason: String? = nil) {
        (self.payment, self.amount, self.remaining, self.reason) = (payment, amount, remaining, reason)
    }
}

/// A payment as the journal has it: where it came from, what it is called there, and how much is where.
public struct PaymentSnapshot: Hashable, Sendable {
    /// Our name for it.
    public let id: PaymentID
    /// The operation that it came from.
    public let firstOperation: PaymentOperation
    /// The provider's names: those of the origin, and over them those that later operations brought.
    public let references: PaymentReferences
    /// What was remembered with the origin.
    public let notes: [String: String]
    /// How much is where.
    public let amounts: PaymentAmounts
    /// The tip that is a part of what was charged, as it was last changed; nil when there is none.
    public let tip: Money?
    /// The card, as far as it may be shown.
    public let card: CardSummary?
    /// The application's reference.
    public let reference: String
    /// What kind of source it came from.
    public let source: PaymentSource.Kind?
    /// When the origin was begun, in milliseconds since 1970.
    public let createdAt: Int64
    /// Who took it.
    public let provider: ProviderIdentity
}
