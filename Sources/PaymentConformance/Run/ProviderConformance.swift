/// Everything that was found out about one provider.
public struct ProviderConformance: Sendable, Identifiable {
    /// The provider.
    public let id: String
    /// The level up to which it was played.
    public let upTo: ConformanceLevel
    /// Every check, in order.
    public let results: [CheckResult]
    /// What the walk through all faults found; nil when it was not walked.
    public var faults: FaultSweepReport?

    /// Makes a report of what checks came to.
    public init(id: String, upTo level: ConformanceLevel, results: [CheckResult]) {
        (self.id, upTo, self.results) = (id, level, results)
    }

    /// How many ended so.
    public func count(_ status: CheckResult.Status) -> Int { results.count { $0.status == status } }

    /// The level reached: the highest that was played and for which nothing failed, here or below; nil for none.
    public var level: ConformanceLevel? { ConformanceLevel.allCases.last { $0 <= upTo && missing(for: $0).isEmpty } }

    /// The first level that was played and not reached; nil when there is none.
    public var next: ConformanceLevel? { ConformanceLevel.allCases.first { $0 <= upTo && !missing(for: $0).isEmpty } }

    /// The checks that stand in the way of a level; a waived one stands in the way of `full` only.
    public func missing(for level: ConformanceLevel) -> [String] {
        var names = results.filter { result in
            guard result.check.level <= level else { return false }
            return result.status == .failed || result.status == .waived && level == .full
        }.map(\.id)
        if level == .full, let faults, !faults.problems.isEmpty { names.append("fault.walk") }
        return names
    }

    /// Whether nothing failed that was not waived.
    public var isFine: Bool { count(.failed) == 0 && (faults?.problems.isEmpty ?? true) }
}
