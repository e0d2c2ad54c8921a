extension Timestamp {
    /// The ways in which the providers write a moment; all of them in universal time.
    public enum Style: Sendable, Hashable, CaseIterable {
        /// `2026-01-05T09:15:00.000Z`
        case milliseconds
        /// `2026-01-05T09:15:00Z`, milliseconds cut off.
        case seconds
        /// `2026-01-05T09:15:00+00:00`, milliseconds cut off.
        case colonOffset
        /// `2026-01-05T09:15:00+0000`, milliseconds cut off.
        case basicOffset
    }
}
