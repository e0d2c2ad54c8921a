/// What the journal has to know to check an intent in its own transaction.
public struct AdmissionTerms: Hashable, Sendable {
    /// Who is asked.
    public let provider: ProviderIdentity
    /// What the provider does with the rest after a capture.
    public let captures: CaptureRule
    /// Which process asks.
    public let owner: String

    /// Makes terms.
    public init(_ provider: ProviderIdentity, captures: CaptureRule = .several, owner: String) {
        (self.provider, self.captures, self.owner) = (provider, captures, owner)
    }
}
