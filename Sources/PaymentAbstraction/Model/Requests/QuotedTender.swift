/// A quote with the tender that the customer chose.
public struct QuotedTender: Hashable, Sendable {
    public let quote: Quote
    public let tender: Tender
}
