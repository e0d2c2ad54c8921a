/// A report before it is written: what every page, table in Markdown and JUnit file of ours is made of.
///
/// Whatever stands in it is text; who writes it escapes it, and nothing of it is taken for markup.
package struct ReportDocument: Sendable {
    /// How something is meant.
    package enum Severity: String, Sendable { case plain, good, bad, doubt }

    /// One cell of a table.
    package struct Cell: Sendable {
        package let lines: [String]
        package var mood = Severity.plain
        /// What a mark means, for those who don't see it and for the filter.
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

    /// Adds a table, unless nothing stands in it.
    package mutating func add(_ table: Table) { if !table.rows.isEmpty { parts.append(.table(table)) } }

    /// Adds what has to be looked at, unless there is nothing.
    package mutating func add(_ title: String, _ cases: [Case]) {
        if !cases.isEmpty { parts.append(.cases(title: title, cases)) }
    }
}
