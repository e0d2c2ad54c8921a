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
        return [
            "id": .string(id), "level": level.map { .string($0.rawValue) } ?? .null, "isSimulated": true,
            "declared": .array(coverage.declared.map { .string($0) }), "of": .number(JSONNumber(Int64(coverage.of))),
            "next": next.map { .string($0.rawValue) } ?? .null,
            "missing": .array(next.map { (missing(for: $0) + lacking(for: $0)).map { .string($0) } } ?? []),
            "checks": .array(checks),
        ]
    }

    /// The level with what it is about: one word alone would say more than was tried.
    fileprivate var levelWords: String {
        let (declared, count) = coverage
        let sources = declared.filter { $0.hasPrefix("source.") }.map { String($0.dropFirst(7)) }
        let from = sources.isEmpty ? "" : ", money from \(sources.joined(separator: ", "))"
        return "\(level?.rawValue ?? "none"): \(declared.count) of \(count) capabilities\(from)"
    }

    /// What is in the way of the next level, in words; empty if there is none.
    fileprivate var nextWords: [String] {
        guard let next else { return [] }
        let (checks, capabilities) = (missing(for: next), lacking(for: next))
        return (capabilities.isEmpty ? [] : ["not declared: \(capabilities.joined(separator: ", "))"])
            + (checks.isEmpty ? [] : ["not passed: \(checks.joined(separator: ", "))"])
    }

    fileprivate var lines: [String] {
        let counts = CheckResult.Status.allCases.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
        var lines = ["\(id): level \(levelWords); \(counts)"]
        lines.append("  at the simulation of \(id) in this package, not at the provider")
        if let next { lines.append("  missing for \(next.rawValue): \(nextWords.joined(separator: "; "))") }
        if let faults { lines.append("  faults: \(faults.summary)") }
        for result in results where result.status != .passed {
            lines.append("  \(result.status.rawValue)  \(result.id): \(result.detail)")
            lines += result.exchanges.map { "      \($0)" }
        }
        return lines + (faults?.problems ?? []).map { "  failed  fault.walk: \($0)" }
    }
}

extension ConformanceReport {
    /// The report as one HTML page that needs nothing else.
    public var html: String { document.html }

    /// The report as Markdown: provider by check, then what failed, what says nothing and what was let off.
    public var markdown: String { document.markdown }

    /// Everything that pages, Markdown and JUnit files tell.
    package var document: ReportDocument {
        var document = ReportDocument(title: "Conformance: " + providers.map(\.id).joined(separator: ", "))
        document.verdict = [
            verdict, "The providers are simulations of this package. No provider's own system was asked.",
        ]
        document.mood = !isFine ? .bad : waivers > 0 ? .doubt : .good
        document.add(
            .init(
                title: "Levels",
                head: ["provider", "level"] + CheckResult.Status.allCases.map(\.words)
                    + ["missing for the next", "faults"],
                rows: providers.map(\.row), isMatrix: true))
        document.add("What failed and what was let off", providers.flatMap(\.cases))
        document.add(matrix)
        document.add(
            .init(
                title: "What says nothing, and why", head: ["provider", "check", "why"],
                rows: providers.flatMap { provider in
                    provider.results.filter { $0.status == .notApplicable }.map { result in
                        .init(cells: [[provider.id], [result.id], [result.detail]], mood: .plain)
                    }
                }))
        document.suites = providers.map(\.suite)
        return document
    }

    /// Checks by provider; a failed one leads to what was seen.
    private var matrix: ReportDocument.Table {
        var ids: [String] = []
        var found: [String: [String: CheckResult]] = [:]
        for provider in providers {
            for result in provider.results {
                if found[result.id] == nil { ids.append(result.id) }
                found[result.id, default: [:]][provider.id] = result
            }
        }
        let rows = ids.map { id in
            let results = providers.map { found[id]?[$0.id] }
            let statuses = results.compactMap { $0?.status }
            let cells = zip(providers, results).map { provider, result in
                guard let result else { return ReportDocument.Cell([""], spoken: "not played") }
                return ReportDocument.Cell(
                    [result.status.mark], mood: result.status.mood, spoken: result.status.spoken,
                    target: result.status.isNoticed ? provider.title(of: result) : nil)
            }
            let check = results.compactMap { $0 }.first?.check
            return ReportDocument.Row(
                [.init([id])] + cells + [.init([check?.level.rawValue ?? ""]), .init([check?.summary ?? ""])],
                mood: statuses.contains(.failed) ? .bad : statuses.contains(.waived) ? .doubt : .plain)
        }
        return .init(
            title: "Checks by provider", about: "✓ holds, ✗ failed, – says nothing about this provider.",
            head: ["check"] + providers.map(\.id) + ["level", "behaviour"], rows: rows, isMatrix: true)
    }
}

