internal import PaymentBase
internal import PaymentConformance
internal import PaymentHarnesses
internal import PaymentSimulator
internal import PaymentTransport

extension Command {
    /// Runs the conformance suite.
    static let conformance = Command(
        name: "conformance", summary: "runs every check against the providers' simulations in this process",
        example: "payctl conformance memory --level full --report report.xml",
        takes: AcceptedArguments(
            operands: ["[PROVIDER…]"], takesMoreOperands: true,
            options: [
                .value("level", "LEVEL", "core, terminal, back-office or full (the default)"),
                ReportFiles.option,
                .value("front", "FRONT", "in-process (the default) or sockets"),
                .value("seed", "N", "what draws the order of ready work; 1 by default"),
                .flag("pairs", "also plays faults in pairs"),
                .value("record", "FILE", "also keeps what passes at one provider as a cassette"),
                .flag("readings", "plays every reading of the documents instead, and compares journal and books"),
                .values("reading", "NAME", "the same with this one; may be given again"),
                .flag("faults", "walks the faults instead, and no check"),
                .value(
                    "every", "N",
                    "plays each reading under one check of N, the next one under others; of faults, one case of N and "
                        + "every case that the harness declares"),
            ] + LiveCommand.options)
    ) { call in
        if try LiveCommand.isMeant(call.given) { return try await LiveCommand(call).play() }
        return try ConformanceRun(call.given, call.registry).play(call)
    }
}

/// One run of the kit from the command line.
struct ConformanceRun {
    private let harnesses: [any ConformanceHarness]
    private let level: ConformanceLevel
    private let files: ReportFiles
    private let walksPairs: Bool
    private let injector: ConnectionKind
    private let seed: UInt64
    private let playsReadings: Bool
    private let walksFaults: Bool
    private let readings: Set<String>
    private let every: Int
    private let recording: String?

    init(_ given: GivenArguments, _ all: CommandRegistry) throws(UsageError) {
        let word = given["front"] ?? ConnectionKind.inProcess.rawValue
        guard let injector = ConnectionKind(rawValue: word) else {
            throw UsageError(
                message: "there is no front \(word); there are \(Self.list(ConnectionKind.allCases.map(\.rawValue)))")
        }
        guard let seed = UInt64(given["seed"] ?? "1") else {
            throw UsageError(message: "--seed needs a whole number, not \(given["seed"] ?? "")")
        }
        (self.injector, self.seed) = (injector, seed)
        let registry = all.harnesses(over: injector)
        var harnesses: [any ConformanceHarness] = []
        for name in given.operands {
            guard let harness = registry[name] else {
                let known = Self.list(registry.harnesses.map(\.name))
                throw UsageError(message: "there is no provider \(name); there are \(known)")
            }
            if harnesses.contains(where: { $0.name == name }) { throw UsageError(message: "\(name) is named twice") }
            harnesses.append(harness)
        }
        self.harnesses = harnesses.isEmpty ? registry.harnesses : harnesses
        self.level = try Self.level(given)
        self.files = try ReportFiles(given)
        readings = Set(given.all("reading"))
        guard let every = Int(given["every"] ?? "1"), every >= 1 else {
            throw UsageError(message: "--every needs a whole number of at least 1, not \(given["every"] ?? "")")
        }
        self.every = every
        recording = given["record"]
        if recording != nil, self.harnesses.count != 1 { throw UsageError(message: "--record takes one provider") }
        (walksPairs, playsReadings) = (given.has("pairs"), given.has("readings") || !readings.isEmpty)
        walksFaults = given.has("faults")
        if walksFaults, playsReadings || recording != nil || given.has("level") {
            throw UsageError(message: "--faults plays no check: leave out --readings, --reading, --record and --level")
        }
        if playsReadings, given.has("report") || recording != nil || walksPairs {
            throw UsageError(
                message: "--readings writes no report or cassette, and walks no faults: leave out --report, --record "
                    + "and --pairs")
        }
        if !playsReadings, !walksFaults, given.has("every") {
            throw UsageError(message: "--every goes with --readings or --faults")
        }
        if walksPairs, !walksFaults, level != .full {
            throw UsageError(message: "--pairs goes with --level full or --faults")
        }
        // Without names, those that have no list are not meant.
        let silent = self.harnesses.filter { !($0 is any VariantHarness) }.map(\.name)
        if playsReadings, !silent.isEmpty, !given.operands.isEmpty || silent.count == self.harnesses.count {
            throw UsageError(message: "no reading of the documents is listed for \(Self.list(silent))")
        }
    }

