internal import PaymentBase

/// A report before it is written: what every page, table in Markdown and JUnit file is made of.
///
/// Whatever is in it is text: each format escapes it, and nothing of it is taken for a tag.
package struct ReportDocument: Sendable {
    /// How something is meant.
    package enum Severity: String, Sendable { case plain, good, bad, doubt }

    /// One cell of a table.
    package struct Cell: Sendable {
        package let lines: [String]
        package var mood = Severity.plain
        /// What a mark means, for screen readers and for the filter.
        package var spoken = ""
        /// The case that says more.
        package var target: String?

        package init(_ lines: [String], mood: Severity = .plain, spoken: String = "", target: String? = nil) {
            (self.lines, self.mood, self.spoken, self.target) = (lines, mood, spoken, target)
        }
    }

    package struct Row: Sendable {
        package let cells: [Cell]
        package let mood: Severity

        package init(_ cells: [Cell], mood: Severity) { (self.cells, self.mood) = (cells, mood) }

        package init(cells: [[String]], mood: Severity) { self.init(cells.map { Cell($0) }, mood: mood) }
    }

    package struct Table: Sendable {
        package let title: String
        package var about = ""
        package let head: [String]
        package let rows: [Row]
        /// Whether its cells are marks, of which several fit beside each other where there is little room.
        package var isMatrix = false

        package init(title: String, about: String = "", head: [String], rows: [Row], isMatrix: Bool = false) {
            (self.title, self.about, self.head, self.rows, self.isMatrix) = (title, about, head, rows, isMatrix)
        }
    }

    /// One thing that has to be looked at: what is known of it beside a picture of how it came about.
    package struct Case: Sendable {
        package let title: String
        package let mood: Severity
        package let facts: [(name: String, text: String)]
        package let picture: ReportPicture

        package init(
            _ title: String, _ mood: Severity, _ facts: [(name: String, text: String)], _ picture: ReportPicture
        ) {
            (self.title, self.mood, self.facts, self.picture) = (title, mood, facts, picture)
        }
    }

    package enum Part: Sendable {
        case table(Table)
        case cases(title: String, [Case])

        package var title: String {
            switch self {
            case .table(let table): table.title
            case .cases(let title, _): title
            }
        }
    }

    /// What became of one thing that was tried, as a test view of a CI shows it.
    package struct Outcome: Sendable {
        package enum Status: Sendable { case passed, failed, skipped }
        package let name: String
        package let className: String
        package let status: Status
        package let message: String
        package var lines: [String] = []

        package init(
            _ name: String, in className: String, _ status: Status, _ message: String = "", lines: [String] = []
        ) {
            (self.name, self.className, self.status) = (name, className, status)
            (self.message, self.lines) = (message, lines)
        }
    }

    /// What belongs together in a test view.
    package struct Suite: Sendable {
        package let name: String
        package let outcomes: [Outcome]

        package init(_ name: String, _ outcomes: [Outcome]) { (self.name, self.outcomes) = (name, outcomes) }

        package func count(_ status: Outcome.Status) -> Int { outcomes.count { $0.status == status } }
    }

    package let title: String
    /// What matters most, one sentence each.
    package var verdict: [String] = []
    package var mood = Severity.good
    /// What is known beforehand, by name.
    package var facts: [(name: String, text: String)] = []
    package var parts: [Part] = []
    package var suites: [Suite] = []

    package init(title: String) { self.title = title }

    /// Adds a table, unless nothing is in it.
    package mutating func add(_ table: Table) { if !table.rows.isEmpty { parts.append(.table(table)) } }

    /// Adds what has to be looked at, unless there is nothing.
    package mutating func add(_ title: String, _ cases: [Case]) {
        if !cases.isEmpty { parts.append(.cases(title: title, cases)) }
    }
}

