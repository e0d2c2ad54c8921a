/// What pruning a journal has removed.
public struct JournalPruning: Hashable, Sendable {
    /// How many payments are gone, with everything that followed them.
    public let payments: Int
    /// How many attempts those were.
    public let attempts: Int
    /// How many events were removed with them.
    public let events: Int
}
