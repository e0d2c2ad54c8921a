internal import PaymentBase
internal import PaymentConformance
internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentHarnesses
internal import PaymentSimulator
internal import PaymentTransport

extension Command {
    /// The same scenarios at several providers.
    static let compare = Command(
        name: "compare", summary: "plays the same scenarios at several providers' simulations and says what differs",
        example: "payctl compare arise adyen --scenario refund",
        takes: AcceptedArguments(
            operands: ["[PROVIDER|CASSETTE…]"], takesMoreOperands: true,
            options: [
                .value("old", "CASSETTE", "what was recorded, as the first of them"),
                .value("new", "PROVIDER", "what it is held against"),
                .values("scenario", "NAME", "only this one, in full; may be given again"),
                .value(
                    "source", "KIND",
                    "where money comes from, such as reader or card; by default what all of them take"),
                .value(
                    "environment", "KIND",
                    "simulated (the default) also plays what the simulator alone has, such as arise-reader; real refuses"
                        + " it"),
                .flag("all", "everything in full, also what is the same"),
                ReportFiles.option,
                .value("baseline", "FILE", "fails where something differs that this file doesn't have"),
                .value("write-baseline", "FILE", "writes what differs now, a line for each"),
                .value("seed", "N", "what draws the order of ready work and of the providers; 1 by default"),
                .value("not-compared", "N", "fails unless so many are not compared, beside what the harnesses declare"),
            ])
    ) { call in
        let files = try ReportFiles(call.given)
        let comparing = try Comparing(call)
        let due = call.given.has("not-compared") ? try call.integer("not-compared", in: 0...1_000_000, 0) : nil
        try comparing.checkLinks(call.choice("environment", ComparedEnvironment.simulated))
        let played = comparing.rows()
        var report = ComparisonReport(
            providers: comparing.comparison.providers, source: comparing.comparison.source, links: comparing.links,
            capabilities: try comparing.capabilities(), rows: played.map(\.row),
            sources: played.map(\.sources))
        let differences = report.differences
        if let path = call.given["write-baseline"] {
            try CommandFile.write(Array(differences.map { $0 + "\n" }.joined().utf8), path)
        }
        let fresh = try call.given["baseline"].map { path throws(UsageError) in
            let known = String(decoding: try CommandFile.read(path), as: UTF8.self).split(separator: "\n").map(
                String.init)
            return differences.filter { !known.contains($0) }
        }
        let isFull = call.given.has("all") || call.given.has("scenario")
        report.fresh = fresh ?? []
        try files.tell(
            call, report.document, report.json,
            isFull ? report.full(call) : report.summary(call.console.columns ?? 80, call.paint))
        for line in fresh ?? [] { call.note("new: \(line)") }
        if fresh?.isEmpty == false { return .failed }
        if let due, due != Int64(report.notCompared) {
            call.note("\(report.notCompared) were not compared, and --not-compared says \(due)")
            return .failed
        }
        return report.undeclared.isEmpty ? .fine : .failed
    }
}

/// Whose links are compared.
private enum ComparedEnvironment: String, CaseIterable { case simulated, real }

/// One comparison from the command line.
struct Comparing {
    private let call: Invocation
    private let played: ComparedLinks
    private let scenarios: [Scenario]

    var comparison: ProviderComparison { played.comparison }
    /// What was played of each of them, in their order.
    var links: [String] { played.words }

    init(_ call: Invocation) throws {
        self.call = call
        var harnesses: [any ConformanceHarness] = []
        var recorded: PaymentSource.Kind?
        let words = [call.given["old"], call.given["new"]].compactMap(\.self) + call.given.operands
        for name in words.map(ComparedLink.harness) {
            if harnesses.contains(where: { $0.name == name }) { throw UsageError(message: "\(name) is named twice") }
            guard CassetteFile.isMeant(name) else {
                harnesses.append(try CassetteFile.harness(name, call))
                continue
            }
            let cassette = try CassetteFile.read(name)
            recorded = recorded ?? cassette.header.notes["source"]?.string.flatMap { PaymentSource.Kind(rawValue: $0) }
            harnesses.append(
                CassetteHarness(cassette, try CassetteFile.harness(cassette.header.provider, call), name: name))
        }
        if harnesses.count < 2 { throw UsageError(message: "name at least two providers or cassettes") }
        let names = Scenario.all.map(\.name)
        let wanted = call.given.all("scenario")
        for name in wanted where !names.contains(name) {
            throw UsageError.unknown("scenario", name, of: names)
        }
        scenarios = wanted.isEmpty ? Scenario.all : Scenario.all.filter { wanted.contains($0.name) }
        let seed = try call.integer("seed", in: 0...Int64.max, 1)
        let source = try call.given["source"].map { word throws(UsageError) in
            try PaymentSource.Kind.allCases.picked(word, "source", by: \.rawValue)
        }
        played = try ComparedLinks(
            harnesses, open: Set(words.filter(ComparedLink.isOpen)), of: call.registry, seed: UInt64(seed),
            source: source ?? recorded)
    }

