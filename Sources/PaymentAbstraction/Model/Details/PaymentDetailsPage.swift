/// One page of a provider's transactions.
public struct PaymentDetailsPage: Hashable, Sendable {
    /// The transactions of this page.
    public let items: [PaymentDetails]
    /// Where the next page begins; nil at the end.
    public let next: String?
    /// How many there are in all, where the provider says.
    public let total: Int?

    /// Makes a page.
    public init(_ items: [PaymentDetails], next: String? = nil, total: Int? = nil) {
        (self.items, self.next, self.total) = (items, next, total)
    }
}
