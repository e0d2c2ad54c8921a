internal import PaymentModel
internal import PaymentProviderKit

extension Command {
    /// A provider's whole table of errors.
    static let errors = Command(
        name: "errors", summary: "lists every error code of a provider with what it means",
        example: "payctl errors halo --format json", takes: AcceptedArguments(operands: ["PROVIDER"])
    ) { call in
        let entry = try call.entry(0)
        var table = TextTable(["code", "family", "category", "retry", "outcome", "person", "message"])
        table.rows = (entry.errors.rows + entry.declineRows).map { row in
            [
                row.code, row.family, row.category.rawValue, row.advice.rawValue, row.money,
                row.needsPerson ? "yes" : "", row.summary,
            ]
        }
        call.say(["codes": .array((entry.errors.rows + entry.declineRows).map(\.json))], table.lines)
        return .fine
    }

    /// One code in plain words.
    static let explain = Command(
        name: "explain", summary: "says in plain words what one code of a provider means, for the money above all",
        example: "payctl explain halo 118", takes: AcceptedArguments(operands: ["PROVIDER", "CODE"])
    ) { call in
        let entry = try call.entry(0)
        let code = try call.operand(1, "CODE")
        let rows = entry.errors.rows.filter { $0.code == code }
        if rows.isEmpty, let row = entry.declineRows.first(where: { $0.code == code }) {
            call.say(explained(code, [row]), declineLines(code, row.message, entry))
            return .fine
        }
        guard !rows.isEmpty else {
            let codes = (entry.errors.rows + entry.declineRows).map(\.code)
            let code = Masking.cardNumbers(in: code)
            let near = SpellingSuggestion.of(code, in: codes).map { " Did you mean \($0)?" } ?? ""
            call.say(
                explained(code, []),
                [
                    "\(entry.name) has no code \(code) in its documents.\(near)",
                    "Money: an answer with an unknown code proves nothing; it may have moved.",
                    "Do: ask for the status of the attempt before anything is charged again.",
                ])
            return .unknown
        }
        call.say(explained(code, rows), rows.flatMap { lines($0, entry) })
        return .fine
    }

    /// What a code means; an unlisted one, or one of which a single meaning leaves it open, is unknown.
    private static func explained(_ code: String, _ rows: [ErrorTable.Row]) -> JSON {
        let isKnown = !rows.isEmpty && rows.allSatisfy { $0.money != "unknown" }
        return [
            "code": .string(code), "isListed": .bool(!rows.isEmpty),
            "outcome": .string(isKnown ? "notExecuted" : "unknown"), "meanings": .array(rows.map(\.json)),
        ]
    }

    private static func declineLines(_ code: String, _ words: String, _ entry: ProviderDefinition) -> [String] {
        [
            "\(entry.name) \(code): the payment was declined, \(words).", "Money: nothing moved.",
            "Do: take another card or another way to pay.",
        ]
    }

    private static func lines(_ row: ErrorTable.Row, _ entry: ProviderDefinition) -> [String] {
        if row.outcome == .notExecuted, let reason = entry.declines[row.code] {
            return declineLines(row.code, reason.words, entry)
        }
        let money =
            switch row.delivery {
            case .notSent: "nothing moved: the request never left."
            case .refused: "nothing moved: it was refused before anything was done."
            case .maybeSent: "this code does not say; it may have moved."
            }
        let statement = row.summary.isEmpty ? "" : ": \(row.summary)"
        return [
            "\(entry.name) \(row.code) (\(row.family))\(statement)", "Kind: \(row.category.rawValue).",
            "Money: \(money)", "Do: \(row.nextStep)",
        ]
    }
}

extension ProviderDefinition {
    /// The codes of final refusals, as rows of the same table; a code that an error has too is there.
    fileprivate var declineRows: [ErrorTable.Row] {
        declines.sorted { $0.key < $1.key }.filter { errors[$0.key] == nil }.map { code, reason in
            ErrorTable.Row(
                code, "decline", PaymentError.Code(rawValue: "declined"), .refused, retry: .never, userAction: false,
                reason.words)
        }
    }
}

extension Decline.Reason {
    /// The reason in plain words, as its name has them: `incorrectPIN` is "incorrect PIN".
    fileprivate var words: String {
        var words = ""
        var wasSmall = false
        for letter in rawValue {
            if letter.isUppercase, wasSmall { words += " " }
            wasSmall = letter.isLowercase
            words.append(letter)
        }
        return words.split(separator: " ").map { $0.allSatisfy(\.isUppercase) ? String($0) : $0.lowercased() }
            .joined(separator: " ")
    }
}

extension Invocation {
    /// The adapter that an operand names.
    func entry(_ index: Int) throws(UsageError) -> ProviderDefinition {
        let name = try operand(index, "PROVIDER")
        if let entry = registry.providers.entry(name) { return entry }
        throw .unknown("provider", name, of: registry.providers.adapters)
    }
}

extension ErrorTable.Row {
    /// Our advice; while the money may have moved, nothing but asking.
    var advice: PaymentError.RetryAdvice { error.retry }
    /// Whether a person has to do something first.
    var needsPerson: Bool { error.requiresUserAction }
    /// What is known about the money, as programs read it.
    var money: String { outcome == .unknown ? "unknown" : "notExecuted" }

    private var error: PaymentError {
        PaymentError(category, outcome: outcome, retry: retry, requiresUserAction: requiresUserAction)
    }

    var json: JSON {
        [
            "code": .string(code), "family": .string(family), "category": .string(category.rawValue),
            "retry": .string(advice.rawValue), "outcome": .string(money), "userAction": .bool(needsPerson),
            "message": .string(summary),
        ]
    }

    /// What to do next, in our words and never in the provider's.
    var nextStep: String {
        let person = needsPerson ? " A person has to act first: the device, the account or the settings." : ""
        switch advice {
        case .safe: return "the same may be tried again.\(person)"
        case .afterStatusCheck:
            return "ask for the status of the attempt first; until then charge nothing again.\(person)"
        case .never: return "don't send the same again; change what was wrong.\(person)"
        }
    }
}
