/// What a person knows of an attempt that nobody else can tell about.
public enum Decision: Hashable, Sendable {
    /// The money moved; with the provider's reference, by which follow-ups find it, and the amount if it is another one.
    case moved(reference: String, amount: Money? = nil)
    /// Nothing moved, and nothing will.
    case nothingMoved
    /// An earlier decision that it moved was wrong.
    case withdrawn
}
