/// What a store did that the journal's contract does not allow.
public struct JournalBreach: Error, CustomStringConvertible {
    public let description: String

    /// Says what was done.
    public init(_ description: String) { self.description = description }
}
