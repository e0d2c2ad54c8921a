internal import PaymentBase
internal import PaymentSystem

/// A line on its way to a terminal or a file of text: what could move the cursor, hide or turn around what is beside it is
/// written out.
///
/// Whatever writes to one of them takes only this type, so that no text from outside can forge our own line. The form of
/// an escape is JSON's own, so that a line of JSON stays the same JSON.
struct PrintedText: Sendable {
    /// What is shown.
    let text: String

    /// One line, of which nothing is left that is not shown; with colours, those of ``Paint`` take the place of its marks.
    init(_ line: String, colours: Bool = false) {
        guard line.unicodeScalars.contains(where: { !$0.isVisible }) else {
            text = line
            return
        }
        var (shown, rest) = ("", line.unicodeScalars[...])
        while let scalar = rest.first {
            if colours, scalar == "\u{1B}",
                let colour = Paint.marks.first(where: { rest.starts(with: $0.mark.unicodeScalars) })
            {
                shown += colour.sequence
                rest = rest.dropFirst(colour.mark.unicodeScalars.count)
                continue
            }
            if scalar.isVisible {
                shown.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? .init() { shown += Self.escape(unit) }
            }
            rest = rest.dropFirst()
        }
        text = shown
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16, uppercase: true)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// The bytes, behind and before what moves the cursor of a terminal.
    func bytes(behind start: StaticString = "", before end: StaticString = "\n") -> [UInt8] {
        Array("\(start)\(text)\(end)".utf8)
    }
}

extension Int {
    /// A number of things: `1 row`, `2 rows`.
    func counted(_ thing: String) -> String { self == 1 ? "1 \(thing)" : "\(self) \(thing)s" }
}

/// A table as lines of text; columns that begin with a number of money are set to the right.
struct TextTable: Sendable {
    let header: [String]
    var rows: [[String]] = []
    /// Which columns are set to the right.
    var right: Set<Int> = []
    /// Colours the cells of a column by what is in them.
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

    /// The same as lines of a width, broken between words; spaces at its start stay.
    func wrapped(to width: Int, indent: String = "") -> [String] {
        if count <= width { return [self] }
        var lines: [String] = []
        var (line, isEmpty) = (String(prefix { $0 == " " }), true)
        for word in split(separator: " ") {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                (line, isEmpty) = (indent, true)
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}

/// Colours for people who look at a terminal; without them every word stays as it is.
struct Paint: Sendable {
    let isOn: Bool

    func good(_ text: String) -> String { wrapped(text, "32") }
    func bad(_ text: String) -> String { wrapped(text, "31") }
    func doubt(_ text: String) -> String { wrapped(text, "33") }
    func strong(_ text: String) -> String { wrapped(text, "1") }

    /// The same text as a file keeps it.
    func without(_ text: String) -> String {
        if !isOn { return text }
        return Self.codes.reduce(text) { $0.replacing(Self.mark($1), with: "") }
    }

    /// The mark of a colour until the line is printed: a secret number, drawn once for each process. A
    /// text from outside can have every sequence of a terminal's in it, and not this one.
    static func mark(_ code: String) -> String { "\u{1B}{\(secret):\(code)}" }

    /// Every mark, and what a terminal knows it by.
    static let marks = codes.map { (mark: mark($0), sequence: "\u{1B}[\($0)m") }

    private static let codes = ["0", "1", "31", "32", "33"]
    private static let secret = String(UInt64.random(in: 0 ... .max), radix: 16)

    private func wrapped(_ text: String, _ code: String) -> String {
        isOn ? "\(Self.mark(code))\(text)\(Self.mark("0"))" : text
    }
}

/// How far something is, on one line of a terminal; silent without a terminal.
final class ProgressLine: Sendable {
    private static let width = 24

    private let isShown: Bool
    private let what: String
    private let total: Int
    private let done = Locked(0)

    init(_ console: Console, _ what: String, of total: Int) {
        (isShown, self.what, self.total) = (console.showsProgress, what, max(1, total))
    }

    /// The next piece begins.
    func step(_ name: String) {
        done.withLock { $0 += 1 }
        tell(name)
    }

    /// Says more of the piece that is under way.
    func tell(_ name: String) {
        guard isShown else { return }
        let count = max(0, done.withLock { $0 } - 1)
        let filled = min(Self.width, count * Self.width / total)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        Self.write(PrintedText("\(what) \(bar) \(count)/\(total) \(name)"))
    }

    /// The line goes away.
    func end() { if isShown { Self.write(PrintedText("")) } }

    /// Writes over the line that is there.
    private static func write(_ line: PrintedText) {
        let bytes = line.bytes(behind: "\r", before: "\u{1B}[K")
        // A terminal that takes nothing loses nothing that matters.
        _ = unsafe bytes.withUnsafeBytes { unsafe writeSome($0) }
    }
}

/// The system's own function, which the class's would hide.
private func writeSome(_ buffer: UnsafeRawBufferPointer) -> Int { unsafe write(2, buffer.baseAddress, buffer.count) }
