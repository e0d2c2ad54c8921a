/// A table of values between commas, as RFC 4180 has it: with a row of names, and quotes around what contains a comma.
///
/// A file that was cut or changed on its way is refused with the line: every row has as many values as the first one,
/// all lines end alike, and the last one ends, too.
struct CSVTable {
    /// The most columns of a table.
    static let columnsMax = 1_000

    /// Why a text is no table, and what to do.
    struct Unreadable: Error { let words: String }

    /// One row with its place in the file.
    struct Row {
        /// The line on which it begins.
        let line: Int
        fileprivate let table: CSVTable
        fileprivate let first: Int

        /// The value of a column; empty where there is no such column.
        subscript(column: String) -> String {
            table.places[column].map { table.text(table.cells[first + $0]) } ?? ""
        }
    }

    private struct Cell {
        var start = 0
        var end = 0
        var hasQuotes = false
    }

    private(set) var columns: [String] = []
    private let bytes: [UInt8]
    private var cells: [Cell] = []
    private var lines: [Int] = []
    private var places: [String: Int] = [:]

    /// The rows below the names.
    var rows: some Sequence<Row> {
        lines.indices.dropFirst().lazy.map { Row(line: lines[$0], table: self, first: $0 * columns.count) }
    }

    init(_ bytes: [UInt8]) throws(Unreadable) {
        self.bytes = bytes
        try checkEncoding()
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var line = 1
        var hasReturns: Bool?
        while index < bytes.count {
            lines.append(line)
            repeat { try readCell(&index, &line) } while try isMore(&index, line, &hasReturns)
            line += 1
            try checkLength()
        }
        if places.isEmpty { throw Unreadable(words: "it is empty; \(Self.advice)") }
    }

    private static let advice = "download it again"

    private func text(_ cell: Cell) -> String {
        var part = bytes[cell.start..<cell.end]
        while part.first == space { part.removeFirst() }
        while part.last == space { part.removeLast() }
        let text = String(decoding: part, as: UTF8.self)
        return cell.hasQuotes ? text.replacing("\"\"", with: "\"") : text
    }

    /// Reads a value, up to what ends it.
    private mutating func readCell(_ index: inout Int, _ line: inout Int) throws(Unreadable) {
        let begun = line
        guard count < Self.columnsMax else {
            throw Unreadable(words: "line \(line) has more than \(Self.columnsMax) values; it is no report")
        }
        let isQuoted = bytes[index] == quote
        if isQuoted { index += 1 }
        var cell = Cell(start: index)
        while isQuoted {
            guard index < bytes.count else {
                throw Unreadable(words: "line \(begun): a quote is never closed; the file is cut: \(Self.advice)")
            }
            if bytes[index] == lineFeed { line += 1 }
            if bytes[index] == quote {
                guard index + 1 < bytes.count, bytes[index + 1] == quote else { break }
                cell.hasQuotes = true
                index += 1
            }
            index += 1
        }
        if !isQuoted { while index < bytes.count, !isEnd(bytes[index]), bytes[index] != quote { index += 1 } }
        cell.end = index
        if isQuoted { index += 1 }
        if index < bytes.count, !isEnd(bytes[index]) {
            throw Unreadable(words: "line \(line): there is a quote in the middle of a value; \(Self.advice)")
        }
        cells.append(cell)
    }

    /// How many values of the last row are read.
    private var count: Int { cells.count - (lines.count - 1) * columns.count }

    private func isEnd(_ byte: UInt8) -> Bool { byte == comma || byte == lineFeed || byte == carriageReturn }

    /// Passes what ends a value; whether the row has more of them.
    private func isMore(_ index: inout Int, _ line: Int, _ hasReturns: inout Bool?) throws(Unreadable) -> Bool {
        guard index < bytes.count else {
            throw Unreadable(
                words: "line \(line) has no end; the file is cut: \(Self.advice), or end the line if it is whole")
        }
        if bytes[index] == comma {
            index += 1
            guard index == bytes.count else { return true }
            throw Unreadable(words: "line \(line) has no end; the file is cut: \(Self.advice)")
        }
        let isReturn = bytes[index] == carriageReturn
        if isReturn { index += 1 }
        guard index < bytes.count, bytes[index] == lineFeed else {
            throw Unreadable(
                words: "line \(line) contains a carriage return without a line feed; save the file with lines that end "
                    + "in LF or CR LF, or \(Self.advice)")
        }
        guard hasReturns ?? isReturn == isReturn else {
            throw Unreadable(
                words: "line \(line) ends in another way than the lines before it; the file may be put together of "
                    + "two: \(Self.advice)")
        }
        hasReturns = isReturn
        index += 1
        return false
    }

    /// Takes the first row as the names of the columns, and refuses a row of another length.
    private mutating func checkLength() throws(Unreadable) {
        guard lines.count > 1 else {
            columns = cells.map(text)
            for (index, name) in columns.enumerated() where !name.isEmpty {
                guard places.updateValue(index, forKey: name) == nil else {
                    let words = "line 1: the column \(name) is there twice; \(Self.advice) with each column once"
                    throw Unreadable(words: words)
                }
            }
            return
        }
        guard count != columns.count else { return }
        throw Unreadable(
            words: "line \(lines[lines.count - 1]) has \(count) \(count == 1 ? "value" : "values"), and line 1 names "
                + "\(columns.count) columns; the file is cut or was changed: \(Self.advice)")
    }

    private func checkEncoding() throws(Unreadable) {
        let advice = "save it as CSV in UTF-8, or \(Self.advice)"
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw Unreadable(words: "it is in UTF-16; \(advice)")
        }
        if let zero = bytes.firstIndex(of: 0) {
            let line = bytes[..<zero].count { $0 == lineFeed } + 1
            throw Unreadable(words: "line \(line) contains a zero byte; \(advice)")
        }
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        let parts = bytes.split(separator: lineFeed, omittingEmptySubsequences: false)
        let bad = parts.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw Unreadable(words: "line \(bad + 1) is no UTF-8; \(advice)")
    }
}

private let space = UInt8(ascii: " ")
private let quote = UInt8(ascii: "\"")
private let comma = UInt8(ascii: ",")
private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
