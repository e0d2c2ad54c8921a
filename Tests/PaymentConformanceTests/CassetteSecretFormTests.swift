import PaymentBase
import PaymentTransport
import Testing

@testable import PaymentConformance

/// Secrets that are no plain word of letters and digits, and names that are within an address.
@Suite struct CassetteSecretFormTests {
    private static let key = "-----BEGIN KEY-----\nbWFkZS11cC1rZXk\nb2YtYS10ZXN0\n-----END KEY-----"
    private static let umlauts = "pässwört-für-öl"
    private static let symbols = "a-\u{1F511}-made-up"
    private static let words = "correct made up phrase"

    /// The text of a JSON string, without its quotes.
    private static func escaped(_ text: String) -> String {
        String(decoding: JSON.string(text).bytes().dropFirst().dropLast(), as: UTF8.self)
    }

    /// Each UTF-16 unit as `\uXXXX`.
    private static func units(_ text: String) -> String {
        text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private static func hex(_ text: String, _ separator: String = "") -> String {
        text.utf8.map { Hex.encode([$0]) }.joined(separator: separator)
    }

    @Test(arguments: [
        ("lines, escaped", key, "cut off {\"said\":\"" + escaped(key)),
        ("lines, escaped twice", key, escaped(escaped(key))),
        ("lines, escaped in Base64", key, Base64.standard.encode(Array("{\"a\":\"\(escaped(key))\"}".utf8))),
        ("symbols in units", symbols, "cut off {\"said\":\"" + units(symbols)),
        ("umlauts in Base64", umlauts, Base64.standard.encode(Array("user:\(umlauts)".utf8))),
        ("umlauts in hexadecimal", umlauts, hex(umlauts)),
        ("umlauts in percent and Base64", umlauts, Base64.standard.encode(Array("x=\(umlauts)&y=1".utf8))),
        ("words of a form", words, "a=1&said=" + words.replacing(" ", with: "+")),
        ("words of a form in Base64", words, Base64.standard.encode(Array(words.replacing(" ", with: "+").utf8))),
        (
            "hexadecimal with colons in words", "made-up-secret",
            "The signer said " + hex("made-up-secret", ":") + " too."
        ),
    ])
    func secret_inAForm_isTakenOut(_ form: String, _ secret: String, _ text: String) {
        let cleaned = HiddenSecrets([secret]).cleaned(text)
        #expect(cleaned != text && !cleaned.contains(text), "\(form): \(cleaned)")
    }

    @Test func secret_namedWithinAnAddress_isTakenOut() {
        let address = "https://bank.example/acs?md=1&access_token=made-up-value&x=2"
        let sieve = CassetteRedactor([])
        let body: JSON = ["redirect": .string(address), "other": "a?b=c"]
        let kept = String(decoding: sieve.body(body.bytes()), as: UTF8.self)
        #expect(!kept.contains("made-up-value") && kept.contains("md=1") && kept.contains("a?b=c"), "\(kept)")
        let request = HTTPRequest("GET", Origin(.https, "example.com"), "/")
        let response = HTTPResponse(302, headers: ["Location": "https://shop.example/back#id_token=made-up-other&b=1"])
        var cassette = Cassette()
        cassette.items = [.init(.exchange(CassetteRedactor([]).exchange(request, .success(response), milliseconds: 1)))]
        let text = String(decoding: cassette.text, as: UTF8.self)
        #expect(!text.contains("made-up-other") && text.contains("b=1"), "\(text)")
    }
}
