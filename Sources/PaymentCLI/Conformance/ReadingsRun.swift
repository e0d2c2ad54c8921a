internal import PaymentBase
internal import PaymentConformance
internal import PaymentHarnesses
internal import PaymentSimulator

/// The checks under every reading of a provider's documents that its simulated provider can play.
struct ReadingsRun {
    let harnesses: [any ConformanceHarness]
    let level: ConformanceLevel
    let seed: UInt64
    /// Those that are played; empty for all.
    let names: Set<String>

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
            let reports = harness.readingReports(checks, seed: seed, only: names.isEmpty ? nil : names) {
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
