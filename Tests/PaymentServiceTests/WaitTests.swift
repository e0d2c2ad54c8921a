import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentLinux
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import PaymentService

/// What ends a wait, and what no request's wait takes from others.
struct WaitTests {
    typealias H = ServiceHarness

    /// A transport to the memory provider that keeps back what a test chooses.
    private struct Held {
        let executed = Promise<Bool>()
        let opened = Promise<Bool>()

        /// Lets the provider execute a sale, and keeps its reply back.
        func reply(_ inner: any HTTPTransport) -> HookTransport {
            HookTransport(inner) { [self] request, next throws(TransportFailure) in
                let reply = try await next(request)
                guard request.method == "POST", request.target.hasSuffix("/payments") else { return reply }
                executed.fulfill(true)
                _ = await opened.value()
                return reply
            }
        }
    }

    private static func deliver(_ shop: H) async throws -> Int {
        let message = try #require(shop.till.backend.decide(H.uuid(1), succeeds: true))
        return await deliver(shop, message.body, message.headers)
    }

    private static func deliver(_ shop: H, _ body: [UInt8], _ headers: [String: String]) async -> Int {
        let fields = headers.map { HTTPField($0.key.lowercased(), $0.value) }
        let head = RequestHead(method: "POST", target: "/v1/webhooks/memory", fields: fields)
        return await shop.service.response(to: ServerRequest(head, body: body)).status
    }

    // MARK: - Messages that another client takes in

    @Test func waitingRead_isEndedByAMessageThatAnotherClientTakesIn() throws {
        let till = Till()
        let shop = try H(till, hasIntake: true)
        try till.play {
            #expect(try await shop.post("/v1/sales", H.sale("20.15"), 1).status == 202)
            let began = till.scheduler.now
            async let waiting = shop.get("/v1/attempts/\(H.uuid(1))", wait: 50)
            let delivered = try await Self.deliver(shop)
            let reply = try await waiting
            #expect(delivered == 200)
            #expect(reply.word == "approved")
            #expect(till.scheduler.now < began + 50_000)
        }
    }

    /// The provider executes and its reply hangs; its message comes through another client.
    @Test func waitingSale_isEndedByAMessageThatAnotherClientTakesIn() throws {
        let (till, held) = (Till(), Held())
        let shop = try H(till, transport: held.reply(till.transport), hasIntake: true)
        try till.play {
            let began = till.scheduler.now
            async let waiting = shop.post("/v1/sales", H.sale("20.15"), 1, wait: 50)
            _ = await held.executed.value()
            let delivered = try await Self.deliver(shop)
            let reply = try await waiting
            #expect(delivered == 200)
            #expect(reply.status == 201)
            #expect(till.scheduler.now < began + 50_000)
            held.opened.fulfill(true)
        }
    }

