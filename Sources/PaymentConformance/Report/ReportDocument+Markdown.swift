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

    /// Text that Markdown takes for nothing else, also not for the end of a cell. Viewers make links of addresses that stand
    /// alone, unless a mark of theirs is written as its number.
    private static func plain(_ text: String) -> String {
        var kept = ""
        for scalar in seen(text).unicodeScalars {
            if "\\`*_[]<>|#&~".unicodeScalars.contains(scalar) { kept += "\\" }
            switch scalar {
            case ":": kept += "&#58;"
            case "@": kept += "&#64;"
            default: kept.unicodeScalars.append(scalar)
            }
        }
        return kept.replacing("www.", with: "www&#46;")
    }

    /// Text as it is, in the ticks of code; what would end them is another mark.
    private static func code(_ text: String) -> String {
        text.isEmpty ? "" : "`" + seen(text).replacing("`", with: "'").replacing("|", with: "\\|") + "`"
    }
}
