/// A part of what was asked for; what can't be read is named in it and never ends it.
public struct JournalPage: Hashable, Sendable {
    /// What was found, in order.
    public var rows: [AttemptFacts]
    /// Attempts of which something is damaged, or newer than we are.
    public var unreadable: [AttemptKey]
    /// Where the next page begins; nil when this was the last.
    public var next: JournalCursor?

    /// Makes a page.
    public init(_ rows: [AttemptFacts] = [], unreadable: [AttemptKey] = [], next: JournalCursor? = nil) {
        (self.rows, self.unreadable, self.next) = (rows, unreadable, next)
    }
}
