/// A table as lines of text; columns that begin with a number of money are set to the right.
struct TextTable {
    let header: [String]
    var rows: [[String]] = []
    /// Which columns are set to the right.
    var right: Set<Int> = []

    init(_ header: [String], right: Set<Int> = []) { (self.header, self.right) = (header, right) }

    var lines: [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        func line(_ row: [String]) -> String {
            let cells = row.enumerated().map { column, cell in
                right.contains(column) ? cell.padded(to: widths[column], right: true) : cell.padded(to: widths[column])
            }
            return cells.joined(separator: "  ").trimmedAtEnd
        }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return [line(header), rule] + rows.map(line)
    }
}

extension String {
    /// The same, filled with spaces to a width.
    func padded(to width: Int, right: Bool = false) -> String {
        let fill = String(repeating: " ", count: max(0, width - count))
        return right ? fill + self : self + fill
    }

    /// The same without spaces at its end.
    var trimmedAtEnd: String {
        var text = self[...]
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }
}
