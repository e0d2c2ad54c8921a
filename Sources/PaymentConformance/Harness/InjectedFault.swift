/// A fault under a stable name, and how often the provider carries the request out under it.
public struct InjectedFault: Hashable, Sendable, CustomStringConvertible {
    /// A family of faults that look alike from outside; pairs are made of these.
    public enum Effect: String, Hashable, Sendable, CaseIterable {
        /// The request never gets there.
        case lostBefore
        /// It is done, and the answer does not come back.
        case lostAfter
        /// It is done, and the answer says something wrong or nothing.
        case falsified
        /// It is refused, and nothing is done.
        case refused
        /// It is done, and the answer is a failure.
        case failedAfter
        /// It is done more than once.
        case repeated
        /// Something that must not matter.
        case harmless
    }

    /// Its name.
    public let id: String
    /// What it looks like.
    public let kind: Effect
    /// How often the request is carried out.
    public let executions: Int

    /// Names a fault.
    public init(_ id: String, _ kind: Effect, executions: Int) {
        (self.id, self.kind, self.executions) = (id, kind, executions)
    }

    public var description: String { id }
}
