import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentJournalKit
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentService

/// What others do to a shop that sells: floods of streams, messages about its attempts, a stop while something is asked.
struct PressureTests {
    typealias H = ServiceHarness

    /// As many streams as the service takes, all of viewers, are open; one more is refused, and a sale is as it always is.
    @Test func streamsOfViewers_asManyAsThereMayBe_hinderNoSale() throws {
        let till = Till()
        let keyCount = 2_048 / EventFeed.streamsMax
        var options = till.dependencies
        options.scope = "berlin"
        let client = try PaymentClient(till.driver(), options)
        let service = try H.service([ServiceShop("berlin", scope: "berlin", client: client)]) { options in
            (options.clock, options.random, options.executor) = (till.scheduler, till.random, till.scheduler)
            for number in 0...keyCount {
                let key = Secret("viewer-\(number)")
                options.keys.append(
                    try ServiceKey(key, name: "v\(number)", shop: "berlin", role: .viewer, crypto: options.crypto))
            }
            #expect(options.streamsMax == 2_048)
        }
        @Sendable func follow(_ key: Int) async -> ServerResponse {
            let field = HTTPField("authorization", "Bearer viewer-\(key)")
            return await service.response(
                to: ServerRequest(RequestHead(method: "GET", target: "/v1/events", fields: [field])))
        }
        try till.play {
            var streams: [ServerResponse] = []
            for number in 0..<2_048 {
                let stream = await follow(number / EventFeed.streamsMax)
                #expect(stream.status == 200, "\(number)")
                streams.append(stream)
            }
            #expect(await follow(keyCount).status == 429)
            let sold = try await H.post(service, "/v1/sales", H.sale("12.50"), 1)
            #expect(sold.status == 201)
            // Each of them sees it.
            for stream in [streams.first, streams.last] {
                let seen = await LiveTests.read(try #require(stream), until: "\"kind\":\"approved\"")
                #expect(seen.contains(H.uuid(1)))
            }
            #expect(till.backend.ledger.movements(attempt: H.uuid(1)).count == 1)
        }
    }

    /// What a provider would say about the end of attempt 1, made in a world of its own: the provider of the test knows nothing of it.
    private static func message(succeeds: Bool) throws -> OutgoingWebhook {
        let till = Till()
        try H.play(till) { shop in _ = try await shop.post("/v1/sales", H.sale("20.15"), 1) }
        return try #require(till.backend.decide(H.uuid(1), succeeds: succeeds))
    }

    /// A message that another account's secret verifies, about an attempt that never was there, decides nothing: neither of its own
    /// shop nor of another one.
    @Test(arguments: [true, false])
    func message_verifiedByAnotherAccount_changesNothing(succeeds: Bool) throws {
        let till = Till()
        let origin = Origin(.http, "second.test", 80)
        let transport = InProcessTransport([
            Till.origin: till.backend, origin: MemoryBackend(clock: till.scheduler),
        ])
        var second = MemoryConfiguration(
            name: "second", endpoint: origin, merchant: "m-2", secret: Secret("memory-client-secret"))
        second.webhookSecret = Secret("secret-of-second")
        let drivers: [any PaymentDriver] = [till.driver(transport), MemoryDriver(second, transport)]
        func client(_ scope: String) throws -> PaymentClient {
            var options = till.dependencies
            options.scope = scope
            return try PaymentClient(drivers: drivers, routing: Routing(active: "memory"), options)
        }
        let shops = try ["berlin", "paris"].map { ServiceShop($0, scope: $0, client: try client($0)) }
        let service = try H.service(shops) { options in
            (options.clock, options.random, options.executor) = (till.scheduler, till.random, till.scheduler)
            options.intake = try client("")
        }
        let message = try Self.message(succeeds: succeeds)
        try till.play {
            #expect(try await H.post(service, "/v1/sales", H.sale("20.15"), 1).status == 202)
            let before = try await H.send(service, "GET", "/v1/attempts/\(H.uuid(1))", [], by: .till, [])
            let forged = [HTTPField("x-memory-secret", "secret-of-second")]
            for (account, status) in [("second", 200), ("memory", 401)] {
                let head = RequestHead(method: "POST", target: "/v1/webhooks/\(account)", fields: forged)
                let reply = await service.response(to: ServerRequest(head, body: message.body))
                #expect(reply.status == status, "\(account)")
                let after = try await H.send(service, "GET", "/v1/attempts/\(H.uuid(1))", [], by: .till, [])
                let events = try await H.send(service, "GET", "/v1/payments/\(H.uuid(1))/events", [], by: .till, [])
                let kinds = (events.body["items"]?.array ?? []).compactMap { $0["kind"]?.string }
                #expect(
                    after.word == "pending" && after.body["version"] == before.body["version"],
                    "\(account): \(after.word ?? ""), \(kinds)")
            }
            // The account's own message decides it.
            let own = try #require(till.backend.decide(H.uuid(1), succeeds: succeeds))
            let fields = own.headers.map { HTTPField($0.key.lowercased(), $0.value) }
            let head = RequestHead(method: "POST", target: "/v1/webhooks/memory", fields: fields)
            #expect(await service.response(to: ServerRequest(head, body: own.body)).status == 200)
            let decided = try await H.send(service, "GET", "/v1/attempts/\(H.uuid(1))", [], by: .till, [])
            #expect(decided.word == (succeeds ? "approved" : "declined"))
        }
    }

    /// A proxy gives a new sale to another instance, and asks the one that stops about it: that one sends it on.
    @Test func stop_whileAnotherInstanceRunsTheAttempt_answersNothingAboutIt() throws {
        let till = Till()
        let other = try H(till)
        try H.play(till) { shop in
            let sale = H.sale("20.20").adding("acceptPartial", true)
            let asked = try await other.post("/v1/sales", sale, 1, wait: 50)
            let question = try #require(asked.body["question"]?["id"])
            let path = "/v1/attempts/\(H.uuid(1))"
            let answer: JSON = ["question": question, "answer": true]
            #expect(try await shop.get(path).status == 200)
            shop.service.beginStop()
            for reply in [
                try await shop.get(path), try await shop.post("\(path)/answers", answer),
                try await shop.post("\(path)/cancel"),
            ] { #expect(reply.status == 503 && reply.body["retry"] == "safe", "\(reply.body)") }
            #expect(try await other.post("\(path)/answers", answer).status == 200)
            #expect(try await other.post("/v1/sales", sale, 1).status == 201)
            #expect(try await shop.get(path).body["outcome"] == "executed")
        }
    }

    /// The service was asked to stop while an attempt asks: the answer is taken, and the attempt ends by it.
    @Test(arguments: [true, false])
    func stop_underAQuestion_takesItsAnswer(isTaken: Bool) throws {
        try H.play { shop in
            let sale = H.sale("20.20").adding("acceptPartial", true)
            let asked = try await shop.post("/v1/sales", sale, 1, wait: 50)
            let question = try #require(asked.body["question"]?["id"])
            shop.service.beginStop()
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").body["question"]?["id"] == question)
            let path = "/v1/attempts/\(H.uuid(1))/answers"
            let answer: JSON = ["question": question, "answer": .bool(isTaken)]
            #expect(try await shop.post(path, answer).status == 200)
            #expect(await shop.service.drain(within: .seconds(180)))
            #expect(try await shop.post("/v1/sales", sale, 1).status == (isTaken ? 201 : 402))
            // The half that is not wanted goes back.
            #expect(shop.movements(1) == (isTaken ? 1 : 2))
        }
    }
}
