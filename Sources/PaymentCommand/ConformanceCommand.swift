internal import PaymentBase
internal import PaymentConformance
internal import PaymentHarnesses

extension Command {
    /// Runs the conformance kit.
    static let conformance = Command(
        name: "conformance", summary: "runs every check against providers' sandboxes in this process",
        example: "payctl conformance memory --level complete --report report.xml",
        takes: AcceptedArguments(
            operands: HarnessRegistry.builtin.harnesses.map { _ in "[PROVIDER]" },
            options: [
                .init(name: "level", value: "LEVEL", summary: "core, terminal, back-office or complete (the default)"),
                .init(name: "report", value: "FILE", summary: "writes .json, .xml, .md or .txt; may be given again"),
                .init(name: "pairs", value: nil, summary: "also plays faults in pairs"),
            ])
    ) { given, console in
        do throws(UsageError) {
            return try ConformanceRun(given).play(console)
        } catch {
            console.error("payctl conformance: \(error.message)")
            return .usage
        }
    }
}

/// One run of the kit from the command line.
struct ConformanceRun {
    private let harnesses: [any Harness]
    private let level: Level
    private let files: [(name: String, format: ReportFormat)]
    private let walksPairs: Bool

    init(_ given: GivenArguments) throws(UsageError) {
        let registry = HarnessRegistry.builtin
        var harnesses: [any Harness] = []
        for name in given.operands {
            guard let harness = registry[name] else {
                let known = registry.harnesses.map(\.name).joined(separator: ", ")
                throw UsageError(message: "there is no provider \(name); there are \(known)")
            }
            if harnesses.contains(where: { $0.name == name }) {
                throw UsageError(message: "the provider \(name) is named twice")
            }
            harnesses.append(harness)
        }
        self.harnesses = harnesses.isEmpty ? registry.harnesses : harnesses
        let word = given["level"] ?? Level.complete.rawValue
        guard let level = Level(rawValue: word) else {
            let known = Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "there is no level \(word); there are \(known)")
        }
        self.level = level
        var files: [(name: String, format: ReportFormat)] = []
        for name in given.all("report") {
            guard let format = ReportFormat(fileName: name) else {
                throw UsageError(message: "\(name) ends in none of .json, .xml, .md, .txt")
            }
            files.append((name, format))
        }
        (self.files, walksPairs) = (files, given.has("pairs"))
    }

    func play(_ console: Console) -> ExitStatus {
        var providers: [ProviderReport] = []
        for harness in harnesses {
            var provider = Conformance(harness).run(upTo: level)
            var walk = FaultWalk(harness)
            walk.walksPairs = walksPairs
            if level == .complete { provider.faults = walk.walk() }
            providers.append(provider)
        }
        let report = Report(providers)
        console.out(report.text)
        for (name, format) in files {
            guard let bytes = format.bytes(report), ReportFile.write(bytes, to: name) else {
                console.error("payctl conformance: \(name) can't be written")
                return .failed
            }
        }
        return report.isFine ? .fine : .failed
    }
}
