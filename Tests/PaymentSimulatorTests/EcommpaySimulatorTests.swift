import PaymentBase
import PaymentLinux
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// What the simulated provider refuses, and when; its messages are signed here by hand.
@Suite struct EcommpayProviderTests {
    private let scheduler = TestScheduler()
    private let provider: EcommpaySimulator

    init() { self.init(EcommpaySimulator.Rules()) }

    private init(_ rules: EcommpaySimulator.Rules) {
        provider = EcommpaySimulator(clock: scheduler, crypto: OpenSSLCrypto(), rules: rules)
    }

    private func send(_ target: String, _ body: JSON) async -> (status: Int, body: JSON?) {
        let request = HTTPRequest(
            "POST", Origin(.http, "e.test"), target, headers: ["Content-Type": "application/json"])
        var asked = request
        asked.body = body.bytes()
        guard case .reply(let response) = await provider.answer(asked) else { return (0, nil) }
        return (response.status, try? JSONReader().read(response.body))
    }

    /// A session's parameters in the order of their names, signed.
    private func open(_ units: Int64, _ payment: String, secret: String = "ecommpay-simulated-secret") async -> JSON? {
        let text = "payment_amount:\(units);payment_currency:EUR;payment_id:\(payment);project_id:1234"
        let code = (try? OpenSSLCrypto().authenticate(.sha512, key: Secret(secret), Array(text.utf8))) ?? []
        let body: JSON = [
            "project_id": 1_234, "payment_id": .string(payment), "payment_amount": .number(JSONNumber(units)),
            "payment_currency": "EUR", "signature": .string(Base64.standard.encode(code)),
        ]
        return await send("/msdk/v1/init", body).body
    }

    private func pay(_ session: String, _ number: String = "5555555555554444") async -> (status: Int, body: JSON?) {
        await send(
            "/msdk/v1/pay",
            [
                "sid": .string(session), "action": "sale", "method": "card",
                "card": ["pan": .string(number), "year": 2_030, "month": 12, "card_holder": "John Doe"],
            ])
    }

    @Test func aSessionNeedsASignatureThatFits() async {
        #expect(await open(500, "p-1")?["status"] == "success")
        #expect(await open(500, "p-1", secret: "another")?["code"] == "3261")
    }

    /// What an unsigned request costs: bytes are counted, since time depends on the machine.
    @Test(arguments: HostileMessage.allCases)
    func request_forgedAndHostile_costsNoMoreThanItsSize(_ shape: HostileMessage) async throws {
        let crypto = CountingCrypto(OpenSSLCrypto())
        let provider = EcommpaySimulator(clock: scheduler, crypto: crypto)
        for signature in ["AAAA", HostileMessage.wellFormedSignature] {
            let before = crypto.authenticatedBytes
            var request = HTTPRequest(
                "POST", Origin(.http, "e.test"), "/v2/payment/status", headers: ["Content-Type": "application/json"])
            request.body = shape.body(6_000, signature: signature)
            guard case .reply(let response) = await provider.answer(request) else {
                Issue.record("there is no answer")
                return
            }
            #expect(response.status == 400 && (try? JSONReader().read(response.body))?["code"] == "3261")
            let bytes = crypto.authenticatedBytes - before
            #expect(bytes <= (signature.utf8.count == 88 ? 16 * request.body.count : 0), "\(shape): \(bytes) bytes")
        }
    }

    @Test func beforeThePaymentThereIsNoStatus() async {
        let session = await open(500, "p-1")?["sid"]?.string ?? ""
        let early = await send("/msdk/v1/status", ["sid": .string(session)])
        #expect(early.status == 400 && early.body?["errors"]?["sid"] == "Make payment before check status")
        #expect(await send("/msdk/v1/status", ["sid": "nobody"]).status == 401)
    }

    @Test func aNameIsTakenOnce() async {
        let session = await open(500, "p-1")?["sid"]?.string ?? ""
        let first = await pay(session)
        #expect(first.body?["status"] == "success" && first.body?["request_id"]?.string?.isEmpty == false)
        #expect(await pay(session).body?["code"] == "3041")
        #expect(await open(500, "p-1")?["code"] == "3041")
        #expect(provider.ledger.movements.count == 1)
    }

    @Test func aSessionLapsesAfterHalfAnHourWithoutUse() async {
        let session = await open(500, "p-1")?["sid"]?.string ?? ""
        scheduler.advance(by: EcommpaySimulator.sessionMilliseconds - 1)
        #expect(await pay(session).status == 200)
        scheduler.advance(by: EcommpaySimulator.sessionMilliseconds)
        #expect(await send("/msdk/v1/status", ["sid": .string(session)]).status == 401)
    }

