/// One field that a provider asks for.
public struct RequestedField: Hashable, Sendable {
    /// What the provider calls it.
    public let name: String
    public var label: String?
    public var hint: String?
    public var isRequired = true
    /// The kind of input: `text`, `tel`, `email`, `date` and so on.
    public var type: String?
    /// What the value has to match.
    public var pattern: String?
    /// Values to choose from.
    public var options: [String] = []

    /// Makes a field.
    public init(_ name: String) { self.name = name }
}
