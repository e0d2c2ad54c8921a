/// What the journal has to know to check an intent in its own transaction.
public struct AdmissionTerms: Hashable, Sendable {
    /// Who is asked.
    public let provider: ProviderIdentity
    /// What the provider does with the rest after a capture.
    public let captures: CaptureRule
    /// Which process asks.
    public let owner: String
    /// Whether the provider shows only totals, so that nothing else may be open on the payment.
    public var showsTotalsOnly = false
    /// Attempts of which the caller says that he knows what they moved.
    public var after: Set<AttemptID> = []

    /// Makes terms.
    public init(_ provider: ProviderIdentity, captures: CaptureRule = .several, owner: String) {
        (self.provider, self.captures, self.owner) = (provider, captures, owner)
    }
}
