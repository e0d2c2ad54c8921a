/// One field that a provider asks for.
public struct RequestedField: Hashable, Sendable {
    /// What the provider calls it.
    public let name: String
    /// What people read beside it.
    public var label: String?
    /// What helps people to fill it in.
    public var hint: String?
    /// Whether it must be filled in.
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
