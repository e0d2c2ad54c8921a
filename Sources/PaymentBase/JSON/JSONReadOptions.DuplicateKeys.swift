extension JSONReadOptions {
    /// What to do when an object has two members with the same key.
    public enum DuplicateKeys: Sendable, Hashable, CaseIterable {
        /// Refuse the text; two readers could see different amounts in it.
        case refuse
        /// Let the last member win, in the place of the first.
        case keepLast
    }
}
