/// A quote with the tender that the customer chose.
public struct QuotedTender: Hashable, Sendable {
    /// The price.
    public let quote: Quote
    /// What the customer pays with.
    public let tender: Tender
}
