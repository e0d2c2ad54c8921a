extension FormEncoding {
    /// How a space is written.
    public enum Spaces: Sendable, Hashable, CaseIterable {
        /// As `+`, as forms do.
        case plus
        /// As `%20`, as addresses do.
        case percent
    }
}
