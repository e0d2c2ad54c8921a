/// A part of the journal's payments, newest first.
public struct PaymentPage: Hashable, Sendable {
    /// What could be read.
    public let payments: [PaymentRecord]
    /// What could not be read; it ends no page and harms no other payment.
    public let unreadable: [AttemptID]
    /// Where the next page begins; nil when this was the last.
    public let next: Cursor?

    /// A place between two pages; it stays right whatever is written meanwhile.
    public struct Cursor: Hashable, Sendable {
        package let place: JournalCursor
        package init(_ place: JournalCursor) { self.place = place }
    }
}
