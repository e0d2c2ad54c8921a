package import PaymentBase
package import PaymentConformance

/// What simulated worlds came to: in lines, as JSON, and for a page, Markdown and JUnit.
package struct SimulationReport: Sendable {
    private var runs: [(seed: UInt64, providers: [String], steps: Int)] = []
    private var violations: [(run: ChaosRun, shrunk: ChaosRun)] = []
    private var operations = 0
    private var calls = 0
    private var open = 0
    private var simulated: Int64 = 0
    private var visits: [String: [String: Int]] = [:]
    /// How long it took, in milliseconds.
    package var milliseconds: Int64 = 0

    package init() {}

    /// Whether nothing was wrong in any world.
    package var isFine: Bool { violations.isEmpty }

    /// Adds a world; with what is left of it when everything is left out that doesn't matter to what was wrong.
    package mutating func add(_ run: ChaosRun, shrunk: ChaosRun? = nil) {
        runs.append((run.seed, run.providers, run.steps.count))
        operations += run.steps.count
        calls += run.calls
        open += run.openCount
        simulated = simulated.adding(run.milliseconds)
        if run.violation != nil { violations.append((run, shrunk ?? run)) }
        for (state, events) in run.visits { visits[state, default: [:]].merge(events) { $0 + $1 } }
    }

    private var events: [String] { Set(visits.values.flatMap(\.keys)).sorted() }
    private var pairs: Int { visits.values.reduce(0) { $0 + $1.count } }

    /// What a person reads.
    package var lines: [String] {
        let never = visits.sorted { $0.key < $1.key }.compactMap { state, seen -> String? in
            let missing = events.filter { seen[$0] == nil }
            return missing.isEmpty ? nil : "  \(state): \(missing.joined(separator: "; "))"
        }
        return ["never visited:"] + never + figures
    }

    private var figures: [String] {
        let rate = Int64(operations) * 1_000 / max(1, milliseconds)
        return [
            "\(visits.count) states, \(events.count) events, \(pairs) pairs visited",
            "\(calls) calls about money, \(open) attempts open in the end, \(rate) operations a second",
        ]
    }

    /// What a program reads, on one line.
    package var json: JSON {
        func whole(_ number: Int) -> JSON { .number(JSONNumber(Int64(number))) }
        return [
            "format": 2, "operations": whole(operations), "seeds": whole(runs.count),
            "violations": whole(violations.count), "simulatedSeconds": .number(JSONNumber(simulated / 1_000)),
            "realSeconds": .number(JSONNumber(milliseconds / 1_000)), "calls": whole(calls), "open": whole(open),
            "pairs": whole(pairs),
            "findings": .array(
                violations.map { run, shrunk in
                    [
                        "seed": .string("\(run.seed)"), "providers": .array(run.providers.map { .string($0) }),
                        "violation": .string(run.violation ?? ""),
                        "steps": .array(shrunk.steps.map { .string("\($0)") }),
                    ]
                }),
        ]
    }

    /// What a page shows.
    package var document: ReportDocument {
        var document = ReportDocument(title: "Simulation: \(runs.count) worlds")
        document.mood = isFine ? .good : .bad
        document.verdict =
            [
                isFine
                    ? "Nothing was wrong in \(runs.count) worlds of \(operations) operations."
                    : "\(violations.count) of \(runs.count) worlds went WRONG."
            ] + figures
        document.add("What went wrong", violations.map { Self.found($0.run, $0.shrunk) })
        document.add(
            .init(
                title: "What was visited",
                about: "How often which event met an attempt in which state, and how many of \(events.count) events "
                    + "never did: printed as text they are named.",
                head: ["state", "events", "never"],
                rows: visits.sorted { $0.key < $1.key }.map { state, seen in
                    let met = seen.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)×" }
                    return .init(
                        cells: [[state], [met.joined(separator: ", ")], ["\(events.count - seen.count)"]], mood: .plain)
                }))
        let wrong = Set(violations.map(\.run.seed))
        document.add(
            .init(
                title: "Worlds", head: ["seed", "providers", "operations"],
                rows: runs.map { run in
                    .init(
                        cells: [["\(run.seed)"], [run.providers.joined(separator: " and ")], ["\(run.steps)"]],
                        mood: wrong.contains(run.seed) ? .bad : .good)
                }))
        let found = Dictionary(violations.map { ($0.run.seed, $0) }, uniquingKeysWith: { first, _ in first })
        document.suites = [
            .init(
                "simulation",
                runs.map { run in
                    let name = run.providers.joined(separator: " and ")
                    guard let one = found[run.seed] else { return .init("seed \(run.seed)", in: name, .passed) }
                    return .init(
                        "seed \(run.seed)", in: name, .failed, one.run.violation ?? "",
                        lines: one.shrunk.steps.map { "\($0)" })
                })
        ]
        return document
    }

    private static func found(_ run: ChaosRun, _ shrunk: ChaosRun) -> ReportDocument.Case {
        .init(
            "seed \(run.seed)", .bad,
            [
                ("providers", run.providers.joined(separator: " and ")), ("what was wrong", run.violation ?? ""),
                ("after shrinking", shrunk.violation ?? ""), ("steps", "\(shrunk.steps.count) of \(run.steps.count)"),
                ("again", "Scripts/simulate --seed \(run.seed)"),
            ],
            .init(
                title: "What is left of it", lanes: ["world", run.providers.first ?? ""],
                steps: shrunk.steps.map { .init(from: $0.isOfProvider ? 1 : 0, to: $0.isOfProvider ? 1 : 0, "\($0)") }))
    }
}

extension ChaosStep {
    /// Whether the provider does it, and no till.
    fileprivate var isOfProvider: Bool {
        switch act {
        case .cutOff, .provider, .deliver, .deliverElsewhere, .lose, .decide, .failLater, .settle, .revoke, .dashboard:
            true
        case .charge, .follow, .again, .leave, .status, .recover, .resolve, .crash, .change, .reboot, .setClock, .line,
            .journal, .mixUp, .mistype, .chargeUnnamed, .chargeEither, .reasonedRefund, .backUp, .restore, .cardRefuses,
            .lapse, .idle, .refusesFirst, .confuse:
            false
        }
    }
}
