internal import PaymentConformance
internal import PaymentCore

/// A comparison in a terminal.
extension ComparisonReport {
    // MARK: In a screenful

    /// What matters most: what costs money, how many differ, then whatever gets another answer, then what only some have.
    func summary(_ columns: Int, _ paint: Paint) -> [String] {
        let from = source.map { ", money from \($0.rawValue)" } ?? ", each from what it takes"
        let head = ["\(paint.strong(providers.joined(separator: " and "))): \(rows.count) scenarios\(from)"]
        let costly = rows.filter { standing($0) == .costsMoney }
        let results = compared.filter { standing($0) == .differs }
        let (open, others) = (rows.filter { standing($0) == .open }, rows.filter { standing($0) == .otherAmount })
        // A row that costs money is shown once, also where its answers differ.
        let above = costly.count { $0.isCompared && !$0.isSameResult }
        let beside = above == 0 ? "" : ", beside \(above) above"
        return head + top(columns, paint) + legend(columns)
            + table("Costs money unseen (\(costly.count)):", costly, columns)
            + table("Another answer (\(results.count)\(beside)):", results, columns)
            + table("Same answer, still open (\(open.count)):", open, columns)
            + table("Same answer, another amount was named (\(others.count)):", others, columns)
            + names(.asAsked, columns) + names(.same, columns) + ends(columns) + who(columns)
            + unplayed
            + ["", "In full: --scenario NAME for one, --all for everything, --report FILE.html for a page."]
    }

    /// What costs money, what was played, and the counts.
    private func top(_ columns: Int, _ paint: Paint) -> [String] {
        let money = moneyLines.flatMap { $0.wrapped(to: columns, indent: "  ") }
        return (costs.isEmpty && notYetKnown.isEmpty ? money : money.map(paint.bad))
            + (links + [Self.basis] + counts).flatMap { "  \($0)".wrapped(to: columns, indent: "    ") }
    }

    /// What the words mean.
    private func legend(_ columns: Int, marks: Bool = false) -> [String] {
        let all = (marks ? Self.marks : []) + Self.words
        return ["", marks ? "Marks and words:" : "Words:"]
            + all.flatMap { "  \($0.word): \($0.meaning)".wrapped(to: columns, indent: "    ") }
    }

    /// The scenarios that come to the same and need no row.
    private func names(_ standing: ComparisonStanding, _ columns: Int) -> [String] {
        let names = rows.filter { self.standing($0) == standing }.map(\.scenario)
        if names.isEmpty { return [] }
        let title = standing.words.prefix(1).uppercased() + standing.words.dropFirst()
        return [""] + "\(title) (\(names.count)): \(names.joined(separator: ", "))".wrapped(to: columns, indent: "  ")
    }

    /// Each scenario with what was done, and what every provider made of it; a cell that is too long continues below.
    private func table(_ title: String, _ shown: [ProviderComparison.Row], _ columns: Int) -> [String] {
        if shown.isEmpty { return [] }
        let width = max(16, columns / max(1, providers.count) - 2)
        let rule = providers.map { _ in String(repeating: "─", count: width) }.joined(separator: "  ")
        return ["", title, "", Self.line(providers, width), rule]
            + shown.flatMap { row in
                let calls = row.observations.map { $0.isPlayed ? Self.calls($0) : ["not played"] }
                let rest = row.observations.map { $0.isPlayed ? Self.outcome($0) : [] }
                // A call stands beside the same call at the other providers.
                let steps = (0..<(calls.map(\.count).max() ?? 0)).flatMap { step in
                    Self.beside(calls.map { $0.dropFirst(step).prefix(1).map(\.self) }, width)
                }
                return "\(row.scenario): \(row.summary)".wrapped(to: columns, indent: "  ") + steps
                    + Self.beside(rest, width) + [""]
            }.dropLast()
    }

    /// Cells beside each other, each of several lines.
    private static func beside(_ cells: [[String]], _ width: Int) -> [String] {
        let wrapped = cells.map { $0.flatMap { $0.wrapped(to: width, indent: "  ") } }
        return (0..<(wrapped.map(\.count).max() ?? 0)).map { index in
            line(wrapped.map { index < $0.count ? $0[index] : "" }, width)
        }
    }

    private static func line(_ cells: [String], _ width: Int) -> String {
        cells.map { $0.padded(to: width) }.joined(separator: "  ").trimmedAtEnd
    }

    /// How what is in doubt ends at each provider.
    private func ends(_ columns: Int) -> [String] {
        if doubts.allSatisfy(\.isEmpty) { return [] }
        return ["", "How what is in doubt ends:"]
            + zip(providers, doubts).flatMap { provider, lines in
                lines.flatMap { "  \(provider): \($0)".wrapped(to: columns, indent: "    ") }
            }
    }

    /// What was not played, row by row.
    private var unplayed: [String] {
        let wrong = undeclared.map { "  otherwise: \($0)" }
        if reasons.isEmpty { return wrong.isEmpty ? [] : [""] + wrong }
        let head =
            "Not played: \(notCompared.counted("result")) in \(missingIn); "
            + "\(declared == notCompared ? "all" : "\(declared)") as the adapters declare:"
        return ["", head] + reasons.map { "  \($0.scenario) at \($0.provider): \($0.why)" } + wrong
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
        let columns = call.console.columns ?? 80
        var lines = top(columns, call.paint) + legend(columns, marks: true) + ends(columns)
        if call.given.has("all") {
            var table = TextTable(["capability"] + providers)
            table.rows = capabilities.map { [$0.name] + $0.has.map { $0 ? "yes" : "·" } }
            lines += [""] + table.lines
        }
        for (index, row) in rows.enumerated() {
            let shown = call.given.has("all") ? ScenarioResult.Aspect.allCases : row.differing
            let standing = standing(row)
            lines += ["", call.paint.strong("\(row.scenario): \(row.summary)"), "  \(standing.mark)\(standing.words)"]
            for (provider, seen) in zip(providers, row.observations) {
                lines += Self.cell(seen).enumerated().flatMap { number, text in
                    let first = "  \(provider.padded(to: 9)) "
                    let start = number == 0 ? first : String(repeating: " ", count: first.count)
                    return (start + text).wrapped(to: columns, indent: String(repeating: " ", count: first.count + 2))
                }
            }
            lines += aspects(row, shown.filter { $0 != .result })
            for (provider, source) in sourced(index) {
                lines.append("  source  \(provider.padded(to: 9)) \(source.words)")
            }
        }
        return lines + unplayed
    }

    /// What was seen beside the answers: first what is the same, then what is not.
    private func aspects(_ row: ProviderComparison.Row, _ shown: [ScenarioResult.Aspect]) -> [String] {
        let same = ScenarioResult.Aspect.allCases.filter { aspect in
            row.isCompared && aspect != .result && !shown.contains(aspect) && !row.played[0][aspect].isEmpty
        }
        var lines = same.map {
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
        return lines
    }
}