    /// Refuses links that exist in the simulator only, if those of real accounts are asked for.
    fileprivate func checkLinks(_ environment: ComparedEnvironment) throws(UsageError) {
        guard environment == .real else { return }
        for name in comparison.providers {
            guard let link = ComparedLink.builtin[name], !link.isReal(comparison.source) else { continue }
            let others = ComparedLink.builtin.filter { $1.adapter == link.adapter && $1.isReal(comparison.source) }.keys
            let advice = others.isEmpty ? "" : "; compare \(others.sorted().joined(separator: " or "))"
            throw UsageError(message: "\(link.words(comparison.source))\(advice)")
        }
    }

    /// What not all have or all lack, each with who has it.
    func capabilities() throws -> [ComparisonReport.Capability] {
        let tables = try comparison.capabilities()
        return (tables.first?.entries.map(\.name) ?? []).compactMap { name in
            let has = tables.map { $0[name] }
            return Set(has).count > 1 || call.given.has("all")
                ? ComparisonReport.Capability(name: name, has: has) : nil
        }
    }

    /// Each scenario as it was played, with where the results come from.
    func rows() -> [(row: ProviderComparison.Row, sources: [ResultSource])] {
        let progress = ProgressLine(call.console, "comparing", of: scenarios.count)
        defer { progress.end() }
        return scenarios.map { scenario in
            progress.step(scenario.name)
            let judge = ContractValidator()
            let row = ContractValidator.$chief.withValue(judge) { comparison.play(scenario) }
            let sources = zip(comparison.providers, row.observations).map { name, seen in
                if CassetteFile.isMeant(name) { return ResultSource(recording: name) }
                let adapter = ComparedLink.builtin[name]?.adapter ?? name
                return ResultSource(judge.hearing, adapter: adapter, wire: seen[.messages])
            }
            return (row, sources)
        }
    }
}

/// What a comparison came to: in a screenful, in full, as a page, as JSON.
struct ComparisonReport {
    /// One capability with who has it.
    struct Capability {
        let name: String
        let has: [Bool]
    }

    let providers: [String]
    let source: PaymentSource.Kind?
    /// What was played of each provider.
    let links: [String]
    let capabilities: [Capability]
    let rows: [ProviderComparison.Row]
    /// Where the results come from, in the order of the rows and of the providers.
    var sources: [[ResultSource]] = []
    /// What differs and isn't known, where that was asked for.
    var fresh: [String] = []

    /// How often a scenario was not played at a provider.
    var notCompared: Int { rows.reduce(0) { $0 + $1.notCompared } }

    /// How often that was declared beforehand.
    var declared: Int { rows.reduce(0) { $0 + $1.declared.count { $0 != nil } } }

    /// Where it was differently from declared.
    var undeclared: [String] {
        rows.flatMap { row in
            row.undeclared.map { "\(row.scenario) at \(providers[$0]): \(row.observations[$0].result)" }
        }
    }

    /// Scenarios that were played at two providers or more, and those that were not.
    private var compared: [ProviderComparison.Row] { rows.filter(\.isCompared) }

    /// What was not played, and why: the scenario, the provider, the reason.
    var reasons: [(scenario: String, provider: String, why: String)] {
        rows.flatMap { row in
            zip(providers, row.observations).filter { !$1.isPlayed }.map { (row.scenario, $0, $1.result) }
        }
    }

    /// What every comparison is: of simulations, unless a recording is among them.
    static let basis =
        "simulations of this package were compared, not the providers themselves; what they assume: payctl assumptions"

