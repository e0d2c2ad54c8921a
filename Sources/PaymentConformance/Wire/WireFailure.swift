/// Why no reply came, and whether the request may have arrived; the text names the reason.
public enum WireFailure: Error, Hashable, Sendable {
    /// No byte of it left.
    case notSent(String)
    /// It may have arrived.
    case maybeSent(String)
}
