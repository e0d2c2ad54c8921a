internal import PaymentConformance

/// A comparison as a page, as Markdown and for JUnit.
extension ComparisonReport {
    /// Everything, for a page, Markdown and JUnit.
    var document: ReportDocument {
        var document = ReportDocument(title: "Comparison: " + providers.joined(separator: ", "))
        document.facts = RunFacts.all
        document.verdict =
            moneyLines + counts + links + [Self.basis] + undeclared.map { "not as declared: \($0)" }
            + fresh.map { "new: \($0)" }
        // Green says that all was done as asked, which a comparison as a whole never says.
        document.mood =
            !undeclared.isEmpty || !fresh.isEmpty ? .bad : costs.isEmpty && notYetKnown.isEmpty ? .plain : .doubt
        document.add(
            .init(
                title: "Marks and words", head: ["mark or word", "meaning"],
                rows: (Self.marks + Self.words).map { .init(cells: [[$0.word], [$0.meaning]], mood: .plain) }))
        document.add(
            .init(
                title: "Scenarios by provider", head: ["scenario", "comparison"] + providers,
                rows: rows.map { row in
                    let standing = standing(row)
                    return .init(
                        cells: [[row.scenario, row.summary], [standing.words]] + row.observations.map(Self.cell),
                        mood: standing.mood)
                }))
        document.add(
            .init(
                title: "How what is in doubt ends", head: ["provider", "who asks, how long, what ends it"],
                rows: zip(providers, doubts).filter { !$1.isEmpty }.map { .init(cells: [[$0], $1], mood: .plain) }))
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
                            + capability.has.map { .init([$0 ? "yes" : "no"]) },
                        mood: Set(capability.has).count > 1 ? .doubt : .plain)
                }, isMatrix: true))
        for (index, row) in rows.enumerated() { document.add(detail(row, index)) }
        document.suites = [.init("compare " + providers.joined(separator: " "), rows.map(outcome))]
        return document
    }

    /// Everything that was seen in one scenario.
    private func detail(_ row: ProviderComparison.Row, _ index: Int) -> ReportDocument.Table {
        let from = sourced(index)
        let answers = ReportDocument.Row(
            cells: [["calls"]] + row.observations.map { $0.isPlayed ? Self.calls($0) : [$0.result] },
            mood: row.isCompared && !row.isSameResult ? .doubt : .plain)
        let aspects = ScenarioResult.Aspect.allCases.filter { aspect in
            aspect != .result && row.observations.contains { !$0[aspect].isEmpty }
        }
        let seen = aspects.map { aspect in
            ReportDocument.Row(
                cells: [[aspect.rawValue]] + row.observations.map { $0[aspect] },
                mood: row.differing.contains(aspect) ? .doubt : .plain)
        }
        let source = ReportDocument.Row(
            cells: [["source"]]
                + providers.map { name in [from.first { $0.provider == name }?.source.words ?? "not played"] },
            mood: .plain)
        return .init(
            title: row.scenario, about: "\(row.summary) Here: \(standing(row).words).", head: ["aspect"] + providers,
            rows: [answers] + seen + [source])
    }

    /// A scenario fails where it was differently from declared, or differs where that isn't known.
    private func outcome(_ row: ProviderComparison.Row) -> ReportDocument.Outcome {
        let wrong =
            row.undeclared.map { "at \(providers[$0]) not as declared: \(row.observations[$0].result)" }
            + fresh.filter { $0.hasPrefix("\(row.scenario) ") }
        if let first = wrong.first { return .init(row.scenario, in: "compare", .failed, first, lines: wrong) }
        if row.notCompared > 0 {
            return .init(row.scenario, in: "compare", .skipped, "not compared at \(row.notCompared)")
        }
        return .init(row.scenario, in: "compare", .passed)
    }
}
