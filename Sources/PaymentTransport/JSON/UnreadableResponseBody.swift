/// A success whose body was not what it should be.
public struct UnreadableResponseBody: Error, Hashable, Sendable {
    /// The status that it came with.
    public let status: Int
    /// Keeps the status.
    public init(status: Int) { self.status = status }
}
