/// A place between two pages; it stays right whatever is written meanwhile.
public struct JournalCursor: Hashable, Sendable {
    /// The store's own number of the last row before it.
    public let number: Int64

    /// Makes a cursor behind a row.
    public init(_ number: Int64) { self.number = number }
}
