public import PaymentAbstraction

/// What a check of a journal has found.
public struct JournalReport: Hashable, Sendable {
    /// One thing that is wrong.
    public enum Problem: Hashable, Sendable {
        /// What is wrong with pages and indexes, in words.
        case file(String)
        /// The row of this number can't be read or holds other bits than were written.
        case attempt(row: Int64)
        /// The event of this number can't be read or holds other bits than were written.
        case event(row: Int64)
        /// An attempt acts on a payment that is not there.
        case orphan(AttemptID)
        /// An attempt is not found by one of its names, or by one that it doesn't have.
        case handles(AttemptID)
        /// An attempt is not found where its facts say that it stands.
        case columns(AttemptID)
        /// The kept notice of this number can't be read or holds other bits than were written.
        case notice(row: Int64)
        /// More was given back than was taken.
        case overRefunded(PaymentID)
    }

    /// How many attempts were read.
    public internal(set) var attempts = 0
    /// How many events were read.
    public internal(set) var events = 0
    /// How many notices wait for a name.
    public internal(set) var notices = 0
    /// What is wrong; empty when nothing is. No more than ``problemsMax`` are kept.
    public private(set) var problems: [Problem] = []

    /// How many problems a report holds.
    public static let problemsMax = 1_000

    mutating func add(_ problem: Problem) { if problems.count < Self.problemsMax { problems.append(problem) } }
}
