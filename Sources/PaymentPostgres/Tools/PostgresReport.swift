/// What a check of a journal in a database has found.
public struct PostgresReport: Hashable, Sendable {
    /// How many attempts were read.
    public internal(set) var attempts = 0
    /// How many steps of timelines were read.
    public internal(set) var events = 0
    /// How many notices wait for a name.
    public internal(set) var notices = 0
    /// What is wrong, in words; empty when nothing is. No more than ``problemsMax`` are kept.
    public private(set) var problems: [String] = []

    /// How many problems a report holds.
    public static let problemsMax = 1_000

    mutating func add(_ problem: String) { if problems.count < Self.problemsMax { problems.append(problem) } }
}
