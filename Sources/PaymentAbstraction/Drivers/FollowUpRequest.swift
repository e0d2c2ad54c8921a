public import PaymentModel

/// What is asked of a payment that there is already, with what the journal knows about it.
public struct FollowUpRequest: Hashable, Sendable {
    /// The payment as the journal has it.
    public let payment: PaymentSnapshot
    /// How much: to capture, to refund, to hold from now on, or of which the tip is.
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
