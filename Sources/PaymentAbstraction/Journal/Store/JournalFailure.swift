/// The ways in which a journal fails; what a rule refuses is an answer.
public enum JournalFailure: Error, Hashable, Sendable {
    /// Certainly nothing was written, in words that hold no content.
    case notWritten(String)
    /// Nobody knows whether it was written: the same entry is to be written again under its id until that is known.
    case fateUnknown(String)
    /// What is stored can't be read; names the attempt and harms no other.
    case unreadable(AttemptKey?)
    /// The attempt was pruned: nobody knows any more what it came to, and its id stays taken.
    case forgotten(AttemptKey)
}
