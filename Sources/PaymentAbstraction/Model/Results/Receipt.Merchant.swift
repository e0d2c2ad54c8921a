extension Receipt {
    /// Who sold it, as printed on a receipt.
    public struct Merchant: Hashable, Sendable {
        /// The name on the receipt.
        public var name: String?
        /// The address on the receipt.
        public var address: String?
        /// The telephone number on the receipt.
        public var phone: String?
        /// The e-mail address on the receipt.
        public var email: String?
        /// The address on the web.
        public var website: String?
        /// The merchant's number at the acquirer.
        public var merchantID: String?
        /// The terminal's number.
        public var terminalID: String?

        /// Makes an empty block.
        public init() {}
    }
}
