/// Why a check says nothing about this provider.
public struct NotApplicable: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// Gives the reason.
    public init(_ description: String) { self.description = description }
}
