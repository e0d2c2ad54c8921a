import Testing

@testable import PaymentPostgres

/// A text between quotes can't end them, whatever stands beside a quote in it.
@Suite struct QuotedTextTests {
    @Test func roleName_quoteBesideACombiningScalar_isDoubled() {
        for name in ["a\"b", "a\"\u{301}b", "a\u{600}\"b"] {
            let grants = PostgresRole.owner.grants(to: name, schema: "journal").joined()
            #expect(grants.unicodeScalars.count { $0 == "\"" } == 4, "\(grants)")
        }
    }

    @Test func connectionValue_quoteBesideACombiningScalar_isMarked() {
        #expect(QuotedText.value("a'b\\c") == #"'a\'b\\c'"#)
        let text = QuotedText.value("a\u{600}' host='evil")
        #expect(Array(text.unicodeScalars) == Array("'a\u{600}\\' host=\\'evil'".unicodeScalars))
    }
}
