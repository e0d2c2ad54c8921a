/// How numbers go on in a journal that was restored or copied.
package enum JournalNumbers {
    /// By how much they jump: 36 to the fifth, so that a message's name of six digits to the base of 36 has room for 36
    /// generations of sixty million numbers each before one comes round.
    package static let ofGeneration: Int64 = 60_466_176

    /// The first number of the generation behind the one that a number is of; nil when there is none.
    package static func next(after number: Int64) -> Int64? {
        let (first, overflow) = (number / ofGeneration + 1).multipliedReportingOverflow(by: ofGeneration)
        return overflow ? nil : first
    }
}
