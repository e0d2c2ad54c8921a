/// A device as the provider knows it.
public struct DeviceSummary: Hashable, Sendable {
    /// What the provider calls it.
    public let id: String
    /// The name that people gave it.
    public var name: String?
    /// The number of the terminal that it plays.
    public var terminalID: String?
    /// The state, in the provider's word.
    public var state: String?
    /// Whether it may take payments, where the provider says.
    public var isEnabled: Bool?
    /// When it was last seen, in milliseconds since 1970.
    public var lastSeen: Int64?

    /// Makes a device.
    public init(_ id: String, name: String? = nil) { (self.id, self.name) = (id, name) }
}
