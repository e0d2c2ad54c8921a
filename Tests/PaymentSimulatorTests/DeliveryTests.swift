import Foundation
import PaymentBase
import PaymentLinux
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// What simulated providers say by themselves: the outbox, and its delivery over real HTTP on the loopback.
@Suite struct DeliveryTests {
    private static let refused = Origin(.http, "shop.test")

    /// Makes a pending sale at the memory provider; its label is the attempt.
    private static func pending(_ provider: any SimulatedProvider, _ attempt: String) async throws {
        func send(_ target: String, _ body: JSON, _ headers: HTTPHeaders = [:]) async throws -> JSON {
            var request = HTTPRequest("POST", Origin(.http, "m.test"), target, headers: headers, body: body.bytes())
            request.headers["Content-Type"] = "application/json"
            return try JSONReader().read(try #require(await provider.answer(request).response).body)
        }
        let token = try await send("/token", ["secret": "memory-client-secret"])["token"]?.string ?? ""
        let sale: JSON = [
            "attempt": .string(attempt), "kind": "sale", "amount": ["minorUnits": 3_015, "currency": "EUR"],
            "source": ["kind": "card", "number": "4111111111111111"],
        ]
        #expect(try await send("/payments", sale, ["Authorization": "Bearer \(token)"])["state"] == "pending")
    }

    /// A sandbox on sockets whose memory provider has two pending sales, and a receiver.
    private func served(
        _ statuses: [Int], _ body: (SimulatedProviders, JSONClient, ReceivingService, Origin) async throws -> Void
    ) async throws {
        let sandbox = try SimulatedProviders(clock: StillClock()) {
            [MemoryBackend(clock: $0), AdyenSimulator(clock: $0, crypto: OpenSSLCrypto())]
        }
        let (running, server, receiver) = (try await sandbox.serve(), try SimulatorServer(), ReceivingService(statuses))
        let origin = try await server.listen(receiver)
        let transport = CurlTransport()
        for attempt in ["a-1", "a-2"] { try await Self.pending(try #require(sandbox["memory"]), attempt) }
        try await body(sandbox, JSONClient(transport, running.control), receiver, origin)
        await running.stop()
        await server.stop()
        await transport.close()
    }

    /// The messages of the memory provider as the control address shows them, once they are as they should be.
    private static func outbox(
        _ control: JSONClient, _ provider: String = "memory", until isDone: ([JSON]) -> Bool
    ) async throws -> [JSON] {
        for _ in 0..<100_000 {
            let messages = try await control.send("GET", "/outbox/\(provider)")["messages"]?.array ?? []
            if isDone(messages) { return messages }
        }
        return []
    }

    @Test func whatIsNotTakenIsSentAgainByTheScheduleAndTheOrderIsKept() async throws {
        try await served([500, 503]) { sandbox, control, receiver, origin in
            let receiverBody: JSON = ["url": .string("\(origin)/hooks")]
            let set = try await control.send("PUT", "/outbox/memory/receiver", body: receiverBody)
            #expect(set["receiver"]?.string == "\(origin)/hooks" && set["messages"]?.array == [])
            for (attempt, outcome) in [("a-1", "succeeds"), ("a-2", "fails")] {
                let body: JSON = ["attempt": .string(attempt), "outcome": .string(outcome)]
                #expect(try await control.send("POST", "/decisions/memory", body: body).status == 200)
            }
            var wait: Int64 = 10_000
            for tries in 1...2 {
                let messages = try await Self.outbox(control) { $0.first?["tries"]?.int64 == Int64(tries) }
                #expect(messages.first?["state"] == "waiting" && messages.last?["tries"] == 0)
                #expect(messages.first?["dueAt"]?.int64 == sandbox.clock.now + wait)
                #expect(receiver.heard.count == tries)
                let advance: JSON = ["milliseconds": .number(JSONNumber(wait))]
                _ = try await control.send("POST", "/clock/advance", body: advance)
                wait = 30_000
            }
            let done = try await Self.outbox(control) { $0.allSatisfy { $0["state"] == "delivered" } }
            #expect(done.map { $0["tries"] } == [3, 1] && done.map { $0["number"] } == [1, 2])
            #expect(done.map { $0["attempt"] } == ["a-1", "a-2"])
            let heard = receiver.heard
            #expect(heard.allSatisfy { $0.method == "POST" && $0.target == "/hooks" })
            #expect(heard.allSatisfy { $0.headers["x-memory-secret"] == "memory-webhook-secret" })
            let attempts = try heard.map { try JSONReader().read($0.body)["attempt"]?.string }
            #expect(attempts == ["a-1", "a-1", "a-1", "a-2"] && heard[0].body == heard[2].body)
        }
    }

    @Test func whatTimeAloneBringsAboutIsPostedWithoutARequest() async throws {
        try await served([]) { sandbox, control, receiver, origin in
            let url: JSON = ["url": .string("\(origin)/adyen")]
            #expect(try await control.send("PUT", "/outbox/adyen/receiver", body: url).status == 200)
            let adyen = try #require(sandbox["adyen"] as? AdyenSimulator)
            func post(_ target: String, _ body: JSONObject) async throws -> JSON {
                var object = body
                object["merchantAccount"] = "TestMerchant"
                let headers: HTTPHeaders = [
                    "Content-Type": "application/json", "X-API-Key": adyen.apiKey.expose(),
                ]
                let request = HTTPRequest(
                    "POST", SimulatedProviders.origin(of: "adyen"), target, headers: headers,
                    body: JSON.object(object).bytes())
                return try JSONReader().read(try await sandbox.transport.send(request).body)
            }
            let amount: JSON = ["currency": "EUR", "value": 5_000]
            let sold = try await post(
                "/v72/payments",
                [
                    "amount": amount, "reference": "order-1", "shopperReference": .string(AdyenSimulator.savedCustomer),
                    "paymentMethod": ["storedPaymentMethodId": .string(AdyenSimulator.savedInstrument)],
                    "shopperInteraction": "ContAuth", "recurringProcessingModel": "CardOnFile",
                    "returnUrl": "https://shop.example/back",
                ])
            let psp = try #require(sold["pspReference"]?.string)
            await receiver.hears(1)
            _ = try await post("/v72/payments/\(psp)/refunds", ["amount": amount, "reference": "back-1"])
            #expect(adyen.nextDue == sandbox.clock.now + AdyenSimulator.modificationMilliseconds)
            sandbox.clock.advance(by: AdyenSimulator.modificationMilliseconds)
            await receiver.hears(2)
            let item = try JSONReader().read(receiver.heard[1].body)["notificationItems"]?[0]?[
                "NotificationRequestItem"]
            #expect(item?["eventCode"] == "REFUND" && item?["merchantReference"] == "back-1")
            #expect(item?["additionalData"]?["hmacSignature"]?.string?.isEmpty == false)
        }
    }

    private static func status(_ control: JSONClient, _ method: String, _ path: String, _ body: JSON) async throws
        -> Int
    {
        do {
            return try await control.send(method, path, body: body).status
        } catch let refusal as HTTPErrorResponse {
            return refusal.status
        }
    }

    @Test func theControlAddressRefusesWhatItCanNotDo() async throws {
        let asked: [(method: String, path: String, body: JSON, status: Int)] = [
            ("PUT", "/outbox/memory/receiver", ["url": "ftp://x"], 400),
            ("PUT", "/outbox/memory/receiver", ["url": "http://"], 400),
            ("PUT", "/outbox/memory/receiver", ["url": "http://a b/"], 400),
            ("PUT", "/outbox/memory/receiver", ["url": 1], 400), ("PUT", "/outbox/memory/receiver", [:], 400),
            ("PUT", "/outbox/nobody/receiver", ["url": nil], 404),
            ("PUT", "/outbox/memory/receiver", ["url": nil], 200),
            ("POST", "/decisions/memory", ["attempt": "a-1"], 400),
            ("POST", "/decisions/memory", ["attempt": "x", "outcome": "fails"], 404),
            ("POST", "/decisions/memory", ["attempt": "a-1", "outcome": "failsLater"], 404),
        ]
        try await served([]) { _, control, _, _ in
            for (method, path, body, status) in asked {
                let answered = try await Self.status(control, method, path, body)
                #expect(answered == status, "\(method) \(path) \(body)")
            }
            let all = try await control.send("GET", "/outbox")
            #expect(all["providers"]?.array?.count == 2)
        }
    }

    /// A receiver that always refuses.
    private struct Refusing: HTTPTransport {
        var sendLimitMilliseconds: Int64? { 0 }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse { HTTPResponse(503) }
    }

    @Test func theScheduleIsBounded_andLaterMessagesContinue() async throws {
        let provider = MemoryBackend(clock: StillClock())
        var messages: [OutgoingWebhook] = []
        for attempt in ["a-1", "a-2"] {
            try await Self.pending(provider, attempt)
            messages.append(try #require(provider.decide(attempt, succeeds: true)))
            #expect(messages.last?.attempt == attempt && provider.nextDelivery == nil)
        }
        for message in messages { provider.withOutbox { $0.add(message) } }
        var (waits, now) = ([Int64](), StillClock().now)
        while let due = provider.nextDelivery, waits.count < 9 {
            waits.append(due - now)
            now = due
            await provider.deliver(over: Refusing(), to: Self.refused, "/", at: now)
        }
        #expect(waits == [0, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000, 43_200_000])
        let states = provider.withOutbox { $0.entries.map(\.state) }
        #expect(states == [.taken, .taken, .abandoned, .waiting])
        #expect(provider.withOutbox { $0.entries.last?.tryCount } == 1)
        #expect(provider.takeMessages().map(\.attempt) == ["a-2"] && provider.takeMessages().isEmpty)
        #expect(provider.nextDelivery == nil)
    }

    @Test func aSandboxThatIsServedOnceMorePostsOnceMore() async throws {
        let sandbox = try SimulatedProviders(clock: StillClock()) { [MemoryBackend(clock: $0)] }
        let (server, receiver) = (try SimulatorServer(), ReceivingService())
        let origin = try await server.listen(receiver)
        sandbox.setReceiver(WebhookReceiver("\(origin)/"), of: "memory")
        let provider = try #require(sandbox["memory"] as? MemoryBackend)
        for (round, attempt) in ["a-1", "a-2"].enumerated() {
            let running = try await sandbox.serve()
            provider.withOutbox { $0.add(Self.message(attempt)) }
            #expect(!sandbox.setReceiver(nil, of: "halo"))
            #expect(sandbox.setReceiver(WebhookReceiver("\(origin)/"), of: "memory"))
            await receiver.hears(round + 1)
            // Who is stopped before the answer has come back posts the same once more.
            while provider.withOutbox({ $0.entries.last?.state }) != .delivered { await Task.yield() }
            await running.stop()
        }
        #expect(receiver.heard.map { String(decoding: $0.body, as: UTF8.self) } == ["a-1", "a-2"])
        await server.stop()
    }

    /// A receiver that is never reached, because the sender is stopped in between.
    private struct Interrupted: HTTPTransport {
        var sendLimitMilliseconds: Int64? { 0 }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            throw .maybeSent(.cancelled)
        }
    }

    @Test func aDeliveryThatIsGivenUpOnTheWayIsNoTryAndIsMadeAgain() async throws {
        let provider = MemoryBackend(clock: StillClock())
        for attempt in ["a-1", "a-2"] { provider.withOutbox { $0.add(Self.message(attempt)) } }
        let count = await Task { await provider.deliver(over: Interrupted(), to: Self.refused, "/", at: .max) }.value
        let entries = provider.withOutbox { $0.entries }
        #expect(count == 0 && entries.allSatisfy { $0.state == .waiting && $0.tryCount == 0 })
    }

    /// A receiver that forgets everything that the provider has, and answers that it has taken the message.
    private struct Resetting: HTTPTransport {
        let provider: MemoryBackend

        var sendLimitMilliseconds: Int64? { 0 }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            if String(decoding: request.body, as: UTF8.self) == "old" {
                provider.reset()
                provider.withOutbox { $0.add(DeliveryTests.message("new")) }
            }
            return HTTPResponse(String(decoding: request.body, as: UTF8.self) == "old" ? 200 : 500)
        }
    }

    @Test func anAnswerIsNotTakenForThatOfAnotherMessage() async {
        let provider = MemoryBackend(clock: StillClock())
        provider.withOutbox { $0.add(Self.message("old")) }
        #expect(await provider.deliver(over: Resetting(provider: provider), to: Self.refused, "/", at: 9_000) == 2)
        let entries = provider.withOutbox { $0.entries }
        #expect(entries.map(\.message.attempt) == ["new"] && entries[0].state == .waiting && entries[0].tryCount == 1)
    }

    private static func message(_ attempt: String, _ body: [UInt8]? = nil) -> OutgoingWebhook {
        OutgoingWebhook(headers: ["X-Sign": "s"], body: body ?? Array(attempt.utf8), at: 5, attempt: attempt)
    }

    @Test func aMessageIsSentOnceMoreWhenItIsAskedFor() async throws {
        try await served([]) { _, control, receiver, origin in
            let url: JSON = ["url": .string("\(origin)/hooks")]
            #expect(try await control.send("PUT", "/outbox/memory/receiver", body: url).status == 200)
            for attempt in ["a-1", "a-2"] {
                let body: JSON = ["attempt": .string(attempt), "outcome": "succeeds"]
                #expect(try await control.send("POST", "/decisions/memory", body: body).status == 200)
            }
            await receiver.hears(2)
            _ = try await Self.outbox(control) { $0.allSatisfy { $0["state"] == "delivered" } }
            #expect(try await control.send("POST", "/outbox/memory/messages/1").status == 200)
            await receiver.hears(3)
            let heard = receiver.heard
            #expect(heard[2].body == heard[0].body && heard[2].headers == heard[0].headers)
            let done = try await Self.outbox(control) { $0.allSatisfy { $0["state"] == "delivered" } }
            #expect(done.map { $0["tries"] } == [1, 1] && receiver.heard.count == 3)
            for unknown in ["0", "3", "-1", "x", "99999999999999999999"] {
                let path = "/outbox/memory/messages/\(unknown)"
                #expect(try await Self.status(control, "POST", path, [:]) == 404, "\(unknown)")
            }
        }
    }

    @Test func whatWasNotTakenIsPostedAfterARestartWithAStateFile() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "state.json").path
        let (server, receiver, transport) = (try SimulatorServer(), ReceivingService([503]), CurlTransport())
        let origin = try await server.listen(receiver)
        let address = try #require(WebhookReceiver("\(origin)/hooks"))

        let first = try SimulatedProviders(clock: StillClock(), stateFile: path) { [MemoryBackend(clock: $0)] }
        #expect(first.setReceiver(address, of: "memory"))
        var running = try await first.serve()
        try await Self.pending(try #require(first["memory"]), "a-1")
        let control = JSONClient(transport, running.control)
        let decision: JSON = ["attempt": "a-1", "outcome": "succeeds"]
        #expect(try await control.send("POST", "/decisions/memory", body: decision).status == 200)
        let refused = try await Self.outbox(control) { $0.first?["tries"] == 1 }
        #expect(refused.first?["state"] == "waiting" && receiver.heard.count == 1)
        await running.stop()

        let second = try SimulatedProviders(clock: StillClock(), stateFile: path) { [MemoryBackend(clock: $0)] }
        let kept = try #require(second["memory"] as? MemoryBackend)
        #expect(kept.nextDelivery == second.clock.now + 10_000)
        #expect(second.setReceiver(address, of: "memory"))
        running = try await second.serve()
        second.clock.advance(by: 10_000)
        await receiver.hears(2)
        #expect(receiver.heard[1].body == receiver.heard[0].body)
        let again = JSONClient(transport, running.control)
        #expect(try await Self.outbox(again) { $0.first?["state"] == "delivered" }.first?["tries"] == 2)
        await running.stop()
        let third = try SimulatedProviders(clock: StillClock(), stateFile: path) { [MemoryBackend(clock: $0)] }
        #expect((third["memory"] as? MemoryBackend)?.withOutbox { $0.entries.first?.state } == .delivered)
        await server.stop()
        await transport.close()
    }

    @Test func messagesOutliveARestart() async throws {
        let (provider, other) = (MemoryBackend(clock: StillClock()), MemoryBackend(clock: StillClock()))
        try await Self.pending(provider, "a-1")
        let message = try #require(provider.decide("a-1", succeeds: true))
        provider.withOutbox { $0.add(message) }
        await provider.deliver(over: Refusing(), to: Self.refused, "/", at: StillClock().now)
        #expect(other.restore(provider.snapshot()) && other.snapshot() == provider.snapshot())
        #expect(other.nextDelivery == StillClock().now + 10_000)
        #expect(other.takeMessages() == [message])
    }

    @Test func anOutboxIsWrittenAndReadAsItIs() throws {
        var outbox = WebhookOutbox()
        for (attempt, body) in [("a", Array("{}".utf8)), ("b", [0xFF, 0x00, 0xFE]), ("c", [])] {
            outbox.add(Self.message(attempt, body))
        }
        _ = outbox.take()
        #expect(outbox.sendAgain(2, at: 9) && !outbox.sendAgain(4, at: 9))
        let written = try JSONReader().read(outbox.json.bytes())
        var read = try #require(WebhookOutbox(written))
        #expect(read.json == outbox.json && read.entries.map(\.message) == outbox.entries.map(\.message))
        #expect(read.entries.map(\.state) == [.taken, .waiting, .taken] && read.take().map(\.attempt) == ["b"])
        let entries = try #require(written.array)
        for wrong: JSON in [
            [:], [[:]], .array([entries[0], entries[2]]), .array([entries[1], entries[0]]),
            .array([entries[0].adding("number", 0)]), .array([entries[0].adding("state", "lost")]),
        ] {
            #expect(WebhookOutbox(wrong) == nil, "\(wrong)")
        }
    }

    @Test func theOldestMessagesGoFirst() {
        var outbox = WebhookOutbox()
        for number in 0..<WebhookOutbox.messagesMax * 2 {
            outbox.add(OutgoingWebhook(body: [], at: Int64(number)))
        }
        #expect((WebhookOutbox.messagesMax...WebhookOutbox.messagesMax * 3 / 2).contains(outbox.entries.count))
        #expect(outbox.entries.last?.number == WebhookOutbox.messagesMax * 2)
        #expect(outbox.take().first?.at == outbox.entries.first?.message.at)
    }
}

/// A small receiver of webhooks: it keeps what comes, and answers with the statuses that it was given, then with 200.
final class ReceivingService: SimulatorService {
    private struct State: Sendable {
        var statuses: [Int]
        var heard: [HTTPRequest] = []
        var waiting: [Int: Promise<Void>] = [:]
    }

    private let state: Locked<State>

    init(_ statuses: [Int] = []) { state = Locked(State(statuses: statuses)) }

    var heard: [HTTPRequest] { state.withLock { $0.heard } }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let (status, waiting) = state.withLock { state in
            state.heard.append(request)
            let status = state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
            return (status, state.waiting.removeValue(forKey: state.heard.count))
        }
        waiting?.fulfill(())
        return .empty(status)
    }

    /// Waits until so many requests have come.
    func hears(_ count: Int) async {
        let promise: Promise<Void>? = state.withLock { state in
            if state.heard.count >= count { return nil }
            let promise = state.waiting[count] ?? Promise()
            state.waiting[count] = promise
            return promise
        }
        await promise?.value()
    }
}

/// A clock that stands still: a task waits until the wait is given up.
struct StillClock: PaymentClock {
    var now: Int64 { 1_767_225_600_000 }

    func sleep(until instant: Int64) async throws {
        if instant <= now { return }
        let over = Promise<Void>()
        await withTaskCancellationHandler {
            await over.value()
        } onCancel: {
            over.fulfill(())
        }
        throw CancellationError()
    }
}
