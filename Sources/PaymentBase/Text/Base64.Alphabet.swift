extension Base64 {
    /// The two characters in which the alphabets of RFC 4648 differ.
    public enum Alphabet: Sendable, Hashable, CaseIterable {
        /// `+` and `/`.
        case standard
        /// `-` and `_`.
        case urlSafe
    }
}
