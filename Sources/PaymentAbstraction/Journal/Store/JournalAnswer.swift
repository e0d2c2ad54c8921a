/// What the journal says to an entry; a refusal by a rule is an answer, too.
public indirect enum JournalAnswer: Hashable, Sendable {
    /// It is written; the attempt as it stands now.
    case accepted(AttemptFacts)
    /// The attempt was begun before, with the same content; nothing was written.
    case known(AttemptFacts)
    /// The attempt's id was used for something else; nothing was written.
    case conflict(AttemptFacts)
    /// A part was refused; those before it are written. With the attempt as it stands, when there is one.
    case refused(JournalRefusal, AttemptFacts?)
    /// No attempt has that name yet: kept until one has.
    case kept
    /// There is no such attempt.
    case unknownAttempt

    /// The attempt as it stands, when there is one.
    public var facts: AttemptFacts? {
        switch self {
        case .accepted(let facts), .known(let facts), .conflict(let facts): facts
        case .refused(_, let facts): facts
        case .kept, .unknownAttempt: nil
        }
    }
}
