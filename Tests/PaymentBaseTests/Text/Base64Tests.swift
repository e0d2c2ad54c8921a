import Foundation
import Testing

@testable import PaymentBase

@Suite struct Base64Tests {
    static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors)
    func vectorsOfTheStandard(plain: String, text: String) {
        let bytes = Array(plain.utf8)
        #expect(Base64.standard.encode(bytes) == text)
        #expect(Base64.standard.decode(text) == bytes)
        let bare = text.replacingOccurrences(of: "=", with: "")
        #expect(Base64.urlSafe.encode(bytes) == bare)
        #expect(Base64.urlSafe.decode(bare) == bytes)
        let lenient = Base64(alphabet: .standard, padding: .optional)
        #expect(lenient.encode(bytes) == text)
        #expect(lenient.decode(text) == bytes)
        #expect(lenient.decode(bare) == bytes)
        if bare != text {
            #expect(Base64.standard.decode(bare) == nil)
            #expect(Base64.urlSafe.decode(text) == nil)
            #expect(lenient.decode(bare + "=") == nil || text == bare + "=")
        }
    }

    @Test func theAlphabetsDifferInTwoCharacters() {
        let bytes: [UInt8] = [0xFB, 0xFF, 0xBF]
        #expect(Base64.standard.encode(bytes) == "+/+/")
        #expect(Base64.urlSafe.encode(bytes) == "-_-_")
        #expect(Base64.standard.decode("-_-_") == nil)
        #expect(Base64.urlSafe.decode("+/+/") == nil)
    }

    @Test(arguments: [
        "A", "AA=", "AA", "AAA", "=", "==", "====", "A===", "AA=A", "A=AA", "Zh==", "Zm9=", "Zg== ", " Zg==", "Zg\n==",
        "Zm9v\n", "Zg==Zg==", "Zm9v====", "Z!==", "Zg=\u{0}", "Zg=é",
    ])
    func textsThatAreNotCanonical(text: String) {
        #expect(Base64.standard.decode(text) == nil)
    }

    @Test func everyLengthGoesBothWaysAsFoundationDoes() {
        let random = SeededRandom(seed: 64)
        for length in 0..<200 {
            let bytes = random.bytes(length)
            let text = Base64.standard.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.standard.decode(text) == bytes)
            #expect(Base64.urlSafe.decode(Base64.urlSafe.encode(bytes)) == bytes)
        }
    }

    /// What is accepted must be the very text that its bytes are written as.
    @Test(arguments: ["Zg==", "Zm8=", "Zm9vYmE=", "AQIDBAUGBwgJCgsMDQ4PEA==", "/+8="])
    func everyMutationOfOneCharacterIsRefusedOrAnotherCanonicalText(text: String) {
        let bytes = Array(text.utf8)
        var accepted = 0
        for place in bytes.indices {
            for byte in UInt8.min...UInt8.max where byte != bytes[place] {
                var mutated = bytes
                mutated[place] = byte
                guard let decoded = Base64.standard.decode(mutated) else { continue }
                accepted += 1
                #expect(Base64.standard.encodeBytes(decoded) == mutated)
            }
        }
        #expect(accepted > 0)
        #expect(accepted < bytes.count * 64)
    }

    @Test func hexGoesBothWays() {
        #expect(Hex.encode([0x00, 0x0F, 0xA5, 0xFF]) == "000fa5ff")
        #expect(Hex.encode([0xA5], uppercase: true) == "A5")
        #expect(Hex.decode("000fA5Ff") == [0x00, 0x0F, 0xA5, 0xFF])
        #expect(Hex.decode("") == [])
        for text in ["0", "000", "0g", "g0", " 00", "0x00", "00 ", "é"] { #expect(Hex.decode(text) == nil) }
        for byte in UInt8.min...UInt8.max { #expect(Hex.decode(Hex.encode([byte])) == [byte]) }
    }
}

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

@Suite struct ArrayTextTests {
    @Test(arguments: [0, 1, 7, 8, 9, 14, 15, 16, 17, 40])
    func aTextIsThatOfItsBytes(_ count: Int) {
        let plain = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        // The last of them are no UTF-8.
        let ends: [[UInt8]] = [
            [], Array("é".utf8), Array("👍🏽".utf8), [0xC3], [0xFF], [0xED, 0xA0, 0x80], [0xF0, 0x9F],
        ]
        for end in ends {
            for bytes in [plain + end, end + plain, Array(plain.dropLast(end.count)) + end, [0] + plain + end] {
                let due = Array(String(decoding: bytes, as: UTF8.self).utf8)
                #expect(Array(bytes.text(0..<bytes.count).utf8) == due)
                #expect(Array(([1, 2] + bytes + [0xFF]).text(2..<(bytes.count + 2)).utf8) == due)
            }
        }
    }
}
