import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentModel
import PaymentService
import Testing

@testable import PaymentCLI

/// What is printed of an outcome that the journal could not take: the caller gets it all the same.
@Suite struct UnrecordedResultTests {
    /// An attempt of which the journal has the request alone.
    private static func running() throws -> Attempt {
        var attempt = Attempt(Attempt.Intent(try AttemptID("s-1"), .sale, Money(minorUnits: 1_250, .eur)))
        let at = Attempt.Instant(wall: 1_767_225_600_000, uptime: 0)
        attempt.apply(.run(.init(number: 1, account: .none, owner: "till", begunAt: at)))
        attempt.apply(.request(.init(number: 1, run: 1, key: nil, sendLimit: nil, openedAt: at)))
        return attempt
    }

    private static func json(_ result: PaymentResult) throws -> JSON {
        let record = try running()
        let printed = PrintedResult(result, record.intent.attempt, record, PaymentRecord([record]))
        return PrintedResult.shape.json(printed, for: .office)
    }

    @Test func decline_thatTheJournalHasNot_isShownAsReturned() throws {
        let json = try Self.json(
            .declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05", message: "Do not honor"))))
        #expect(json["status"] == "declined" && json["decline"]?["code"] == "05", "\(json)")
        #expect(json["isRecorded"] == false && json["outcome"] == "unknown", "\(json)")
    }

    @Test func approval_thatTheJournalHasNot_isShownAsReturned() throws {
        let record = try Self.running()
        var approval = Approval(Money(minorUnits: 1_250, .eur), references: ["psp": "PSP-1"])
        approval.card = CardSummary(brand: "visa", last4: "1111")
        var payment = Payment(approval, record.intent, .none, PaymentAmounts(.eur))
        payment.isRecorded = false
        let json = try Self.json(.approved(payment))
        #expect(json["status"] == "approved" && json["names"]?["psp"] == "PSP-1", "\(json)")
        #expect(json["approvedAmount"]?["value"] == "12.50" && json["card"]?["lastFour"] == "1111", "\(json)")
        #expect(json["isRecorded"] == false && json["outcome"] == "unknown", "\(json)")
        // It is running in the journal, which is no money that went back.
        let printed = PrintedResult(.approved(payment), record.intent.attempt, record, PaymentRecord([record]))
        #expect(!printed.isBack)
    }
}
