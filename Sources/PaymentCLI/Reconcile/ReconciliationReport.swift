internal import PaymentBase
internal import PaymentConformance
internal import PaymentDriverKit
internal import PaymentModel

/// What a reconciliation came to: for people, as JSON, and as a document.
struct ReconciliationReport {
    private typealias Group = ReconciledItem.Group

    let reconciliation: Reconciliation
    let concluded: [StatementEvidence.Conclusion]
    /// Whether the account is at a simulated provider.
    let isSimulated: Bool
    /// Which payments of these days the journal has forgotten, in words; nil where it has forgotten none.
    let lack: String?
    /// What has to be looked at, in order.
    let items: [ReconciledItem]
    /// Why the groups don't add up to what was read, which would be a defect.
    private let discrepancy: String?
    private let sums: [Group: ReconciledSum]
    /// What was not compared, by the reason.
    private var notCompared: [NotCompared: ReconciledSum] = [:]

    private struct NotCompared: Hashable {
        let why: String
        let weight: ReconciledItem.Weight
    }

    /// - Parameter prunedBefore: Before which moment payments were decided that the journal forgot.
    init(
        _ reconciliation: Reconciliation, _ concluded: [StatementEvidence.Conclusion], isSimulated: Bool,
        prunedBefore: Int64? = nil
    ) {
        let isOfPruned = prunedBefore.map { $0 > reconciliation.days.start } ?? false
        lack = isOfPruned ? prunedBefore.flatMap { PrunedTime.words($0) } : nil
        (self.reconciliation, self.concluded, self.isSimulated) = (reconciliation, concluded, isSimulated)
        (discrepancy, sums) = (reconciliation.discrepancy(), reconciliation.sums)
        items = Group.allCases.flatMap { group in
            reconciliation.items.filter { $0.group == group && $0.isOpen }.sorted {
                ($0.reference ?? "", $0.name ?? "", $0.rows.first ?? 0)
                    < ($1.reference ?? "", $1.name ?? "", $1.rows.first ?? 0)
            }
        }
        for item in reconciliation.items where item.group == .notComparable {
            let key = NotCompared(why: item.why ?? "", weight: item.weight)
            notCompared[key, default: .init()].add(item, reconciliation.statement, reconciliation.books)
        }
    }

    /// Fine if everything is matched; pending if the rest is in transit, or is of a kind that the statement does not list.
    var status: ExitStatus {
        if discrepancy != nil || isOfOthers || items.contains(where: { $0.group != .inTransit }) { return .failed }
        let isWhole = items.isEmpty && !notCompared.keys.contains { $0.weight == .notListed }
        return isWhole ? .fine : .pending
    }

    /// Whether the statement has rows, and all of them are another account's.
    private var isOfOthers: Bool {
        let statement = reconciliation.statement
        return !statement.outside.isEmpty && statement.listings.isEmpty
            && statement.outside.allSatisfy(\.isOtherAccount)
    }

    /// What was compared, in plain words.
    private var facts: [[String]] {
        let (days, statement, books) = (reconciliation.days, reconciliation.statement, reconciliation.books)
        let scopes = (reconciliation.scopes ?? books.scopes).sorted().map { $0.isEmpty ? "the default one" : $0 }
        let names = scopes.isEmpty ? "none has a payment" : scopes.joined(separator: ", ")
        let others = otherAccounts.map {
            "\($0.account): \($0.count.counted("movement")), \($0.open) of them undecided"
        }
        let lacking: [[String]] = lack.map { [["lacks", "payments: \($0); a line for one of them is refused"]] } ?? []
        return [
            ["account", "\(books.account)"], ["provider", isSimulated ? "simulated: no real money" : "real"],
            ["environment", books.account.environment],
            ["scopes", reconciliation.scopes == nil ? "every one (\(names))" : "only \(names)"],
            ["days", "\(days.first.isoText) to \(days.last.isoText), UTC"],
            ["statement", "\(statement.title), \(statement.rows.count.counted("row"))"],
            ["it lists", listed.map(\.plural).joined(separator: ", ")],
            ["other accounts", others.isEmpty ? "none has a movement in these days" : others.joined(separator: "; ")],
        ] + lacking
    }

