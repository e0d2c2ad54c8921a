import PaymentBase
import Testing

@Suite struct SecretTests {
    @Test func equalityIsThatOfAllBytes() {
        let text = "made-up-secret"
        #expect(Secret(text) == Secret(bytes: Array(text.utf8)))
        #expect(Secret("") == Secret(bytes: []) && Secret("") != Secret("a"))
        for place in text.utf8.indices {
            var bytes = Array(text.utf8)
            let index = text.utf8.distance(from: text.utf8.startIndex, to: place)
            bytes[index] ^= 1
            #expect(Secret(bytes: bytes) != Secret(text))
            #expect(Secret(bytes: Array(bytes.prefix(index))) != Secret(text))
        }
        #expect(Set([Secret("a"), Secret("a"), Secret("b")]).count == 2)
    }

    @Test func whatIsInsideComesOutUnchanged() {
        for count in [0, 1, 15, 16, 17, 4_096, 100_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let secret = Secret(bytes: bytes)
            let copy = secret
            #expect(secret.exposeBytes() == bytes && copy.exposeBytes() == bytes && secret.isEmpty == bytes.isEmpty)
        }
        #expect(Secret("Grüße").expose() == "Grüße")
    }

    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 32])
    func everyBitOfEveryLengthCounts(_ count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        #expect(Secret(bytes: bytes) == Secret(bytes: bytes))
        for bit in 0..<(count * 8) {
            var other = bytes
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(Secret(bytes: bytes) != Secret(bytes: other))
        }
    }
}
