/// A success whose body was not what it should be.
public struct UnreadableBody: Error, Hashable, Sendable {
    public let status: Int
    /// Keeps the status.
    public init(status: Int) { self.status = status }
}
