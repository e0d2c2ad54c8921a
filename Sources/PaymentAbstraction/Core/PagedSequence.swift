package import PaymentJournalKit
public import PaymentModel

/// Everything that a list has, fetched a page at a time while the caller reads on.
///
/// ```swift
/// for try await payment in payments.everyPayment() { … }
/// ```
public struct PagedSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// One page, and how the next one is fetched; nil after the last.
    struct Page: Sendable {
        let elements: [Element]
        let next: Fetch?
    }

    typealias Fetch = @Sendable () async throws(PaymentError) -> Page

    let first: Fetch

    /// Fetches the next page when the one before has been read.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var fetch: Fetch?
        private var elements: ArraySlice<Element> = []

        init(_ fetch: @escaping Fetch) { self.fetch = fetch }

        /// The next element; nil after the last.
        ///
        /// - Throws: What fetching a page throws; the list can be read no further then.
        public mutating func next() async throws(PaymentError) -> Element? {
            while elements.isEmpty, let fetch {
                self.fetch = nil
                let page = try await fetch()
                (elements, self.fetch) = (page.elements[...], page.next)
            }
            return elements.popFirst()
        }
    }

    /// Begins with the first page, however often it is asked.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(first) }
}

/// A part of the journal's payments, newest first.
public struct PaymentPage: Hashable, Sendable {
    /// What could be read.
    public let payments: [PaymentRecord]
    /// What could not be read; it ends no page and harms no other payment.
    public let unreadable: [AttemptID]
    /// Where the next page begins; nil when this was the last.
    public let next: Cursor?

    /// A place between two pages; it stays right whatever is written between them.
    public struct Cursor: Hashable, Sendable {
        package let place: JournalCursor
        package init(_ place: JournalCursor) { self.place = place }
    }
}
