internal import PaymentBase
internal import PaymentDriverKit
package import PaymentJournalKit
public import PaymentModel

extension PaymentClient {
    /// What happened to all payments behind a place, in one order over all processes: no event that the journal took is passed
    /// over, whichever process wrote it late.
    ///
    /// Events are kept for 30 days. An event that belongs to no payment, or that no entry has taken along yet, is not in it;
    /// the stream of ``events()`` has those at once.
    ///
    /// - Parameters:
    ///   - position: The place; without one the answer has no event, and the place behind everything.
    ///   - limit: How many events at most.
    /// - Throws: `notFound`, nothing moved, if the place is another journal's, or if what followed it is not kept any more: read
    ///   the list of payments, then follow from the end.
    public func events(after position: EventPosition?, limit: Int = 100) async throws(PaymentError) -> EventPage {
        let limit = max(0, min(limit, ListQuery.limitMax))
        var page = EventPage(events: [], next: position)
        repeat {
            let (after, left) = (page.next?.place, limit - page.events.count)
            let part = try await services.reading(nil) { journal throws(JournalFailure) in
                try await journal.feed(after: after, limit: left)
            }
            guard let part else {
                throw PaymentError.notExecuted(
                    .notFound,
                    "The events behind \(position?.description ?? "") are not kept, or are another journal's.")
            }
            // Those of other scopes are passed over.
            for item in part.items where item.scope == services.scope {
                page.events.append(.init(event: item.event, position: EventPosition(place: item.next)))
            }
            page.next = EventPosition(place: part.next)
            if part.items.isEmpty { break }
        } while page.events.count < limit
        return page
    }
}

/// A place in the order of all events; it is valid for one journal until that is restored, copied or moved.
public struct EventPosition: Hashable, Sendable, CustomStringConvertible {
    package let place: FeedPosition

    package init(place: FeedPosition) { self.place = place }

    /// Reads a place back from its text; nil if it is none.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 12, let row = Int64(parts[1]), let index = Int(parts[2]),
            row > 0,
            index >= 0
        else { return nil }
        place = FeedPosition(String(parts[0]), row: row, index: index)
        guard description == text else { return nil }
    }

    /// The place as text, such as `0123456789ab.41.0`.
    public var description: String { "\(place.feed).\(place.row).\(place.index)" }
}

/// A piece of the order of all events.
public struct EventPage: Sendable {
    /// One event, with the place behind it.
    public struct Item: Hashable, Sendable {
        /// What happened.
        public let event: PaymentEvent
        /// The place behind it, from which the next one is read.
        public let position: EventPosition
    }

    /// What happened, in order.
    public internal(set) var events: [Item]
    /// Where the next piece begins.
    public internal(set) var next: EventPosition?
}
