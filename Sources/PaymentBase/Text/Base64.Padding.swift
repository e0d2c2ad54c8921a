extension Base64 {
    /// Whether a text is filled up with `=` to a multiple of four characters.
    public enum Padding: Sendable, Hashable, CaseIterable {
        /// Written, and demanded when reading.
        case required
        /// Not written, and refused when reading.
        case forbidden
        /// Written; when reading it may be there, complete, or not at all.
        case optional
    }
}
