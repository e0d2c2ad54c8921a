/// A price per tender, computed by a provider or by its exact local preview.
public struct Quote: Hashable, Sendable {
    /// Who computed it; a sale on a quote goes there.
    public let provider: ProviderID
    /// What is charged, per tender, with all its parts.
    public let tenders: [Tender: AmountBreakdown]
    /// What the computation left out or changed, in words.
    public var notes: [String] = []
    /// What the provider calls the quote, if anything.
    public var references: PaymentReferences = [:]

    /// Makes a quote.
    public init(_ provider: ProviderID, _ tenders: [Tender: AmountBreakdown]) {
        (self.provider, self.tenders) = (provider, tenders)
    }
}
