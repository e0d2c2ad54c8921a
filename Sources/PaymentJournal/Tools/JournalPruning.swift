/// What pruning a journal has removed.
public struct JournalPruning: Hashable, Sendable {
    /// How many payments are gone, with everything that followed them; their ids and names stay taken.
    public var payments = 0
    /// How many attempts those were.
    public var attempts = 0
    /// How many events were removed with them.
    public var events = 0
    /// How many notices were removed that had waited for a name all the time.
    public var notices = 0

    /// Begins with nothing removed.
    public init(payments: Int = 0, attempts: Int = 0, events: Int = 0, notices: Int = 0) {
        (self.payments, self.attempts) = (payments, attempts)
        (self.events, self.notices) = (events, notices)
    }
}
