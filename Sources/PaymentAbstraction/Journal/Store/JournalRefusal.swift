/// Why a rule refuses a part of an entry.
public enum JournalRefusal: Hashable, Sendable {
    /// Somebody else has the newest round, or it is over, or the attempt is decided.
    case fenced
    /// An earlier send may have been executed, and nobody knows.
    case unansweredSend
    /// Other attempts on the payment or under the reference are open, or moved and their caller was never told.
    case blocked(by: [AttemptRecord])
    /// More than what is left; the attempts that reserve a part of it and are still open.
    case exceeds(left: Money, open: [AttemptID])
    /// The payment's state does not allow it, in words.
    case notAllowed(String)
    /// There is no such payment.
    case noSuchPayment
    /// The payment was taken by another account than the one that is asked.
    case otherProvider(ProviderIdentity)
    /// It was named before the journal was restored from a copy, and may be one of those that were lost.
    case mayBeLost
    /// It does not count, in words: another round, too early, or not about what it would have to be about.
    case noProof(String)
}
