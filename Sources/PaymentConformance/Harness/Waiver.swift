/// A check that may fail for a while: never silently, and never for ever.
public struct Waiver: Hashable, Sendable {
    /// The check.
    public let check: String
    /// Why it may fail.
    public let reason: String
    /// Who answers for it.
    public let owner: String
    /// Until when, in milliseconds since 1970.
    public let expires: Int64

    /// Makes a waiver; it counts only with a reason and an owner.
    public init(_ check: String, reason: String, owner: String, expires: Int64) {
        (self.check, self.reason, self.owner, self.expires) = (check, reason, owner, expires)
    }

    /// Whether it still counts.
    public func isActive(at now: Int64) -> Bool { !reason.isEmpty && !owner.isEmpty && now < expires }
}