    /// What was recorded.
    private let recorded = Locked([UInt8]?.none)

    /// Whom it checks.
    var names: [String] { harnesses.map(\.name) }

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }

    private static func level(_ given: GivenArguments) throws(UsageError) -> ConformanceLevel {
        let word = given["level"] ?? ConformanceLevel.full.rawValue
        guard let level = ConformanceLevel(rawValue: word) else {
            throw UsageError(
                message: "there is no level \(word); there are \(Self.list(ConformanceLevel.allCases.map(\.rawValue)))")
        }
        return level
    }

    func play(_ call: Invocation) throws(UsageError) -> ExitStatus {
        if walksFaults {
            return try FaultsRun(
                harnesses: harnesses, seed: seed, every: UInt64(every), walksPairs: walksPairs,
                walksClassesOnly: injector == .sockets, files: files
            ).play(call)
        }
        if playsReadings {
            return try ReadingsRun(harnesses: harnesses, level: level, seed: seed, names: readings, every: every)
                .play(call)
        }
        // What the checks say and learn is compared with what the providers publish.
        let judge = ContractValidator()
        let report = ConformanceReport(ContractValidator.$chief.withValue(judge) { checked(call) })
        if let recording, let text = recorded.withLock({ $0 }) {
            try CommandFile.write(text, recording, isPrivate: true)
        }
        let hearing = judge.hearing
        let lines = report.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // What is wrong is last, where it is seen.
        let parts = hearing.violations.isEmpty ? [hearing.lines, lines] : [lines, hearing.lines]
        var document = report.document
        document.facts = RunFacts.all
        if !hearing.violations.isEmpty { document.mood = .bad }
        document.add(
            .init(
                title: "What no published contract allows", head: ["message", "how often"],
                rows: hearing.violations.map { ("\($0.key)", $0.value) }.sorted { $0.0 < $1.0 }
                    .map { .init(cells: [[$0], ["\($1)"]], mood: .bad) }))
        if !hearing.violations.isEmpty {
            document.verdict.append("\(hearing.violations.count) messages differ from what is published.")
            let lines = hearing.violations.keys.map { "\($0)" }.sorted()
            document.suites.append(
                .init(
                    "contracts", [.init("contracts", in: "contracts", .failed, "\(lines.count) differ", lines: lines)]))
        }
        try files.tell(
            call, document, report.json.adding("contracts", hearing.json), Array(parts.joined(separator: [""])))
        return report.isFine && hearing.violations.isEmpty ? .fine : .failed
    }

    private func checked(_ call: Invocation) -> [ProviderConformance] {
        var providers: [ProviderConformance] = []
        let checks = Check.all.filter { $0.level <= level }
        let progress = ProgressLine(call.console, "checking", of: harnesses.count * (checks.count + 1))
        for harness in harnesses {
            let conformance = ConformanceRunner(harness, seed: seed)
            let recorder = recording.map { _ in CassetteRecorder(harness, seed: seed, notes: CassetteFile.notes) }
            let results = checks.flatMap { check in
                progress.step("\(harness.name) \(check.id)")
                return recorder?.record([check]) ?? [conformance.run(check)]
            }
            if let recorder { recorded.withLock { $0 = recorder.cassette.text } }
            var provider = ProviderConformance(id: harness.name, upTo: level, results: results)
            provider.declared = conformance.declared
            var walk = FaultSweep(harness, seed: seed)
            (walk.walksPairs, walk.walksClassesOnly) = (walksPairs, injector == .sockets)
            progress.step("\(harness.name) faults")
            if level == .full { provider.faults = walk.walk() }
            providers.append(provider)
        }
        progress.end()
        return providers
    }
}

/// The checks under every reading of a provider's documents that its simulated provider can play.
struct ReadingsRun {
    let harnesses: [any ConformanceHarness]
    let level: ConformanceLevel
    let seed: UInt64
    /// Those that are played; empty for all.
    let names: Set<String>
    /// Of how many checks one is played.
    let every: Int

