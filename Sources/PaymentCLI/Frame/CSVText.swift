/// A table as values between commas, as RFC 4180 has it, with a line feed behind each row.
struct CSVText: Sendable {
    /// One value of a row.
    enum Value: Sendable {
        /// A text; one from outside may begin like a formula.
        case text(String)
        /// A number that this program has computed, which is written as it is.
        case number(String)
    }

    let header: [String]
    private(set) var rows: [[Value]] = []

    init(_ header: [String]) { self.header = header }

    mutating func add(_ row: [Value]) { rows.append(row) }

    var lines: [String] {
        [header.map { Self.cell(.text($0)) }.joined(separator: ",")]
            + rows.map { $0.map(Self.cell).joined(separator: ",") }
    }

    /// A value with quotes where it needs them. A text that a spreadsheet would take for a formula gets an apostrophe in front:
    /// a reference that a customer chose must not run on the machine of the bookkeeper.
    private static func cell(_ value: Value) -> String {
        let text: String
        switch value {
        case .number(let number): return number
        case .text(let plain): text = plain.first.map { "=+-@\t\r".contains($0) } == true ? "'" + plain : plain
        }
        guard text.contains(where: { ",\"\n\r".contains($0) || $0.isNewline }) || text.first == " " || text.last == " "
        else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

extension CSVText.Value {
    /// A text, or nothing.
    static func optional(_ text: String?) -> Self { .text(text ?? "") }
}