    private var listed: [Statement.Movement] {
        Statement.Movement.allCases.filter(reconciliation.statement.lists.contains)
    }

    /// The accounts whose movements of these days have to be compared by statements of their own.
    private var otherAccounts: [(account: ProviderIdentity, count: Int, open: Int)] {
        var counts: [ProviderIdentity: (count: Int, open: Int)] = [:]
        for one in reconciliation.books.elsewhere where reconciliation.days.contains(one.begunAt) {
            counts[one.account, default: (0, 0)].count += 1
            counts[one.account, default: (0, 0)].open += one.isOpen ? 1 : 0
        }
        return counts.map { ($0.key, $0.value.count, $0.value.open) }.sorted { "\($0.account)" < "\($1.account)" }
    }

    /// The groups with their counts and sums, and what was read.
    private var groups: [[String]] {
        let all = Group.allCases.map { ($0.words, sums[$0] ?? .init()) } + [("all that was read", whole)]
        return all.map { name, sum in
            [
                name, "\(sum.rows)", ReconciledSum.words(sum.rowSums), "\(sum.movements)",
                ReconciledSum.words(sum.movementSums),
            ]
        }
    }

    private var whole: ReconciledSum {
        var whole = ReconciledSum()
        for sum in sums.values { whole.add(sum) }
        return whole
    }

    private static let groupHead = ["group", "rows", "their sums", "in the journal", "sums there"]

    private var verdict: String {
        if let discrepancy {
            return
                "this report does not add up (\(discrepancy)): do not rely on it, and report it as a defect of payctl"
        }
        if isOfOthers { return "no row is of this account: check the merchant in the configuration, and the file" }
        var counts = Group.allCases.compactMap { group -> String? in
            let count = items.count { $0.group == group }
            return count == 0 ? nil : "\(count) \(group.words)"
        }
        let count = notCompared.reduce(0) { $0 + ($1.key.weight == .notListed ? $1.value.movements : 0) }
        if count > 0 { counts.append("\(count) of kinds that the statement does not list") }
        if whole == ReconciledSum() { return "there is nothing to compare: no row, and no movement of these days" }
        return counts.isEmpty ? "nothing differs" : counts.joined(separator: ", ")
    }

    /// What was not compared, with the reason.
    private var reasons: [(why: String, weight: ReconciledItem.Weight, sum: ReconciledSum)] {
        notCompared.map { ($0.key.why, $0.key.weight, $0.value) }.sorted {
            ($0.weight.rawValue, $0.why) < ($1.weight.rawValue, $1.why)
        }
    }

    private static let reasonHead = [
        "not compared", "what it means", "rows", "their sums", "in the journal", "sums there",
    ]

    private var reasonRows: [[String]] {
        reasons.map { why, weight, sum in
            [
                why, weight.words, "\(sum.rows)", ReconciledSum.words(sum.rowSums), "\(sum.movements)",
                ReconciledSum.words(sum.movementSums),
            ]
        }
    }

