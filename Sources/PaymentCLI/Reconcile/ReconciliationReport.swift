internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentConformance

/// What a reconciliation came to: for people, as JSON, and as a document.
struct ReconciliationReport {
    private typealias Group = ReconciledItem.Group

    let reconciliation: Reconciliation
    let concluded: [StatementEvidence.Conclusion]
    /// Whether the account is at a simulated provider.
    let isSimulated: Bool
    /// What has to be looked at, in order.
    let items: [ReconciledItem]
    private var sums: [Group: ReconciledSum] = [:]
    /// Rows and movements that are about no money of the account, by what they are.
    private var leftOut: [String: Int] = [:]

    init(_ reconciliation: Reconciliation, _ concluded: [StatementEvidence.Conclusion], isSimulated: Bool) {
        (self.reconciliation, self.concluded, self.isSimulated) = (reconciliation, concluded, isSimulated)
        items = Group.allCases.flatMap { group in
            reconciliation.items.filter { $0.group == group && $0.isOpen }.sorted {
                ($0.reference ?? "", $0.name ?? "", $0.rows.first ?? 0)
                    < ($1.reference ?? "", $1.name ?? "", $1.rows.first ?? 0)
            }
        }
        for item in reconciliation.items {
            sums[item.group, default: .init()].add(item, reconciliation.statement, reconciliation.books)
            if item.isHarmless { leftOut[item.why ?? "", default: 0] += item.rows.count + item.movements.count }
        }
    }

    /// Fine if everything is matched; pending if the rest is in transit.
    var status: ExitStatus {
        if items.contains(where: { $0.group != .inTransit }) { return .failed }
        return items.isEmpty ? .fine : .pending
    }

    /// What was compared, in plain words.
    private var facts: [[String]] {
        let (days, statement, books) = (reconciliation.days, reconciliation.statement, reconciliation.books)
        let scopes = (reconciliation.scopes ?? books.scopes).sorted().map { $0.isEmpty ? "the default one" : $0 }
        let names = scopes.isEmpty ? "none has a payment" : scopes.joined(separator: ", ")
        return [
            ["account", "\(books.account)"], ["provider", isSimulated ? "simulated: no real money" : "real"],
            ["environment", books.account.environment],
            ["scopes", reconciliation.scopes == nil ? "every one (\(names))" : "only \(names)"],
            ["days", "\(days.first.isoText) to \(days.last.isoText), UTC"],
            ["statement", "\(statement.title), \(statement.rows.count) rows"],
            ["it lists", listed.map(\.words).joined(separator: ", ")],
        ]
    }

    private var listed: [Statement.Movement] {
        Statement.Movement.allCases.filter(reconciliation.statement.lists.contains)
    }

    /// The groups with their counts and sums.
    private var groups: [[String]] {
        Group.allCases.map { group in
            let sum = sums[group] ?? .init()
            return [
                group.words, "\(sum.rows)", ReconciledSum.words(sum.rowSums), "\(sum.movements)",
                ReconciledSum.words(sum.movementSums),
            ]
        }
    }

    private static let groupHead = ["group", "rows", "their sum", "in the journal", "sum there"]

    private var verdict: String {
        let counts = Group.allCases.compactMap { group -> String? in
            let count = items.count { $0.group == group }
            return count == 0 ? nil : "\(count) \(group.words)"
        }
        return counts.isEmpty ? "nothing differs" : counts.joined(separator: ", ")
    }

    private var leftOutRows: [[String]] { leftOut.sorted { $0.key < $1.key }.map { ["\($0.value)", $0.key] } }

    func lines(_ call: Invocation) -> [String] {
        var table = TextTable(Self.groupHead, right: [1, 2, 3, 4])
        table.rows = groups
        var lines = facts.map { "\($0[0].padded(to: 12)) \($0[1])" } + [""] + table.lines(within: call.console.columns)
        lines += leftOutRows.map { "left out     \($0[0]) \($0[1])" }
        lines += concluded.map { call.paint.good("concluded  ") + "\($0.words), \($0.attempt.attempt)" }
        for item in items {
            let what = [
                item.operation?.rawValue, item.reference.map { "reference \($0)" }, item.name.map { "there \($0)" },
                item.scope.isEmpty ? nil : "scope \(item.scope)", item.place,
            ].compactMap(\.self).joined(separator: ", ")
            let words = item.group == .inTransit ? call.paint.doubt(item.words) : call.paint.bad(item.words)
            lines += [
                "", "\(words)  \(what)", "  here     \(item.here(" "))", "  there    \(item.there(" "))",
            ]
            lines += item.attempt.map { ["  attempt  \($0)"] } ?? []
            lines += item.because.map { ["  stays open, since \($0)"] } ?? []
            lines.append("  next     \(item.advice(call))")
        }
        return lines + ["", status == .fine ? call.paint.good(verdict) : verdict]
    }

