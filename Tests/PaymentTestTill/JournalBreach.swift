/// What a store did that the journal's contract does not allow.
public struct JournalBreach: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
