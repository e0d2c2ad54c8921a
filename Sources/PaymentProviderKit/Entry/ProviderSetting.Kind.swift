extension ProviderSetting {
    /// What a setting may hold.
    public enum Kind: Hashable, Sendable {
        /// A text of one line that is not empty.
        case text(charactersMax: Int = 128)
        /// A whole number within bounds.
        case integer(ClosedRange<Int64>)
        /// `true` or `false`.
        case boolean
        /// One of a list of words.
        case choice([String])
        /// A list of currency codes.
        case currencies
        /// A duration in milliseconds within bounds.
        case milliseconds(ClosedRange<Int64>)
        /// A scheme, a host and a port.
        case origin
        /// An address with a path.
        case address
    }
}
