/// Names one write for ever: the same again gives the first answer and writes nothing.
public struct WriteID: Hashable, Sendable {
    /// The name.
    public let text: String

    /// Takes a name that no other write has.
    public init(_ text: String) { self.text = text }
}