    func lines(_ call: Invocation) -> [String] {
        var table = TextTable(Self.groupHead, right: [1, 2, 3, 4])
        table.rows = groups
        var lines = facts.map { "\($0[0].padded(to: 14)) \($0[1])" } + [""] + table.lines(within: call.console.columns)
        if !reasons.isEmpty { lines += ["", "not compared"] }
        for (why, weight, sum) in reasons {
            let counts = [(sum.rows, "row", sum.rowSums), (sum.movements, "movement", sum.movementSums)]
            let parts = counts.filter { $0.0 > 0 }.map { count, name, sums in
                let money = ReconciledSum.words(sums)
                return count.counted(name) + (money.isEmpty ? "" : " (\(money))")
            }
            lines.append("  \(parts.joined(separator: ", ")): \(why) (\(weight.words))")
        }
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
        let others: [JSON] = otherAccounts.map { one in
            [
                "provider": .string(one.account.id.rawValue), "adapter": .string(one.account.adapter),
                "merchant": .string(one.account.merchant), "environment": .string(one.account.environment),
                "movements": .integer(one.count), "undecided": .integer(one.open),
            ]
        }
        let left: [JSON] = reasons.map {
            ["why": .string($0.why), "weight": .string($0.weight.rawValue), "sum": $0.sum.json]
        }
        return [
            "provider": .string(account.id.rawValue), "adapter": .string(account.adapter),
            "merchant": .string(account.merchant), "environment": .string(account.environment),
            "isSimulated": .bool(isSimulated), "isEveryScope": .bool(reconciliation.scopes == nil),
            "scopes": .texts((reconciliation.scopes ?? reconciliation.books.scopes).sorted()),
            "otherAccounts": .array(others),
            "from": .string(reconciliation.days.first.isoText), "to": .string(reconciliation.days.last.isoText),
            "statement": [
                "kind": .string(statement.kind.rawValue), "title": .string(statement.title),
                "lists": .texts(listed.map(\.rawValue)), "rows": .integer(statement.rows.count),
                "unreadable": .texts(statement.unreadable),
            ],
            "groups": .object(groups), "read": whole.json, "discrepancy": .text(discrepancy), "lack": .text(lack),
            "notCompared": .array(left),
            "differences": .array(items.map(\.json)), "concluded": .array(concluded.map(\.json)),
        ]
    }

