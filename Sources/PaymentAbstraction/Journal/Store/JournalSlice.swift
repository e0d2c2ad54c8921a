/// What a store has loaded in its transaction, before it asks the rules.
public struct JournalSlice: Sendable {
    /// The attempt itself.
    public var attempt: AttemptFacts?
    /// The origin of its payment and everything that followed, oldest first, the attempt itself among them.
    public var family: [AttemptFacts] = []
    /// Origins under the reference that are open, or moved and untold.
    public var underReference: [AttemptFacts] = []
    /// Attempts that hold the names which an entry speaks of, by name.
    public var holders: [String: [AttemptFacts]] = [:]
    /// Attempts of the account that are open, or moved without a name.
    public var rivals: [AttemptFacts] = []
    /// Notices that wait for a name that the entry writes, the oldest first.
    public var kept: [KeptNotice] = []
    /// Attempts whose callers the entry says were told.
    public var told: [AttemptFacts] = []

    /// When the journal was taken as it is after it had been restored from a copy, in milliseconds since 1970.
    public var restoredAt: Int64?

    /// Begins with nothing loaded.
    public init() {}
}
