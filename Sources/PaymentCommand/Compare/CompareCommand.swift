internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance
internal import PaymentHarnesses
internal import PaymentProviderKit

extension Command {
    /// The same scenarios at several providers.
    static let compare = Command(
        name: "compare", summary: "plays the same scenarios at several providers' simulations and prints what differs",
        example: "payctl compare arise adyen --scenario refund",
        takes: AcceptedArguments(
            operands: ["PROVIDER", "PROVIDER…"], takesMoreOperands: true,
            options: [
                .init(name: "scenario", value: "NAME", summary: "only this one; may be given again"),
                .init(name: "all", value: nil, summary: "also prints what is the same"),
                .init(name: "seed", value: "N", summary: "what draws the order of ready work; 1 by default"),
            ])
    ) { call in
        let comparing = try Comparing(call)
        let (capabilities, rows) = (try comparing.capabilities(), comparing.rows())
        call.say(comparing.json(capabilities, rows), comparing.lines(capabilities, rows))
        return .fine
    }
}

/// One comparison from the command line.
struct Comparing {
    private let call: Invocation
    private let comparison: Comparison
    private let scenarios: [Scenario]

    init(_ call: Invocation) throws(UsageError) {
        self.call = call
        let registry = call.registry.harnesses(over: .inProcess)
        var harnesses: [any Harness] = []
        for name in call.given.operands {
            guard let harness = registry[name] else {
                let known = registry.harnesses.map(\.name)
                throw .unknown("provider", name, of: known, near: NearestName.of(name, in: known))
            }
            if harnesses.contains(where: { $0.name == name }) { throw UsageError(message: "\(name) is named twice") }
            harnesses.append(harness)
        }
        if harnesses.count < 2 { throw UsageError(message: "name at least two providers") }
        let names = Scenario.all.map(\.name)
        let wanted = call.given.all("scenario")
        for name in wanted where !names.contains(name) {
            throw .unknown("scenario", name, of: names, near: NearestName.of(name, in: names))
        }
        scenarios = wanted.isEmpty ? Scenario.all : Scenario.all.filter { wanted.contains($0.name) }
        let seed = try call.integer("seed", in: 0...Int64.max, 1)
        comparison = Comparison(harnesses, seed: UInt64(seed))
    }

    /// What not all have or all lack, each with who has it.
    func capabilities() throws -> [(name: String, has: [Bool])] {
        let tables = try comparison.capabilities()
        return (tables.first?.entries.map(\.name) ?? []).compactMap { name in
            let has = tables.map { $0[name] }
            return Set(has).count > 1 || call.given.has("all") ? (name, has) : nil
        }
    }

    func rows() -> [Comparison.Row] {
        let progress = ProgressLine(call.console, "comparing", of: scenarios.count)
        defer { progress.end() }
        return scenarios.map { scenario in
            progress.step(scenario.name)
            return comparison.play(scenario)
        }
    }

    func json(_ capabilities: [(name: String, has: [Bool])], _ rows: [Comparison.Row]) -> JSON {
        let providers = comparison.providers
        let differences = capabilities.map { name, has -> JSON in
            var who = JSONObject()
            for (provider, isThere) in zip(providers, has) { who[provider] = .bool(isThere) }
            return ["name": .string(name), "has": .object(who)]
        }
        let scenarios = rows.map { row -> JSON in
            var seen = JSONObject()
            for (provider, observation) in zip(providers, row.observations) { seen[provider] = observation.json }
            return [
                "name": .string(row.scenario), "summary": .string(row.summary),
                "differs": .array(row.differing.map { .string($0.rawValue) }), "observations": .object(seen),
            ]
        }
        return [
            "providers": .array(providers.map { .string($0) }), "capabilities": .array(differences),
            "scenarios": .array(scenarios),
        ]
    }

    func lines(_ capabilities: [(name: String, has: [Bool])], _ rows: [Comparison.Row]) -> [String] {
        var table = TextTable(["capability"] + comparison.providers)
        table.rows = capabilities.map { [$0.name] + $0.has.map { $0 ? "yes" : "·" } }
        var lines = table.lines
        for row in rows {
            let shown = call.given.has("all") ? Observation.Aspect.allCases : row.differing
            lines += ["", call.paint.strong("\(row.scenario): \(row.summary)")]
            if row.differing.isEmpty { lines.append("  the same everywhere: \(row.observations[0].result)") }
            for aspect in shown {
                for (provider, observation) in zip(comparison.providers, row.observations) {
                    let words = observation[aspect]
                    let first = "  \(aspect.rawValue.padded(to: 7)) \(provider.padded(to: 9)) "
                    lines.append(first + (words.first ?? "–"))
                    lines += words.dropFirst().map { String(repeating: " ", count: first.count) + $0 }
                }
            }
        }
        return lines
    }
}

extension Observation {
    fileprivate var json: JSON {
        var members: JSONObject = ["played": .bool(isPlayed), "result": .string(result), "code": .string(code)]
        for aspect in [Aspect.books, .events, .wire] {
            members[aspect.rawValue] = .array(self[aspect].map { .string($0) })
        }
        return .object(members)
    }
}