    @Test func anUnfinishedPaymentIsTakenUpAgain() async {
        let session = await open(500, "p-1")?["sid"]?.string ?? ""
        _ = await pay(session, "5413330000000019")
        #expect(await open(500, "p-1")?["payment"]?["status"] == "awaiting 3ds result")
    }

    @Test func anUnexpectedAnswerIsRefused() async {
        let session = await open(500, "p-1")?["sid"]?.string ?? ""
        _ = await pay(session, "5413330000000019")
        let early = await send("/msdk/v1/3ds/result", ["sid": .string(session), "cres": "ok"])
        #expect(early.status == 409)
        let check: JSON = ["sid": .string(session), "threeds_completion_indicator": true]
        #expect(await send("/msdk/v1/3ds/check", check).status == 200)
        #expect(await send("/msdk/v1/3ds/check", check).status == 409)
        let result: JSON = ["sid": .string(session), "cres": "eyJ0cmFuc1N0YXR1cyI6IlkifQ=="]
        #expect(await send("/msdk/v1/3ds/result", result).status == 200)
        #expect(await send("/msdk/v1/3ds/result", result).status == 409)
        #expect(provider.ledger.movements.count == 1)
    }

    /// A message to the Gate, its members in the order of their names, signed.
    private func gate(_ path: String, _ payment: String, _ order: [(String, JSON)]) async -> (status: Int, body: JSON?)
    {
        var text = "general:payment_id:\(payment);general:project_id:1234"
        var members = JSONObject()
        for (name, value) in order {
            members[name] = value
            text += ";payment:\(name):\(value.string ?? value.number?.text ?? "")"
        }
        let key = Secret("ecommpay-simulated-secret")
        let code = (try? OpenSSLCrypto().authenticate(.sha512, key: key, Array(text.utf8))) ?? []
        var body: JSONObject = [
            "general": [
                "project_id": 1_234, "payment_id": .string(payment), "signature": .string(Base64.standard.encode(code)),
            ]
        ]
        if !order.isEmpty { body["payment"] = .object(members) }
        return await send(path, .object(body))
    }

    @Test func aRefundThatIsUnderWayReservesItsAmount() async {
        let session = await open(5_015, "p-1")?["sid"]?.string ?? ""
        _ = await pay(session)
        _ = provider.decide("p-1", succeeds: true)
        scheduler.advance(by: 1_000)
        func refund(_ name: String) async -> JSON? {
            await gate(
                "/v2/payment/card/refund", "p-1",
                [
                    ("amount", 5_015), ("currency", "EUR"), ("description", "all"),
                    ("merchant_refund_id", .string(name)),
                ]
            ).body
        }
        #expect(await refund("r-1")?["status"] == "success")
        #expect(await refund("r-2")?["code"] == "3060")
        _ = provider.decide("r-1", succeeds: true)
        #expect(provider.ledger.balance(.merchant) == ["EUR": 0])
    }

    @Test func aPaymentIsTakenUpAgainUnderItsOwnAmountOnly() async {
        let session = await open(500, "p-1")?["sid"]?.string ?? ""
        _ = await pay(session, "5413330000000019")
        #expect(await open(900, "p-1")?["code"] == "3041")
        #expect(await open(500, "p-1")?["status"] == "success")
    }

    @Test func consentIsGivenBeforeTheSecondPage() async {
        let session = await open(5_030, "p-1")?["sid"]?.string ?? ""
        _ = await pay(session)
        let result: JSON = ["sid": .string(session), "pares": "ok"]
        #expect(await send("/msdk/v1/3ds/result", result).status == 409)
        #expect(await send("/msdk/v1/cascade", ["sid": .string(session)]).status == 400)
        #expect(await send("/msdk/v1/cascade", ["sid": .string(session), "accept": true]).status == 200)
        #expect(await send("/msdk/v1/3ds/result", result).status == 200)
        #expect(provider.ledger.movements.count == 1)
    }

    @Test func news_isGivenOnce_andNamesEveryChange() async {
        let session = await open(500, "p-1")?["sid"]?.string ?? ""
        _ = await pay(session, "5413330000000019")
        _ = await send("/msdk/v1/status", ["sid": .string(session)])
        func take() -> [String] {
            provider.takeMessages().map { news in
                let json = try? JSONReader().read(news.body)
                return json?["signature"] == nil ? "unsigned" : json?["payment"]?["status"]?.string ?? ""
            }
        }
        #expect(take() == ["awaiting 3ds result"] && take().isEmpty)
        let check: JSON = ["sid": .string(session), "threeds_completion_indicator": true]
        _ = await send("/msdk/v1/3ds/check", check)
        _ = await send("/msdk/v1/3ds/result", ["sid": .string(session), "cres": "ok"])
        #expect(take() == ["awaiting 3ds result", "success"])
    }

