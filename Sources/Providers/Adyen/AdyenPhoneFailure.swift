/// What a phone's kit throws, by its own code.
public struct AdyenPhoneFailure: Error, Hashable, Sendable {
    /// The kit's own word, such as `transactionInProgress` or `NO_TOKEN`.
    public let code: String

    /// Keeps a code.
    public init(_ code: String) { self.code = code }
}
