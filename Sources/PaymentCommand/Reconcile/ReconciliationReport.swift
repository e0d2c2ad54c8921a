internal import PaymentAbstraction
internal import PaymentBase

/// What a reconciliation came to: for people, and as JSON.
struct ReconciliationReport {
    let reconciliation: Reconciliation
    let concluded: [StatementWitness.Conclusion]

    init(_ reconciliation: Reconciliation, _ concluded: [StatementWitness.Conclusion]) {
        (self.reconciliation, self.concluded) = (reconciliation, concluded)
    }

    /// Whether both books say the same, as far as time allows, and everything in the statement could be read.
    var isFine: Bool { reconciliation.disagreements == 0 && reconciliation.statement.unreadable.isEmpty }

    func count(_ kind: BookDifference.Kind) -> Int { reconciliation.differences.count { $0.kind == kind } }

    func lines(_ call: Invocation) -> [String] {
        let (days, statement) = (reconciliation.days, reconciliation.statement)
        var lines = [
            call.paint.strong("\(reconciliation.provider): \(days.first.isoText) to \(days.last.isoText)"),
            "\(statement.title): \(statement.payments.count) payments, \(statement.movements.count) movements; "
                + "\(reconciliation.matched) of the payments are ours",
        ]
        lines += statement.leftOut.sorted { $0.key < $1.key }.map { "left out   \($0.value) \($0.key)" }
        lines += reconciliation.notCompared.sorted { $0.key < $1.key }.map { "not compared  \($0.value) \($0.key)" }
        lines += statement.unreadable.map { call.paint.bad("unreadable ") + $0 }
        for one in concluded {
            let intent = one.attempt.intent
            lines.append(
                call.paint.good("concluded  ")
                    + "\(intent.operation.rawValue) of \(intent.amount), \(intent.attempt): nothing moved; the statement "
                    + "shows \(one.witnesses.joined(separator: " and ")) from before and after, and not this")
        }
        for found in reconciliation.differences { lines += self.lines(found, call) }
        let counts = BookDifference.Kind.allCases.filter { count($0) > 0 }.map { "\(count($0)) \($0.words)" }
        lines.append(
            counts.isEmpty ? call.paint.good("nothing differs") : "differences \(counts.joined(separator: ", "))")
        return lines
    }

    private func lines(_ found: BookDifference, _ call: Invocation) -> [String] {
        func side(_ words: String, _ amount: Money?) -> String {
            words == "–" ? words : [words, amount.map { "\($0)" }].compactMap(\.self).joined(separator: " ")
        }
        let what = [
            found.operation?.rawValue, found.reference.map { "reference \($0)" }, found.name.map { "there \($0)" },
            found.place,
        ].compactMap(\.self).joined(separator: ", ")
        let word = found.kind.words.padded(to: 12)
        return [
            "", (found.kind == .inTransit ? call.paint.doubt(word) : call.paint.bad(word)) + "  \(what)",
            "  here     \(side(found.here, found.hereAmount))", "  there    \(side(found.there, found.thereAmount))",
        ] + (found.attempt.map { ["  attempt  \($0)"] } ?? [])
            + (found.because.map { ["  stays open, since \($0)"] } ?? [])
            + ["  next     \(found.advice(call))"]
    }

    var json: JSON {
        let statement = reconciliation.statement
        func counts(_ counted: [String: Int]) -> JSON {
            .array(
                counted.sorted { $0.key < $1.key }.map { ["what": .string($0.key), "count": .integer($0.value)] })
        }
        var kinds = JSONObject()
        for kind in BookDifference.Kind.allCases { kinds[kind.rawValue] = .integer(count(kind)) }
        return [
            "provider": .string(reconciliation.provider.id.rawValue),
            "merchant": .string(reconciliation.provider.merchant),
            "environment": .string(reconciliation.provider.environment),
            "from": .string(reconciliation.days.first.isoText), "to": .string(reconciliation.days.last.isoText),
            "statement": [
                "kind": .string(statement.kind.rawValue), "title": .string(statement.title),
                "payments": .integer(statement.payments.count), "movements": .integer(statement.movements.count),
                "leftOut": counts(statement.leftOut), "unreadable": .texts(statement.unreadable),
            ],
            "matched": .integer(reconciliation.matched), "notCompared": counts(reconciliation.notCompared),
            "counts": .object(kinds), "differences": .array(reconciliation.differences.map(\.json)),
            "concluded": .array(concluded.map(\.json)),
        ]
    }
}
