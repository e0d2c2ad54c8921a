import PaymentBase
import Testing

@testable import PaymentCore
@testable import PaymentJournalKit

/// What belongs on paper of something that was received and is decided later.
@Suite struct PendingReceiptTests {
    private static func received() -> Pending {
        var receipt = Receipt()
        (receipt.authorizationCode, receipt.responseCode, receipt.at) = ("123456", "00", 1_767_225_600_000)
        receipt.lines = [.init(.customer, "REFUND", value: "5.00")]
        var pending = Pending(
            references: ["id": "r1"], provider: ProviderMessage(code: "00"), shouldPoll: false)
        pending.receipt = receipt
        return pending
    }

    @Test func receipt_ofSomethingPending_isKeptByTheJournal() throws {
        let verdict = Verdict.pending(Self.received()).recordable
        #expect(try VerdictCodec.verdict(VerdictCodec.json(verdict)) == verdict)
        guard case .pending(let read) = try VerdictCodec.verdict(VerdictCodec.json(verdict)) else { return }
        #expect(read.receipt?.lines.first?.label == "REFUND")
    }

    @Test func pendingWithoutAReceipt_isWrittenAsBefore() throws {
        let json = VerdictCodec.json(.pending(Pending(references: ["id": "r1"], shouldPoll: false)))
        #expect(json["receipt"] == nil)
    }

    @Test func receipt_ofSomethingPending_isScrubbed() {
        var pending = Self.received()
        pending.receipt?.authorizationCode = "the-secret-itself"
        let scrub = SecretScrubber([Secret("the-secret-itself")])
        guard case .pending(let seen) = scrub(Verdict.pending(pending)) else { return }
        #expect(seen.receipt?.authorizationCode != "the-secret-itself" && seen.receipt?.responseCode == "00")
    }
}
