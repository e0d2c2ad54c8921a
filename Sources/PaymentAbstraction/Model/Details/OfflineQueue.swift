/// Payments that were taken without a network and wait to be forwarded.
public struct OfflineQueue: Hashable, Sendable {
    /// How many payments wait.
    public let count: Int
    /// Until when more may be taken, in milliseconds since 1970; nil when none may be.
    public let openUntil: Int64?

    /// Makes a queue.
    public init(count: Int, openUntil: Int64?) { (self.count, self.openUntil) = (count, openUntil) }
}