    var json: JSON {
        let (statement, account) = (reconciliation.statement, reconciliation.books.account)
        var groups = JSONObject()
        for group in Group.allCases { groups[group.rawValue] = (sums[group] ?? .init()).json }
        return [
            "provider": .string(account.id.rawValue), "adapter": .string(account.adapter),
            "merchant": .string(account.merchant), "environment": .string(account.environment),
            "isSimulated": .bool(isSimulated), "isEveryScope": .bool(reconciliation.scopes == nil),
            "scopes": .texts((reconciliation.scopes ?? reconciliation.books.scopes).sorted()),
            "from": .string(reconciliation.days.first.isoText), "to": .string(reconciliation.days.last.isoText),
            "statement": [
                "kind": .string(statement.kind.rawValue), "title": .string(statement.title),
                "lists": .texts(listed.map(\.rawValue)), "rows": .integer(statement.rows.count),
                "unreadable": .texts(statement.unreadable),
            ],
            "groups": .object(groups),
            "leftOut": .array(
                leftOut.sorted { $0.key < $1.key }.map { ["what": .string($0.key), "count": .integer($0.value)] }),
            "differences": .array(items.map(\.json)), "concluded": .array(concluded.map(\.json)),
        ]
    }

    /// All of it, for a page, Markdown and JUnit.
    func document(_ call: Invocation) -> ReportDocument {
        let days = reconciliation.days
        var document = ReportDocument(
            title: "Books of \(reconciliation.books.account.id), \(days.first.isoText) to \(days.last.isoText)")
        document.verdict = [verdict] + facts.prefix(2).map { $0.joined(separator: ": ") }
        document.mood = status == .fine ? .good : status == .pending ? .doubt : .bad
        func add(_ title: String, _ head: [String], _ rows: [[String]], _ mood: ReportDocument.Severity = .plain) {
            document.add(
                .init(title: title, head: head, rows: rows.map { .init(cells: $0.map { [$0] }, mood: mood) }))
        }
        add("What was compared", ["what", "which"], facts)
        add("Sums", Self.groupHead, groups)
        document.add(
            .init(
                title: "Differences", head: ["kind", "reference", "here", "there", "place", "next"],
                rows: items.map { item in
                    .init(
                        cells: [
                            [item.words], [item.reference ?? "–", item.name ?? "", item.attempt?.text ?? ""],
                            [item.here("\n")], [item.there("\n")], [item.place ?? "–"],
                            [item.advice(call), item.because ?? ""],
                        ].map { $0.flatMap { $0.split(separator: "\n").map(String.init) } },
                        mood: item.group == .inTransit ? .doubt : .bad)
                }))
        add("Left out", ["how many", "what"], leftOutRows)
        add("Concluded", ["attempt", "what"], concluded.map { [$0.attempt.attempt.text, $0.words] }, .good)
        let compared = facts.map { $0.joined(separator: ": ") }.joined(separator: "; ")
        document.suites = [.init("reconcile \(reconciliation.books.account.id). \(compared)", outcomes)]
        return document
    }

    /// One for each way in which books can differ, so that a test view has the same names every month.
    private var outcomes: [ReportDocument.Outcome] {
        let unreadable = reconciliation.statement.unreadable
        let names: [(Group, String)] = [
            (.differs, "nothing differs"), (.onlyInJournal, "nothing is only in the journal"),
            (.onlyInStatement, "nothing is only in the statement"), (.inTransit, "nothing is in transit"),
            (.notComparable, "no money is left uncompared"),
        ]
        return [
            .init(
                "the statement can be read", in: "reconcile", unreadable.isEmpty ? .passed : .failed,
                unreadable.isEmpty ? "" : "\(unreadable.count) lines can't", lines: unreadable)
        ]
            + names.map { group, name in
                let found = items.filter { $0.group == group }
                if found.isEmpty { return .init(name, in: "reconcile", .passed) }
                if group == .inTransit {
                    return .init(name, in: "reconcile", .skipped, "\(found.count) wait for a later statement")
                }
                let lines = found.map { one in
                    [
                        one.words, one.reference, one.attempt?.text, one.name, "here \(one.here(" "))",
                        "there \(one.there(" "))", one.place,
                    ].compactMap(\.self).joined(separator: ", ")
                }
                return .init(name, in: "reconcile", .failed, "\(found.count) are", lines: lines)
            }
    }
}

/// Rows of a statement and movements of the journal that are about the same, with what the comparison came to.
struct ReconciledItem: Sendable {
    enum Group: String, Sendable, CaseIterable {
        case matched, differs, onlyInJournal, onlyInStatement, inTransit, notComparable

        /// The same for people.
        var words: String {
            switch self {
            case .matched: "matched"
            case .differs: "differs"
            case .onlyInJournal: "only in the journal"
            case .onlyInStatement: "only in the statement"
            case .inTransit: "in transit"
            case .notComparable: "not comparable"
            }
        }
    }

    /// What is different.
    enum Difference: String, Sendable { case amount, state }

    /// What to do about it.
    enum Action: String, Sendable {
        case recover, `import`, resolve, ask, wait
    }

