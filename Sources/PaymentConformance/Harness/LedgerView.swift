public import PaymentAbstraction

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
        /// Given back to the cardholder.
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
