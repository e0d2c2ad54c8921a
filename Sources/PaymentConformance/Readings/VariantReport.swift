/// What all checks came to under one reading of a provider's documents.
public struct VariantReport: Sendable, Identifiable {
    /// The reading.
    public let id: String
    /// The checks that say something about the provider.
    public let outcomes: [VariantOutcome]
    /// How the same checks end under the usual reading.
    private let usual: [String: VariantOutcome.Status]

    /// Makes a report; `usual` says how each check ends under the usual reading.
    public init(_ id: String, _ outcomes: [VariantOutcome], usual: [String: VariantOutcome.Status]) {
        (self.id, self.usual) = (id, usual)
        self.outcomes = outcomes.filter { $0.status != .notApplicable }
    }

    /// How many checks ended so.
    public func count(_ status: VariantOutcome.Status) -> Int { outcomes.count { $0.status == status } }

    /// How many misreport money.
    public var misreported: Int { count(.misreported) }

    /// The checks that end worse than under the usual reading.
    public var worse: [VariantOutcome] { outcomes.filter { $0.status > usual[$0.check, default: .passed] } }

    /// The worst that it brings about beyond the usual reading; what is told truly works.
    public var result: VariantOutcome.Status {
        let worst = worse.map(\.status).max() ?? .passed
        return worst == .reportedCorrectly ? .passed : worst
    }
}
