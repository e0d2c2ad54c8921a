extension Duration {
    /// In milliseconds, a part of one counted as a whole; what can't be held stays at the ends.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (high, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        if overflow { return seconds < 0 ? .min : .max }
        let part = attoseconds / 1_000_000_000_000_000
        let rest: Int64 = attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0
        let (sum, isOver) = high.addingReportingOverflow(part + rest)
        return isOver ? .max : sum
    }
}
