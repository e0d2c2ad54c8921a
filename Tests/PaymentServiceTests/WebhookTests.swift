import PaymentBase
import PaymentCore
import PaymentHTTPServer
import PaymentJournalKit
import PaymentLinux
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentService

/// Messages to receivers outside, on a stage.
struct WebhookTests {
    typealias H = ServiceHarness

    /// A receiver: what it got, and how it answers. It computes signatures by the text of the specification alone.
    private final class Receiver: HTTPTransport {
        struct Message: Sendable {
            let id: String
            let at: Int64
            let seconds: String
            let signatures: [String]
            let body: String
        }

        let messages = Locked([Message]())
        private let clock: any PaymentClock
        private let answer: @Sendable (Int) async throws(TransportFailure) -> Int

        init(_ clock: any PaymentClock, _ answer: @escaping @Sendable (Int) async throws(TransportFailure) -> Int) {
            (self.clock, self.answer) = (clock, answer)
        }

        var sendLimitMilliseconds: Int64? { nil }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            let message = Message(
                id: request.headers["webhook-id"] ?? "", at: clock.now,
                seconds: request.headers["webhook-timestamp"] ?? "",
                signatures: (request.headers["webhook-signature"] ?? "").split(separator: " ").map(String.init),
                body: String(decoding: request.body, as: UTF8.self))
            let count = messages.withLock {
                $0.append(message)
                return $0.count
            }
            return HTTPResponse(try await answer(count), headers: [:], body: [])
        }

        var ids: [String] { messages.withLock { $0.map(\.id) } }
        var all: [Message] { messages.withLock { $0 } }

