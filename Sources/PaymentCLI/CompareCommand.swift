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
                .value("new", "PROVIDER", "what it is compared with"),
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
            sources: played.map(\.sources), doubts: try comparing.comparison.doubts())
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