    /// Where the results of a row come from, by provider; of those that were played.
    private func sourced(_ index: Int) -> [(provider: String, source: ResultSource)] {
        guard index < sources.count else { return [] }
        return zip(zip(providers, sources[index]), rows[index].observations).filter(\.1.isPlayed).map(\.0)
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
        let others = compared.filter { $0.isSameResult && !$0.differing.isEmpty }
        let results = compared.filter { !$0.isSameResult }
        let from = source.map { ", money from \($0.rawValue)" } ?? ", each from what it takes"
        let same = compared.count - results.count - others.count
        let head = ["\(paint.strong(providers.joined(separator: " and "))): \(rows.count) scenarios\(from)"]
        let counts =
            "  \(compared.count) are compared: \(results.count) come to another result, \(others.count) only to other "
            + "codes, books, events or messages, \(same) are the same; \(rows.count - compared.count) were played at fewer "
            + "than two providers, so that nothing is compared"
        let basis = (links + [Self.basis]).flatMap { "  \($0)".wrapped(to: columns, indent: "    ") }
        return head + basis + counts.wrapped(to: columns, indent: "  ") + table(results, columns) + who(columns)
            + counted
            + ["", "In full: --scenario NAME for one, --all for everything, --report FILE.html for a page."]
    }

    /// Each scenario with what was done, and what every provider made of it; a cell that is too long continues below.
    private func table(_ results: [ProviderComparison.Row], _ columns: Int) -> [String] {
        if results.isEmpty { return [] }
        let width = max(16, columns / max(1, providers.count) - 2)
        let rule = providers.map { _ in String(repeating: "─", count: width) }.joined(separator: "  ")
        return ["", Self.line(providers, width), rule]
            + results.flatMap { row in
                let cells = row.observations.map { seen in
                    // The application's result and the provider's books can differ.
                    (seen.isPlayed ? "\(seen.result); booked: \(Self.booked(seen))" : "not played")
                        .wrapped(to: width, indent: "  ")
                }
                let height = cells.map(\.count).max() ?? 0
                let lines = (0..<height).map { line in
                    Self.line(cells.map { line < $0.count ? $0[line] : "" }, width)
                }
                return "\(row.scenario): \(row.summary)".wrapped(to: columns, indent: "  ") + lines + [""]
            }.dropLast()
    }

    private static func booked(_ seen: ScenarioResult) -> String {
        seen.books.isEmpty ? "nothing" : seen.books.joined(separator: ", ")
    }

    private static func line(_ cells: [String], _ width: Int) -> String {
        cells.map { $0.padded(to: width) }.joined(separator: "  ").trimmedAtEnd
    }

