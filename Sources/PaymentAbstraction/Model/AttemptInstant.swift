extension Attempt {
    /// A moment as the journal knows it: the wall's time, and the time since the machine was started, which no person sets.
    public struct Instant: Hashable, Sendable {
        /// Milliseconds since 1970.
        public let wall: Int64
        /// Milliseconds since the machine was started, sleep counted.
        public let uptime: Int64
        /// Which start of the machine this was; empty where that is unknown.
        public let boot: String

        /// Makes a moment of its parts.
        public init(wall: Int64, uptime: Int64, boot: String = "") {
            (self.wall, self.uptime, self.boot) = (wall, uptime, boot)
        }
    }
}