    /// The page's question ends with the message: what the till reads is not *running* until the sale's time is over.
    @Test func paidPage_whoseMessageAnotherClientTakesIn_isExecuted() throws {
        let till = Till()
        let shop = try H(till, hasIntake: true)
        try till.play {
            let asked = try await shop.post("/v1/sales", H.sale("20.15").adding("source", "page"), 1, wait: 50)
            let address = try #require(asked.body["question"]?["address"]?.string, "\(asked.body)")
            #expect(till.backend.visit(page: address, card: "4111111111111111"))
            #expect(try await Self.deliver(shop) == 200)
            let read = try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 5)
            #expect(read.outcome == "executed" && read.word == "approved", "\(read.body)")
            #expect(read.body["question"] == .null)
        }
    }

    /// A state that is in no table proves nothing: the client whose attempt it is looks it up.
    @Test func hint_thatAnotherClientTakesIn_isLookedUpAtOnce() throws {
        let till = Till()
        let shop = try H(till, hasIntake: true)
        try till.play {
            #expect(try await shop.post("/v1/sales", H.sale("20.15"), 1).status == 202)
            let message = try #require(till.backend.decide(H.uuid(1), succeeds: true))
            let hint = try JSONReader().read(message.body).adding("state", "inNoTable")
            #expect(await Self.deliver(shop, hint.bytes(), message.headers) == 200)
            try await till.scheduler.sleep(until: till.scheduler.now + 1_000)
            #expect(try await shop.get("/v1/attempts/\(H.uuid(1))", wait: 0).word == "approved")
        }
    }

    /// The last key of paris was removed while a sale of it pended: no shop has its scope at the next start.
    @Test func hint_aboutAnAttemptOfAScopeWithoutAKey_isLookedUpAtOnce() throws {
        let till = Till()
        func client(_ scope: String) throws -> PaymentClient {
            var options = till.dependencies
            options.scope = scope
            return try PaymentClient(till.driver(), options)
        }
        let (berlin, paris, intake) = (try client("berlin"), try client("paris"), try client(""))
        let before = try client("paris")
        let service = try H.service([ServiceShop("berlin", scope: "berlin", client: berlin)]) { options in
            (options.clock, options.random, options.executor) = (till.scheduler, till.random, till.scheduler)
            (options.intake, options.keyless) = (intake, [intake, paris])
        }
        try till.play {
            let id = try AttemptID(H.uuid(1))
            let sold = try await before.sale(.cents(2_015), from: try Cards.good(), reference: "o", attempt: id)
            guard case .pending = sold else { return #expect(Bool(false), "\(sold)") }
            let message = try #require(till.backend.decide(H.uuid(1), succeeds: true))
            let hint = try JSONReader().read(message.body).adding("state", "inNoTable")
            let fields = message.headers.map { HTTPField($0.key.lowercased(), $0.value) }
            let head = RequestHead(method: "POST", target: "/v1/webhooks/memory", fields: fields)
            #expect(await service.response(to: ServerRequest(head, body: hint.bytes())).status == 200)
            try await till.scheduler.sleep(until: till.scheduler.now + 1_000)
            #expect(try await paris.attempt(id)?.state == .approved)
        }
    }

    /// The clock is set back while a till waits.
    @Test func waitingSale_clockIsSetBackAnHour_isAnsweredInItsTime() throws {
        let (till, held) = (Till(), Held())
        let clock = SetBackClock(stage: till.scheduler)
        let shop = try H(till, transport: held.reply(till.transport)) { $0.clock = clock }
        try till.play {
            let began = till.scheduler.now
            async let waiting = shop.post("/v1/sales", H.sale("12.50"), 1, wait: 5)
            _ = await held.executed.value()
            try await till.scheduler.sleep(until: began + 500)
            clock.setBack(by: 3_600_000)
            let reply = try await waiting
            #expect(reply.outcome == "unknown", "\(reply.body)")
            #expect(till.scheduler.now <= began + 6_000)
            held.opened.fulfill(true)
        }
    }

    /// An id that ended without a record begins nothing for ten minutes, whichever way the clock is set in them.
    @Test(arguments: [3_600_000, -3_600_000] as [Int64])
    func blockedID_clockIsSet_isFreeAfterItsTimeAndNotBefore(_ step: Int64) throws {
        let stage = TestScheduler()
        let clock = SetBackClock(stage: stage)
        let carrier = AttemptCarrier(clock: clock, executor: stage)
        let id = try AttemptID(H.uuid(1))
        try stage.run {
            carrier.block(id, "berlin", AttemptCarrier.cancelled(id))
            clock.setBack(by: step)
            #expect(carrier.blocked(id) != nil)
            try await stage.sleep(until: stage.now + AttemptCarrier.blockedMilliseconds + 1)
            #expect(carrier.blocked(id) == nil)
        }
    }

    // MARK: - Lookups

    /// Who has to decide reads why the provider could not tell, at each look; a till does not.
    @Test func doubt_isExplainedToTheOffice_whileItLasts() throws {
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
            let attempt = "/v1/attempts/\(H.uuid(1))"
            #expect(try await shop.post("/v1/sales", H.sale("50.00"), 1).status == 202)
            let why = try await shop.get(attempt, by: .office).body["problem"]?["detail"]?.string
            #expect(why?.contains("The last look:") == true, "\(why ?? "nothing")")
            #expect(try await shop.get(attempt).body["problem"]?["detail"] == .null)
            till.scheduler.advance(by: 10_000)
            let looked = try await shop.post("\(attempt)/lookup", [:], by: .office, wait: 20)
            #expect(looked.body["problem"]?["detail"]?.string?.contains("The last look:") == true, "\(looked.body)")
            isDown.withLock { $0 = false }
            till.scheduler.advance(by: 10_000)
            let known = try await shop.post("\(attempt)/lookup", [:], by: .office, wait: 20)
            #expect(known.word == "approved" && known.body["problem"] == .null, "\(known.body)")
        }
    }

    /// The service's time for the sale is over, and the customer may still pay on the page.
    @Test func page_thatIsPaidAfterTheTimeout_isFoundByALookup() throws {
        try H.play { shop in
            let (attempt, backend) = ("/v1/attempts/\(H.uuid(1))", shop.till.backend)
            let sale = H.sale("10.00").adding("source", "page").adding("timeout", 5)
            let began = try await shop.post("/v1/sales", sale, 1, wait: 2)
            let address = try #require(began.body["question"]?["address"]?.string, "\(began.body)")
            // A caller may come back for five seconds.
            try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + 15_000)
            let open = try await shop.get(attempt)
            #expect(open.word == "pending" && open.body["question"] == .null, "\(open.body)")
            _ = backend.visit(page: address, card: "4111111111111111")
            #expect(try await shop.post("\(attempt)/lookup", [:], wait: 20).word == "approved")
            #expect(try await shop.post("/v1/sales", sale, 1).status == 201)
        }
    }

    @Test func lookup_ofAProviderThatHangs_isAnsweredInTime_andJoined() throws {
        let (till, gate, looks) = (Till(), Promise<Bool>(), Locked(0))
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            if request.method == "GET" {
                looks.withLock { $0 += 1 }
                _ = await gate.value()
            }
            return try await next(request)
        }
        try H.play(till, transport: transport) { shop in
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let began = till.scheduler.now
            let first = try await shop.post("/v1/attempts/\(H.uuid(1))/lookup", wait: 3)
            #expect(first.status == 200)
            #expect(first.word == "pending")
            #expect(till.scheduler.now == began + 3_000)
            _ = try await shop.post("/v1/attempts/\(H.uuid(1))/lookup", wait: 0)
            #expect(till.scheduler.now == began + 3_000)
            // The service carries the look: a later request joins it and gets what it finds.
            _ = shop.till.backend.decide(H.uuid(1), succeeds: true)
            async let joined = shop.post("/v1/attempts/\(H.uuid(1))/lookup", wait: 20)
            gate.fulfill(true)
            #expect(try await joined.word == "approved")
            #expect(looks.withLock { $0 } == 1)
        }
    }

    /// However often a client repeats its request, the provider is asked once in five seconds.
    @Test func repeatsOfAnOpenAttempt_waitForTheirTime_andAskTheProviderSeldom() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let before = shop.till.backend.requestCount
            for _ in 0..<20 { #expect(try await shop.post("/v1/sales", H.sale("20.15"), 1, wait: 0).status == 202) }
            #expect(await shop.service.drain(within: .seconds(60)))
            #expect(shop.till.backend.requestCount == before + 1)
            let began = shop.till.scheduler.now
            async let waiting = shop.post("/v1/sales", H.sale("20.15"), 1, wait: 40)
            try await shop.till.scheduler.sleep(until: began + 10_000)
            #expect(try await Self.deliver(shop) == 200)
            let reply = try await waiting
            #expect(reply.status == 201)
            #expect(shop.till.scheduler.now < began + 20_000)
        }
    }

    /// More messages of one account than are taken in at a time come again.
    @Test func messagesOfAnAccount_aboveTheLimit_are503() throws {
        let core = ServiceCore(ServiceOptions(shops: [], keys: [], crypto: OpenSSLCrypto()))
        #expect((0..<ServiceCore.messagesMax).allSatisfy { _ in core.takeMessage("a") })
        #expect(!core.takeMessage("a") && core.takeMessage("b"))
        core.giveMessage("a")
        #expect(core.takeMessage("a"))
    }

    // MARK: - Places

    @Test func room_thatIsFull_endsTheOldestWaitOfTheShopThatHasMost() {
        let room = WaitRoom(placesMax: 4)
        let busy = (0..<3).map { room.enter("berlin", key: "\($0)", for: .reads) }
        let quiet = room.enter("paris", key: "p", for: .reads)
        let more = (3..<6).map { room.enter("berlin", key: "\($0)", for: .reads) }
        #expect(busy.allSatisfy { $0.ended.isOver })
        #expect(!quiet.ended.isOver)
        #expect(more.allSatisfy { !$0.ended.isOver })
        let other = room.enter("paris", key: "q", for: .reads)
        #expect(more[0].ended.isOver && !quiet.ended.isOver && !other.ended.isOver)
        #expect(room.count == 4)
        for place in [quiet, other] + more { room.leave(place) }
        #expect(room.count == 0)
    }

    @Test func room_hasSoManyPlacesForOneKey_andOneForEachAttemptOfMoney() throws {
        let room = WaitRoom()
        let reads = (0...WaitRoom.readsPerKeyMax).map { _ in room.enter("berlin", key: "k", for: .reads) }
        #expect(reads[0].ended.isOver)
        #expect(reads.dropFirst().allSatisfy { !$0.ended.isOver })
        let id = try AttemptID(H.uuid(1))
        let first = room.enter("berlin", key: "k", for: .money(id))
        let second = room.enter("berlin", key: "k", for: .money(id))
        #expect(first.ended.isOver && !second.ended.isOver)
        room.leave(first)
        #expect(!second.ended.isOver)
        _ = room.enter("berlin", key: "k", for: .money(id))
        #expect(second.ended.isOver)
    }

    /// The provider of a shop hangs: its attempts and waits leave room for others, and for repeats of its own.
    @Test func providerThatHangs_keepsNoOtherKeyOrShopFromSelling() throws {
        let (till, gate, hangs) = (Till(), Promise<Bool>(), Locked(true))
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            if request.target.hasSuffix("/payments"), hangs.withLock({ $0 }) { _ = await gate.value() }
            return try await next(request)
        }
        try H.play(till, transport: transport) { shop in
            let source: JSON = ["source": "token", "token": "tok-1"]
            func sale(_ number: Int) -> JSON {
                source.adding("amount", H.euro("12.50")).adding("reference", .string("order-\(number)"))
            }
            let most = AttemptCarrier.carriedMax
            for number in 1...most {
                #expect(try await shop.post("/v1/sales", sale(number), number, wait: 0).status == 202)
            }
            // Each of them is repeated; a repeat is joined and never refused.
            for number in 1...most {
                #expect(try await shop.post("/v1/sales", sale(number), number, wait: 0).status == 202)
            }
            let more = try await shop.post("/v1/sales", sale(most + 1), most + 1, wait: 1)
            #expect(more.status == 429)
            #expect(more["Retry-After"] == "1")
            hangs.withLock { $0 = false }
            let (own, other) = (most + 2, most + 3)
            #expect(try await shop.post("/v1/sales", sale(own), own, by: .free).status == 201)
            #expect(try await shop.post("/v1/sales", sale(other), other, by: .other).status == 201)
            gate.fulfill(true)
            #expect(await shop.service.drain(within: .seconds(60)))
            #expect(try await shop.post("/v1/sales", sale(1), 1).status == 201)
        }
    }

    // MARK: - A shared reader

    /// One sale waits for its card. Another one of the same reader is before that, since what is open under its reference is
    /// looked up at a provider that does not answer. Its cancel must leave the reader alone.
    @Test func cancel_ofOneAttempt_leavesTheWaitOfAnotherOneAtTheReader() throws {
        let (till, line, gate) = (Till(), Locked(Line.open), Promise<Bool>())
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            switch line.withLock({ $0 }) {
            case .down where request.method == "GET" || request.target.hasSuffix("/payments"):
                throw .maybeSent(.connectionReset)
            case .hangs:
                _ = await gate.value(orWhenCancelled: false)
                throw .notSent(.connectionReset)
            case .open, .down: return try await next(request)
            }
        }
        try H.play(till, transport: transport) { shop in
            line.withLock { $0 = .down }
            let doubtful: JSON = [
                "amount": H.euro("12.50"), "reference": "order-1", "source": "token", "token": "tok-1",
            ]
            #expect(try await shop.post("/v1/sales", doubtful, 1, wait: 50).word == "inDoubt")
            #expect(await shop.service.drain(within: .seconds(600)))
            line.withLock { $0 = .open }
            till.reader.present(nil)
            _ = try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2, wait: 3)
            let prompt = try await shop.get("/v1/attempts/\(H.uuid(2))").body["prompt"]?.string ?? ""
            #expect(prompt.hasPrefix("reader"))
            line.withLock { $0 = .hangs }
            let blocked = try await shop.post("/v1/sales", H.sale("12.50", "order-1"), 3, wait: 1)
            #expect(blocked.word == "running", "\(String(decoding: blocked.body.bytes(), as: UTF8.self))")
            let reply = try await shop.post("/v1/attempts/\(H.uuid(3))/cancel")
            #expect(reply.body["result"] == "cancelled", "\(String(decoding: reply.body.bytes(), as: UTF8.self))")
            #expect(try await shop.get("/v1/attempts/\(H.uuid(2))").word == "running")
            let own = try await shop.post("/v1/attempts/\(H.uuid(2))/cancel")
            #expect(own.body["result"] == "cancelled")
            gate.fulfill(true)
        }
    }

    /// The line to a provider.
    private enum Line { case open, down, hangs }

    /// Whatever comes first: if the cancel says that it is cancelled, or that there was nothing, nothing is charged then or later.
    @Test func cancel_besideItsSale_inAnyOrder_keepsItsWord() throws {
        var words: [String: Int] = [:]
        for seed in 0..<1_000 {
            let till = Till(seed: UInt64(seed))
            if seed % 3 == 0 { till.reader.present(nil) }
            let source: JSON = seed % 3 == 1 ? ["source": "token", "token": "tok-1"] : [:]
            let shop = try H(till)
            let (word, sale, later) = try till.play {
                let sale = source.adding("amount", H.euro("12.50")).adding("reference", "order-1")
                let pause = Int64(seed / 3 % 40) * 25
                async let sold = {
                    try await till.scheduler.sleep(until: till.scheduler.now + Int64(seed % 7) * 50)
                    return try await shop.post("/v1/sales", sale.adding("timeout", 60), 1, wait: 50)
                }()
                async let cancelled = {
                    try await till.scheduler.sleep(until: till.scheduler.now + pause)
                    return try await shop.post("/v1/attempts/\(H.uuid(1))/cancel")
                }()
                let (first, second) = (try await sold, try await cancelled)
                let repeated = try await shop.post("/v1/sales", sale.adding("timeout", 60), 1)
                // An id that was not known has no attempt: then it is one of the words that keep it from beginning.
                let isUnknown = second.body["attempt"] == .null
                return (isUnknown ? "unknown" : second.body["result"]?.string ?? "", first, repeated)
            }
            words[word, default: 0] += 1
            switch word {
            case "cancelled", "unknown":
                #expect(sale.status == 402 && sale.word == "cancelled", "seed \(seed): \(sale.status)")
                #expect(later.status == 402 && shop.movements(1) == 0, "seed \(seed)")
            case "nothingToCancel", "tooLate":
                #expect(later.status == (shop.movements(1) == 1 ? 201 : 402), "seed \(seed): \(later.status)")
                #expect((sale.status == 201) == (shop.movements(1) == 1), "seed \(seed)")
            default: Issue.record("seed \(seed): \(word)")
            }
        }
        #expect(words["cancelled", default: 0] > 100 && words["unknown", default: 0] > 5, "\(words)")
    }

    // MARK: - Questions

    /// Two answers at a time: the one that is taken is the one that was answered with success.
    @Test func twoAnswersAtATime_oneDecides() async throws {
        for round in 0..<50 {
            let desk = QuestionDesk(random: SeededRandom(seed: UInt64(round)))
            var handlers = QuestionHandlers()
            desk.handle(&handlers)
            let (id, asked) = (try AttemptID(H.uuid(1)), Promise<Bool>())
            desk.listen { _ in asked.fulfill(true) }
            let ask = try #require(handlers.handler(for: PaymentLink.self))
            let link = PaymentLink(id, address: "https://bank.test/pay")
            async let given = CurrentAttempt.$id.withValue(id.text) { try await ask(link) }
            _ = await asked.value()
            let question = try #require(desk.question(of: id)).id
            let taken = await withTaskGroup(of: Bool?.self) { group in
                for number in 0..<8 {
                    let answer = number % 2 == 0
                    group.addTask {
                        (try? desk.answer(question, of: id, with: .bool(answer))) == nil ? nil : answer
                    }
                }
                return await group.reduce(into: Set<Bool>()) { if let answer = $1 { $0.insert(answer) } }
            }
            let decided = try await given
            #expect(taken == [decided])
        }
    }

    // MARK: - The next provider

    /// A route whose first provider is not reached, and whose second one is slow to give an access.
    private struct Route {
        let till = Till()
        let asked = Promise<Bool>()
        let opened = Promise<Bool>()
        /// How many requests about money the second provider got.
        let sent = Locked(0)

        func service(reachesSecond: Bool = true) throws -> PaymentService {
            let first = HookTransport(till.transport) { request, next throws(TransportFailure) in
                guard request.method == "POST", request.target.hasSuffix("/payments") else {
                    return try await next(request)
                }
                throw TransportFailure.notSent(.connectionRefused)
            }
            let second = HookTransport(till.transport) { [self] request, next throws(TransportFailure) in
                asked.fulfill(true)
                _ = await opened.value()
                if request.method == "POST", request.target.hasSuffix("/payments") {
                    sent.withLock { $0 += 1 }
                    if !reachesSecond { throw TransportFailure.notSent(.connectionRefused) }
                }
                return try await next(request)
            }
            let desk = QuestionDesk(clock: till.scheduler, random: till.random)
            var given = till.dependencies
            given.scope = "berlin"
            desk.handle(&given.answers)
            var routing = Routing(active: "memory")
            routing.rules = [Routing.Rule(["memory", "other"])]
            let client = try PaymentClient(
                drivers: [till.driver(first), till.driver(second, name: "other")], routing: routing, given)
            return try H.service([ServiceShop("berlin", scope: "berlin", client: client)]) { options in
                (options.clock, options.random, options.executor) = (till.scheduler, till.random, till.scheduler)
                options.desk = desk
            }
        }
    }

    /// A sale of a page: no card is read, and the request to the first provider is opened.
    private static let pageSale = H.sale("12.50").adding("source", "page")

    /// The first provider's run is not executed, and the second one is about to be asked.
    @Test func sale_thatContinuesAtTheNextProvider_isNotSaidToBeOver() throws {
        let route = Route()
        let service = try route.service()
        let path = "/v1/attempts/\(H.uuid(1))"
        try route.till.play { () async throws -> Void in
            let scheduler = route.till.scheduler
            async let sale = H.post(service, "/v1/sales", Self.pageSale, 1, wait: 5)
            _ = await route.asked.value()
            try await scheduler.sleep(until: scheduler.now + 500)
            let read = try await H.send(service, "GET", path, [], by: .till, wait: 0, [])
            #expect(read.outcome == "unknown" && read.word == "running", "\(read.body)")
            #expect(read.body["paymentStatus"] == "running", "\(read.body)")
            let payments = "/v1/payments/\(H.uuid(1))"
            let payment = try await H.send(service, "GET", payments, [], by: .till, wait: 0, [])
            #expect(payment.word == "running" && payment.body["paymentStatus"] == "running", "\(payment.body)")
            #expect(payment.body["openAttempts"]?.array?.count == 1, "\(payment.body)")
            let reply = try await sale
            #expect(reply.status == 202 && reply.outcome == "unknown", "\(reply.status) \(reply.body)")
            let again = try await H.post(service, "/v1/sales", Self.pageSale, 1, wait: 0)
            #expect(again.status == 202, "\(again.status) \(again.body)")
            let decision: JSON = ["decision": "notExecuted", "reason": "not on the slip"]
            let decided = try await H.post(service, "\(path)/decision", decision, by: .office)
            #expect(decided.status == 409 && decided.outcome == nil, "\(decided.status) \(decided.body)")
            route.opened.fulfill(true)
            let later = try await H.send(service, "GET", path, [], by: .till, wait: 50, [])
            #expect(later.body["provider"] == "other" && later.word == "running", "\(later.body)")
        }
    }

    /// A cancel between two providers ends the sale: nothing is sent to the second one.
    @Test func cancel_whileTheNextProviderIsAboutToBeAsked_endsTheSale() throws {
        let route = Route()
        let service = try route.service()
        let path = "/v1/attempts/\(H.uuid(1))"
        try route.till.play { () async throws -> Void in
            let scheduler = route.till.scheduler
            async let sale = H.post(service, "/v1/sales", Self.pageSale, 1, wait: 50)
            _ = await route.asked.value()
            let ended = try await H.post(service, "\(path)/cancel")
            #expect(ended.body["result"] == "cancelled", "\(ended.body)")
            route.opened.fulfill(true)
            #expect(try await sale.status == 402)
            try await scheduler.sleep(until: scheduler.now + 60_000)
            let read = try await H.send(service, "GET", path, [], by: .till, wait: 0, [])
            #expect(read.outcome == "notExecuted" && route.sent.withLock { $0 } == 0, "\(read.body)")
            #expect(try await H.post(service, "/v1/sales", Self.pageSale, 1, wait: 50).status == 402)
            #expect(route.sent.withLock { $0 } == 0)
        }
    }

    /// The last provider is not reached either: then it is over, and everything says so.
    @Test func sale_thatNoProviderOfItsRouteTakes_isOverAtOnce() throws {
        let route = Route()
        let service = try route.service(reachesSecond: false)
        route.opened.fulfill(true)
        try route.till.play { () async throws -> Void in
            let scheduler = route.till.scheduler
            let begun = scheduler.now
            let reply = try await H.post(service, "/v1/sales", Self.pageSale, 1, wait: 50)
            #expect(reply.status == 402 && scheduler.now < begun + 20_000, "\(reply.status) \(reply.body)")
            let path = "/v1/attempts/\(H.uuid(1))"
            let read = try await H.send(service, "GET", path, [], by: .till, wait: 50, [])
            #expect(read.outcome == "notExecuted" && read.word != "running", "\(read.body)")
            let ended = try await H.post(service, "\(path)/cancel")
            #expect(ended.body["result"] == "nothingToCancel", "\(ended.body)")
            #expect(try await H.post(service, "/v1/sales", Self.pageSale, 1, wait: 50).status == 402)
        }
    }

    // MARK: - Decisions

    /// A message comes while the provider is asked for a decision: the person has not seen what it says.
    @Test func decision_whoseAttemptChangesWhileTheProviderIsAsked_is409Changed() throws {
        let (till, asked, opened) = (Till(), Promise<Bool>(), Promise<Bool>())
        let isHeld = Locked(false)
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            guard request.method == "GET", isHeld.withLock({ $0 }) else { return try await next(request) }
            asked.fulfill(true)
            _ = await opened.value()
            return try await next(request)
        }
        let shop = try H(till, transport: transport)
        try till.play { () async throws -> Void in
            let sold = try await shop.post("/v1/sales", H.sale("20.15"), 1)
            let version = try #require(sold.body["version"])
            isHeld.withLock { $0 = true }
            let decision: JSON = ["decision": "notExecuted", "reason": "Not in the portal.", "version": version]
            async let decided = shop.post("/v1/attempts/\(H.uuid(1))/decision", decision, by: .office)
            _ = await asked.value()
            let delivered = try await Self.deliver(shop)
            opened.fulfill(true)
            let reply = try await decided
            #expect(delivered == 200)
            #expect(reply.status == 409 && reply.word == "changed", "\(reply.status) \(reply.body)")
        }
    }
}

/// The stage's time of day, which a test sets back.
private struct SetBackClock: PaymentClock {
    let stage: TestScheduler
    private let lag = Locked(Int64(0))

    init(stage: TestScheduler) { self.stage = stage }

    var now: Int64 { stage.now - lag.withLock { $0 } }
    var uptime: Int64 { stage.now }
    func sleep(until instant: Int64) async throws { try await stage.sleep(until: instant + lag.withLock { $0 }) }

    func setBack(by milliseconds: Int64) { lag.withLock { $0 = milliseconds } }
}