    // MARK: Customers, tokens and registrations

    /// A message signed by hand: its leaves in the order of their paths.
    private func signed(_ text: String, _ body: JSON, in part: String?) -> JSON {
        let key = Secret("ecommpay-simulated-secret")
        let code = (try? OpenSSLCrypto().authenticate(.sha512, key: key, Array(text.utf8))) ?? []
        let proof = JSON.string(Base64.standard.encode(code))
        guard var object = body.object else { return body }
        if let part, var inner = object[part]?.object {
            inner["signature"] = proof
            object[part] = .object(inner)
        } else {
            object["signature"] = proof
        }
        return .object(object)
    }

    private func tokenize(_ number: String = "5555555555554444", in part: String? = "customer") async -> JSON? {
        let body: JSON = [
            "customer": ["project_id": 1_234, "id": "c-1"],
            "card": ["pan": .string(number), "year": 2_030, "month": 1],
        ]
        let text = "card:month:1;card:pan:\(number);card:year:2030;customer:id:c-1;customer:project_id:1234"
        return await send("/v2/customer/card/tokenize", signed(text, body, in: part)).body
    }

    @Test func messagesAboutCustomersAreSignedWithTheCustomer() async {
        #expect(await tokenize(in: nil)?["code"] == "2124")
        #expect(await tokenize("555")?["code"] == "2004")
        let done = await tokenize()
        #expect(done?["status"] == "success" && done?["request_id"]?.string?.isEmpty == false)
        let wrong = signed("customer:id:c-2", ["customer": ["project_id": 1_234, "id": "c-1"]], in: "customer")
        #expect(await send("/v2/customer/info", wrong).body?["code"] == "3261")
    }

    /// One token for a card: told by a callback, shown in the list, gone with the card or revoked.
    @Test func aTokenIsReportedShownAndRevoked() async throws {
        _ = await tokenize()
        _ = await tokenize()
        let news = try provider.takeMessages().map { try JSONReader().read($0.body) }
        let token = try #require(news.first?["token"]?.string)
        #expect(news.count == 2 && news[1]["token"]?.string == token && token.utf8.count == 64)
        #expect(news[0]["request"]?["action"] == "tokenize" && news[0]["general"]?["signature"] != nil)
        let owner: JSON = ["customer": ["project_id": 1_234, "id": "c-1"]]
        let who = "customer:id:c-1;customer:project_id:1234"
        func list() async -> JSON? {
            let asked = signed("\(who);payment_method:card", owner.adding("payment_method", "card"), in: "customer")
            return await send("/v2/customer/saved_account/list", asked).body
        }
        #expect(await list()?["accounts"]?[0]?["token"]?.string == token)
        let asked: JSON = ["customer": ["project_id": 1_234, "id": "c-1"], "token": .string(token)]
        let text = "\(who);token:\(token)"
        let shown = await send("/v2/customer/card/bytoken", signed(text, asked, in: "customer")).body
        #expect(shown?["account"]?["number"] == "555555******4444" && shown?["signature"] != nil)
        let end = await send("/v2/customer/card/token/revoke", signed(text, asked, in: "customer")).body
        #expect(end?["status"] == "success")
        #expect(await list()?["accounts"] == [])
        let gone = await send("/v2/customer/card/bytoken", signed(text, asked, in: "customer"))
        #expect(gone.status == 400 && gone.body?["code"] == "3221")
    }

