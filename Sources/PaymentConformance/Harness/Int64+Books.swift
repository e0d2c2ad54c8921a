extension Sequence<Int64> {
    /// What they come to; a sum that can't be held stays at the end of the numbers, where no amount is.
    var sum: Int64 { reduce(0) { $0.adding($1) } }
}

extension Int64 {
    /// The sum of two numbers of a provider's books, which stays at the end of the numbers where it can't be held.
    package func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference of two numbers of a provider's books, in the same way.
    package func subtracting(_ other: Int64) -> Int64 {
        let (rest, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : rest
    }
}
