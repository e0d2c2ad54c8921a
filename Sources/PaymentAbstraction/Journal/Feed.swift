package import PaymentModel

// One order over the timelines of all payments, for readers that follow it: none of what was written is passed over,
// whichever process commits late.

/// A place in the feed: before the event of this number among those of an entry's row.
package struct FeedPosition: Hashable, Sendable {
    /// The feed's random name: a copy and a restored journal that was accepted have another one.
    package let feed: String
    /// The number of the row that is read next.
    package let row: Int64
    /// How many of its events were read.
    package let index: Int

    package init(_ feed: String, row: Int64, index: Int = 0) { (self.feed, self.row, self.index) = (feed, row, index) }
}

/// A piece of the feed.
package struct FeedPage: Hashable, Sendable {
    /// One event, with the place behind it.
    package struct Item: Hashable, Sendable {
        package let event: PaymentEvent
        /// The scope of its payment.
        package let scope: String
        package let next: FeedPosition
    }

    /// What was found, in order.
    package private(set) var items: [Item] = []
    /// Where the next piece begins.
    package private(set) var next: FeedPosition

    /// A piece that begins at a place.
    package init(at position: FeedPosition) { next = position }

    /// For how long rows are kept, in milliseconds.
    package static let keptMilliseconds: Int64 = 30 * 86_400_000

    /// Adds the events of a row, as far as they were not read before and the limit has room; false once it has none.
    package mutating func add(row: Int64, _ events: [PaymentEvent], scope: String, limit: Int) -> Bool {
        let first = row == next.row ? next.index : 0
        for (index, event) in events.enumerated().dropFirst(first) {
            if items.count >= limit { return false }
            let isLast = index == events.count - 1
            next =
                isLast
                ? FeedPosition(next.feed, row: row + 1) : FeedPosition(next.feed, row: row, index: index + 1)
            items.append(Item(event: event, scope: scope, next: next))
        }
        if next.row <= row { next = FeedPosition(next.feed, row: row + 1) }
        return true
    }

    /// Passes over rows of which nothing is left.
    package mutating func skip(to end: FeedPosition) { if end.row > next.row { next = end } }
}

/// Which rows a feed has.
package struct FeedRange: Hashable, Sendable {
    package let feed: String
    /// The numbers of the first and the last row that are kept; 0 if there is none yet.
    package let (first, last): (Int64, Int64)

    package init(_ feed: String, first: Int64, last: Int64) { (self.feed, self.first, self.last) = (feed, first, last) }

    /// The place behind everything.
    package var end: FeedPosition { FeedPosition(feed, row: last + 1) }

    /// Whether everything behind a place is still there.
    package func holds(_ position: FeedPosition) -> Bool {
        position.feed == feed && position.row >= max(1, first) && position.row <= last + 1
    }
}