    @Test func aCardThatIsDeclinedGetsNoToken() async throws {
        _ = await tokenize("4111111111111111")
        let news = try JSONReader().read(try #require(provider.takeMessages().first).body)
        #expect(news["request"]?["status"] == "decline" && news["token"] == nil)
    }

    @Test func sessionThatWasLeft_canNotBeResumed() async {
        let session = await open(500, "p-1")?["sid"]?.string ?? ""
        #expect(await pay(session, "5413330000000019").status == 200)
        #expect(await send("/msdk/v1/cancel", ["sid": .string(session)]).body?["status"] == "success")
        #expect(await send("/msdk/v1/status", ["sid": .string(session)]).status == 401)
        // The payment itself waits on, and can be taken up again.
        #expect(await open(500, "p-1")?["payment"]?["status"] == "awaiting 3ds result")
    }

    @Test func theStateComesBackAsItWas() async {
        _ = await tokenize()
        let session = await open(500, "p-1")?["sid"]?.string ?? ""
        _ = await pay(session, "5413330000000019")
        let kept = provider.snapshot()
        let other = EcommpaySimulator(clock: scheduler, crypto: OpenSSLCrypto())
        #expect(other.restore(kept))
        #expect(other.snapshot() == kept)
        #expect(!other.restore([:]))
    }

    @Test func paymentDecidedByTime_isReportedUnasked_alsoAfterARestart() async throws {
        var rules = EcommpaySimulator.Rules()
        rules.processingMilliseconds = 90_000
        let slow = EcommpayProviderTests(rules)
        let session = await slow.open(500, "p-1")?["sid"]?.string ?? ""
        #expect(await slow.pay(session).status == 200)
        let decidesAt = slow.scheduler.now + 90_000
        #expect(slow.provider.takeMessages().count == 1 && slow.provider.nextDue == decidesAt)
        let other = EcommpaySimulator(clock: slow.scheduler, crypto: OpenSSLCrypto(), rules: rules)
        #expect(other.restore(slow.provider.snapshot()) && other.nextDue == decidesAt)
        slow.scheduler.advance(by: 100_000)
        for provider in [slow.provider, other] {
            let told = provider.takeMessages()
            #expect(told.count == 1 && provider.nextDue == nil && provider.takeMessages().isEmpty)
            #expect(try JSONReader().read(told[0].body)["payment"]?["status"] == "success")
            #expect(provider.ledger.movements.map(\.at) == [decidesAt])
        }
        #expect(other.schedule.accepted == 200...200 && other.schedule.milliseconds(1) != nil)
    }
}

/// The simulated kit on its own: as strict as the SDK's document, over the provider's own books.
@Suite struct SimulatedEcommpaySDKTests {
    /// A kit in front of a simulated provider, and what its delegates heard.
    private struct Bench {
        let scheduler = TestScheduler()
        let backend: EcommpaySimulator
        let kit: SimulatedEcommpaySDK
        let heard = Locked([String]())

        init() {
            backend = EcommpaySimulator(clock: scheduler, crypto: OpenSSLCrypto())
            let origin = Origin(.http, "ecommpay.test")
            kit = SimulatedEcommpaySDK(
                clock: scheduler, executor: scheduler, transport: InProcessTransport([origin: backend]), origin: origin)
        }

        func session(
            _ units: Int64 = 5_000, _ name: String = "p-1", signed: Bool = true,
            with change: (inout EcommpayPhoneSDK.PaymentInfo) -> Void = { _ in }
        ) async -> any EcommpayPhoneSDK.MSDKCoreSession {
            let session = await kit.makeSession(config: .init(.debug, apiHost: "a", wsApiHost: "b"))
            var info = EcommpayPhoneSDK.PaymentInfo(
                projectId: Int32(backend.rules.project), paymentId: name, paymentAmount: units, paymentCurrency: "EUR")
            change(&info)
            let text = await kit.getParamsForSignature(info)
            let proof = try? OpenSSLCrypto().authenticate(.sha512, key: backend.rules.secret, Array(text.utf8))
            info.signature = signed ? Base64.standard.encode(proof ?? []) : "forged"
            let opened = Promise<Void>()
            await session.getInitInteractor().execute(request: .init(paymentInfo: info)) { [heard] event in
                switch event {
                case .onInitReceived(let methods, _):
                    heard.withLock { $0.append("init \(methods.map(\.code))") }
                case .onPaymentRestored(let payment):
                    heard.withLock { $0.append("restored \(payment.id ?? "")") }
                case .onError(let code, _): heard.withLock { $0.append("\(code)") }
                }
                opened.fulfill(())
            }
            await opened.value()
            return session
        }

        func pay(_ session: any EcommpayPhoneSDK.MSDKCoreSession, _ request: EcommpayPhoneSDK.PayRequest) async {
            await session.getPayInteractor().execute(request: request) { [heard] event in
                let word =
                    switch event {
                    case .onPaymentCreated: "created"
                    case .onStatusChanged(_, let payment): "status \(payment.serverStatusName ?? "")"
                    case .onCustomerFields: "fields"
                    case .onThreeDSecure(_, let isCascading, _): isCascading ? "page again" : "page"
                    case .onClarificationFields: "clarification"
                    case .onThreeDSecureRedirectComplete: "page taken"
                    case .onCompleteWithSuccess(let payment): "success \(payment.sum)"
                    case .onCompleteWithDecline(let isTryAgain, _, _): isTryAgain ? "decline for now" : "decline"
                    case .onError(let code, _): "\(code)"
                    }
                heard.withLock { $0.append(word) }
            }
            try? await scheduler.sleep(until: scheduler.now + 60_000)
        }

