/// Which of a provider's transactions to list.
public struct ListQuery: Hashable, Sendable {
    /// How many at most.
    public var limit: Int
    /// Where to go on, from the page before.
    public var cursor: String?
    /// What to sort by, in the provider's word; nil for its own order.
    public var order: String?
    /// Whether the smallest or oldest comes first.
    public var ascending = false
    /// Only those that match all of these.
    public var filters: [ListQuery.Filter] = []

    /// The most that one page may hold.
    public static let limitMax = 100

    /// Asks for the first page.
    public init(limit: Int = 20) { self.limit = limit }
}
