internal import PaymentBase
internal import PaymentConformance
internal import PaymentHarnesses
internal import PaymentModel

extension Command {
    /// What a till's screen shows, link by link.
    static let screens = Command(
        name: "screens",
        summary: "plays cards and cancels at each simulated link, and prints what a till's screen shows",
        example: "payctl screens adyen halo-kit",
        takes: AcceptedArguments(operands: ["[LINK…]"], takesMoreOperands: true)
    ) { call in
        let all = call.registry.harnesses(over: .inProcess).harnesses
        for name in call.given.operands where !all.contains(where: { $0.name == name }) {
            throw UsageError.unknown("link", name, of: all.map(\.name))
        }
        let wanted = Set(call.given.operands)
        let tables = TillTables(all.filter { wanted.isEmpty || wanted.contains($0.name) })
        let (cards, ends) = (try tables.cardRows(), try tables.endRows())
        call.say(
            ["cards": .array(cards.map(json)), "ends": .array(ends.map(json)), "oneResult": .bool(ends.isOneResult)],
            ScreenText.cards(cards) + [""] + ScreenText.ends(ends))
        return ends.isOneResult ? .fine : .failed
    }

    private static func json(_ row: TillTables.CardRow) -> JSON {
        func said(_ texts: [String]) -> JSON {
            let shown = texts.map { JSON.text($0.isEmpty ? nil : $0) }
            return ["brand": shown[0], "entry": shown[1], "funding": shown[2]]
        }
        return [
            "link": .string(row.link), "card": .string(row.card), "said": said(row.words), "names": said(row.names),
            "from": .text(row.from.isEmpty ? nil : row.from),
        ]
    }

    private static func json(_ row: TillTables.EndRow) -> JSON {
        let cells = zip(TillTables.Ending.allCases, row.cells).map { ending, cell -> JSON in
            guard case .seen(let screen, _, let cause) = cell else {
                return ["when": .string(ending.rawValue), "screen": .null, "by": .null, "note": .string(cell.text)]
            }
            return [
                "when": .string(ending.rawValue), "screen": .string(screen.messageKey), "by": .string(cause),
                "note": .string(cell.text),
            ]
        }
        return ["link": .string(row.link), "ends": .array(cells)]
    }
}

/// The two tables as text.
enum ScreenText {
    static func cards(_ rows: [TillTables.CardRow]) -> [String] {
        var table = TextTable(["link", "card", "brand", "entry", "funding", "the provider's words", "from"])
        table.rows = rows.map { row in
            [row.link, row.card] + row.names.map { $0.isEmpty ? "–" : $0 }
                + [row.words.filter { !$0.isEmpty }.joined(separator: ", "), row.from]
        }
        return table.lines
    }

    static func ends(_ rows: [TillTables.EndRow]) -> [String] {
        var table = TextTable(["link"] + TillTables.Ending.allCases.map(\.rawValue))
        table.rows = rows.map { [$0.link] + $0.cells.map(\.text) }
        return table.lines + ["* It was too late for the till to cancel, and the customer cancelled."]
    }
}

extension [TillTables.EndRow] {
    /// Whether each end shows `cancelled` wherever it comes about, but for those that are known to differ.
    var isOneResult: Bool {
        allSatisfy { row in
            zip(TillTables.Ending.allCases, row.cells).allSatisfy { ending, cell in
                guard case .seen(let screen, _, _) = cell else { return true }
                let differs = TillTables.differing[row.link, default: []].contains(ending)
                return (screen == .cancelled) != differs
            }
        }
    }
}
