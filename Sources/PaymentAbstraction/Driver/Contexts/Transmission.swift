/// One run of an exchange; a repeat gets a new number and, after a refusal, a new access.
public struct Transmission: Hashable, Sendable {
    /// Counts from 1.
    public let number: Int
    /// The access that works now; nil where the provider needs none.
    public let access: AccessToken
}
