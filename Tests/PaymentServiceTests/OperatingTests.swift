import PaymentBase
import PaymentCore
import PaymentDriverKit
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

/// Narrowed keys, audit lines, health and metrics.
struct OperatingTests {
    typealias H = ServiceHarness

    /// A service over the memory provider whose first shop's keys are changed, with what it keeps of calls.
    private static func harness(
        _ till: Till = Till(), transport: (any HTTPTransport)? = nil, audit: Locked<[JSON]>? = nil,
        _ change: @escaping (inout ServiceKey) -> Void = { _ in }
    ) throws -> H {
        try H(till, transport: transport) { options in
            for place in options.keys.indices where options.keys[place].shop == "berlin" {
                change(&options.keys[place])
            }
            options.trustsProxy = true
            if let audit {
                options.audit = { line in
                    audit.withLock { $0.append(line) }
                    return true
                }
            }
        }
    }

    // MARK: - Narrowed keys

    @Test func key_forSomeOperations_is403ForOthers_andTheClientIsNotAsked() throws {
        let shop = try Self.harness { $0.operations = ["sale", "attempt"] }
        try shop.till.play { () async throws -> Void in
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            let before = shop.till.backend.requestCount
            for operation in OperationTable.all
            where operation.role != nil && !["sale", "attempt"].contains(operation.id) {
                let path = operation.path.replacing("{payment}", with: H.uuid(1)).replacing(
                    "{attempt}", with: H.uuid(1)
                )
                .replacing("{reader}", with: "memory")
                let reply =
                    operation.method == "GET"
                    ? try await shop.get(path, by: .office) : try await shop.post(path, [:], 2, by: .office)
                #expect(reply.status == 403, "\(operation.id)")
            }
            #expect(shop.till.backend.requestCount == before)
        }
    }

