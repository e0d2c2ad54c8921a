import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentService

/// What follows a payment that two accounts took.
struct TwoAccountTests {
    typealias H = ServiceHarness

    /// The first provider was not reached, so the second took the payment; then the first says that it took it as well.
    private static func sellTwice(_ client: PaymentClient, _ till: Till) async throws {
        let sold = try await client.sale(
            .cents(1_250), from: try Cards.good(), reference: "order-1", attempt: try AttemptID(H.uuid(1)))
        try #require(sold.payment?.provider.id == "second")
        let message: JSON = [
            "id": "mp_9", "attempt": .string(H.uuid(1)), "state": "approved", "event": "sale",
            "amount": ["minorUnits": 1_250, "currency": "EUR"], "at": .number(JSONNumber(till.scheduler.now)),
        ]
        try await client.receiveWebhook(
            message.bytes(), headers: ["x-memory-secret": "memory-webhook-secret"], from: "memory")
    }

    /// A service whose first provider is not reached by sales, so that the second takes them.
    private static func made(
        _ till: Till, _ second: MemoryBackend, _ set: (inout ServiceOptions) -> Void = { _ in }
    ) throws -> (client: PaymentClient, service: PaymentService) {
        let origin = Origin(.http, "second.test", 80)
        let unreached = HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            if request.target == "/payments" { throw .notSent(.connectionRefused) }
            return try await next(request)
        }
        let other = MemoryConfiguration(
            name: "second", endpoint: origin, merchant: "m-2", secret: Secret("memory-client-secret"))
        let drivers: [any PaymentDriver] = [
            till.driver(unreached), MemoryDriver(other, InProcessTransport([origin: second])),
        ]
        var routing = Routing(active: "memory")
        routing.rules = [Routing.Rule(["memory", "second"])]
        var given = till.dependencies
        given.scope = "berlin"
        let client = try PaymentClient(drivers: drivers, routing: routing, given)
        let service = try H.service([ServiceShop("berlin", scope: "berlin", client: client)]) { options in
            (options.clock, options.random, options.executor) = (till.scheduler, till.random, till.scheduler)
            set(&options)
        }
        return (client, service)
    }

    /// The order is paid once, as it should be, when the second account's copy is voided.
    @Test func voidOfTheCopyAtAnotherAccount_leavesThePaymentApproved() throws {
        let till = Till()
        let (client, service) = try Self.made(till, MemoryBackend(clock: till.scheduler))
        try till.play {
            try await Self.sellTwice(client, till)
            let path = "/v1/payments/\(H.uuid(1))"
            let void = try await H.post(service, "\(path)/voids", ["account": "m-2"], 2, by: .office)
            #expect(void.status == 201, "\(void.body)")
            let record = try await client.payment(PaymentID(try AttemptID(H.uuid(1))))
            #expect(record.statusForGoods == "approved", "\(record.status)")
        }
    }

    /// 12.50 lies at each of two accounts, and the key may return 12.50.
    @Test(arguments: ["refunds", "voids"])
    func limitedKey_returnsAllOfTheAccountThatItNames(_ way: String) throws {
        let till = Till()
        let second = MemoryBackend(clock: till.scheduler)
        let (client, service) = try Self.made(till, second) { options in
            for place in options.keys.indices {
                options.keys[place].refundMax = [.eur: .cents(1_250)]
                options.keys[place].refundMaxPerDay = [.eur: .cents(2_000)]
            }
        }
        try till.play {
            try await Self.sellTwice(client, till)
            let path = "/v1/payments/\(H.uuid(1))/\(way)"
            let all: JSON = way == "refunds" ? ["all": true] : [:]
            let reply = try await H.post(service, path, all.adding("account", "m-2"), 2, by: .office)
            #expect(reply.status == 201 && reply.body["account"] == "m-2", "\(reply.status) \(reply.body)")
            // 7.50 of the day is left, and the other account has 12.50.
            let other = try await H.post(service, path, all.adding("account", "memory"), 3, by: .office)
            #expect(other.status == 403, "\(other.status) \(other.body)")
            #expect(till.backend.ledger.movements(attempt: H.uuid(3)).isEmpty)
        }
    }

    @Test func refundOfAPaymentAtTwoAccounts_needsTheAccount_andGoesThere() throws {
        let till = Till()
        let second = MemoryBackend(clock: till.scheduler)
        let (client, service) = try Self.made(till, second)
        try till.play {
            try await Self.sellTwice(client, till)
            let path = "/v1/payments/\(H.uuid(1))"
            let unnamed: [(path: String, body: JSON)] = [
                ("refunds", ["all": true]), ("refunds", ["amount": H.euro("1.00")]), ("voids", [:]),
                ("refunds", ["all": true, "account": "m-3"]),
            ]
            for (number, request) in unnamed.enumerated() {
                let reply = try await H.post(
                    service, "\(path)/\(request.path)", request.body, number + 2, by: .office)
                #expect(reply.status == 409 && reply.word == "accountNeeded", "\(reply.body)")
                #expect(reply.outcome == "notExecuted" && reply.body["retry"] == "never")
                let accounts = reply.body["accounts"]?.array ?? []
                #expect(Set(accounts.compactMap { $0["provider"]?.string }) == ["memory", "second"])
                #expect(accounts.contains { $0["account"]?.string == "m-2" })
            }
            let refund: JSON = ["all": true, "account": "m-2"]
            let refunded = try await H.post(service, "\(path)/refunds", refund, 9, by: .office)
            #expect(refunded.status == 201 && refunded.body["account"] == "m-2", "\(refunded.body)")
            #expect(refunded.body["approvedAmount"]?["value"] == "12.50")
            #expect(second.ledger.movements(attempt: H.uuid(9)).count == 1)
            #expect(till.backend.ledger.movements(attempt: H.uuid(9)).isEmpty)
            // The account is no content: a repeat is answered from the record, whatever it names.
            let again = try await H.post(service, "\(path)/refunds", ["all": true], 9, by: .office)
            #expect(again.status == 201 && again.body["attempt"] == refunded.body["attempt"], "\(again.body)")
            #expect(second.ledger.movements(attempt: H.uuid(9)).count == 1)
        }
    }
}
