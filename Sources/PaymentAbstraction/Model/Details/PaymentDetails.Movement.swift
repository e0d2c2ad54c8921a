extension PaymentDetails {
    /// One capture or refund, as the provider lists it.
    public struct Movement: Hashable, Sendable {
        /// What the provider calls it; empty where it has no name.
        public let reference: String
        /// How much moved.
        public let amount: Money
        /// The state, in the provider's word.
        public let state: String
        /// When it happened, in milliseconds since 1970.
        public var at: Int64?
        /// What can follow it, in the provider's word.
        public var followUp: String?

        /// Makes a movement.
        public init(_ reference: String, _ amount: Money, state: String) {
            (self.reference, self.amount, self.state) = (reference, amount, state)
        }
    }
}