extension CheckResult.Status {
    /// The same for people.
    fileprivate var words: String {
        switch self {
        case .passed, .failed, .waived: rawValue
        case .notApplicable: "says nothing"
        }
    }

    /// How a table shows it.
    fileprivate var mark: String {
        switch self {
        case .passed: "✓"
        case .failed: "✗"
        case .notApplicable: "–"
        case .waived: "let off"
        }
    }

    /// What the mark means, where it doesn't say so itself.
    fileprivate var spoken: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .notApplicable: "says nothing"
        case .waived: ""
        }
    }

    fileprivate var mood: ReportDocument.Severity {
        switch self {
        case .passed: .good
        case .failed: .bad
        case .notApplicable: .plain
        case .waived: .doubt
        }
    }

    fileprivate var isNoticed: Bool { self == .failed || self == .waived }
}

extension ProviderConformance {
    fileprivate var row: ReportDocument.Row {
        let counts = CheckResult.Status.allCases.map { ["\(count($0))"] }
        let lacks = next.map { "\($0.rawValue): \(nextWords.joined(separator: "; "))" } ?? "–"
        return .init(
            cells: [[id], [levelWords]] + counts + [[lacks], [faults?.summary ?? "not walked"]],
            mood: !isFine ? .bad : count(.waived) > 0 ? .doubt : .good)
    }

    fileprivate func title(of result: CheckResult) -> String { "\(id): \(result.id)" }

    /// Failures with the exchanges that led to them.
    fileprivate var cases: [ReportDocument.Case] {
        results.filter(\.status.isNoticed).map { result in
            let facts: [(name: String, text: String)] = [
                ("behaviour", result.check.summary), ("what was seen", result.detail),
                ("how bad", result.check.severity.rawValue), ("counts for", result.check.level.rawValue),
            ]
            return .init(title(of: result), result.status.mood, facts, result.picture(id))
        }
            + (faults?.problems ?? []).enumerated().map { number, problem in
                .init(
                    "\(id): fault.walk \(number + 1)", .bad, [("what was seen", problem)],
                    .init(
                        title: "The exchanges", lanes: [], steps: [],
                        otherwise: "A walk keeps no exchanges; its case is named on the left."))
            }
    }

    fileprivate var suite: ReportDocument.Suite {
        var outcomes = results.map { result -> ReportDocument.Outcome in
            let name = "\(id).\(result.check.family.rawValue)"
            return switch result.status {
            case .passed: .init(result.id, in: name, .passed)
            case .failed: .init(result.id, in: name, .failed, result.detail, lines: result.exchanges)
            case .notApplicable, .waived: .init(result.id, in: name, .skipped, result.detail)
            }
        }
        if let faults {
            let problems = faults.problems
            outcomes.append(
                problems.isEmpty
                    ? .init("fault.walk", in: "\(id).fault", .passed)
                    : .init("fault.walk", in: "\(id).fault", .failed, "\(problems.count) cases", lines: problems))
        }
        return .init(id, outcomes)
    }
}

extension CheckResult {
    /// The last exchanges before it failed, each there and back.
    fileprivate func picture(_ provider: String) -> ReportPicture {
        let steps = wire.enumerated().flatMap { number, exchange -> [ReportPicture.Step] in
            let isLast = number == wire.count - 1
            if !exchange.isAnswered {
                return [
                    .init(from: 0, to: 1, "\(exchange.request): \(exchange.told)", mood: .bad, isBroken: true)
                ]
            }
            return [
                .init(from: 0, to: 1, exchange.request),
                .init(from: 1, to: 0, exchange.told, mood: isLast ? .bad : .plain),
            ]
        }
        let title = wire.count == 1 ? "The exchange before it" : "The last \(wire.count) exchanges before it"
        return .init(
            title: wire.isEmpty ? "The exchanges before it" : title, lanes: ["payment", provider], steps: steps)
    }
}
