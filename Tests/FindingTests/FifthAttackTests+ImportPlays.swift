import PaymentAbstraction
import PaymentBase
import PaymentSQLite
import PaymentTestTill
import PaymentTesting
import Testing

/// A payment that another system took, imported with what was true then; messages of before and after come in any order.
@Suite struct FifthAttackImportPlayTests {
    @Test(arguments: UInt64(1)...20) func trueImport_thenAnyMessages_endsAsTheBankHasIt(_ seed: UInt64) throws {
        let wrong = try play(seed)
        #expect(wrong == nil, "seed \(seed): \(wrong ?? "")")
    }

    private func play(_ seed: UInt64) throws -> String? {
        let old = try ImportedShop()
        let shop = old.shop
        let bank = Bank(seed: seed &* 4 &+ 1)
        let driver = bank.driver(shop)
        let log = Locked([String]())
        @Sendable func note(_ text: String) {
            log.withLock { $0.append("\((shop.stage.now - 1_767_225_600_000) / 1_000)s \(text)") }
        }
        _ = bank.execute(.sale, old.old, 1_000, of: nil, at: shop.stage.now)
        @Sendable func atTheDesk() {
            let cents = Int64([100, 200, 300][bank.below(3)])
            if bank.below(3) == 0 {
                note("refund fails: \(bank.fail(at: shop.stage.now))")
            } else {
                note("dashboard refund \(cents): \(bank.dashboard(.refund, cents, of: "s-old-1", at: shop.stage.now))")
            }
        }
        let begun = shop.stage.now
        try shop.play {
            for _ in 0..<bank.below(5) {
                try await shop.wait(seconds: 3_600)
                atTheDesk()
            }
            try await shop.wait(seconds: 3_600)
        }
        let refunded = bank.accounts["s-old-1"]?.refunded ?? 0
        let line = old.line(
            takenAt: begun, (refunded > 0 ? #","refunded":\#(refunded)"# : "") + #","holdsUntil":\#(shop.stage.now)"#)
        let text = line.split(separator: "p-old", omittingEmptySubsequences: false).joined(separator: "s-old-1")
        let refusal = try old.adopt(text)
        note("import, refunded \(refunded): \(refusal ?? "taken")")
        guard refusal == nil else { return "refused\n" + log.withLock { $0.joined(separator: "\n") } }
        var wrong: String?
        try old.folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, over: journal)
            let heard = Heard(client, shop.stage)
            wrong = try shop.play {
                @Sendable func deliver(_ all: Bool) async {
                    for notice in bank.takeMessages({ $0.indices.filter { _ in all || bank.below(2) == 0 } }) {
                        note("message \(notice.kind) \(notice.subject)")
                        shop.ledger.post(notice)
                        await client.takeWebhook()
                    }
                }
                for step in 1...(2 + bank.below(6)) {
                    try await shop.wait(seconds: 3_600)
                    switch bank.below(4) {
                    case 0, 1: atTheDesk()
                    case 2: await deliver(false)
                    default:
                        let cents = Int64([100, 200, 300][bank.below(3)])
                        let told = await client.refund(
                            cents, of: old.old, for: "r\(step)", attempt: try AttemptID("op-\(step)"))
                        note("our refund \(cents): \(told)")
                    }
                }
                for _ in 1...3 {
                    await deliver(true)
                    try await shop.wait(seconds: 400)
                    _ = try? await client.recover()
                }
                try await shop.recover(client, seconds: 86_400)
                let kinds = heard.kinds
                if kinds.contains(where: { [.contradiction, .disputed, .otherAmount, .nameTaken].contains($0) }) {
                    return nil
                }
                let record = try await client.payment(PaymentID(old.old))
                if record.attempts.contains(where: \.isOpen) { return nil }
                let truth = bank.accounts["s-old-1"]
                if record.amounts.refunded.minorUnits == truth?.refunded { return nil }
                return "bank refunded \(truth?.refunded ?? 0), books \(record.amounts.refunded)\n"
                    + log.withLock { $0.joined(separator: "\n") }
            }
        }
        return wrong
    }
}
