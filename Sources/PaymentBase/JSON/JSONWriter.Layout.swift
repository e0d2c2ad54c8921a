extension JSONWriter {
    /// How a text is laid out.
    public enum Layout: Sendable, Hashable, CaseIterable {
        /// Without any white space, for wires and signatures.
        case compact
        /// One member or element per line, two spaces per level, for people.
        case pretty
    }
}
