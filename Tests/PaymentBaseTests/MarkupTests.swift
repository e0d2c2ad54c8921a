import PaymentBase
import Testing

@Suite struct MarkupTests {
    @Test func text_inAnElementOrAnAttribute_isEscaped() {
        let text = "<b title='x'>\"&amp;\"</b>"
        let escaped = "&lt;b title=&#39;x&#39;&gt;&quot;&amp;amp;&quot;&lt;/b&gt;"
        let piece: Markup = "<p title=\"\(text)\">\(text)</p>"
        #expect(piece.html == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func piece_inAPiece_staysAsItIs() {
        let rows = ["a", "<"].map { "<td>\($0)</td>" as Markup }
        let (row, lines): (Markup, Markup) = ("<tr>\(rows)</tr>", "\(rows, lines: true)")
        #expect(row.html == "<tr><td>a</td><td>&lt;</td></tr>")
        #expect(lines.html == "<td>a</td>\n<td>&lt;</td>")
        #expect(("<i>\(row)\(-7)</i>" as Markup).html == "<i>\(row.html)-7</i>")
    }

    @Test(arguments: ["\u{1B}", "\u{0}", "\n", "\u{202E}", "\u{200B}", "\u{E000}", "\u{2028}"])
    func scalarThatIsNotSeen_isASpace(_ scalar: String) {
        #expect(("\("a\(scalar)b")" as Markup).html == "a b")
        #expect("a\(scalar)b".visible == "a b")
    }

    @Test func visibleText_isUnchanged() {
        for text in ["", "49.99 €", "日本", "e\u{301}", "🙂"] { #expect(text.visible == text) }
    }
}
