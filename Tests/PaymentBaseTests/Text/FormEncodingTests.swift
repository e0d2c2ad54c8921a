import PaymentBase
import Testing

@Suite struct FormEncodingTests {
    @Test func fieldsKeepTheirOrderAndRepetitions() {
        let fields = [FormField("b", "1"), FormField("a", "x y"), FormField("b", "2&=+%"), FormField("", "é")]
        let text = FormEncoding.encode(fields)
        #expect(text == "b=1&a=x+y&b=2%26%3D%2B%25&=%C3%A9")
        #expect(FormEncoding.decode(text) == fields)
        let percent = FormEncoding.encode(fields, spaces: .percent)
        #expect(percent == "b=1&a=x%20y&b=2%26%3D%2B%25&=%C3%A9")
        #expect(FormEncoding.decode(percent) == fields)
    }

    @Test(arguments: [
        ("", []), ("&", []), ("&&a=1&&", [FormField("a", "1")]), ("a", [FormField("a", "")]),
        ("a=", [FormField("a", "")]),
        ("=a", [FormField("", "a")]), ("=", [FormField("", "")]), ("a=b=c", [FormField("a", "b=c")]),
        ("a==", [FormField("a", "=")]), ("a+b=c+d", [FormField("a b", "c d")]), ("a%20b=%2B", [FormField("a b", "+")]),
        ("a=%2f%2F", [FormField("a", "//")]), ("a=1;b=2", [FormField("a", "1;b=2")]),
        ("a=%E2%82%AC", [FormField("a", "€")]), ("é=ü+é", [FormField("é", "ü é")]),
        ("&=&a&=b&&c==", [FormField("", ""), FormField("a", ""), FormField("", "b"), FormField("c", "=")]),
        (
            "tid=24688042&cardHolderName=A%20B&message=Transaction+in+progress",
            [
                FormField("tid", "24688042"), FormField("cardHolderName", "A B"),
                FormField("message", "Transaction in progress"),
            ]
        ),
    ])
    func whatIsRead(text: String, fields: [FormField]) {
        #expect(FormEncoding.decode(text) == fields)
    }

    @Test(arguments: ["a=%", "a=%2", "a=%2g", "a=%g2", "%=a", "a=%%20", "a=%C3", "a=%FF", "a=%ED%A0%80", "a=%+1"])
    func brokenEscapesAreRefusedOrKept(text: String) {
        #expect(FormEncoding.decode(text) == nil)
        let kept = FormEncoding.decode(text + "&b=%20", badEscapes: .keep)
        #expect(kept?.count == 2)
        #expect(kept.map { $0[0].name + "=" + $0[0].value } == text)
        #expect(kept?.last == FormField("b", " "))
    }

    @Test func theNumberOfFieldsHasALimit() {
        let fits = [String](repeating: "a=1", count: FormEncoding.fieldCountMax).joined(separator: "&")
        #expect(FormEncoding.decode(fits)?.count == FormEncoding.fieldCountMax)
        #expect(FormEncoding.decode(fits + "&&")?.count == FormEncoding.fieldCountMax)
        #expect(FormEncoding.decode(fits + "&a=1") == nil)
    }

    @Test func everyScalarOfTheFirstPagesGoesBothWays() {
        for value in UInt32(0)..<0x1000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a" + String(Character(scalar)) + "b"
            let field = [FormField(text, text)]
            let decoded = FormEncoding.decode(FormEncoding.encode(field))
            #expect(decoded.map { Array($0[0].value.utf8) } == Array(text.utf8))
            #expect(
                PercentEncoding.decode(PercentEncoding.queryComponent(text)).map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    /// A mutated text is refused or means something that is written as a text of the same meaning.
    @Test(arguments: ["a=1&b=%20x", "na+me=%C3%A9&x=%2F"])
    func everyMutationOfOneCharacterIsRefusedOrUnderstood(text: String) {
        let bytes = Array(text.utf8)
        var refused = 0
        for place in bytes.indices {
            for byte in UInt8(0)...0x7F where byte != bytes[place] {
                var mutated = bytes
                mutated[place] = byte
                guard let fields = FormEncoding.decode(String(decoding: mutated, as: UTF8.self)) else {
                    refused += 1
                    continue
                }
                #expect(FormEncoding.decode(FormEncoding.encode(fields)) == fields)
            }
        }
        #expect(refused > 100)
    }

    @Test func pathSegmentsCannotLeadElsewhere() {
        #expect(PercentEncoding.pathSegment("order-1001_~.x") == "order-1001_~.x")
        #expect(PercentEncoding.pathSegment("a/b?c#d%e f") == "a%2Fb%3Fc%23d%25e%20f")
        #expect(PercentEncoding.pathSegment("../x") == "..%2Fx")
        #expect(PercentEncoding.pathSegment("é") == "%C3%A9")
        for text in ["", ".", ".."] { #expect(PercentEncoding.pathSegment(text) == nil) }
        #expect(PercentEncoding.queryComponent("a+b&c=d") == "a%2Bb%26c%3Dd")
        #expect(PercentEncoding.decode("a+b%2B") == "a+b+")
        #expect(PercentEncoding.decode("%zz") == nil)
    }
}