    let group: Group
    /// By their places in the statement.
    let rows: [Int]
    /// By their places in the books.
    var movements: [Int] = []
    var what: Difference?
    /// Why it can't be compared.
    var why: String?
    /// Whether no money of the account is left uncompared by that.
    var isHarmless = false
    var payment: PaymentID?
    var attempt: AttemptID?
    var scope = ""
    var operation: PaymentOperation?
    /// The merchant's reference.
    var reference: String?
    /// What the provider calls it.
    var name: String?
    /// Its state here and there, in words; a dash for nothing.
    var here = "–"
    var there = "–"
    var hereAmount: Money?
    var thereAmount: Money?
    /// Where the statement says so.
    var place: String?
    var proposal = Action.ask
    /// A line for `payctl journal import`, where that is proposed.
    var line: JSON?
    /// Why its absence from the statement proves nothing, where that was tried or where a person has to know it.
    var because: String?
    /// Whether it is about an attempt in doubt.
    var isInDoubt = false
    /// Whether money moved, for all that the statement says.
    var hasMoved = false

    init(_ group: Group, rows: [Int]) { (self.group, self.rows) = (group, rows) }

    /// Whether something has to be done about it.
    var isOpen: Bool { group != .matched && !isHarmless }

    /// The group, and what is different or why it can't be compared.
    var words: String {
        let more = what?.rawValue ?? why
        return group.words + (more.map { " (\($0))" } ?? "")
    }

    /// Its state and amount in the journal.
    func here(_ separator: String) -> String { Self.side(here, hereAmount, separator) }
    /// Its state and amount in the statement.
    func there(_ separator: String) -> String { Self.side(there, thereAmount, separator) }

    private static func side(_ words: String, _ amount: Money?, _ separator: String) -> String {
        words == "–" ? words : [words, amount.map { "\($0)" }].compactMap(\.self).joined(separator: separator)
    }

    /// What to type, or to do where no command helps.
    func advice(_ call: Invocation) -> String {
        switch proposal {
        case .recover: call.command("recover")
        case .import: call.command("journal import -") + "  with the line that --format json gives"
        case .resolve:
            call.command(
                "resolve \(attempt?.text ?? "ATTEMPT") "
                    + (name.map { "--executed \(Invocation.quoted($0))" } ?? "--not-executed") + " --because TEXT")
        case .ask where isInDoubt:
            "ask the provider what became of it, and enter the answer with "
                + call.command("resolve \(attempt?.text ?? "ATTEMPT") --because TEXT")
        case .ask: "ask the provider; no command changes what is decided here"
        case .wait: "wait for the next statement"
        }
    }

    var json: JSON {
        [
            "kind": .string(group.rawValue), "what": .text(what?.rawValue), "why": .text(why),
            "payment": .text(payment?.attempt.text), "attempt": .text(attempt?.text), "scope": .string(scope),
            "operation": .text(operation?.rawValue), "reference": .text(reference), "name": .text(name),
            "here": .string(here), "there": .string(there), "hereAmount": hereAmount?.json ?? .null,
            "thereAmount": thereAmount?.json ?? .null, "place": .text(place), "proposal": .string(proposal.rawValue),
            "import": line ?? .null, "because": .text(because),
        ]
    }
}

/// How much is in a group: rows and movements with their sums. A sum never overflows.
struct ReconciledSum: Equatable, Sendable {
    private(set) var rows = 0
    private(set) var movements = 0
    private(set) var rowSums: [Currency: Int128] = [:]
    private(set) var movementSums: [Currency: Int128] = [:]

    mutating func add(_ item: ReconciledItem, _ statement: Statement, _ books: OwnBooks) {
        for number in item.rows { add(statement.rows[number]) }
        for number in item.movements { add(books.movements[number]) }
    }

    mutating func add(_ row: Statement.Row) {
        rows += 1
        if let amount = row.amount { rowSums[amount.currency, default: 0] += Int128(amount.minorUnits) }
    }

    mutating func add(_ movement: OwnMovement) {
        movements += 1
        movementSums[movement.amount.currency, default: 0] += Int128(movement.signed.minorUnits)
    }

    static func words(_ sums: [Currency: Int128]) -> String {
        sums.sorted { $0.key.code < $1.key.code }.map { currency, sum in
            Int64(exactly: sum).map { "\(Money(minorUnits: $0, currency))" }
                ?? "\(sum) of the smallest unit of \(currency)"
        }.joined(separator: ", ")
    }

    var json: JSON {
        [
            "rows": .integer(rows), "rowSums": Self.json(rowSums), "movements": .integer(movements),
            "movementSums": Self.json(movementSums),
        ]
    }

    /// A sum is a text of minor units, since it may be more than other programs have room for.
    private static func json(_ sums: [Currency: Int128]) -> JSON {
        .array(
            sums.sorted { $0.key.code < $1.key.code }.map {
                ["minorUnits": .string("\($0.value)"), "currency": .string($0.key.code)]
            })
    }
}