    /// A row for each item, the matched ones too, so that the rows are all that was read.
    func csv(_ call: Invocation) -> CSVText {
        var table = CSVText([
            "group", "why", "operation", "reference", "attempt", "scope", "name", "place", "rows", "movements", "here",
            "hereAmount", "hereCurrency", "there", "thereAmount", "thereCurrency", "proposal", "because",
        ])
        for item in reconciliation.items {
            table.add([
                .text(item.group.rawValue), .optional(item.why), .optional(item.operation?.rawValue),
                .optional(item.reference), .optional(item.attempt?.text), .text(item.scope), .optional(item.name),
                .optional(item.place ?? reconciliation.statement.place(item.rows)), .number("\(item.rows.count)"),
                .number("\(item.movements.count)"), .text(item.here), .number(item.hereAmount?.decimalText ?? ""),
                .optional(item.hereAmount?.currency.code), .text(item.there),
                .number(item.thereAmount?.decimalText ?? ""), .optional(item.thereAmount?.currency.code),
                .text(item.isOpen ? item.proposal.rawValue : ""), .optional(item.because),
            ])
        }
        return table
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
        add("Not compared", Self.reasonHead, reasonRows)
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
        let isWhole = discrepancy == nil && !isOfOthers
        return [
            .init(
                "the statement can be read", in: "reconcile", unreadable.isEmpty ? .passed : .failed,
                unreadable.isEmpty ? "" : "\(unreadable.count) lines can't", lines: unreadable),
            .init(
                "the statement is this account's and adds up", in: "reconcile", isWhole ? .passed : .failed,
                isWhole ? "" : verdict),
        ]
            + names.map { group, name in
                let found = items.filter { $0.group == group }
                if found.isEmpty, group == .notComparable,
                    notCompared.keys.contains(where: { $0.weight == .notListed })
                {
                    return .init(name, in: "reconcile", .skipped, verdict)
                }
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

    /// What follows from it that something can't be compared.
    enum Weight: String, Sendable {
        /// Something has to be done about it.
        case open
        /// The statement doesn't list its kind: its money is left uncompared.
        case notListed
        /// It is about no money of the account in these days.
        case foreign

        /// The same for people.
        var words: String {
            switch self {
            case .open: "has to be looked at"
            case .notListed: "left uncompared: another statement lists it"
            case .foreign: "no money of this account, or of these days"
            }
        }
    }

    let group: Group
    /// By their places in the statement.
    let rows: [Int]
    /// What the rows say together, by their places in the statement.
    var listings: [Int] = []
    /// By their places in the books.
    var movements: [Int] = []
    var what: Difference?
    /// Why it can't be compared.
    var why: String?
    /// What it means that it can't be compared.
    var weight = Weight.open
    var payment: PaymentID?
    /// The payment's place in the books.
    var paymentNumber: Int?
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
    var isOpen: Bool { group != .matched && weight == .open }

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
        case .recover: call.command("recover", scope: scope)
        case .import where line?["payment"] != nil:
            call.command("journal import -")
                + "  with the line that --format json gives; if you know the lost attempt's id, put it into it"
        case .import:
            call.command("journal import -")
                + "  with the line that --format json gives; put the attempt's id, the order's reference and the scope "
                + "into it where it lacks them"
        case .resolve:
            call.command(
                "resolve \(attempt?.text ?? "ATTEMPT") "
                    + (name.map { Invocation.option("executed", $0) } ?? "--not-executed") + " --because TEXT",
                scope: scope)
        case .ask where isInDoubt:
            "ask the provider what became of it, and enter the answer with "
                + call.command("resolve \(attempt?.text ?? "ATTEMPT") --because TEXT", scope: scope)
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

/// How much is in a group: rows and movements with their sums, for each currency and sign. A sum never overflows.
struct ReconciledSum: Equatable, Sendable {
    /// What is above nothing and what is below, in minor units.
    struct Signed: Equatable, Sendable {
        var positive: Int128 = 0
        var negative: Int128 = 0

        mutating func add(_ units: Int128) {
            if units < 0 { negative += units } else { positive += units }
        }
    }

    private(set) var rows = 0
    private(set) var movements = 0
    private(set) var rowSums: [Currency: Signed] = [:]
    private(set) var movementSums: [Currency: Signed] = [:]

    mutating func add(_ item: ReconciledItem, _ statement: Statement, _ books: OwnBooks) {
        for number in item.rows { add(statement.rows[number]) }
        for number in item.movements { add(books.movements[number]) }
    }

    mutating func add(_ row: Statement.Row) {
        rows += 1
        if let amount = row.amount { rowSums[amount.currency, default: .init()].add(Int128(amount.minorUnits)) }
    }

    mutating func add(_ movement: OwnMovement) {
        movements += 1
        movementSums[movement.amount.currency, default: .init()].add(movement.signedUnits)
    }

    mutating func add(_ other: ReconciledSum) {
        (rows, movements) = (rows + other.rows, movements + other.movements)
        func join(_ sums: inout [Currency: Signed], _ more: [Currency: Signed]) {
            for (currency, sum) in more {
                sums[currency, default: .init()].positive += sum.positive
                sums[currency, default: .init()].negative += sum.negative
            }
        }
        join(&rowSums, other.rowSums)
        join(&movementSums, other.movementSums)
    }

    static func words(_ sums: [Currency: Signed]) -> String {
        sums.sorted { $0.key.code < $1.key.code }.flatMap { currency, sum -> [String] in
            let parts = [sum.positive, sum.negative].filter { $0 != 0 }
            return (parts.isEmpty ? [0] : parts).map { units in
                Int64(exactly: units).map { "\(Money(minorUnits: $0, currency))" }
                    ?? "\(units) of the smallest unit of \(currency)"
            }
        }.joined(separator: ", ")
    }

    var json: JSON {
        [
            "rows": .integer(rows), "rowSums": Self.json(rowSums), "movements": .integer(movements),
            "movementSums": Self.json(movementSums),
        ]
    }

    /// A sum may be more than an amount has room for.
    private static func json(_ sums: [Currency: Signed]) -> JSON {
        .array(
            sums.sorted { $0.key.code < $1.key.code }.map { currency, sum in
                [
                    "currency": .string(currency.code),
                    "positive": .string(DecimalSum.text(sum.positive, currency.code)),
                    "negative": .string(DecimalSum.text(sum.negative, currency.code)),
                ]
            })
    }
}
