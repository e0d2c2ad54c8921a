/// What an exchange can do to money.
public enum Effect: Hashable, Sendable {
    /// It only asks.
    case read
    /// It may move money.
    case money
}
