/// Names an attempt in a journal: its id, within the application's scope.
public struct AttemptKey: Hashable, Sendable {
    /// Whose references and ids these are, in the application's own words.
    public let scope: String
    /// The attempt's id.
    public let attempt: AttemptID

    /// Names an attempt within a scope.
    public init(_ attempt: AttemptID, scope: String = "") { (self.attempt, self.scope) = (attempt, scope) }
}
