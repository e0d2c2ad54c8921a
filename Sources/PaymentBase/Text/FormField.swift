/// One name with its value in a form or a query.
public struct FormField: Sendable, Hashable {
    /// The name, which may come again in the same form.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension FormField: CustomStringConvertible, CustomReflectable {
    /// Nothing of the content, which may be a secret.
    public var description: String { "FormField" }
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
