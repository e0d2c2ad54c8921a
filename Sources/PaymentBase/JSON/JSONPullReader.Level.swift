extension JSONPullReader {
    /// One array or object that is open, so that the reader knows whose next part is asked for.
    public struct Level: Sendable, Hashable {
        let depth: Int
        let serial: Int
    }
}
