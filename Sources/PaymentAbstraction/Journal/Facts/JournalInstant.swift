/// A moment as the journal knows it: the wall's time, and the time since the machine was started, which nobody sets.
public struct JournalInstant: Hashable, Sendable {
    /// Milliseconds since 1970.
    public let wall: Int64
    /// Milliseconds since the machine was started, sleep counted.
    public let uptime: Int64
    /// Which start of the machine this was; empty where that can't be told.
    public let boot: String

    /// Makes a moment of its parts.
    public init(wall: Int64, uptime: Int64, boot: String = "") {
        (self.wall, self.uptime, self.boot) = (wall, uptime, boot)
    }

    /// How much time has passed for certain until another moment, in milliseconds.
    ///
    /// A clock that somebody set can make it shorter, never longer; after a restart of the machine only the time since
    /// that counts.
    public func passed(until now: JournalInstant) -> Int64 {
        let isSameStart = boot == now.boot && uptime <= now.uptime
        let counted = isSameStart ? now.uptime - uptime : now.uptime
        return max(0, min(now.wall.subtractingReportingOverflow(wall).partialValue, counted))
    }

    /// Whether it was before another moment; within one start of a machine whatever the wall's clock was set to.
    func isBefore(_ other: JournalInstant) -> Bool {
        !boot.isEmpty && boot == other.boot ? uptime < other.uptime : wall < other.wall
    }
}
