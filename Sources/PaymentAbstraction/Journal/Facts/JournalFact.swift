/// One fact about an attempt.
public indirect enum JournalFact: Hashable, Sendable {
    /// What was asked for; the first of all.
    case intent(AttemptIntent)
    /// It was begun, or begun again.
    case round(AttemptFacts.Round)
    /// A round is over.
    case end(AttemptFacts.End)
    /// An exchange is about to leave.
    case send(AttemptFacts.Send)
    /// An exchange has ended.
    case close(AttemptFacts.Close)
    /// Something was said.
    case word(AttemptFacts.Word)
    /// The provider calls it so.
    case name(AttemptFacts.Name)
    /// Something was remembered.
    case note(AttemptFacts.Note)
    /// The caller was handed that it moved.
    case told(at: JournalInstant)
    /// It moved although something else had been believed.
    case contradiction(at: JournalInstant)
}
