/// What a store has to load, and to lock where it can, before it asks the rules about an entry.
public struct JournalReads: Hashable, Sendable {
    /// The attempt itself.
    public var attempt: AttemptKey?
    /// The origin of a payment and everything that followed.
    public var family: AttemptKey?
    /// Origins of a scope under a reference that are open, or moved and untold.
    public var reference: String?
    /// The account whose names are meant.
    public var provider: ProviderIdentity?
    /// Who holds these names of the account, and which notices wait for them.
    public var names: Set<String> = []
    /// Attempts of the account that are open, or moved without a name.
    public var wantsRivals = false
    /// Attempts whose callers were told.
    public var told: Set<AttemptKey> = []
}
