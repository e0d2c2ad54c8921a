internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance

/// What a comparison came to: in a screenful, in full, as a page, as JSON.
struct ComparisonReport {
    /// One capability with who has it.
    struct Capability {
        let name: String
        let has: [Bool]
    }

    let providers: [String]
    let source: PaymentSource.Kind?
    let capabilities: [Capability]
    let rows: [ProviderComparison.Row]
    /// What differs and isn't known, where that was asked for.
    var fresh: [String] = []

    /// How often a scenario was not played at a provider.
    var notCompared: Int { rows.reduce(0) { $0 + $1.notCompared } }

    /// How often that was declared beforehand.
    var declared: Int { rows.reduce(0) { $0 + $1.declared.count { $0 != nil } } }

    /// Where it was otherwise than declared.
    var undeclared: [String] {
        rows.flatMap { row in
            row.undeclared.map { "\(row.scenario) at \(providers[$0]): \(row.observations[$0].result)" }
        }
    }

    /// Every difference as one line that is the same in each run, for a baseline; times and messages are left out.
    var differences: [String] {
        rows.flatMap { row in
            row.differing.filter { $0 != .time && $0 != .messages }.map { aspect in
                let sides = zip(providers, row.observations).map { "\($0)=\($1[aspect].joined(separator: ","))" }
                return "\(row.scenario) \(aspect.rawValue): \(sides.joined(separator: "; "))"
            }
        }
    }

    // MARK: In a screenful

    /// What matters most: how many differ, then whatever comes to another result, then what only some have.
    func summary(_ columns: Int, _ paint: Paint) -> [String] {
        let others = rows.filter { $0.isSameResult && !$0.differing.isEmpty }
        let results = rows.filter { !$0.isSameResult }
        let from = source.map { ", money from \($0.rawValue)" } ?? ", each from what it takes"
        return ["\(paint.strong(providers.joined(separator: " and "))): \(rows.count) scenarios\(from)"]
            + [
                "  \(results.count) come to another result, \(others.count) only to other codes, books, events or "
                    + "messages, \(rows.count - results.count - others.count) are the same"
            ].flatMap { $0.wrapped(to: columns, indent: "  ") }
            + table(results, columns) + who(columns) + counted
            + [
                "", "In full: --scenario NAME for one, --all for everything, --report FILE.html for a page.",
            ]
    }

    private func table(_ results: [ProviderComparison.Row], _ columns: Int) -> [String] {
        if results.isEmpty { return [] }
        let first = results.map(\.scenario.count).max() ?? 0
        let width = max(12, (columns - first) / max(1, providers.count) - 2)
        var table = TextTable(["scenario"] + providers)
        table.rows = results.map { row in
            [row.scenario] + row.observations.map { $0.isPlayed ? $0.result.cut(to: width) : "–" }
        }
        return [""] + table.lines(within: columns)
    }

    /// What was not compared.
    private var counted: [String] {
        ["", "not compared: \(notCompared), as declared: \(declared)"] + undeclared.map { "  otherwise: \($0)" }
    }

    /// Capabilities by who has them.
    private func who(_ columns: Int) -> [String] {
        var groups: [(who: String, names: [String])] = []
        for capability in capabilities where Set(capability.has).count > 1 {
            let who = zip(providers, capability.has).filter(\.1).map(\.0).joined(separator: ", ")
            if let index = groups.firstIndex(where: { $0.who == who }) {
                groups[index].names.append(capability.name)
            } else {
                groups.append((who, [capability.name]))
            }
        }
        if groups.isEmpty { return [] }
        return [""]
            + groups.flatMap { group in
                "only \(group.who): \(group.names.joined(separator: ", "))".wrapped(to: columns, indent: "  ")
            }
    }

    // MARK: In full

    func full(_ call: Invocation) -> [String] {
        var table = TextTable(["capability"] + providers)
        table.rows = capabilities.map { [$0.name] + $0.has.map { $0 ? "yes" : "·" } }
        var lines = table.lines
        for row in rows {
            let shown = call.given.has("all") ? ScenarioResult.Aspect.allCases : row.differing
            lines += ["", call.paint.strong("\(row.scenario): \(row.summary)")]
            if row.differing.isEmpty { lines.append("  the same everywhere: \(row.observations[0].result)") }
            for aspect in shown {
                for (provider, observation) in zip(providers, row.observations) {
                    let words = observation[aspect]
                    let first = "  \(aspect.rawValue.padded(to: 7)) \(provider.padded(to: 9)) "
                    lines.append(first + (words.first ?? "–"))
                    lines += words.dropFirst().map { String(repeating: " ", count: first.count) + $0 }
                }
            }
        }
        return lines + counted
    }

    var json: JSON {
        let differences = capabilities.map { capability -> JSON in
            var who = JSONObject()
            for (provider, isThere) in zip(providers, capability.has) { who[provider] = .bool(isThere) }
            return ["name": .string(capability.name), "has": .object(who)]
        }
        let scenarios = rows.map { row -> JSON in
            var seen = JSONObject()
            for (provider, observation) in zip(providers, row.observations) { seen[provider] = observation.json }
            return [
                "name": .string(row.scenario), "summary": .string(row.summary),
                "sameResult": .bool(row.isSameResult), "differs": .texts(row.differing.map(\.rawValue)),
                "observations": .object(seen),
            ]
        }
        return [
            "providers": .texts(providers), "source": .text(source?.rawValue), "capabilities": .array(differences),
            "scenarios": .array(scenarios), "notCompared": .integer(notCompared), "declared": .integer(declared),
            "undeclared": .texts(undeclared),
        ]
    }
}

extension ScenarioResult {
    fileprivate var json: JSON {
        var members: JSONObject = ["played": .bool(isPlayed), "result": .string(result), "code": .string(code)]
        for aspect in [Aspect.amounts, .ledger, .events, .messages, .receipt, .open] {
            members[aspect.rawValue] = .texts(self[aspect])
        }
        members["milliseconds"] = .number(JSONNumber(milliseconds))
        return .object(members)
    }
}
