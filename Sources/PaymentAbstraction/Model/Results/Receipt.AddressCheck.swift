extension Receipt {
    /// What the check of the billing address said.
    public struct AddressCheck: Hashable, Sendable {
        /// The response code.
        public var code: String?
        /// What followed from it: `allow`, `deny` and so on.
        public var action: String?
        /// The result in words.
        public var result: String?

        /// Makes a check of a code.
        public init(code: String? = nil, action: String? = nil, result: String? = nil) {
            (self.code, self.action, self.result) = (code, action, result)
        }
    }
}
