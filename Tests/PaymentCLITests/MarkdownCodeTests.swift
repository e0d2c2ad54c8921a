import PaymentConformance
import Testing

/// What a provider says stays in the ticks of code.
@Suite struct MarkdownCodeTests {
    @Test(arguments: ["`<b>|x", "`\u{301}<b>|\u{301}x", "x\u{FE0F}`\u{FE0F}"])
    func markdown_tickBesideACombiningScalar_endsNoCode(_ words: String) {
        var page = ReportDocument(title: "t")
        let picture = ReportPicture(title: "p", lanes: ["a"], steps: [.init(from: 0, to: 0, words, when: "now")])
        page.add("c", [.init("case", .bad, [], picture)])
        let lines = page.markdown.split(separator: "\n").filter { $0.unicodeScalars.contains("`") }
        #expect(lines.count == 1)
        #expect(lines.first?.unicodeScalars.count { $0 == "`" } == 2, "\(lines)")
    }
}
