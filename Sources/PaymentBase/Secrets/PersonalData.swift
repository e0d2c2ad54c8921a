/// Something about a person (a name, an address, a phone number): readable by code, masked wherever it is printed.
public struct PersonalData: Sendable, Hashable {
    /// The text itself.
    public let value: String

    /// Wraps a text about a person.
    public init(_ value: String) { self.value = value }
}

extension PersonalData: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}

extension PersonalData: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<personal>" }
    public var debugDescription: String { "<personal>" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
