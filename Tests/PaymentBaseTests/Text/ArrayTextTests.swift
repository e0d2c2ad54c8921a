import Testing

@testable import PaymentBase

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
