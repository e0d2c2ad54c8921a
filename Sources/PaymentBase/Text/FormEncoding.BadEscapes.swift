extension FormEncoding {
    /// What to do with a name or a value whose escapes are broken or stand for bytes that are not UTF-8.
    public enum BadEscapes: Sendable, Hashable, CaseIterable {
        /// Refuse the whole form.
        case refuse
        /// Keep that name or value exactly as it was written.
        case keep
    }
}
