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

    /// What a spreadsheet takes for the beginning of a formula, also as the wide forms that it takes for the same.
    private static let beginnings: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
    /// Where a cell ends for a spreadsheet that is set to another separator than ours; it passes over our quotes.
    private static let ends: Set<Unicode.Scalar> = [
        ";", "|", "\t", "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}",
    ]
    /// What must be between quotes.
    private static let marks: Set<Unicode.Scalar> = ends.union([",", "\""])

    /// A value with quotes where it needs them. A text that a spreadsheet would take for a formula gets an apostrophe in front:
    /// a reference that a customer chose must not run on the machine of the bookkeeper, who may split cells at semicolons.
    ///
    /// It looks at scalars, as readers of such tables do: a mark together with a combining scalar is one character, which equals
    /// no mark.
    private static func cell(_ value: Value) -> String {
        let text: String
        switch value {
        case .number(let number): return number
        case .text(let plain): text = harmless(plain)
        }
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { marks.contains($0) }) || scalars.first == " " || scalars.last == " " else {
            return text
        }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in scalars { quoted.append(contentsOf: scalar == "\"" ? ["\"", "\""] : [scalar]) }
        return String(quoted) + "\""
    }

    /// A text with an apostrophe in front of each cell that would begin with a formula.
    private static func harmless(_ text: String) -> String {
        // What is passed over at the beginning of a cell, our quotes as well, waits for what comes behind it.
        var (out, passed, isBeginning) = (String.UnicodeScalarView(), String.UnicodeScalarView(), true)
        for scalar in text.unicodeScalars {
            // Within a text the end of a line or a cell begins no formula.
            let isFormula = beginnings.contains(scalar) && (!ends.contains(scalar) || out.isEmpty && passed.isEmpty)
            if isBeginning, isFormula { out.append("'") }
            passed.append(scalar)
            isBeginning =
                ends.contains(scalar)
                || isBeginning && !isFormula
                    && (scalar.properties.isWhitespace || isUnseen(scalar) || scalar == "\"")
            if !isBeginning || ends.contains(scalar) {
                out.append(contentsOf: passed)
                passed.removeAll()
            }
        }
        out.append(contentsOf: passed)
        return String(out)
    }

    /// Whether a scalar is not seen; a spreadsheet may pass over it.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .format || scalar.properties.generalCategory == .control
    }
}

extension CSVText.Value {
    /// A text, or nothing.
    static func optional(_ text: String?) -> Self { .text(text ?? "") }
}
