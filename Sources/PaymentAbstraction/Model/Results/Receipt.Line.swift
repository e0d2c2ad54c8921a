extension Receipt {
    /// One line that the provider formatted for a receipt.
    public struct Line: Hashable, Sendable {
        /// Whose copy it belongs to.
        public enum Copy: String, Hashable, Sendable {
            /// The copy that the merchant keeps.
            case merchant
            /// The copy that the customer takes.
            case customer
        }

        /// Whose copy it belongs to.
        public let copy: Copy
        /// What the line is about, as the provider names it.
        public let key: String?
        /// The text on the left.
        public let label: String
        /// The text on the right.
        public let value: String?
        /// Whether it is printed bold.
        public let isBold: Bool

        /// Makes a line.
        public init(_ copy: Copy, _ label: String, value: String? = nil, key: String? = nil, isBold: Bool = false) {
            (self.copy, self.label, self.value) = (copy, label, value)
            (self.key, self.isBold) = (key, isBold)
        }
    }
}
