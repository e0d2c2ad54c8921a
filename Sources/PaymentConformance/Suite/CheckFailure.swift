/// What a check found wrong.
public struct CheckFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Says what was wrong, without naming a secret.
    public init(_ description: String) { self.description = description }
}