    @Test func key_withAnAmount_is403AboveIt_andARepeatIsAnsweredAllTheSame() throws {
        let shop = try Self.harness { $0.amountMax = [.eur: .cents(1_250)] }
        try shop.till.play { () async throws -> Void in
            #expect(try await shop.post("/v1/sales", H.sale("12.51"), 1).status == 403)
            let yen: JSON = ["amount": ["value": "100", "currency": "JPY"], "reference": "order-1"]
            #expect(try await shop.post("/v1/sales", yen, 2).status == 403)
            #expect(shop.movements(1) == 0 && shop.movements(2) == 0)
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 3).status == 201)
            // The limit falls; what was sold is answered to who repeats it.
            let narrow = try ServiceKey(
                Secret(H.key(.till)), name: "till", shop: "berlin", role: .till, crypto: OpenSSLCrypto())
            var fresh = narrow
            fresh.amountMax = [.eur: .cents(1)]
            shop.service.replaceKeys([fresh])
            let again = try await shop.post("/v1/sales", H.sale("12.50"), 3)
            #expect(again.status == 201)
            #expect(again["Idempotency-Replayed"] == "true")
            #expect(try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 4).status == 403)
            #expect(try await shop.get("/v1/self", by: .office).status == 401)
        }
    }

    @Test func key_refundsNoMoreAtOnceOrOnADay_thanItMay() throws {
        let shop = try Self.harness {
            ($0.refundMax, $0.refundMaxPerDay) = ([.eur: .cents(1_000)], [.eur: .cents(1_500)])
        }
        try shop.till.play { () async throws -> Void in
            let sold = try await shop.post("/v1/sales", H.sale("50.00"), 1)
            let path = "/v1/payments/\(sold.payment)/refunds"
            func refund(_ value: String, _ key: Int) async throws -> Int {
                let body: JSON = ["amount": H.euro(value), "reference": .string("item \(key)")]
                return try await shop.post(path, body, key, by: .office).status
            }
            #expect(try await refund("10.01", 2) == 403)
            // A void of what was captured gives it back, too.
            #expect(try await shop.post("/v1/payments/\(sold.payment)/voids", [:], 9, by: .office).status == 403)
            // All that is left is more than the key may refund.
            #expect(try await shop.post(path, ["all": true], 3, by: .office).status == 403)
            #expect(try await refund("10.00", 4) == 201)
            #expect(try await refund("5.01", 5) == 403)
            #expect(try await refund("10.00", 4) == 201)
            #expect(try await refund("5.00", 6) == 201)
            #expect(try await refund("0.01", 7) == 403)
            shop.till.scheduler.advance(by: 86_400_000)
            #expect(try await refund("10.00", 8) == 201)
            #expect(shop.movements(2) + shop.movements(3) + shop.movements(5) + shop.movements(7) == 0)
        }
    }

    @Test func key_forOtherReaders_is403AtThisOne() throws {
        let shop = try Self.harness { $0.readers = ["other"] }
        try shop.till.play { () async throws -> Void in
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 403)
            #expect(try await shop.post("/v1/readers/memory/cancel").status == 403)
            #expect(try await shop.post("/v1/readers/memory/prepare").status == 403)
            let token = H.sale("12.50").adding("source", "token").adding("token", "tok-1")
            #expect(try await shop.post("/v1/sales", token, 2).status == 201)
            #expect(shop.movements(1) == 0)
        }
    }

    // MARK: - Keys that are replaced

    @Test func key_thatIsTakenAway_endsItsWaits_moneyWith202_andReadsWith401() throws {
        let (till, gate) = (Till(), Gate())
        let shop = try Self.harness(till, transport: gate.transport(till.transport))
        try till.play {
            let began = till.scheduler.now
            async let sale = shop.post("/v1/sales", H.sale("12.50"), 1, wait: 50)
            _ = await gate.reached.value()
            async let read = shop.get("/v1/attempts/\(H.uuid(1))", wait: 50)
            async let other = shop.get("/v1/attempts/\(H.uuid(1))", by: .office, wait: 5)
            try await till.scheduler.sleep(until: began + 2_000)
            let office = try ServiceKey(
                Secret(H.key(.office)), name: "office", shop: "berlin", role: .office, crypto: OpenSSLCrypto())
            shop.service.replaceKeys([office])
            let (sold, seen, kept) = (try await sale, try await read, try await other)
            #expect(sold.status == 202)
            #expect(seen.status == 401)
            #expect(kept.status == 200)
            #expect(till.scheduler.now <= began + 10_000)
            gate.opened.fulfill(true)
            #expect(await shop.service.drain(within: .seconds(60)))
            #expect(shop.movements(1) == 1)
        }
    }

    // MARK: - Audit

    @Test func audit_hasALineForEachCall_withoutWhatIsPrivate() throws {
        let lines = Locked([JSON]())
        let shop = try Self.harness(audit: lines)
        try shop.till.play { () async throws -> Void in
            let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            let sold = try await shop.post(
                "/v1/sales", H.sale("12.50", "secret order"), 1,
                fields: [
                    HTTPField("x-forwarded-for", "198.51.100.7, 203.0.113.9"), HTTPField("traceparent", trace),
                ])
            #expect(sold["traceparent"] == trace)
            _ = try await shop.get("/v1/payments?reference=secret+order", by: .unknown)
            _ = try await shop.post("/v1/attempts/\(H.uuid(1))/decision", [:], by: .till)
            let all = lines.withLock { $0 }
            #expect(all.map { $0["status"]?.int64 } == [201, 401, 403])
            #expect(all[0]["operation"] == "sale")
            #expect(all[0]["attempt"]?.string == H.uuid(1))
            #expect(all[0]["key"] == "till" && all[0]["shop"] == "berlin" && all[0]["role"] == "till")
            // The last address is the one that the proxy wrote.
            #expect(all[0]["address"] == "203.0.113.9")
            #expect(all[0]["trace"]?.string == trace)
            #expect(all[0]["request"]?.string == sold["X-Request-Id"])
            #expect(all[1]["key"] == .null)
            // A key that may not do it is named, too.
            #expect(all[2]["key"] == "till" && all[2]["shop"] == "berlin" && all[2]["operation"] == "resolve")
            for line in all {
                let text = String(decoding: line.bytes(), as: UTF8.self)
                #expect(!text.contains("secret order") && !text.contains("12.50") && !text.contains("paysecret"))
            }
        }
    }

    /// The disk is full: the service sells on, and its metrics show that a line is missing.
    @Test func audit_lineThatCannotBeWritten_isCounted() throws {
        let isFull = Locked(false)
        let shop = try H(Till()) { options in options.audit = { _ in !isFull.withLock { $0 } } }
        try shop.till.play { () async throws -> Void in
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            isFull.withLock { $0 = true }
            #expect(try await shop.post("/v1/sales", H.sale("12.50", "order-2"), 2).status == 201)
            let lines = await Self.admin(shop, "/metrics").text.split(separator: "\n")
            #expect(lines.contains("payments_audit_lines_lost_total 1"))
        }
    }

    /// Ids are kept in the clear: in the journal, and in the lines of the audit.
    @Test func id_thatIsACardNumber_isNeitherRepeatedNorKept() throws {
        let lines = Locked([JSON]())
        let shop = try Self.harness(audit: lines)
        try shop.till.play { () async throws -> Void in
            let ids = ["4111111111111111", "4111-1111-1111-1111"]
            for id in ids {
                for reply in [
                    try await shop.get("/v1/attempts/\(id)"), try await shop.post("/v1/attempts/\(id)/cancel"),
                    try await shop.get("/v1/payments/\(id)"),
                ] {
                    let text = String(decoding: reply.body.bytes(), as: UTF8.self)
                    #expect(reply.status == 404 && !text.contains(id), "\(text)")
                }
                #expect(try await shop.till.journal.record(try AttemptID(id)) == nil)
            }
            let kept = lines.withLock { $0.map { String(decoding: $0.bytes(), as: UTF8.self) } }
            #expect(kept.count == 6 && kept.allSatisfy { line in !ids.contains { line.contains($0) } }, "\(kept)")
        }
    }

    @Test(arguments: [
        "", "00-x", "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-0AF7-b7-01\r\nX: y",
    ])
    func traceThatIsNone_isNotRepeated(text: String) throws {
        try H.play { shop in
            let reply = try await shop.post(
                "/v1/sales", H.sale("12.50"), 1, fields: [HTTPField("traceparent", text)])
            #expect(reply.status == 201)
            #expect(reply["traceparent"] == nil)
        }
    }

    // MARK: - Health and metrics

    private static func admin(_ shop: H, _ path: String, _ method: String = "GET") async -> (status: Int, text: String)
    {
        let head = RequestHead(method: method, target: path)
        let handler = shop.service.admin
        let reply: ServerResponse
        if let refusal = handler.refusal(of: head) {
            reply = refusal
        } else {
            reply = await handler.response(to: ServerRequest(head))
        }
        guard case .bytes(let bytes) = reply.body else { return (reply.status, "") }
        return (reply.status, String(decoding: bytes, as: UTF8.self))
    }

    @Test func metrics_countAnswersAndWhatIsOpen() throws {
        try H.play { shop in
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 1)
            _ = try await shop.post("/v1/sales", H.sale("20.15", "order-2"), 2)
            _ = try await shop.post("/v1/sales", H.sale("12.50"), 3)
            let metrics = await Self.admin(shop, "/metrics")
            #expect(metrics.status == 200)
            let lines = metrics.text.split(separator: "\n")
            for line in [
                #"payments_requests_total{operation="sale",status="201"} 1"#,
                #"payments_requests_total{operation="sale",status="202"} 1"#,
                #"payments_requests_total{operation="sale",status="409"} 1"#,
                #"payments_attempts_open{shop="berlin",status="pending",age="1m"} 1"#,
                #"payments_attempts_open{shop="berlin",status="inDoubt",age="1m"} 0"#,
                #"payments_attempts_open{shop="paris",status="inDoubt",age="1m"} 0"#, "payments_attempts_under_way 0",
                "payments_attempts_unread 0", "payments_shops_uncounted 0",
                #"payments_request_seconds_count{operation="sale"} 3"#, "payments_stopping 0",
                "payments_ready 1",
            ] { #expect(lines.contains { $0 == line }, "\(line)") }
            #expect(!metrics.text.contains("order-2"))
            // Each name is announced once, with its kind, before its values.
            var announced: Set<Substring> = []
            for line in lines {
                let words = line.split(separator: " ")
                if words.starts(with: ["#", "TYPE"]) {
                    #expect(announced.insert(words[2]).inserted)
                } else if words[0] != "#" {
                    let name = words[0].prefix { $0 != "{" }
                    #expect(announced.contains { name.hasPrefix($0) }, "\(line)")
                    #expect(words.count == 2)
                }
            }
        }
    }

    /// The last key of a shop was removed while a sale of it pended: its doubts are counted all the same.
    @Test(arguments: ["closed", "two \"rooms\""])
    func metrics_ofAScopeWithoutAKey_countWhatIsOpen(_ scope: String) throws {
        let till = Till()
        var options = till.dependencies
        options.scope = scope
        let closed = try PaymentClient(till.driver(), options)
        let shop = try H(till) { $0.keyless = [closed] }
        try till.play { () async throws -> Void in
            let id = try AttemptID(H.uuid(1))
            let sold = try await closed.sale(.cents(2_015), from: try Cards.good(), reference: "o", attempt: id)
            guard case .pending = sold else { return #expect(Bool(false), "\(sold)") }
            let lines = await Self.admin(shop, "/metrics").text.split(separator: "\n")
            let name = scope.replacing("\"", with: "\\\"")
            let line = "payments_attempts_open{shop=\"\(name)\",status=\"pending\",age=\"1m\"} 1"
            #expect(lines.contains { $0 == line }, "\(lines)")
        }
    }

    /// What only a check of the journal shows is counted where operators look.
    @Test func metrics_whereMessagesWaitForAPerson_countThem() throws {
        let till = Till()
        let shop = try H(till) { $0.marks = { [.pruned("p-1"), .chargebacks(day: 1)] } }
        try till.play { () async throws -> Void in
            let lines = await Self.admin(shop, "/metrics").text.split(separator: "\n")
            for line in [#"payments_marks{proven="yes"} 1"#, #"payments_marks{proven="no"} 1"#] {
                #expect(lines.contains { $0 == line }, "\(lines)")
            }
        }
    }

    /// What waits for a person is counted apart: a journal that is slow to say it hides nothing else.
    @Test func metrics_whoseMessagesForAPersonAreNotRead_showTheRest() throws {
        let till = Till()
        let isBack = Promise<Bool>()
        let shop = try H(till) { options in
            options.marks = {
                _ = await isBack.value()
                return []
            }
        }
        try till.play { () async throws -> Void in
            let lines = await Self.admin(shop, "/metrics").text.split(separator: "\n")
            #expect(lines.contains("payments_shops_unread 0") && lines.contains("payments_marks_unread 1"), "\(lines)")
            isBack.fulfill(true)
        }
    }

    /// A database without its standby can be read, and answers no commit: what people watch comes all the same.
    @Test func metrics_whoseJournalAnswersNoWrite_comeAllTheSame() throws {
        var till = Till()
        let journal = SilentJournal()
        till.journal = journal
        try H.play(till) { shop async throws -> Void in
            let lines = await Self.admin(shop, "/metrics").text.split(separator: "\n")
            #expect(lines.contains("payments_ready 0") && lines.contains("payments_waits 0"), "\(lines)")
            #expect(await Self.admin(shop, "/health/ready").status == 503)
            journal.isBack.fulfill(true)
        }
    }

    /// A database without its primary answers nothing: what people watch comes all the same, and before a scrape ends.
    @Test func metrics_whoseJournalAnswersNothing_comeInTime() throws {
        var till = Till()
        let journal = DeafJournal()
        till.journal = journal
        try H.play(till) { shop async throws -> Void in
            let began = shop.till.scheduler.now
            for _ in 1...2 {
                let lines = await Self.admin(shop, "/metrics").text.split(separator: "\n")
                #expect(lines.contains("payments_ready 0") && lines.contains("payments_shops_unread 2"), "\(lines)")
            }
            #expect(shop.till.scheduler.now - began <= 5_000)
            journal.isBack.fulfill(true)
            try await shop.till.scheduler.sleep(until: shop.till.scheduler.now + 1_000)
            let lines = await Self.admin(shop, "/metrics").text.split(separator: "\n")
            #expect(lines.contains("payments_shops_unread 0"), "\(lines)")
        }
    }

    @Test func health_isReady_untilTheServiceStops() throws {
        try H.play { shop in
            #expect(await Self.admin(shop, "/health/live").status == 200)
            #expect(await Self.admin(shop, "/health/ready").status == 200)
            shop.service.beginStop()
            #expect(await Self.admin(shop, "/health/ready").status == 503)
            #expect(await Self.admin(shop, "/health/live").status == 200)
            #expect(await Self.admin(shop, "/v1/sales", "POST").status == 404)
            #expect(await Self.admin(shop, "/metrics", "POST").status == 405)
            // Nothing of it is reached through the API's own address.
            for path in ["/metrics", "/health/live", "/health/ready"] {
                let reply = try await shop.get(path, by: .office)
                #expect(reply.status == 404)
            }
        }
    }

    /// What is refunded of a payment in doubt is known only while the request waits.
    @Test(arguments: ["refunds", "voids"])
    func key_refundsNoMoreThanItMay_ofASaleThatWasInDoubt(_ way: String) throws {
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
        let shop = try Self.harness(till, transport: transport) { $0.refundMax = [.eur: .cents(1_000)] }
        try till.play { () async throws -> Void in
            #expect(try await shop.post("/v1/sales", H.sale("50.00"), 1).status == 202)
            isDown.withLock { $0 = false }
            let body: JSON = way == "refunds" ? ["all": true] : [:]
            let reply = try await shop.post("/v1/payments/\(H.uuid(1))/\(way)", body, 2, by: .office)
            #expect(reply.status == 403, "\(reply.status) \(reply.body)")
            #expect(shop.movements(2) == 0)
        }
    }

    /// A service whose first provider can't be reached, and whose route has another one.
    private static func fallingBack(
        _ till: Till, _ set: (inout ServiceOptions) -> Void = { _ in }
    ) throws -> PaymentService {
        var given = till.dependencies
        given.scope = "berlin"
        var routing = Routing(active: "memory")
        routing.rules = [Routing.Rule(["memory", "other"])]
        let client = try PaymentClient(
            drivers: [till.driver(FixedTransport.none), till.driver(name: "other")], routing: routing, given)
        return try H.service([ServiceShop("berlin", scope: "berlin", client: client)]) { options in
            (options.clock, options.random, options.executor) = (till.scheduler, till.random, till.scheduler)
            set(&options)
        }
    }

    /// The provider of the reader can't be reached, and the route has another one.
    @Test(arguments: [true, false])
    func key_forOneReader_orASaleThatNamesOne_isNotTakenToAnother(isNamed: Bool) throws {
        let till = Till()
        let service = try Self.fallingBack(till) { options in
            if !isNamed { for place in options.keys.indices { options.keys[place].readers = ["memory"] } }
        }
        try till.play { () async throws -> Void in
            let sale = isNamed ? H.sale("12.50").adding("reader", "memory") : H.sale("12.50")
            let reply = try await H.post(service, "/v1/sales", sale, 1)
            #expect(reply.status != 201 && reply.body["provider"]?.string != "other", "\(reply.status) \(reply.body)")
            #expect(till.backend.ledger.movements(attempt: H.uuid(1)).isEmpty)
        }
    }

    /// The entry of a key that follows the events names another shop now.
    @Test func key_whoseShopChanged_isSentNothingMoreOfTheFormerOne() throws {
        let shop = try Self.harness()
        try shop.till.play { () async throws -> Void in
            let stream = await LiveTests.follow(shop, by: .viewer)
            func key(_ caller: Caller, _ name: String, _ role: ServiceRole) throws -> ServiceKey {
                try ServiceKey(
                    Secret(H.key(caller)), name: caller.rawValue, shop: name, role: role, crypto: OpenSSLCrypto())
            }
            shop.service.replaceKeys([try key(.viewer, "paris", .viewer), try key(.till, "berlin", .till)])
            #expect(try await shop.post("/v1/sales", H.sale("12.50"), 1).status == 201)
            let text = await LiveTests.read(stream, until: H.uuid(1))
            #expect(!text.contains(H.uuid(1)), "\(text)")
        }
    }

    /// The entry of a key that waits may call every operation now.
    @Test func key_thatMayDoMore_keepsItsWaits() throws {
        let (till, gate) = (Till(), Gate())
        let shop = try Self.harness(till, transport: gate.transport(till.transport)) {
            $0.operations = ["sale", "attempt"]
        }
        try till.play {
            async let sale = shop.post("/v1/sales", H.sale("12.50"), 1, wait: 50)
            _ = await gate.reached.value()
            async let read = shop.get("/v1/attempts/\(H.uuid(1))", wait: 5)
            try await till.scheduler.sleep(until: till.scheduler.now + 2_000)
            let key = try ServiceKey(
                Secret(H.key(.till)), name: "till", shop: "berlin", role: .till, crypto: OpenSSLCrypto())
            shop.service.replaceKeys([key])
            #expect(try await read.status == 200)
            gate.opened.fulfill(true)
            _ = try await sale
        }
    }

    /// The customer shows no card: nothing is refunded, and the day's sum is what it was.
    @Test func refund_thatIsCancelledAtTheReader_leavesTheDaysSumAsItIs() throws {
        let till = Till()
        till.reader.present(nil)
        let shop = try Self.harness(till) { $0.refundMaxPerDay = [.eur: .cents(1_000)] }
        try till.play { () async throws -> Void in
            let (one, other) = (H.sale("10.00", "item 1"), H.sale("10.00", "item 2"))
            async let first = shop.post("/v1/refunds", one, 1, by: .office, wait: 50)
            try await till.scheduler.sleep(until: till.scheduler.now + 5_000)
            _ = try await till.reader.cancel()
            #expect(try await first.status == 402)
            till.reader.present(SimulatedReader.Card(number: "4111111111111111"))
            #expect(try await shop.post("/v1/refunds", other, 2, by: .office).status == 201)
        }
    }

    /// When the key was looked at, the tip was lower than what is asked for now.
    @Test func key_thatMayNotRefund_lowersNoTipThatIsRaisedInBetween() throws {
        let (till, gate) = (Till(), Gate())
        let shop = try Self.harness(till, transport: gate.transport(till.transport, at: "/tip"))
        try till.play { () async throws -> Void in
            #expect(try await shop.post("/v1/sales", H.sale("50.00"), 1).status == 201)
            let path = "/v1/payments/\(H.uuid(1))/tips"
            async let raised = shop.post(path, ["newTip": H.euro("9.00")], 2, wait: 50)
            _ = await gate.reached.value()
            async let lowered = shop.post(path, ["newTip": H.euro("4.00")], 3, wait: 50)
            try await till.scheduler.sleep(until: till.scheduler.now + 1_000)
            gate.opened.fulfill(true)
            #expect(try await raised.status == 201)
            let reply = try await lowered
            #expect(reply.status == 409, "\(reply.status) \(reply.body)")
            #expect(shop.movements(3) == 0)
        }
    }

    /// However the payment changed since it was allowed.
    @Test func returnedMost_isExceededByNoOperation() throws {
        let till = Till()
        let client = try till.client()
        var notes = AttemptNotes()
        notes.returnedMost = .cents(200)
        let limited = client.keeping(notes)
        try till.play { () async throws -> Void in
            let sold = try await client.sale(.cents(5_000), from: .reader, reference: "order-1")
            let payment = try #require(sold.payment?.id)
            try await client.adjustTip(payment, to: .cents(500))
            let refused = PaymentError(.conflict, outcome: .notExecuted)
            await #expect(throws: refused) { try await limited.adjustTip(payment, to: .cents(299)) }
            await #expect(throws: refused) { try await limited.void(payment) }
            await #expect(throws: refused) { try await limited.refund(payment) }
            await #expect(throws: refused) { try await limited.refund(payment, of: .cents(201)) }
            try await limited.adjustTip(payment, to: .cents(300))
            try await limited.refund(payment, of: .cents(200))
        }
    }

    /// What a refund in doubt reserves may be left after all: that is known only while the request waits.
    @Test(arguments: ["refunds", "voids"])
    func key_refundsNoMoreThanItMay_besideARefundThatNeverArrived(_ way: String) throws {
        let (till, isDown) = (Till(), Locked(false))
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            if isDown.withLock({ $0 }) { throw .maybeSent(.connectionReset) }
            return try await next(request)
        }
        let shop = try Self.harness(till, transport: transport) { $0.refundMax = [.eur: .cents(1_000)] }
        try till.play { () async throws -> Void in
            #expect(try await shop.post("/v1/sales", H.sale("12.00"), 1).status == 201)
            isDown.withLock { $0 = true }
            let path = "/v1/payments/\(H.uuid(1))"
            let part: JSON = ["amount": H.euro("5.00")]
            #expect(try await shop.post("\(path)/refunds", part, 2, by: .office).status == 202)
            isDown.withLock { $0 = false }
            till.scheduler.advance(by: 10_000)
            let body: JSON = way == "refunds" ? ["all": true] : [:]
            let reply = try await shop.post("\(path)/\(way)", body, 3, by: .office)
            #expect(reply.status == 403, "\(reply.status) \(reply.body)")
            #expect(shop.movements(3) == 0)
        }
    }

    /// An adjustment gives a new total: it is not added to the old one.
    @Test func key_capturesAllThatItMay_besideAnAdjustmentThatNeverArrived() throws {
        let (till, isDown) = (Till(), Locked(false))
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            if isDown.withLock({ $0 }) { throw .maybeSent(.connectionReset) }
            return try await next(request)
        }
        let shop = try Self.harness(till, transport: transport) { $0.amountMax = [.eur: .cents(10_000)] }
        try till.play { () async throws -> Void in
            #expect(try await shop.post("/v1/authorizations", H.sale("50.00"), 1).status == 201)
            isDown.withLock { $0 = true }
            let path = "/v1/payments/\(H.uuid(1))"
            let more: JSON = ["newTotal": H.euro("60.00")]
            #expect(try await shop.post("\(path)/adjustments", more, 2).status == 202)
            isDown.withLock { $0 = false }
            till.scheduler.advance(by: 10_000)
            let reply = try await shop.post("\(path)/captures", ["all": true], 3)
            #expect(reply.status != 403, "\(reply.status) \(reply.body)")
        }
    }

    /// A tip gives a new total, too.
    @Test func key_refundsAllThatItMay_besideATipThatNeverArrived() throws {
        let (till, isDown) = (Till(), Locked(false))
        let transport = HookTransport(till.transport) { request, next throws(TransportFailure) in
            if isDown.withLock({ $0 }) { throw .maybeSent(.connectionReset) }
            return try await next(request)
        }
        let shop = try Self.harness(till, transport: transport) { $0.refundMax = [.eur: .cents(1_400)] }
        try till.play { () async throws -> Void in
            #expect(try await shop.post("/v1/sales", H.sale("12.00"), 1).status == 201)
            let path = "/v1/payments/\(H.uuid(1))"
            #expect(try await shop.post("\(path)/tips", ["newTip": H.euro("1.00")], 2).status == 201)
            isDown.withLock { $0 = true }
            #expect(try await shop.post("\(path)/tips", ["newTip": H.euro("2.00")], 3).status == 202)
            isDown.withLock { $0 = false }
            till.scheduler.advance(by: 10_000)
            let reply = try await shop.post("\(path)/refunds", ["all": true], 4, by: .office)
            #expect(reply.status != 403, "\(reply.status) \(reply.body)")
        }
    }

    /// The provider of the first reader can't be reached, and the sale waits for its card at the next one.
    @Test func saleThatWasTakenToAnotherReader_isShownAndEndedThere() throws {
        let till = Till()
        till.reader.present(nil)
        let service = try Self.fallingBack(till)
        try till.play { () async throws -> Void in
            let began = try await H.post(service, "/v1/sales", H.sale("12.50"), 1, wait: 10)
            #expect(began.word == "running" && began.body["prompt"] != .null, "\(began.status) \(began.body)")
            let reader = try await H.send(service, "GET", "/v1/readers/other", [], by: .till, [])
            #expect(reader.body["attempts"]?.array == [.string(H.uuid(1))], "\(reader.body)")
            let former = try await H.send(service, "GET", "/v1/readers/memory", [], by: .till, [])
            #expect(former.body["attempts"]?.array == [], "\(former.body)")
            let ended = try await H.post(service, "/v1/readers/other/cancel")
            #expect(ended.body["result"] == "cancelled", "\(ended.body)")
            #expect(till.backend.ledger.movements(attempt: H.uuid(1)).isEmpty)
        }
    }
}

/// A journal that can be read, and that answers no write before it is back.
private final class SilentJournal: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    let isBack = Promise<Bool>()

    func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        _ = await isBack.value()
        return try await inner.draw(count)
    }
}

/// A journal that answers no question about attempts before its database is back.
private final class DeafJournal: JournalWrapper {
    let inner: any Journal = InMemoryJournal()
    let isBack = Promise<Bool>()

    func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        _ = await isBack.value()
        return try await inner.attempts(query, after: cursor, limit: limit)
    }
}
