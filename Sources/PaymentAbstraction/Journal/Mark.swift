/// What is written about an attempt while it runs.
public enum Mark: Hashable, Sendable {
    /// The first byte that may move money is about to leave.
    case submitted(at: Int64)
    /// Something to be found again after a crash; no secrets.
    case note(name: String, value: String)
}
