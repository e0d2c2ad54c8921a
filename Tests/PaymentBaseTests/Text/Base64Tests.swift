import Foundation
import PaymentBase
import Testing

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
