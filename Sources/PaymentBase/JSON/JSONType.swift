/// The six types of JSON values.
public enum JSONType: Sendable, Hashable, CaseIterable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number, kept as it was written.
    case number
    /// A text.
    case string
    /// An ordered list of values.
    case array
    /// Named values in the order in which they were written.
    case object
}