        /// HMAC-SHA256 by RFC 2104, over a digest alone.
        static func signature(_ message: Message, _ secret: String) throws -> String {
            var key = try #require(Base64.standard.decode(String(secret.dropFirst(6))))
            key += [UInt8](repeating: 0, count: 64 - key.count)
            let crypto = OpenSSLCrypto()
            let content = Array("\(message.id).\(message.seconds).\(message.body)".utf8)
            let inner = try crypto.digest(.sha256, key.map { $0 ^ 0x36 } + content)
            return "v1," + Base64.standard.encode(try crypto.digest(.sha256, key.map { $0 ^ 0x5C } + inner))
        }
    }

    private static let secrets = [
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
    ]
    private static let minute: Int64 = 60_000

    private static func endpoint(_ secrets: [String] = secrets) throws -> WebhookEndpoint {
        try #require(
            WebhookEndpoint(
                "shop-backend", shop: "berlin", Origin(.https, "shop.example"), "/hooks",
                secrets: secrets.map { Secret($0) }))
    }

    /// A client of the shop, as another process would have one.
    private static func client(_ shop: H) throws -> PaymentClient {
        var options = shop.till.dependencies
        options.scope = "berlin"
        return try PaymentClient(shop.till.driver(), options)
    }

    private static func sender(
        _ shop: H, _ receiver: any HTTPTransport, notes: Locked<[String]> = Locked([])
    ) throws -> WebhookSender {
        let client = try Self.client(shop)
        return WebhookSender(
            try endpoint(), client, receiver, crypto: OpenSSLCrypto(), clock: shop.till.scheduler,
            random: shop.till.random, note: { text in notes.withLock { $0.append(text) } })
    }

    /// Runs senders beside a body.
    private static func running(
        _ shop: H, _ senders: [WebhookSender], _ body: () async throws -> Void
    ) async throws {
        let tasks = senders.map { sender in Task(executorPreference: shop.till.scheduler) { await sender.run() } }
        try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + 2_000)
        try await body()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private static func pass(_ shop: H, _ milliseconds: Int64) async throws {
        try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + milliseconds)
    }

    private static func state(_ shop: H) async throws -> WebhookDesk.State {
        let client = try Self.client(shop)
        return try await WebhookDesk(client).state(of: "berlin/shop-backend", limit: 100)
    }

    // MARK: - What is sent

    /// The example of the specification's own libraries.
    @Test func signature_isTheOneOfTheSpecificationsLibraries() throws {
        let shop = try H(Till(now: 1_614_265_330_000))
        let receiver = Receiver(shop.till.scheduler) { _ in 200 }
        let message = OutgoingMessage(
            "shop-backend", "msg_p5jXN8AQM9LWM0D4loKWxJek", "{\"test\": 2432232314}", at: 0, due: 0)
        let request = try Self.sender(shop, receiver).signed(message)
        #expect(request.headers["webhook-timestamp"] == "1614265330")
        #expect(
            request.headers["webhook-signature"]?.split(separator: " ").first
                == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func secrets_thatAreNone_makeNoReceiver() throws {
        let short = "whsec_" + Base64.standard.encode([UInt8](repeating: 1, count: 23))
        let long = "whsec_" + Base64.standard.encode([UInt8](repeating: 1, count: 65))
        for secrets in [[], [short], [long], ["abc"], ["whsec_!"], Self.secrets + Self.secrets] {
            let made = WebhookEndpoint(
                "a", shop: "berlin", Origin(.https, "shop.example"), "/", secrets: secrets.map { Secret($0) })
            #expect(made == nil)
        }
    }

    @Test func sale_isReportedOnce_signedWithBothSecrets_withoutAnythingAboutThePayment() throws {
        try H.play { shop in
            let receiver = Receiver(shop.till.scheduler) { _ in 204 }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50", "order of Ms Miller"), 1).status == 201)
                #expect(try await shop.post("/v1/sales", H.sale("9.00"), 2, by: .other).status == 201)
                try await Self.pass(shop, 5_000)
                let all = receiver.all
                #expect(all.count == 1)
                let message = try #require(all.first)
                let body = try JSONReader().read(Array(message.body.utf8))
                let attempt = try await shop.get("/v1/attempts/\(H.uuid(1))")
                #expect(
                    body
                        == [
                            "apiVersion": 1, "type": "attempt.decided", "attempt": .string(H.uuid(1)),
                            "payment": .string(H.uuid(1)), "version": attempt.body["version"] ?? .null,
                        ])
                #expect(message.signatures == (try Self.secrets.map { try Receiver.signature(message, $0) }))
                #expect(!message.id.contains("."))
                #expect(try await Self.state(shop).counts.all == 0)
            }
        }
    }

    @Test func eachKindOfEvent_hasItsType() {
        let types: [(PaymentEvent.Kind, WebhookType?)] = [
            (.approved, .decided), (.declined, .decided), (.cancelled, .decided), (.failed, .decided),
            (.inDoubt, .open), (.pending, .open), (.failedLater, .changed), (.activeTwice, .attention),
            (.contradiction, .attention), (.begun, nil), (.submitted, nil), (.cardRead, nil), (.lookedUp, nil),
        ]
        for (kind, type) in types { #expect(WebhookType(kind) == type, "\(kind)") }
    }

    /// A refund frees its reference, which is paid again, and the refund fails afterwards: the reference is paid twice. The receiver
    /// gets it as something for a person, and so does who reads what happened.
    @Test func referenceThatIsPaidTwice_sinceARefundFailedLater_isRaised() throws {
        try H.play { shop in
            let receiver = Receiver(shop.till.scheduler) { _ in 200 }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
                let refund = "/v1/payments/\(H.uuid(1))/refunds"
                #expect(try await shop.post(refund, ["all": true], 2, by: .office).status == 201)
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 3).status == 201)
                let message = try #require(shop.till.backend.failLater(H.uuid(2)))
                let fields = message.headers.map { HTTPField($0.key.lowercased(), $0.value) }
                let head = RequestHead(method: "POST", target: "/v1/webhooks/memory", fields: fields)
                #expect(await shop.service.response(to: ServerRequest(head, body: message.body)).status == 200)
                try await Self.pass(shop, 5_000)
                let bodies = try receiver.all.map { try JSONReader().read(Array($0.body.utf8)) }
                #expect(bodies.contains { $0["type"] == "attempt.changed" && $0["attempt"]?.string == H.uuid(2) })
                #expect(bodies.contains { $0["type"] == "payment.attention" }, "\(bodies)")
                var kinds: [String] = []
                for payment in [1, 3] {
                    let events = try await shop.get("/v1/payments/\(H.uuid(payment))/events").body["items"]?.array
                    kinds += (events ?? []).compactMap { $0["kind"]?.string }
                }
                #expect(kinds.contains("activeTwice"), "\(kinds)")
            }
        }
    }

    // MARK: - Nothing is lost, nothing is sent twice at once

    @Test func process_thatDiesBetweenWritingAndSending_losesNothing() throws {
        try H.play { shop in
            let never = Receiver(shop.till.scheduler) { _ in 500 }
            let first = try Self.sender(shop, never)
            try await first.follow()
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            try await first.follow()
            // It dies here: the row is written, and nothing was sent. What is sold in between is reported, too.
            #expect(never.all.isEmpty)
            #expect(try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2).status == 201)
            let receiver = Receiver(shop.till.scheduler) { _ in 200 }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                try await Self.pass(shop, 5_000)
                #expect(receiver.all.count == 2)
                #expect(try await Self.state(shop).counts.all == 0)
            }
        }
    }

    @Test func process_thatDiesWhileItSends_isFollowedByAnother_underTheSameID() throws {
        try H.play { shop in
            let never = Promise<Bool>()
            let deaf = Receiver(shop.till.scheduler) { _ in
                _ = await never.value(orWhenCancelled: false)
                return 200
            }
            try await Self.running(shop, [try Self.sender(shop, deaf)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
                try await Self.pass(shop, 3_000)
                #expect(deaf.ids.count == 1)
            }
            let receiver = Receiver(shop.till.scheduler) { _ in 200 }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                try await Self.pass(shop, 30_000)
                #expect(receiver.all.isEmpty, "another process may still have it")
                try await Self.pass(shop, 40_000)
                #expect(receiver.ids == deaf.ids)
            }
        }
    }

    @Test func twoInstances_sendEachMessageOnce() throws {
        try H.play { shop in
            let receiver = Receiver(shop.till.scheduler) { [scheduler = shop.till.scheduler] _ in
                try? await scheduler.sleep(until: scheduler.now + 700)
                return 200
            }
            let senders = try (0..<2).map { _ in try Self.sender(shop, receiver) }
            try await Self.running(shop, senders) {
                for number in 1...30 {
                    #expect(try await shop.post("/v1/sales", H.sale("12.50", "order-\(number)"), number).status == 201)
                }
                try await Self.pass(shop, 30_000)
                #expect(receiver.ids.count == 30 && Set(receiver.ids).count == 30)
            }
        }
    }

    // MARK: - Receivers that don't take it

    @Test func receiverThatFails_isTriedByThePlan_andWhatFailedForGoodIsKept_andSentAgain() throws {
        try H.play { shop in
            let receiver = Receiver(shop.till.scheduler) { count in count <= 10 ? 500 : 200 }
            let notes = Locked([String]())
            try await Self.running(shop, [try Self.sender(shop, receiver, notes: notes)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
                try await Self.pass(shop, 90 * 60 * Self.minute)
                let times = receiver.all.map(\.at)
                #expect(times.count == 10 && Set(receiver.ids).count == 1)
                for (place, pause) in DeliveryRules.pauses.enumerated() where times.count > place + 1 {
                    let gap = times[place + 1] - times[place]
                    #expect(gap >= pause && gap <= pause + pause / 10 + WebhookSender.everyMilliseconds, "\(place)")
                }
                let state = try await Self.state(shop)
                #expect(state.counts.failed == 1 && state.messages.first?.failure == "The receiver answered 500.")
                #expect(notes.withLock { $0 }.contains { $0.contains("failed for good") })
                let client = try Self.client(shop)
                #expect(try await WebhookDesk(client).resend("berlin/shop-backend") == 1)
                #expect(try await WebhookDesk(client).resend("another") == nil)
                try await Self.pass(shop, 5_000)
                #expect(receiver.all.count == 11)
                #expect(try await Self.state(shop).counts.all == 0)
            }
        }
    }

    @Test func receiverThatIsDeaf_isLeftAfterFifteenSeconds_andHoldsUpNoOther() throws {
        try H.play { shop in
            let never = Promise<Bool>()
            let receiver = Receiver(shop.till.scheduler) { count in
                if count == 1 { _ = await never.value(orWhenCancelled: false) }
                return 200
            }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
                try await Self.pass(shop, 2_000)
                #expect(try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2).status == 201)
                try await Self.pass(shop, 2_000)
                #expect(receiver.all.count == 2)
                try await Self.pass(shop, 12_000)
                #expect(try await Self.state(shop).messages.first?.failure == "No answer came within 15 s.")
                try await Self.pass(shop, 8_000)
                #expect(receiver.all.count == 3 && Set(receiver.ids).count == 2)
            }
        }
    }

    @Test(arguments: [301, 302, 307, 308, 400, 404, 500])
    func anyOtherStatus_isAFailure_andNoRedirectIsFollowed(_ status: Int) throws {
        try H.play { shop in
            let receiver = Receiver(shop.till.scheduler) { count in count == 1 ? status : 200 }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
                try await Self.pass(shop, 3_000)
                #expect(receiver.all.count == 1)
                #expect(try await Self.state(shop).messages.first?.failure == "The receiver answered \(status).")
                try await Self.pass(shop, 5_000)
                #expect(receiver.all.count == 2)
            }
        }
    }

    @Test func receiverThatAnswers410_isSwitchedOff_untilAPersonSwitchesItOn() throws {
        try H.play { shop in
            let receiver = Receiver(shop.till.scheduler) { count in count == 1 ? 410 : 200 }
            let notes = Locked([String]())
            try await Self.running(shop, [try Self.sender(shop, receiver, notes: notes)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
                try await Self.pass(shop, 5_000)
                #expect(try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2).status == 201)
                try await Self.pass(shop, 2 * 60 * Self.minute)
                #expect(receiver.all.count == 1)
                #expect(notes.withLock { $0 }.contains { $0.contains("410") })
                let client = try Self.client(shop)
                #expect(try await WebhookDesk(client).resend("berlin/shop-backend") == 0)
                try await Self.pass(shop, 5_000)
                #expect(receiver.all.count == 3 && Set(receiver.ids).count == 2)
            }
        }
    }

    /// A receiver is taken out of the configuration while a message waits for it, and comes back within thirty days, and after them.
    @Test(arguments: [(29, true), (31, false)])
    func receiverThatWasRemoved_getsWhatWaited_ifItComesBackInTime(_ days: Int, _ isSent: Bool) throws {
        try H.play { shop in
            let deaf = Receiver(shop.till.scheduler) { _ in 500 }
            try await Self.running(shop, [try Self.sender(shop, deaf)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
                try await Self.pass(shop, 3_000)
            }
            let client = try Self.client(shop)
            func keep(_ endpoints: [WebhookEndpoint]) async throws {
                try await WebhookKeeper(endpoints, client, clock: shop.till.scheduler).look()
            }
            try await keep([try Self.endpoint()])
            try await keep([])
            #expect(try await Self.state(shop).endpoint?.removedAt == nil)
            try await Self.pass(shop, 5 * Self.minute)
            let now = shop.till.scheduler.now
            try await keep([])
            try await Self.pass(shop, Int64(days) * 24 * 60 * Self.minute)
            try await keep([])
            let state = try await Self.state(shop)
            #expect(state.endpoint?.removedAt == now && state.counts.all == (isSent ? 1 : 0))
            let receiver = Receiver(shop.till.scheduler) { _ in 200 }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                try await Self.pass(shop, 5_000)
                #expect(receiver.all.count == (isSent ? 1 : 0))
                let after = try await Self.state(shop)
                #expect(after.endpoint?.removedAt == nil && after.counts.all == 0)
                // What happens from now on is reported in either case.
                let sale = H.sale("9.00", "order-2").adding("source", "token").adding("token", "tok-1")
                #expect(try await shop.post("/v1/sales", sale, 2).status == 201)
                try await Self.pass(shop, 5_000)
                #expect(try Self.types(receiver, H.uuid(2)) == ["attempt.decided"])
            }
        }
    }

    /// The provider's reply is lost, and the provider can't be asked.
    @Test func saleInDoubt_isReportedWhileItIs() throws {
        let (till, isDown) = (Till(), Locked(false))
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            if isDown.withLock({ $0 }) { throw .maybeSent(.connectionReset) }
            guard request.method == "POST", request.target.hasSuffix("/payments") else {
                return try await next(request)
            }
            isDown.withLock { $0 = true }
            _ = try await next(request)
            throw .maybeSent(.connectionReset)
        }
        try H.play(till, transport: transport) { shop in
            let receiver = Receiver(shop.till.scheduler) { _ in 200 }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 202)
                #expect(await shop.service.drain(within: .seconds(600)))
                try await Self.pass(shop, 5_000)
                #expect(try await shop.get("/v1/attempts/\(H.uuid(1))").word == "inDoubt")
                #expect(try Self.types(receiver, H.uuid(1)) == ["attempt.open"])
            }
        }
    }

    /// Nothing was sent, and the answer of the sale says that it is over.
    @Test func saleWhoseTimeIsOverBeforeItsRequest_isReported() throws {
        let (till, gate) = (Till(), Gate())
        try H.play(till, transport: gate.transport(till.transport, at: "/token")) { shop in
            let receiver = Receiver(shop.till.scheduler) { _ in 200 }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                let sale = H.sale("12.50").adding("timeout", 10).adding("source", "token").adding("token", "tok-1")
                #expect(try await shop.post("/v1/sales", sale, 1).status == 402)
                gate.opened.fulfill(true)
                try await Self.pass(shop, 5_000)
                #expect(try Self.types(receiver, H.uuid(1)) == ["attempt.decided"])
                let events = try await shop.get("/v1/payments/\(H.uuid(1))/events").body["items"]?.array ?? []
                #expect(events.contains { $0["kind"] == "cancelled" }, "\(events)")
            }
        }
    }

    /// The types of the messages about an attempt.
    private static func types(_ receiver: Receiver, _ attempt: String) throws -> [String] {
        try receiver.all.compactMap { message in
            let body = try JSONReader().read(Array(message.body.utf8))
            return body["attempt"]?.string == attempt ? body["type"]?.string : nil
        }
    }

    @Test func metrics_showWhatWaitsAndWhatIsOff() throws {
        let shop = try H { options in options.webhooks = [try Self.endpoint()] }
        try shop.till.play { () async throws -> Void in
            let receiver = Receiver(shop.till.scheduler) { _ in 410 }
            try await Self.running(shop, [try Self.sender(shop, receiver)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
                try await Self.pass(shop, 5_000)
            }
            let head = RequestHead(method: "GET", target: "/metrics")
            guard case .bytes(let bytes) = await shop.service.admin.response(to: ServerRequest(head)).body else {
                return
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("payments_webhooks{endpoint=\"berlin/shop-backend\",state=\"waiting\"} 1"))
            #expect(text.contains("payments_webhooks_off{endpoint=\"berlin/shop-backend\"} 1"))
        }
    }

    /// The first payment's attempt can't be read any more when its webhook is made.
    @Test func paymentThatCanNotBeRead_holdsUpNoOtherWebhook() throws {
        var till = Till()
        let journal = DamagedJournal()
        till.journal = journal
        try H.play(till) { shop in
            let receiver = Receiver(shop.till.scheduler) { _ in 200 }
            let sender = try Self.sender(shop, receiver)
            try await sender.follow()
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            #expect(try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2).status == 201)
            let damaged = try AttemptID(H.uuid(1))
            journal.damaged.withLock { $0 = damaged }
            try await Self.running(shop, [sender]) {
                try await Self.pass(shop, 5_000)
                #expect(receiver.all.contains { $0.body.contains(H.uuid(2)) }, "\(receiver.all)")
            }
        }
    }

    /// A message waits for a receiver in Berlin when its name is given to one in Paris.
    @Test func receiverOfAnotherShop_underTheSameName_getsNothingOfTheFormerOne() throws {
        try H.play { shop in
            let deaf = Receiver(shop.till.scheduler) { _ in 500 }
            try await Self.running(shop, [try Self.sender(shop, deaf)]) {
                #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
                try await Self.pass(shop, 3_000)
                #expect(deaf.all.count == 1)
            }
            var options = shop.till.dependencies
            options.scope = "paris"
            let endpoint = try #require(
                WebhookEndpoint(
                    "shop-backend", shop: "paris", Origin(.https, "paris.example"), "/hooks",
                    secrets: [Secret(Self.secrets[0])]))
            let paris = Receiver(shop.till.scheduler) { _ in 200 }
            let sender = WebhookSender(
                endpoint, try PaymentClient(shop.till.driver(), options), paris, crypto: OpenSSLCrypto(),
                clock: shop.till.scheduler, random: shop.till.random)
            try await Self.running(shop, [sender]) {
                try await Self.pass(shop, 10 * Self.minute)
                #expect(!paris.all.contains { $0.body.contains(H.uuid(1)) }, "\(paris.all.map(\.body))")
            }
        }
    }
}

/// A journal of which one attempt can't be read any more.
private final class DamagedJournal: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    let damaged = Locked(AttemptID?.none)

    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        if case .attempt(let id) = query, id == damaged.withLock({ $0 }) { throw .unreadable(PaymentID(id)) }
        return try await inner.attempts(query, after: cursor, limit: limit)
    }
}
