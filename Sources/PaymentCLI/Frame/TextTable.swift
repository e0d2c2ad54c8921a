/// A table as lines of text; columns that begin with a number of money are set to the right.
struct TextTable: Sendable {
    let header: [String]
    var rows: [[String]] = []
    /// Which columns are set to the right.
    var right: Set<Int> = []
    /// Colours the cells of a column by what stands in them.
    var painted: [Int: @Sendable (String) -> String] = [:]

    init(_ header: [String], right: Set<Int> = []) { (self.header, self.right) = (header, right) }

    /// The table as wide as it is.
    var lines: [String] { lines(within: nil) }

    /// The table with its last column cut off where a terminal ends; nil where there is none.
    func lines(within columns: Int?) -> [String] {
        let all = [header] + rows
        var widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        let before = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        if let columns, let last = widths.last { widths[widths.count - 1] = min(last, max(4, columns - before)) }
        func cells(_ row: [String]) -> [String] {
            row.enumerated().map { column, cell in
                cell.cut(to: widths[column]).padded(to: widths[column], right: right.contains(column))
            }
        }
        func coloured(_ row: [String]) -> String {
            let shown = cells(row).enumerated().map { column, cell in
                guard let paint = painted[column] else { return cell }
                let word = row[column].cut(to: widths[column])
                return cell.replacing(
                    word, with: paint(row[column]).replacing(row[column], with: word), maxReplacements: 1)
            }
            return shown.joined(separator: "  ").trimmedAtEnd
        }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return [cells(header).joined(separator: "  ").trimmedAtEnd, rule] + rows.map(coloured)
    }
}

extension String {
    /// The same, filled with spaces to a width.
    func padded(to width: Int, right: Bool = false) -> String {
        let fill = String(repeating: " ", count: max(0, width - count))
        return right ? fill + self : self + fill
    }

    /// The same, with an ellipsis where it doesn't fit.
    func cut(to width: Int) -> String { count <= width ? self : prefix(max(0, width - 1)) + "…" }

    /// The same without spaces at its end.
    var trimmedAtEnd: String {
        var text = self[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }

    /// The same as lines of a width, broken between words.
    func wrapped(to width: Int, indent: String = "") -> [String] {
        if count <= width { return [self] }
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = indent
            }
            line += (line.isEmpty || line == indent ? "" : " ") + word
        }
        return lines + [line]
    }
}