    /// Plays them all, and says what each came to; fails where money is misreported or a table's word doesn't hold.
    func play(_ call: Invocation) throws(UsageError) -> ExitStatus {
        let checks = Check.all.filter { $0.level <= level }
        let playing = harnesses.compactMap { $0 as? any VariantHarness }
        let playable = Set(playing.flatMap(\.playable).map(\.id))
        if let unknown = names.subtracting(playable).min() {
            throw UsageError(message: "there is no reading \(unknown) that can be played")
        }
        let count = playing.reduce(0) { sum, harness in
            sum + 1 + harness.playable.count { names.isEmpty || names.contains($0.id) }
        }
        let progress = ProgressLine(call.console, "reading", of: count)
        var (lines, providers, isFine): ([String], [JSON], Bool) = ([], [], true)
        for harness in playing {
            let reports = harness.readingReports(checks, seed: seed, only: names.isEmpty ? nil : names, every: every) {
                progress.step($0)
            }
            let known = Dictionary(harness.readings.map { ($0.id, $0) }) { first, _ in first }
            let unmet = reports.filter { report in known[report.id].map { !$0.isMet(by: report) } ?? true }
            isFine = isFine && unmet.isEmpty && reports.allSatisfy { $0.misreported == 0 }
            lines += table(harness, reports, known)
            let unplayed = harness.readings.filter { !$0.isPlayed }
            providers.append([
                "id": .string(harness.name), "readings": .array(reports.map { json($0, known[$0.id]) }),
                "notPlayed": .array(unplayed.map { .string($0.id) }),
            ])
        }
        progress.end()
        call.say(["providers": .array(providers)], lines)
        return isFine ? .fine : .failed
    }

    private func json(_ report: VariantReport, _ reading: BehaviorVariant?) -> JSON {
        let isMet = reading.map { $0.isMet(by: report) } ?? false
        func number(_ count: Int) -> JSON { .number(JSONNumber(Int64(count))) }
        return [
            "id": .string(report.id), "result": .string(report.result.rawValue),
            "misreported": number(report.misreported), "asExpected": .bool(isMet),
            "checks": number(report.outcomes.count), "worked": number(report.count(.passed)),
            "told": number(report.count(.reportedCorrectly)), "stopped": number(report.count(.stoppedWithError)),
            "unknown": number(report.count(.leftOpen)),
        ]
    }

    private func table(
        _ harness: any VariantHarness, _ reports: [VariantReport], _ known: [String: BehaviorVariant]
    ) -> [String] {
        var table = TextTable(
            ["reading", "result", "worked", "told", "stopped", "unknown", "misreported", ""], right: [2, 3, 4, 5, 6])
        for report in reports {
            let isMet = known[report.id].map { $0.isMet(by: report) } ?? false
            let counts = [VariantOutcome.Status.passed, .reportedCorrectly, .stoppedWithError, .leftOpen, .misreported]
                .map(report.count)
            table.rows.append(
                [report.id, report.result.rawValue] + counts.map(String.init) + [isMet ? "" : "NOT AS EXPECTED"])
        }
        let checks = reports.reduce(0) { $0 + $1.outcomes.count }
        func sum(_ status: VariantOutcome.Status) -> Int { reports.reduce(0) { $0 + $1.count(status) } }
        let rows = harness.readings
        let worse = reports.flatMap { report in
            report.worse.filter { $0.status > .stoppedWithError }.sorted { $0.status > $1.status }.prefix(3).map {
                "  \(report.id), \($0.check): \($0.status.rawValue): \($0.detail)"
            }
        }
        return table.lines + worse + [
            "",
            "\(harness.name): \(Set(rows.map(\.place)).count) places, \(rows.count) readings, \(rows.count(where: \.isPlayed)) "
                + "played, \(rows.count { !$0.isPlayed }) not played; \(reports.count) under \(checks) checks in all: "
                + "worked \(sum(.passed)), told truly \(sum(.reportedCorrectly)), stopped with the setting's name \(sum(.stoppedWithError)), "
                + "unknown \(sum(.leftOpen)), misreported \(sum(.misreported)).", "",
        ]
    }
}