/// How something came about, as a picture: who spoke to whom, from top to bottom, with a number for each line below.
package struct ReportPicture: Sendable {
    /// One step: an arrow from one lane to another, or a dot where both are the same.
    package struct Step: Sendable {
        package let from: Int
        package let to: Int
        package let words: String
        package var when = ""
        package var mood = ReportDocument.Severity.plain
        /// Whether it never arrived.
        package var isBroken = false

        package init(
            from: Int, to: Int, _ words: String, when: String = "", mood: ReportDocument.Severity = .plain,
            isBroken: Bool = false
        ) {
            (self.from, self.to, self.words, self.when) = (from, to, words, when)
            (self.mood, self.isBroken) = (mood, isBroken)
        }
    }

    package let title: String
    package let lanes: [String]
    package let steps: [Step]
    /// What is said where there are no steps.
    package var otherwise = "Nothing was sent."

    package init(title: String, lanes: [String], steps: [Step], otherwise: String = "Nothing was sent.") {
        (self.title, self.lanes, self.steps, self.otherwise) = (title, lanes, steps, otherwise)
    }

    /// The steps that are drawn and listed; a page of more would be too long to read.
    package static let stepsMax = 200

    /// How far lanes and steps are from each other, in units of the drawing.
    private static let (laneWidth, stepHeight, headHeight) = (120, 30, 40)

    /// The drawing; the list beside it says the same in words, so that it can be passed over.
    func svg(_ id: String) -> Markup {
        let (width, shown) = (lanes.count * Self.laneWidth, steps.prefix(Self.stepsMax))
        let height = Self.headHeight + shown.count * Self.stepHeight + 10
        func x(_ lane: Int) -> Int { Self.laneWidth / 2 + lane * Self.laneWidth }
        let lifelines = lanes.enumerated().map { number, lane -> Markup in
            """
            <text class="lane" x="\(x(number))" y="16">\(Self.short(lane))</text>\
            <line class="life" x1="\(x(number))" y1="24" x2="\(x(number))" y2="\(height)"/>
            """
        }
        let drawn = shown.enumerated().map { number, step -> Markup in
            let y = Self.headHeight + number * Self.stepHeight + 10
            return step.from == step.to
                ? Self.dot(x(step.from), y, step.mood, number + 1)
                : Self.arrow(x(step.from), x(step.to), y, step, number + 1)
        }
        return """
            <svg class="ladder" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" \
            aria-labelledby="\(id)">
            <title id="\(id)">\(title): \(steps.count) steps, told in the list</title>
            \(lifelines + drawn, lines: true)
            </svg>
            """
    }

    private static func dot(_ x: Int, _ y: Int, _ mood: ReportDocument.Severity, _ number: Int) -> Markup {
        """
        <g class="\(mood.rawValue)"><circle cx="\(x)" cy="\(y)" r="10"/>\
        <text class="inside" x="\(x)" y="\(y + 4)">\(number)</text></g>
        """
    }

    private static func arrow(_ from: Int, _ to: Int, _ y: Int, _ step: Step, _ number: Int) -> Markup {
        let side = to > from ? 1 : -1
        let end = step.isBroken ? (from + to) / 2 + 24 * side : to
        let tip =
            step.isBroken
            ? "M\(end - 5) \(y - 5)L\(end + 5) \(y + 5)M\(end - 5) \(y + 5)L\(end + 5) \(y - 5)"
            : "M\(end - 8 * side) \(y - 5)L\(end) \(y)L\(end - 8 * side) \(y + 5)"
        let middle = (from + to) / 2
        return """
            <g class="\(step.mood.rawValue)"><line x1="\(from)" y1="\(y)" x2="\(end)" y2="\(y)"/>\
            <path d="\(tip)"/><circle class="hole" cx="\(middle)" cy="\(y)" r="10"/>\
            <text x="\(middle)" y="\(y + 4)">\(number)</text></g>
            """
    }

    /// A name as it fits above a lane.
    private static func short(_ name: String) -> String { name.count <= 16 ? name : name.prefix(15) + "…" }
}

extension ReportDocument {
    /// The report as Markdown, for what shows it beside a change: every table, then what has to be looked at.
    package var markdown: String {
        var lines = ["# " + Self.plain(title), ""] + verdict.map { "- " + Self.plain($0) }
        lines += facts.map { "- \(Self.plain($0.name)): \(Self.plain($0.text))" }
        for part in parts {
            lines += ["", "## " + Self.plain(part.title), ""]
            switch part {
            case .table(let table): lines += Self.lines(table)
            case .cases(_, let cases): lines += cases.flatMap(Self.lines)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ table: Table) -> [String] {
        func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        let about = table.about.isEmpty ? [] : [plain(table.about), ""]
        return about + [row(table.head.map(plain)), "|" + table.head.map { _ in "---|" }.joined()]
            + table.rows.map { line in
                row(
                    line.cells.enumerated().map { index, cell in
                        let text = cell.lines.filter { !$0.isEmpty }.map(plain).joined(separator: "<br>")
                        return index == 0 && table.isMatrix ? code(cell.lines.joined(separator: " ")) : text
                    })
            }
    }

    private static func lines(_ one: Case) -> [String] {
        ["### " + plain(one.title), ""] + one.facts.map { "- \(plain($0.name)): \(plain($0.text))" }
            + one.picture.steps.enumerated().map { number, step in
                "  \(number + 1). "
                    + [plain(step.when), code(step.words)].filter { !$0.isEmpty }.joined(separator: " ")
            } + [""]
    }

    /// Text that Markdown takes for nothing else, also not for the end of a cell. Viewers make links of addresses that are
    /// alone, unless one of their marks is written as its number.
    private static func plain(_ text: String) -> String {
        var kept = ""
        for scalar in text.visible.unicodeScalars {
            if "\\`*_[]<>|#&~".unicodeScalars.contains(scalar) { kept += "\\" }
            switch scalar {
            case ":": kept += "&#58;"
            case "@": kept += "&#64;"
            default: kept.unicodeScalars.append(scalar)
            }
        }
        return kept.replacing("www.", with: "www&#46;")
    }

    /// Text as it is, in the ticks of code; what would end them is another mark, also beside a combining scalar.
    private static func code(_ text: String) -> String {
        if text.isEmpty { return "" }
        var kept = "`"
        for scalar in text.visible.unicodeScalars {
            switch scalar {
            case "`": kept += "'"
            case "|": kept += "\\|"
            default: kept.unicodeScalars.append(scalar)
            }
        }
        return kept + "`"
    }
}
