import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A payment that another system took, imported with what was true then; messages of before and after come in any order.
@Suite struct FifthAttackImportPlayTests {
    @Test(arguments: UInt64(1)...20) func trueImport_thenAnyMessages_endsAsTheBankHasIt(_ seed: UInt64) throws {
        let wrong = try ImportPlay(seed).play()
        #expect(wrong == nil, "seed \(seed): \(wrong ?? "")")
    }
}

/// One play.
private struct ImportPlay: Sendable {
    private static let payment = "s-old-1"
    private let old: ImportedShop
    private let bank: Bank
    private let log = Locked([String]())

    init(_ seed: UInt64) throws {
        old = try ImportedShop()
        bank = Bank(seed: seed &* 4 &+ 1)
    }

    private var shop: Shop { old.shop }

    private func note(_ text: String) { log.withLock { $0.append("\(shop.stage.now) \(text)") } }

    /// A person does something at the provider's desk, or a refund comes back.
    private func atTheDesk() {
        let cents = Int64([100, 200, 300][bank.below(3)])
        if bank.below(3) == 0 {
            note("refund fails: \(bank.fail(at: shop.stage.now))")
        } else {
            note("refund \(cents): \(bank.dashboard(.refund, cents, of: Self.payment, at: shop.stage.now))")
        }
    }

    private func deliver(_ client: PaymentClient, all: Bool) async {
        for notice in bank.takeMessages({ $0.indices.filter { _ in all || bank.below(2) == 0 } }) {
            note("message \(notice.kind) \(notice.subject)")
            shop.ledger.post(notice)
            await client.takeWebhook()
        }
    }

    func play() throws -> String? {
        let begun = shop.stage.now
        _ = bank.execute(.sale, old.old, 1_000, of: nil, at: begun)
        try shop.play {
            for _ in 0..<bank.below(5) {
                try await shop.wait(seconds: 3_600)
                atTheDesk()
            }
            try await shop.wait(seconds: 3_600)
        }
        let refunded = bank.accounts[Self.payment]?.refunded ?? 0
        let counted = refunded > 0 ? #","refunded":\#(refunded)"# : ""
        let line = old.line(takenAt: begun, counted + #","holdsUntil":\#(shop.stage.now)"#)
        let refusal = try old.adopt(
            line.split(separator: "p-old", omittingEmptySubsequences: false).joined(separator: Self.payment))
        note("import, refunded \(refunded): \(refusal ?? "taken")")
        guard refusal == nil else { return log.withLock { $0.joined(separator: "\n") } }
        var wrong: String?
        try old.folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(bank.driver(shop), over: journal)
            let heard = Heard(client, shop.stage)
            wrong = try shop.play {
                try await operate(client)
                return try await judged(client, heard.kinds)
            }
        }
        return wrong
    }

    private func operate(_ client: PaymentClient) async throws {
        for step in 1...(2 + bank.below(6)) {
            try await shop.wait(seconds: 3_600)
            switch bank.below(4) {
            case 0, 1: atTheDesk()
            case 2: await deliver(client, all: false)
            default:
                let cents = Int64([100, 200, 300][bank.below(3)])
                let told = await client.refund(
                    cents, of: old.old, for: "r\(step)", attempt: try AttemptID("op-\(step)"))
                note("our refund \(cents): \(told)")
            }
        }
        for _ in 1...3 {
            await deliver(client, all: true)
            try await shop.wait(seconds: 400)
            _ = try? await client.recover()
        }
        try await shop.recover(client, seconds: 86_400)
    }

    private func judged(_ client: PaymentClient, _ kinds: [PaymentEvent.Kind]) async throws -> String? {
        let isRaised = kinds.contains { [.contradiction, .disputed, .otherAmount, .nameTaken].contains($0) }
        let record = try await client.payment(PaymentID(old.old))
        if isRaised || record.attempts.contains(where: \.isOpen) { return nil }
        let truth = bank.accounts[Self.payment]?.refunded ?? 0
        if record.amounts.refunded.minorUnits == truth { return nil }
        return "the bank refunded \(truth), books \(record.amounts.refunded)\n"
            + log.withLock { $0.joined(separator: "\n") }
    }
}
