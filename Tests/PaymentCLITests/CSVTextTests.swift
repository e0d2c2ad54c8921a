import PaymentBase
import Testing

@testable import PaymentCLI

/// A text from outside stays in its cell of a table, and is no formula there.
@Suite struct CSVTextTests {
    /// A table with one text between two others, as a reader of bytes takes it apart.
    private static func read(_ text: String) throws -> [String] {
        var table = CSVText(["a", "b", "c"])
        table.add([.text("left"), .text(text), .number("1.00")])
        let bytes = Array(table.lines.map { $0 + "\n" }.joined().utf8)
        let rows = Array(try CSVTable(bytes).rows)
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        return [row["a"], row["b"], row["c"]]
    }

    /// A combining scalar, and one that joins what follows it, make another character of a mark.
    @Test(arguments: [
        "x\u{600},=1+1", "a,\"\u{301},=HYPERLINK(1)", "x,\u{301}y", "q\u{600}\"b,c", "\"\u{FE0F}", "a\u{600}\nb",
        "a,b\"c\"",
        "plain", "",
    ])
    func csv_markBesideACombiningScalar_staysInItsCell(_ text: String) throws {
        let cells = try Self.read(text)
        #expect(Array(cells[1].unicodeScalars) == Array(text.unicodeScalars))
        #expect(cells[0] == "left" && cells[2] == "1.00")
    }

    @Test(arguments: [
        "=1+1", "=\u{301}1+1", "=\u{FE0F}1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u{A0}=1",
        "\u{200B}=1", "\u{FEFF}=1", "＝1+1", "＋1", "－1", "＠A",
    ])
    func csv_formula_hasAnApostropheInFront(_ text: String) throws {
        #expect(try Self.read(text)[1].unicodeScalars.first == "'")
    }

    /// A spreadsheet that splits cells at semicolons sees one cell where we see three, and takes our quotes for letters.
    @Test(
        arguments: [";", "|", "\t", "\n", "\r\n", "\u{2028}"], ["=cmd|'x'!A0", "+1", "-1", " @A", "\"=1", "\u{200B}=1"])
    func csv_formulaBehindAnotherSeparator_hasAnApostropheInFront(_ separator: String, _ formula: String) throws {
        var table = CSVText(["a"])
        table.add([.text("x" + separator + formula + separator + "y")])
        let line = table.lines[1]
        #expect(line.hasPrefix("\"x" + separator + "'") && !line.contains(separator + "'y"), "\(line)")
        for text in ["x;y|z", "a\r\nb\n\nc", "1;2"] { #expect(try Self.read(text)[1] == text) }
    }
}
