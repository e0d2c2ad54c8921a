import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider

/// What the provider, or somebody at its dashboard, does with a hold of ours is told by its callbacks alone.
@Suite struct EcommpayHoldLimitTests {
    private static let whole = Money(minorUnits: 5_000, .eur)

    private static func deliver(_ messages: [OutgoingWebhook], to client: PaymentClient) async throws {
        for message in messages { try await client.receiveWebhook(message.body, from: "ecommpay") }
    }

    /// A hold that the provider ends as a reading has it; its callbacks come, each of them twice.
    private func ended(_ reading: String) throws -> (till: EcommpayTill, record: PaymentRecord) {
        let till = EcommpayTill()
        #expect(till.backend.play("ecommpay.hold.limit.\(reading)"))
        let request = try EcommpayTill.request()
        let record = try till.play { [scheduler = till.scheduler] client in
            let held = try #require(try await client.authorize(request).payment)
            try await scheduler.sleep(until: scheduler.now + 10 * 86_400_000)
            // Somebody looks, and the simulated provider ends what is over.
            _ = try await client.provider("ecommpay").transactions?.details(held.references)
            let messages = till.backend.takeMessages()
            #expect(!messages.isEmpty)
            try await Self.deliver(messages + messages, to: client)
            return try await client.payment(held.id)
        }
        return (till, record)
    }

    @Test func aHoldThatTheProviderCapturesIsCaptured() throws {
        let (till, record) = try ended("captured-by-company")
        #expect(record.amounts.captured == Self.whole && record.amounts.capturable.minorUnits == 0)
        #expect(record.attempts.count == 2 && record.attempts.last?.intent.operation == .capture)
        // It is worth as much as a capture of our own: it can be given back.
        let back = try till.play { try await $0.refund(record.id) }
        #expect(back.payment?.amounts.refunded == Self.whole)
        #expect(till.backend.ledger.balance(.merchant)["EUR", default: 0] == 0)
    }

    @Test func aHoldThatTheProviderLetsGoIsGone() throws {
        let (till, record) = try ended("released-by-company")
        #expect(record.amounts.captured.minorUnits == 0 && record.amounts.capturable.minorUnits == 0)
        #expect(record.attempts.last?.intent.operation == .void)
        let error = till.failure { _ = try await $0.capture(record.id) }
        #expect(error?.outcome == .notExecuted)
    }

    /// Our own changes' callbacks are ours, however late they come, and whatever of them got lost.
    @Test(arguments: [false, true]) func newsOfOurOwnChangesIsNotTheProviders(_ losesAnswers: Bool) throws {
        var till = EcommpayTill()
        if losesAnswers {
            till.tools.transport = Losing(till.tools.transport, "/v2/payment/card/capture") {}
        }
        let request = try EcommpayTill.request()
        let record = try till.play { [backend = till.backend] client in
            let held = try #require(try await client.authorize(request).payment)
            let part = Money(minorUnits: 3_000, .eur)
            #expect(try await client.adjust(held.id, to: part).payment != nil)
            #expect(try await client.capture(held.id, of: part).payment != nil)
            let messages = backend.takeMessages()
            #expect(messages.count >= 3)
            try await Self.deliver(messages + messages, to: client)
            return try await client.payment(held.id)
        }
        #expect(record.attempts.count == 3)
        #expect(record.amounts.captured.minorUnits == 3_000 && record.amounts.capturable.minorUnits == 0)
    }

    /// Someone let a part of a hold go at the dashboard: how much is held then is not told, so that nothing is changed.
    @Test func aPartThatSomebodyElseLetGoIsNoRelease() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let body: JSON = [
            "project_id": 1_234, "payment": ["id": "hold-1", "status": "awaiting capture"],
            "operation": [
                "id": 7, "type": "cancel", "status": "success", "request_id": "r-7",
                "sum_initial": ["amount": 1_000, "currency": "EUR"],
            ],
        ]
        let proof = try EcommpaySigning.signature(
            EcommpaySigning.text(body), till.backend.rules.secret, till.tools.crypto)
        let message = WebhookMessage(body: body.adding("signature", .string(proof)).bytes(), at: 1)
        let notices = try driver.notices(in: message)
        #expect(notices.count == 1 && notices.allSatisfy { $0.verdict == nil && $0.original == nil })
    }
}
