/// Why a journal could not do what it was asked.
public enum JournalFailure: Error, Hashable, Sendable {
    /// The attempt is in a later round or another state: whoever asked has lost it.
    case lostRound
    /// There is no such attempt.
    case noSuchAttempt
    /// The store itself failed, in words that hold no content.
    case store(String)
}
