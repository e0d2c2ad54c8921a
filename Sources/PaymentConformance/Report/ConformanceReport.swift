public import PaymentBase

/// What a run over one or more providers found, and how it is written down.
public struct ConformanceReport: Sendable {
    /// The providers, in the order in which they were run.
    public let providers: [ProviderConformance]

    /// Makes a report.
    public init(_ providers: [ProviderConformance]) { self.providers = providers }

    /// How many fault cases were played.
    public var faultCases: Int { providers.reduce(0) { $0 + ($1.faults?.cases ?? 0) } }
    /// How many failures were let off.
    public var waivers: Int { providers.reduce(0) { $0 + $1.count(.waived) } }
    /// Whether nothing failed that was not let off.
    public var isFine: Bool { providers.allSatisfy(\.isFine) }

    /// The report as JSON.
    public var json: JSON {
        [
            "providers": .array(providers.map(\.json)), "faultCases": .number(JSONNumber(Int64(faultCases))),
            "waivers": .number(JSONNumber(Int64(waivers))),
        ]
    }

    /// The report as lines for a person.
    public var text: String {
        var lines: [String] = []
        for provider in providers { lines += provider.lines + [""] }
        return (lines + [verdict]).joined(separator: "\n")
    }

    /// The last line: what came out, and whether anything was let off.
    public var verdict: String {
        let failed = providers.reduce(0) { $0 + $1.count(.failed) + ($1.faults?.problems.count ?? 0) }
        let connection = failed == 0 ? "Nothing failed" : "\(failed) FAILED"
        return waivers == 0 ? "\(connection)." : "\(connection), and \(waivers) were LET OFF by waivers."
    }
}

extension ProviderConformance {
    fileprivate var json: JSON {
        let checks = results.map { result -> JSON in
            ["id": .string(result.id), "status": .string(result.status.rawValue), "detail": .string(result.detail)]
        }
        return ["id": .string(id), "level": level.map { .string($0.rawValue) } ?? .null, "checks": .array(checks)]
    }

    fileprivate var lines: [String] {
        let counts = CheckResult.Status.allCases.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
        var lines = ["\(id): level \(level?.rawValue ?? "none"); \(counts)"]
        if let next { lines.append("  missing for \(next.rawValue): \(missing(for: next).joined(separator: ", "))") }
        if let faults { lines.append("  faults: \(faults.summary)") }
        for result in results where result.status != .passed {
            lines.append("  \(result.status.rawValue)  \(result.id): \(result.detail)")
            lines += result.exchanges.map { "      \($0)" }
        }
        return lines + (faults?.problems ?? []).map { "  failed  fault.walk: \($0)" }
    }
}
