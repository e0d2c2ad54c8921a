internal import PaymentConformance

extension ComparisonReport {
    /// Everything, for a page, Markdown and JUnit.
    var document: ReportDocument {
        var document = ReportDocument(title: "Comparison: " + providers.joined(separator: ", "))
        let results = rows.count { !$0.isSameResult }
        document.verdict =
            [
                "\(rows.count) scenarios; \(results) come to another result; not compared \(notCompared), declared "
                    + "\(declared)"
            ] + undeclared.map { "otherwise than declared: \($0)" } + fresh.map { "new: \($0)" }
        document.mood = undeclared.isEmpty && fresh.isEmpty ? .good : .bad
        document.add(
            .init(
                title: "Scenarios by provider", head: ["scenario"] + providers,
                rows: rows.map { row in
                    .init(
                        cells: [[row.scenario]] + row.observations.map { [$0.result] },
                        mood: row.isSameResult ? .good : row.notCompared > 0 ? .doubt : .bad)
                }))
        document.add(
            .init(
                title: "Capabilities", head: ["capability"] + providers,
                rows: capabilities.map { capability in
                    .init(
                        [.init([capability.name])]
                            + capability.has.map { .init([$0 ? "✓" : "–"], spoken: $0 ? "has it" : "lacks it") },
                        mood: Set(capability.has).count > 1 ? .doubt : .plain)
                }, isMatrix: true))
        for row in rows {
            document.add(
                .init(
                    title: row.scenario, about: row.summary, head: ["aspect"] + providers,
                    rows: ScenarioResult.Aspect.allCases.filter { aspect in
                        row.observations.contains { !$0[aspect].isEmpty }
                    }.map { aspect in
                        .init(
                            cells: [[aspect.rawValue]] + row.observations.map { $0[aspect] },
                            mood: row.differing.contains(aspect) ? .bad : .plain)
                    }))
        }
        document.suites = [.init("compare " + providers.joined(separator: " "), rows.map(outcome))]
        return document
    }

    /// A scenario fails where it was otherwise than declared, or differs where that isn't known.
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
