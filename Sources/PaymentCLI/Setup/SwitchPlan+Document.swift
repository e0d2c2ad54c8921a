internal import PaymentAbstraction
internal import PaymentConformance
internal import PaymentProviderKit

extension SwitchPlan {
    /// The plan, for a page, Markdown and JUnit.
    func document(_ call: Invocation, _ draining: [String], _ edit: SwitchEdit) -> ReportDocument {
        var document = ReportDocument(title: "Switch plan: from \(from.id) to \(to.id)")
        let later = differences.filter(\.isLater).count
        document.verdict = [
            "\(kept.count) capabilities as before, \(gained.count) new, \(lost.count) lost; of what is lost, "
                + "\(missed.count) used in this journal.",
            "\(differences.count) scenarios come to another result, \(later) of them are decided later.",
            "Open attempts at \(from.id): \(past.open.count). Payments that can still be given back there: \(past.refundable).",
            edit.isApplied ? "The change is written." : "Nothing is changed yet.",
        ]
        document.mood = missed.isEmpty ? .good : .doubt
        document.add(
            .init(
                title: "What there is to do", head: ["step", "what", "in particular"],
                rows: steps(call).enumerated().map { number, step in
                    .init(cells: [["\(number + 1)"], [step[0]], Array(step.dropFirst())], mood: .plain)
                }))
        document.add(
            .init(
                title: "Results that change", head: ["scenario", from.id.rawValue, to.id.rawValue, "why it matters"],
                rows: differences.map { one in
                    let why = one.isLater ? "nobody knows at once: wait for the message" : "another end"
                    return .init(
                        cells: [[one.scenario], [one.old], [one.new], [why]], mood: one.isLater ? .doubt : .bad)
                }))
        document.add(capabilities)
        document.add(
            .init(
                title: "Settings that change", head: ["setting", "change"],
                rows: changes.map { change in
                    let parts = change.split(separator: ":", maxSplits: 1).map(String.init)
                    return .init(cells: [[parts[0]], [parts.last?.trimmedAtStart ?? ""]], mood: .doubt)
                }))
        document.add(
            .init(
                title: "Open at \(from.id)", head: ["attempt", "operation", "amount", "state"],
                rows: past.open.map { record in
                    .init(
                        cells: [
                            [record.intent.attempt.text], [record.intent.operation.rawValue],
                            ["\(record.intent.amount)"], [record.word],
                        ], mood: .doubt)
                }))
        document.add(
            .init(
                title: "The change of the configuration", head: ["what", "line"],
                rows: edit.changes.map { .init(cells: [[$0.isGone ? "goes" : "comes"], [$0.line]], mood: .plain) }))
        document.suites = [.init("switch plan \(from.id) \(to.id)", outcomes)]
        return document
    }

    private var capabilities: ReportDocument.Table {
        func row(_ name: String, _ old: Bool, _ new: Bool, _ mood: ReportDocument.Severity) -> ReportDocument.Row {
            func cell(_ has: Bool) -> ReportDocument.Cell {
                .init([has ? "✓" : "–"], spoken: has ? "has it" : "lacks it")
            }
            let count = missed.first { $0.name == name }?.count
            return .init(
                [.init([name]), cell(old), cell(new), .init([count.map { "used \($0)×" } ?? ""])], mood: mood)
        }
        let used = missed.map(\.name)
        return .init(
            title: "Capabilities", head: ["capability", from.id.rawValue, to.id.rawValue, "in this journal"],
            rows: lost.filter(used.contains).map { row($0, true, false, .bad) }
                + lost.filter { !used.contains($0) }.map { row($0, true, false, .doubt) }
                + gained.map { row($0, false, true, .good) } + kept.map { row($0, true, true, .plain) },
            isMatrix: true)
    }

    /// A plan doesn't fail: what somebody has to look at is skipped, with the reason.
    private var outcomes: [ReportDocument.Outcome] {
        let used = Dictionary(missed.map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first })
        return kept.map { .init($0, in: "switch.capability", .passed) }
            + lost.map { name in
                let why = used[name].map { "lost, and used \($0) times" } ?? "lost, and never used"
                return .init(name, in: "switch.capability", .skipped, why)
            }
            + differences.map {
                .init($0.scenario, in: "switch.result", .skipped, "\($0.old) becomes \($0.new)")
            }
    }
}

extension String {
    /// The same without spaces at its start.
    fileprivate var trimmedAtStart: String { String(drop { $0 == " " }) }
}
