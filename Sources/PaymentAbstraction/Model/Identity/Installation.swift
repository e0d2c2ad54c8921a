/// What names this installation to providers: made once, kept apart from tokens, and kept after signing out.
public struct Installation: Hashable, Sendable {
    /// A UUID of the installation, in lower case.
    public let id: String
    /// A UUID of the device, in lower case.
    public let device: String

    /// Makes an installation.
    public init(id: String, device: String) { (self.id, self.device) = (id, device) }
}
