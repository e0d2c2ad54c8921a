public import PaymentBase

extension Receipt {
    /// One tag of a chip, as hexadecimal text.
    public struct EMVTag: Hashable, Sendable {
        /// The tag, in capitals.
        public let tag: String
        /// Its value.
        public let value: String

        /// Makes a tag.
        public init(_ tag: String, _ value: String) { (self.tag, self.value) = (tag.uppercased(), value) }

        /// Tags with the number, the tracks, the holder's name or PIN data.
        private static let sensitive: Set<String> = [
            "5A", "56", "57", "5F20", "5F34", "9F0B", "9F1F", "9F20", "9F61", "9F6B", "9F6C", "99", "DF31", "DF32",
        ]

        /// Whether it must not leave the reader in the clear.
        public var isSensitive: Bool { Self.sensitive.contains(tag) }
    }
}

extension Receipt.EMVTag: RedactedDescription {
    /// The tag with its value, or without where it must not be shown.
    public var description: String { "\(tag)=\(isSensitive ? "<secret>" : value)" }
}
