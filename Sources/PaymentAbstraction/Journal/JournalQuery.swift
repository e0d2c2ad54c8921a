/// Which attempts to read.
public enum JournalQuery: Hashable, Sendable {
    /// One attempt.
    case attempt(AttemptID)
    /// A payment's origin and everything that followed, oldest first.
    case payment(PaymentID)
    /// All that are not decided: begun, submitted, in doubt, or pending.
    case open
    /// Those of a provider that hold one of these references or claims.
    case holding(ProviderIdentity, [String])
    /// Origins, newest first, after the one named; nothing when that one is not there.
    case page(after: AttemptID?, limit: Int)
    /// Origins under one reference of the application.
    case reference(String)
}
