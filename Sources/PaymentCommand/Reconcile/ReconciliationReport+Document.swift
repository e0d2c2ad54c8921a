internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance

extension ReconciliationReport {
    /// All of it, for a page, Markdown and JUnit.
    func document(_ call: Invocation) -> ReportDocument {
        let (days, statement) = (reconciliation.days, reconciliation.statement)
        var document = ReportDocument(
            title: "Books of \(reconciliation.provider.id), \(days.first.isoText) to \(days.last.isoText)")
        document.verdict = [
            "\(statement.title): \(reconciliation.matched) of \(statement.payments.count) payments are ours; "
                + "\(reconciliation.disagreements) differences, \(count(.inTransit)) in transit"
        ]
        document.verdict += statement.unreadable.map { "can't be read: \($0)" }
        document.mood = !isFine ? .bad : count(.inTransit) > 0 ? .doubt : .good
        func side(_ words: String, _ amount: Money?) -> [String] { [words, amount.map { "\($0)" } ?? ""] }
        document.add(
            .init(
                title: "Differences", head: ["kind", "reference", "here", "there", "place", "next"],
                rows: reconciliation.differences.map { found in
                    .init(
                        cells: [
                            [found.kind.words], [found.reference ?? "–", found.name ?? "", found.attempt?.text ?? ""],
                            side(found.here, found.hereAmount), side(found.there, found.thereAmount),
                            [found.place ?? "–"], [found.advice(call), found.because ?? ""],
                        ], mood: found.kind == .inTransit ? .doubt : .bad)
                }))
        let counted =
            statement.leftOut.map { ("left out", $0.key, $0.value) }
            + reconciliation.notCompared.map { ("not compared", $0.key, $0.value) }
        document.add(
            .init(
                title: "Left out and not compared", head: ["why", "what", "how many"],
                rows: counted.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { why, what, number in
                    .init(cells: [[why], [what], ["\(number)"]], mood: .plain)
                }))
        document.add(
            .init(
                title: "Concluded", head: ["attempt", "what", "witnesses"],
                rows: concluded.map { one in
                    let intent = one.attempt.intent
                    return .init(
                        cells: [
                            [intent.attempt.text], ["\(intent.operation.rawValue) of \(intent.amount): nothing moved"],
                            one.witnesses,
                        ], mood: .good)
                }))
        document.suites = [.init("reconcile \(reconciliation.provider.id)", outcomes)]
        return document
    }

    /// One for each way in which books can differ, so that a test view has the same names every month.
    private var outcomes: [ReportDocument.Outcome] {
        let unreadable = reconciliation.statement.unreadable
        let first: ReportDocument.Outcome =
            unreadable.isEmpty
            ? .init("the statement can be read", in: "reconcile", .passed)
            : .init(
                "the statement can be read", in: "reconcile", .failed, "\(unreadable.count) lines can't",
                lines: unreadable)
        return [first]
            + BookDifference.Kind.allCases.map { kind in
                let found = reconciliation.differences.filter { $0.kind == kind }
                let name = "nothing is \(kind.words)"
                if found.isEmpty { return .init(name, in: "reconcile", .passed) }
                if kind == .inTransit {
                    return .init(name, in: "reconcile", .skipped, "\(found.count) wait for a later statement")
                }
                let lines = found.map { one in
                    [one.reference, one.attempt?.text, one.name, "here \(one.here)", "there \(one.there)", one.place]
                        .compactMap(\.self).joined(separator: ", ")
                }
                return .init(name, in: "reconcile", .failed, "\(found.count) are", lines: lines)
            }
    }
}
