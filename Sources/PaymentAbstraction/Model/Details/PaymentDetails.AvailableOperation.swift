extension PaymentDetails {
    /// Something that can be done with a transaction now, as the provider says.
    public struct AvailableOperation: Hashable, Sendable {
        /// What, in the provider's word.
        public let name: String
        /// What it is here, where we have it.
        public let operation: PaymentOperation?
        /// How much at most.
        public let amount: Money?
        /// Tips to suggest.
        public var suggestedTips: [Money] = []

        /// Makes an operation of the provider's name.
        public init(_ name: String, _ operation: PaymentOperation? = nil, amount: Money? = nil) {
            (self.name, self.operation, self.amount) = (name, operation, amount)
        }
    }
}
