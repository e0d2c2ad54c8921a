import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@Suite struct SaleTests {
    @Test func aTapIsApproved() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(4_999), from: .reader, reference: "order-1001") }
        let payment = try #require(result.payment)
        #expect(payment.amounts.captured == .cents(4_999))
        #expect(payment.card?.last4 == "1111")
        #expect(payment.isRecorded)
        #expect(till.backend.ledger.movements(attempt: payment.id.attempt.text).map(\.amount.minorUnits) == [4_999])
    }

    @Test func aDeclineIsAResult() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_051), from: .reader, reference: "o") }
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == .insufficientFunds)
        #expect(decline.provider.code == "51")
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func aLostReplyIsSettledByLookup() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_013), from: .reader, reference: "o") }
        let payment = try #require(result.payment)
        #expect(till.backend.ledger.movements.count == 1)
        let kinds = try till.play { try await client.timeline(of: payment.id).map(\.kind) }
        #expect(kinds.contains(.lookedUp))
        #expect(kinds.last == .approved)
    }

    @Test func aLostRequestIsProvenOnlyAfterTheQuietTime() throws {
        let till = Till()
        let client = try till.client()
        let start = till.scheduler.now
        let error = till.failure { _ = try await client.sale(.cents(1_014), from: .reader, reference: "o") }
        #expect(error == PaymentError(.notReceived, outcome: .notExecuted))
        #expect(error?.attempt != nil)
        #expect(till.scheduler.now - start >= 5_000)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func thePINIsTheReadersSecondCall() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_065), from: .reader, reference: "o") }
        #expect(result.payment?.amounts.captured == .cents(1_065))
    }

    @Test func anUnknownWordIsNeverADecline() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_016), from: .reader, reference: "o") }
        // The word was unreadable, the lookup says approved.
        #expect(result.payment?.amounts.captured == .cents(1_016))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func anotherAmountInTheEchoIsUnknownUntilLookedUp() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_019), from: .reader, reference: "o") }
        #expect(result.payment?.approved == .cents(1_019))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func whatWasRefusedBeforeExecutionIsRepeated() throws {
        let till = Till()
        let client = try till.client()
        let result = try till.play { try await client.sale(.cents(1_018), from: .reader, reference: "o") }
        #expect(result.payment != nil)
        #expect(till.backend.ledger.movements.count == 1)
    }
}
