internal import PaymentAbstraction

/// What every store of attempts has to do, as checks; each wants an empty store.
///
/// They are about the store, not about the rules: that what the rules say is written whole, once and in order, that it is
/// found again by everything by which it is looked for, and that many who come at once are answered one after the other.
public enum JournalContract {
    /// All checks.
    public static let all: [JournalCheck] =
        beginnings + again + fences + admissions + names + inbox + looks + pages + contents + changes
}
