import Foundation
import PaymentAbstraction
import PaymentBase
import PaymentJournal
import PaymentSandbox
import PaymentTestTill
import PaymentTesting
import Testing

/// What must never be written is looked for in the raw bytes of the file, its log and its index.
@Suite struct SecretBytesTests {
    private static let number = "4539578763621486"
    private static let code = "9137"
    private static let track = ";4539578763621486=30121010000000000?"
    private static let account = "DE89PLANTED0440532013"
    private static let token = "tok_PLANTED+payment/token=="
    private static let holder = "Plantina Personova"
    private static let needles = [
        number, track, "FFFF9876543210E00001", "0412AC89ABCDEF67", "5A08\(number)5F3401", account, "PLANTED-021000021",
        "PLANTED-987-65-4329", "PLANTED wallet payload", token, holder, "memory-client-secret",
        "memory-webhook-secret", "mt_1", "reader-token",
    ]

    private static func sources() throws -> [PaymentSource] {
        var read = ExternalRead(.chip)
        (read.track2, read.tags) = (Secret(track), [Secret("5A08\(number)5F3401")])
        (read.pinBlock, read.pinKeySerial) = (Secret("0412AC89ABCDEF67"), Secret("FFFF9876543210E00001"))
        var bank = BankAccount(number: Secret(account), routing: Secret("PLANTED-021000021"))
        (bank.taxID, bank.name) = (Secret("PLANTED-987-65-4329"), Personal(holder))
        let keyed = try KeyedCard(
            number: number, expiryMonth: 12, expiryYear: 30, securityCode: code, holder: holder)
        return [
            .card(keyed), .external(read), .wallet(WalletToken(.applePay, payload: Secret("PLANTED wallet payload"))),
            .saved(.init(rawValue: "i-1"), securityCode: Secret(code)), .token(Secret(token), last4: "1111"),
            .bank(bank), .reader,
        ]
    }

    /// The text as it is, backwards, and as it may be written otherwise.
    private static func forms(_ text: String) -> [[UInt8]] {
        let bytes = Array(text.utf8)
        let words = [Base64.standard.encode(bytes), Base64.urlSafe.encode(bytes), Hex.encode(bytes)]
        return [bytes, bytes.reversed(), Array(Hex.encode(bytes, uppercase: true).utf8)] + words.map { Array($0.utf8) }
    }

    @Test func noSecretReachesTheDisk() throws {
        let folder = try Folder()
        var till = Till()
        till.answers.on(ThreeDSecureChallenge.self) { _ in .init(result: Secret("challenge-PLANTED")) }
        let opened = try SQLiteJournal.onStage(folder.file())
        till.journal = opened.staged
        till.reader.present(SimulatedReader.Card(number: Self.number))
        let client = try till.client()
        // Approved, declined, pending, unknown and then found, and with a question on the way.
        for (place, source) in try Self.sources().enumerated() {
            for cents in [2_500, 1_051, 1_015, 1_013, 1_030] as [Int64] {
                try till.play {
                    let attempt = try AttemptID("a-\(place)-\(cents)")
                    _ = try? await client.sale(
                        .cents(cents), from: source, reference: attempt.text, attempt: attempt)
                }
            }
        }
        till.scheduler.drain()
        let rows = try SchedulerJournal.wait { try await opened.journal.records(.page(after: nil, limit: 100)) }
        #expect(rows.count == 35)
        for suffix in ["", "-wal", "-shm"] {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.file() + suffix))
            #expect(data.count > 1_000)
            // Four digits are found by chance in other forms; as a text they would be the security code.
            #expect(data.range(of: Data(Self.code.utf8)) == nil, "the security code is in the file\(suffix)")
            for needle in Self.needles + ["challenge-PLANTED"] {
                for form in Self.forms(needle) {
                    #expect(data.range(of: Data(form)) == nil, "\(needle) is in the file\(suffix)")
                }
            }
        }
        // The search itself can find something.
        let log = try Data(contentsOf: URL(fileURLWithPath: folder.file() + "-wal"))
        #expect(log.range(of: Data("a-0-2500".utf8)) != nil)
        opened.close()
    }
}
