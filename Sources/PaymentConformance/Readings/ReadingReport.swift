/// What all checks came to under one reading of a provider's documents.
public struct ReadingReport: Sendable, Identifiable {
    /// The reading.
    public let id: String
    /// The checks that say something about the provider.
    public let outcomes: [ReadingOutcome]
    /// How the same checks end under the usual reading.
    private let usual: [String: ReadingOutcome.Status]

    /// Makes a report; `usual` says how each check ends under the usual reading.
    public init(_ id: String, _ outcomes: [ReadingOutcome], usual: [String: ReadingOutcome.Status]) {
        (self.id, self.usual) = (id, usual)
        self.outcomes = outcomes.filter { $0.status != .notApplicable }
    }

    /// How many checks ended so.
    public func count(_ status: ReadingOutcome.Status) -> Int { outcomes.count { $0.status == status } }

    /// How many misreport money.
    public var misreported: Int { count(.misreported) }

    /// The checks that end worse than under the usual reading.
    public var worse: [ReadingOutcome] { outcomes.filter { $0.status > usual[$0.check, default: .works] } }

    /// The worst that it brings about beyond the usual reading; what is told truly works.
    public var result: ReadingOutcome.Status {
        let worst = worse.map(\.status).max() ?? .works
        return worst == .told ? .works : worst
    }
}