        static func card(_ number: String = "5555555555554444") -> EcommpayPhoneSDK.PayRequest {
            .newCardSale(
                .init(
                    cvv: Secret("737"), pan: Secret(number), expiryDate: .init(month: 12, year: 2030),
                    cardHolder: "John Doe"))
        }

        var told: [String] { heard.withLock { $0 } }
        var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
    }

    @Test func aPaymentHasItsEventsInTheDocumentsOrder() throws {
        let bench = Bench()
        try bench.scheduler.run { await bench.pay(await bench.session(), Bench.card()) }
        #expect(bench.told == [#"init ["card", "etoken"]"#, "created", "success 5000"] && bench.charged == [5_000])
    }

    @Test func nothingIsPaidBeforeASessionIsOpen() throws {
        let bench = Bench()
        try bench.scheduler.run {
            let session = await bench.kit.makeSession(config: .init(.debug, apiHost: "a", wsApiHost: "b"))
            await bench.pay(session, Bench.card())
            await session.getPayInteractor().threeDSecureRedirectHandle(url: "https://shop.example/back")
        }
        #expect(bench.told == ["SESSION_NOT_INITIALIZED", "INTERACTOR_NOT_RUNNING"] && bench.charged.isEmpty)
    }

    @Test func aSignatureThatDoesNotFitOpensNothing() throws {
        let bench = Bench()
        try bench.scheduler.run { _ = await bench.session(signed: false) }
        #expect(bench.told == ["Network & Server API"])
    }

    @Test func oneSessionMakesOnePaymentAndAnotherOneFindsIt() throws {
        let bench = Bench()
        try bench.scheduler.run {
            let session = await bench.session()
            await bench.pay(session, Bench.card())
            await bench.pay(session, Bench.card())
            _ = await bench.session()
        }
        #expect(bench.told.suffix(2) == ["PAYMENT_ALREADY_EXIST", "PAYMENT_HAS_FINAL_STATUS"])
        #expect(bench.charged == [5_000])
    }

    @Test func aPaymentThatWaitsIsTakenUpInAnotherSession() throws {
        let bench = Bench()
        try bench.scheduler.run {
            await bench.pay(await bench.session(5_032), Bench.card())
            let session = await bench.session(5_032)
            await bench.pay(session, .paymentRestore(.init()))
            await session.getPayInteractor().sendCustomerFields(
                fields: [.init(name: "email", value: "john@example.org")])
            try await bench.scheduler.sleep(until: bench.scheduler.now + 60_000)
        }
        #expect(bench.told.dropFirst() == ["created", "fields", "restored p-1", "fields", "success 5032"])
    }

    /// What it refuses on its own, as the document's table of errors has it.
    @Test func whatIsMissingIsRefusedBeforeAnythingIsSent() throws {
        let bench = Bench()
        try bench.scheduler.run {
            let card = EcommpayPhoneSDK.CardTokenizeRequest(
                pan: Secret("5555555555554444"), expiryDate: .init(month: 12, year: 2030), cardHolder: "John Doe")
            await bench.pay(await bench.session(0, "p-1"), .cardTokenize(card))
            await bench.pay(await bench.session(100, "p-2"), .cardSaleTokenize(.init(cvv: nil)))
            await bench.pay(await bench.session(100, "p-3"), .paymentRestore(.init()))
            let session = await bench.session(100, "p-4") { $0.forcePaymentMethod = "etoken" }
            await bench.pay(session, Bench.card())
        }
        let refused = bench.told.filter { !$0.hasPrefix("init") }
        #expect(
            refused == [
                "CUSTOMER_ID_NOT_EXIST", "PAYMENT_TOKEN_NOT_EXIST", "PAYMENT_NOT_FOUND", "PAYMENT_METHOD_NOT_AVAILABLE",
            ])
        #expect(bench.charged.isEmpty)
    }

    @Test func theBankIsPlayedByTheTableOfCards() throws {
        for (number, end) in [("5413330000000019", "success 5000"), ("5544330000000045", "decline")] {
            let bench = Bench()
            try bench.scheduler.run {
                let session = await bench.session()
                await bench.pay(session, Bench.card(number))
                for _ in 0..<2 {
                    await session.getPayInteractor().threeDSecureRedirectHandle(url: "https://shop.example/back")
                    try await bench.scheduler.sleep(until: bench.scheduler.now + 60_000)
                }
            }
            #expect(bench.told.filter { $0 == "page" }.count == 2 && bench.told.last == end)
        }
    }
}
