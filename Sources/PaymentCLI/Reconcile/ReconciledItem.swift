internal import PaymentAbstraction
internal import PaymentBase

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
