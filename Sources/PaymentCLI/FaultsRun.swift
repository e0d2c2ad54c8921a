internal import PaymentBase
internal import PaymentConformance
internal import PaymentSimulator

/// The walk through every fault alone, whole or one case of so many.
struct FaultsRun {
    let harnesses: [any ConformanceHarness]
    let seed: UInt64
    /// Of how many cases that no declaration is about one is played.
    let every: UInt64
    let walksPairs: Bool
    let walksClassesOnly: Bool
    let files: ReportFiles

    /// Walks at each harness, and says what each walk came to; fails where a case ends differently from declared.
    func play(_ call: Invocation) throws(UsageError) -> ExitStatus {
        let progress = ProgressLine(call.console, "walking", of: harnesses.count)
        // What the walk says and learns is compared with what the providers publish.
        let judge = ContractValidator()
        let walks = ContractValidator.$chief.withValue(judge) {
            harnesses.map { harness in
                progress.step(harness.name)
                var walk = FaultSweep(harness, seed: seed)
                (walk.walksPairs, walk.walksClassesOnly, walk.every) = (walksPairs, walksClassesOnly, every)
                return (name: harness.name, report: walk.walk())
            }
        }
        progress.end()
        let hearing = judge.hearing
        let isFine = walks.allSatisfy(\.report.problems.isEmpty) && hearing.violations.isEmpty
        let lines = walks.flatMap { walk in
            ["\(walk.name): \(walk.report.summary)"] + walk.report.problems.map { "  failed  \($0)" }
        }
        try files.tell(call, document(walks, isFine), json(walks, hearing.json), [words] + lines + hearing.lines)
        return isFine ? .fine : .failed
    }

    /// What is played.
    private var words: String {
        if walksClassesOnly {
            return "Seed \(seed), over sockets: one fault of each class at each exchange, and no failing write."
        }
        return every == 1
            ? "Seed \(seed), every case."
            : "Seed \(seed), one case of \(every), and every case at a place that the harness declares."
    }

    private func json(_ walks: [(name: String, report: FaultSweepReport)], _ contracts: JSON) -> JSON {
        let providers = walks.map { walk -> JSON in
            [
                "id": .string(walk.name), "scenarios": .integer(walk.report.scenarios),
                "exchanges": .integer(walk.report.exchanges), "writes": .integer(walk.report.writes),
                "cases": .integer(walk.report.cases), "passedOver": .integer(walk.report.passedOver),
                "open": .integer(walk.report.open), "bookedTwice": .integer(walk.report.expectedDoubleCharges),
                "believed": .integer(walk.report.undetectableFalseReplies), "problems": .texts(walk.report.problems),
            ]
        }
        return [
            "seed": .string("\(seed)"), "every": .string("\(every)"), "providers": .array(providers),
            "contracts": contracts,
        ]
    }

    private func document(_ walks: [(name: String, report: FaultSweepReport)], _ isFine: Bool) -> ReportDocument {
        var document = ReportDocument(title: "Faults: " + walks.map(\.name).joined(separator: ", "))
        document.facts = RunFacts.all
        document.verdict = [
            words, isFine ? "Every case ends as declared." : "Some cases end in another way than declared.",
            "The providers are simulations of this package. No provider's own system was asked.",
        ]
        document.mood = isFine ? .good : .bad
        document.add(
            .init(
                title: "Walks", head: ["provider", "what it came to"],
                rows: walks.map {
                    .init(cells: [[$0.name], [$0.report.summary]], mood: $0.report.problems.isEmpty ? .good : .bad)
                }))
        document.add(
            .init(
                title: "What ends in another way than declared", head: ["provider", "case"],
                rows: walks.flatMap { walk in
                    walk.report.problems.map { .init(cells: [[walk.name], [$0]], mood: .bad) }
                }))
        document.suites = [
            .init(
                "faults",
                walks.map { walk in
                    walk.report.problems.isEmpty
                        ? .init(walk.name, in: "faults", .passed)
                        : .init(
                            walk.name, in: "faults", .failed, "\(walk.report.problems.count) cases",
                            lines: walk.report.problems)
                })
        ]
        return document
    }
}
