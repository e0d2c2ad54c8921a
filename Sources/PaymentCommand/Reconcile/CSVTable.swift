/// A table of values between commas, as RFC 4180 has it: with a row of names, and quotes around what holds a comma.
struct CSVTable {
    /// Why a text is no table.
    struct Unreadable: Error { let words: String }

    /// One row with its place in the file.
    struct Row {
        /// The line on which it begins.
        let line: Int
        fileprivate let cells: [String]
        fileprivate let columns: [String: Int]

        /// What stands in a column; empty where the column or the cell is missing.
        subscript(column: String) -> String {
            guard let index = columns[column], index < cells.count else { return "" }
            return cells[index]
        }
    }

    let columns: [String]
    let rows: [Row]

    init(_ bytes: [UInt8]) throws(Unreadable) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Unreadable(words: "it is no UTF-8") }
        var records = try Self.records(text.unicodeScalars)
        guard !records.isEmpty else { throw Unreadable(words: "it is empty") }
        let first = records.removeFirst().cells.map(\.trimmed)
        var places: [String: Int] = [:]
        for (index, name) in first.enumerated() where !name.isEmpty {
            guard places.updateValue(index, forKey: name) == nil else {
                throw Unreadable(words: "the column \(name) is there twice")
            }
        }
        columns = first
        rows = records.map { Row(line: $0.line, cells: $0.cells.map(\.trimmed), columns: places) }
    }

    private static func records(
        _ text: String.UnicodeScalarView
    ) throws(Unreadable) -> [(line: Int, cells: [String])] {
        var records: [(line: Int, cells: [String])] = []
        var (cells, cell) = ([String](), String.UnicodeScalarView())
        var (line, begun, isQuoted) = (1, 1, false)
        func isBlank() -> Bool { cells.isEmpty && cell.isEmpty }
        var index = text.startIndex
        if text.first == "\u{FEFF}" { text.formIndex(after: &index) }
        while index < text.endIndex {
            let scalar = text[index]
            text.formIndex(after: &index)
            if scalar == "\n" { line += 1 }
            if isQuoted {
                if scalar != "\"" {
                    cell.append(scalar)
                } else if index < text.endIndex, text[index] == "\"" {
                    cell.append(scalar)
                    text.formIndex(after: &index)
                } else {
                    isQuoted = false
                }
                continue
            }
            switch scalar {
            case "\"" where cell.isEmpty: isQuoted = true
            case "\"": throw Unreadable(words: "line \(line): a quote stands in the middle of a value")
            case ",":
                cells.append(String(cell))
                cell = .init()
            case "\n":
                if !isBlank() { records.append((begun, cells + [String(cell)])) }
                (cells, cell, begun) = ([], .init(), line)
            case "\r": break
            default: cell.append(scalar)
            }
        }
        if isQuoted { throw Unreadable(words: "line \(begun): a quote is never closed") }
        if !isBlank() { records.append((begun, cells + [String(cell)])) }
        return records
    }
}

extension String {
    /// Without spaces around it.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
