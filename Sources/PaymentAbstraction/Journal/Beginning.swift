/// What the journal answers to an intent, decided in the transaction that writes it.
public indirect enum Beginning: Hashable, Sendable {
    /// It is written; go on.
    case fresh(AttemptRecord)
    /// The same was concluded before.
    case recorded(AttemptRecord)
    /// The same is under way or open.
    case open(AttemptRecord)
    /// The id was used for something else.
    case conflict(AttemptRecord)
    /// Refused; nothing was written.
    case refused(Refusal)

    /// Why an intent is refused.
    public enum Refusal: Hashable, Sendable {
        /// Other attempts on the payment or the reference are open.
        case blocked(by: [AttemptID])
        /// More than what is left; the attempts that reserve a part of it and are still open.
        case exceeds(left: Money, open: [AttemptID])
        /// The payment's state does not allow it, in words.
        case notAllowed(String)
        /// There is no such payment.
        case noSuchPayment
        /// The payment was taken by another account than the one that is asked.
        case otherProvider(ProviderIdentity)
    }
}
