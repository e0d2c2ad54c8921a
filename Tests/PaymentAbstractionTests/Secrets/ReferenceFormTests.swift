import PaymentBase
import PaymentTesting
import Testing

@testable import PaymentModel

/// References as shops make them are no card numbers, however their digits add up.
@Suite struct ReferenceFormTests {
    private static let count = 10_000
    private let random = SeededRandom(seed: 14)

    private func number(below limit: UInt64) -> UInt64 { random.next() % limit }

    private func digits(_ number: UInt64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private func hex(_ width: Int) -> String {
        String((0..<width).map { _ in Array("0123456789abcdef")[Int(number(below: 16))] })
    }

    /// A moment of the years 2026 to 2031, in seconds.
    private var moment: UInt64 { 1_767_225_600 + number(below: 157_766_400) }

    private func reference(_ form: String) -> String {
        switch form {
        case "uuid": [8, 4, 4, 4, 12].map(hex).joined(separator: "-")
        case "hex 16": hex(16)
        case "hex 32": hex(32)
        case "seconds": "order-\(moment)-\(number(below: 1_000))"
        case "milliseconds": "\(moment)\(digits(number(below: 1_000), 3))"
        case "milliseconds, counter": "\(moment)\(digits(number(below: 1_000), 3))-\(digits(number(below: 10_000), 4))"
        default:
            "2026\(digits(1 + number(below: 12), 2))\(digits(1 + number(below: 28), 2))-\(digits(number(below: 1_000_000), 6))"
        }
    }

    /// Of 10,000 references of each form, so many look like a card number at most.
    @Test(arguments: [
        ("uuid", 0), ("hex 16", 12), ("hex 32", 40), ("seconds", 0), ("milliseconds", 0),
        ("milliseconds, counter", 800), ("date, counter", 0),
    ])
    func reference_ofAUsualForm_isSeldomTakenForACard(_ form: String, _ most: Int) {
        let found = (0..<Self.count).count { _ in Masking.findsCardNumber(in: reference(form)) }
        #expect(found <= most, "\(form): \(found) of \(Self.count)")
    }

    @Test(arguments: ["order-1795816202-331", "1795816202331", "20261127-000123", "2026-11-27-0012"])
    func reference_ofAMoment_stays(_ text: String) { #expect(Masking.cardNumbers(in: text) == text) }

    /// One number of each range and length, made up but for its beginning.
    @Test(arguments: [
        "4000000000006", "4111111111111111", "4000000000000000006", "5500000000000004", "2223003122003222",
        "2720000000000005", "340000000000009", "378282246310005", "30569309025904", "38520000023237",
        "3600000000000008", "6011000990139424", "6200000000000005", "6200000000000000000", "3530111333300000",
        "213100000000001", "180000000000002", "500000000009", "6759649826438453", "560000000000000003",
        "630400000000", "2200000000000004", "2205000000000009", "135410014004955", "8100000000000002",
        "9792000000000003", "8600000000000007", "9860000000000000", "9704000000000000", "5078600000000003",
        "5066991111111118", "6062826786276634",
    ])
    func number_ofEachRange_isMaskedInEveryForm(_ number: String) {
        let digits = Array(number)
        let groups = stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
        let forms = [
            number, "x\(number)y", "card \(number), 12/29", groups.joined(separator: " "),
            groups.joined(separator: "-"),
            groups.joined(separator: "\u{A0}"), groups.joined(separator: " - "),
        ]
        for form in forms {
            #expect(Masking.findsCardNumber(in: form), "\(form)")
            #expect(!Masking.cardNumbers(in: form).contains(number.prefix(5)))
        }
    }

    /// What stands among other digits is found as well, but for the rare forms of 12 to 15 digits.
    @Test(arguments: [
        "164111111111111111", "00041111111111111112512", "15378282246310005", "2026 4111111111111111 123",
    ])
    func number_amongOtherDigits_isMasked(_ text: String) { #expect(Masking.findsCardNumber(in: text)) }
}