    /// What was not played, row by row.
    private var counted: [String] {
        ["", "not played \(notCompared) times, \(declared) of them as the adapters declare:"]
            + reasons.map { "  \($0.scenario) at \($0.provider): \($0.why)" }
            + undeclared.map { "  otherwise: \($0)" }
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
        var lines = links + [Self.basis]
        if call.given.has("all") {
            var table = TextTable(["capability"] + providers)
            table.rows = capabilities.map { [$0.name] + $0.has.map { $0 ? "yes" : "·" } }
            lines += [""] + table.lines
        }
        for (index, row) in rows.enumerated() {
            let shown = call.given.has("all") ? ScenarioResult.Aspect.allCases : row.differing
            lines += ["", call.paint.strong("\(row.scenario): \(row.summary)")]
            if !row.isCompared {
                lines.append("  not compared")
            } else if row.differing.isEmpty {
                lines.append("  the same wherever it is played: \(row.played[0].result)")
            }
            let same = ScenarioResult.Aspect.allCases.filter { aspect in
                row.isCompared && aspect != .result && !shown.contains(aspect) && !row.played[0][aspect].isEmpty
            }
            lines += same.map {
                "  \($0.rawValue.padded(to: 7)) the same: \(row.played[0][$0].joined(separator: ", "))"
            }
            for aspect in shown {
                for (provider, observation) in zip(providers, row.observations) {
                    let words = observation[aspect]
                    let first = "  \(aspect.rawValue.padded(to: 7)) \(provider.padded(to: 9)) "
                    lines.append(first + (words.first ?? "–"))
                    lines += words.dropFirst().map { String(repeating: " ", count: first.count) + $0 }
                }
            }
            for (provider, source) in sourced(index) {
                lines.append("  source  \(provider.padded(to: 9)) \(source.words)")
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
        let scenarios = rows.enumerated().map { index, row -> JSON in
            var (seen, from) = (JSONObject(), JSONObject())
            for (provider, source) in sourced(index) { from[provider] = source.json }
            for (provider, observation) in zip(providers, row.observations) { seen[provider] = observation.json }
            return [
                "name": .string(row.scenario), "summary": .string(row.summary),
                "isCompared": .bool(row.isCompared), "sameResult": .bool(row.isSameResult),
                "differs": .texts(row.differing.map(\.rawValue)),
                "observations": .object(seen), "sources": .object(from),
            ]
        }
        return [
            "providers": .texts(providers), "source": .text(source?.rawValue), "capabilities": .array(differences),
            "links": .texts(links), "basis": .string(Self.basis), "scenarios": .array(scenarios),
            "reasons": .array(
                reasons.map {
                    ["scenario": .string($0.scenario), "provider": .string($0.provider), "why": .string($0.why)]
                }), "notCompared": .integer(notCompared), "declared": .integer(declared),
            "undeclared": .texts(undeclared),
        ]
    }
}

extension ScenarioResult {
    fileprivate var json: JSON {
        var members: JSONObject = ["played": .bool(isPlayed), "result": .string(result), "code": .string(code)]
        for aspect in [Aspect.amounts, .ledger, .events, .messages, .receipt, .card, .open] {
            members[aspect.rawValue] = .texts(self[aspect])
        }
        members["milliseconds"] = .number(JSONNumber(milliseconds))
        return .object(members)
    }
}

extension ComparisonReport {
    /// Everything, for a page, Markdown and JUnit.
    var document: ReportDocument {
        var document = ReportDocument(title: "Comparison: " + providers.joined(separator: ", "))
        document.facts = RunFacts.all
        let results = compared.count { !$0.isSameResult }
        document.verdict =
            [
                "\(rows.count) scenarios, \(compared.count) compared; \(results) come to another result; not played "
                    + "\(notCompared) times, declared \(declared)", Self.basis,
            ] + links + undeclared.map { "otherwise than declared: \($0)" } + fresh.map { "new: \($0)" }
        document.mood = undeclared.isEmpty && fresh.isEmpty ? .good : .bad
        document.add(
            .init(
                title: "Scenarios by provider", head: ["scenario"] + providers,
                rows: rows.map { row in
                    .init(
                        cells: [[row.scenario, row.summary]] + row.observations.map { [$0.result] },
                        mood: !row.isCompared ? .plain : row.isSameResult ? .good : .doubt)
                }))
        document.add(
            .init(
                title: "What was not played, and why", head: ["scenario", "provider", "why"],
                rows: reasons.map { .init(cells: [[$0.scenario], [$0.provider], [$0.why]], mood: .plain) }))
        document.add(
            .init(
                title: "Capabilities", head: ["capability"] + providers,
                rows: capabilities.map { capability in
                    .init(
                        [.init([capability.name])]
                            + capability.has.map { .init([$0 ? "✓" : "–"], spoken: $0 ? "has it" : "lacks it") },
                        mood: Set(capability.has).count > 1 ? .doubt : .plain)
                }, isMatrix: true))
        for (index, row) in rows.enumerated() {
            let from = sourced(index)
            document.add(
                .init(
                    title: row.scenario, about: row.summary, head: ["aspect"] + providers,
                    rows: ScenarioResult.Aspect.allCases.filter { aspect in
                        row.observations.contains { !$0[aspect].isEmpty }
                    }.map { aspect in
                        .init(
                            cells: [[aspect.rawValue]] + row.observations.map { $0[aspect] },
                            mood: row.differing.contains(aspect) ? .doubt : .plain)
                    }
                        + [
                            .init(
                                cells: [["source"]]
                                    + providers.map { name in
                                        [from.first { $0.provider == name }?.source.words ?? "not played"]
                                    }, mood: .plain)
                        ]))
        }
        document.suites = [.init("compare " + providers.joined(separator: " "), rows.map(outcome))]
        return document
    }

    /// A scenario fails where it was differently from declared, or differs where that isn't known.
    private func outcome(_ row: ProviderComparison.Row) -> ReportDocument.Outcome {
        let wrong =
            row.undeclared.map { "at \(providers[$0]) otherwise than declared: \(row.observations[$0].result)" }
            + fresh.filter { $0.hasPrefix("\(row.scenario) ") }
        if let first = wrong.first { return .init(row.scenario, in: "compare", .failed, first, lines: wrong) }
        if row.notCompared > 0 {
            return .init(row.scenario, in: "compare", .skipped, "not compared at \(row.notCompared)")
        }
        return .init(row.scenario, in: "compare", .passed)
    }
}
