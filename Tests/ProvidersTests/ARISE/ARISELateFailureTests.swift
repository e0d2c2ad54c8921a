import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTesting
import Testing

/// What a bank returns after it was settled.
@Suite struct ARISELateFailureTests {
    private static let day: Int64 = 86_400_000

    private func returned(_ bench: ARISEBench) throws -> (
        client: PaymentClient, sale: PaymentResult, attempt: AttemptID
    ) {
        let client = try bench.client()
        let attempt = try AttemptID("bank-1")
        let account = BankAccount(number: Secret("000123456789"), routing: Secret("011000015"))
        let sale = try bench.scheduler.run {
            try await client.sale(.dollars(5_000), from: .bank(account), reference: "a", attempt: attempt)
        }
        bench.scheduler.advance(by: 3 * Self.day)
        return (client, sale, attempt)
    }

    @Test func aReturnedDebitIsRecordedAsFailedLater() throws {
        let bench = ARISEBench()
        let (client, sale, attempt) = try returned(bench)
        let payment = try #require(sale.payment)
        #expect(payment.amounts.captured == .dollars(5_000))
        let news = try #require(bench.backend.failLater(attempt.text))
        for _ in 1...3 {
            _ = try bench.scheduler.run {
                try await client.receiveWebhook(news.body, headers: news.headers, from: "arise")
            }
        }
        let after = try bench.scheduler.run { try await client.payment(payment.id) }
        #expect(after.amounts.captured == .zero(.usd))
        let replayed = try bench.scheduler.run { try await client.status(attempt) }
        guard case .declined(let decline) = replayed else {
            Issue.record("\(replayed)")
            return
        }
        #expect(decline.reason == .failedAfterApproval && decline.provider.code == "79")
        #expect(bench.backend.ledger.isBalanced)
        let refund = bench.failure { _ = try await $0.refund(payment.id) }
        #expect(refund?.outcome == .notExecuted)
    }

    /// News of a sale that stands, or that was voided by us, changes nothing.
    @Test func otherNewsOfADecidedSaleChangesNothing() throws {
        let bench = ARISEBench()
        let client = try bench.client()
        let attempt = try AttemptID("card-1")
        let source = try ARISEBench.card()
        let id = try bench.scheduler.run {
            let sale = try await client.sale(.dollars(5_000), from: source, reference: "a", attempt: attempt)
            let payment = try #require(sale.payment)
            _ = try await client.void(payment.id)
            return try #require(payment.references["transaction"])
        }
        for kind in ["captured", "failed", "declined"] {
            let news = bench.backend.message(kind, id, bench.scheduler.now)
            _ = try bench.scheduler.run {
                try await client.receiveWebhook(news.body, headers: news.headers, from: "arise")
            }
        }
        let record = try bench.scheduler.run { try await client.status(attempt) }
        guard case .approved = record else {
            Issue.record("\(record)")
            return
        }
    }
}
