extension FactCodec {
    /// What is stored can't be read: it is damaged, or newer software has written it.
    public struct Unreadable: Error, Hashable {
        /// Says no more than that.
        public init() {}
    }
}
