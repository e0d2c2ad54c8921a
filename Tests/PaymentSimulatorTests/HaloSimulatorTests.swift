import PaymentBase
import PaymentDriverKit
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// What the simulated provider refuses, and when.
@Suite struct HaloProviderTests {
    private let scheduler = TestScheduler()
    private let provider: HaloSimulator

    init() { provider = HaloSimulator(clock: scheduler) }

    private func send(
        _ method: String, _ target: String, _ body: JSON? = nil, token: Secret?, _ more: HTTPHeaders = [:]
    ) async -> (status: Int, body: JSON?) {
        var request = HTTPRequest(method, Origin(.http, "halo.test"), target, headers: more)
        if let token { request.headers["Authorization"] = "Bearer \(token.expose())" }
        if let body {
            request.body = body.bytes()
            request.headers["Content-Type"] = "application/json"
        }
        guard case .reply(let response) = await provider.answer(request) else { return (0, nil) }
        return (response.status, try? JSONReader().read(response.body))
    }

    private var token: Secret { provider.merchant.token(now: scheduler.now, number: 1) }
    private let device: HTTPHeaders = ["X-Device-Installation-Id": "d-1"]

    private func tap(_ units: Int64 = 1_500, _ reference: String = "r-1") async throws -> JSON {
        let reader = SimulatedReader(clock: InstantClock(scheduler: scheduler))
        try await reader.prepare(token: Secret("r"))
        var card = SimulatedReader.Card()
        card.tapMilliseconds = 0
        reader.present(card)
        let read = try await reader.read(CardReadRequest(.purchase, Money(minorUnits: units, .zar)))
        return [
            "merchantReference": .string(reference), "generalCardData": .string(read.generalCardData.expose()),
            "paymentCardData": .string(read.paymentCardData.expose()),
        ]
    }

    @Test func tokensHaveToBeSignedForThisHostAndAlive() async {
        #expect(await send("GET", "/transactions", token: nil).status == 401)
        #expect(await send("GET", "/transactions", token: token).status == 200)
        let forged = Secret(String(token.expose().dropLast(4)) + "AAAA")
        #expect(await send("GET", "/transactions", token: forged).body?["errorCode"]?.int64 == 117)
        var other = HaloMerchant()
        other.audience = "elsewhere"
        #expect(await send("GET", "/transactions", token: other.token(now: scheduler.now, number: 2)).status == 401)
        other = HaloMerchant()
        other.algorithm = .rs512
        #expect(await send("GET", "/transactions", token: other.token(now: scheduler.now, number: 3)).status == 401)
        let old = token
        scheduler.advance(by: 15 * 60_000)
        #expect(await send("GET", "/transactions", token: old).status == 401)
    }

    @Test func headersAndMediaTypesAreNeeded() async throws {
        let body = try await tap()
        #expect(await send("POST", "/transactions/apple", body, token: token).status == 400)
        let form = await send(
            "POST", "/transactions/apple", nil, token: token,
            ["X-Device-Installation-Id": "d", "Content-Type": "text/plain"])
        #expect(form.status == 415)
        #expect(provider.ledger.movements.isEmpty)
    }

    @Test func aReferenceComesOnce() async throws {
        let body = try await tap()
        #expect(await send("POST", "/transactions/apple", body, token: token, device).status == 200)
        let again = await send("POST", "/transactions/apple", body, token: token, device)
        #expect(again.status == 400 && again.body?["errorCode"]?.int64 == 124)
        #expect(provider.ledger.movements.count == 1)
    }

    @Test func cardDataIsGoodForAMinute() async throws {
        let (early, late) = (try await tap(1_500, "r-1"), try await tap(1_500, "r-2"))
        scheduler.advance(by: 60_000)
        #expect(await send("POST", "/transactions/apple", early, token: token, device).status == 200)
        scheduler.advance(by: 1)
        let refused = await send("POST", "/transactions/apple", late, token: token, device)
        #expect(refused.body?["errorCode"]?.string == "PPS-4003" && provider.ledger.movements.count == 1)
    }

    @Test func aPINIsTakenOnceAndForAWhile() async throws {
        let asked = await send("POST", "/transactions/apple", try await tap(1_065), token: token, device)
        let answer = asked.body?["onlineAuthorizationResponse"]
        #expect(asked.status == 201 && answer?["isSingleTapAndPin"]?.bool == true)
        let path = "/transactions/\(answer?["haloReference"]?.string ?? "")/submitPinApple"
        scheduler.advance(by: HaloSimulator.pinMilliseconds + 1)
        #expect(await send("POST", path, try await tap(1_065), token: token, device).status == 409)
        #expect(provider.ledger.movements.isEmpty)
    }

    @Test func theBackOfficeHasAKeyOfItsOwnAndMajorUnits() async throws {
        let sale = await send("POST", "/transactions/apple", try await tap(), token: token, device)
        let id = sale.body?["onlineAuthorizationResponse"]?["haloReference"]?.string ?? ""
        let body: JSON = ["amount": 5, "refundReference": "b-1"]
        let path = "/transactions/\(id)/refund"
        #expect(await send("POST", path, body, token: token).status == 401)
        let key: HTTPHeaders = ["x-api-key": provider.officeKey.expose()]
        let back = await send("POST", path, body, token: nil, key)
        #expect(back.body?["type"]?.string == "Approved" && back.body?["amount"] == nil)
        #expect(provider.ledger.balance(.refunded) == ["ZAR": 500])
        #expect(await send("POST", path, body, token: nil, key).body?["errorCode"]?.int64 == 213)
        let most: JSON = ["amount": 11, "refundReference": "b-2"]
        #expect(await send("POST", path, most, token: nil, key).status == 400)
    }

    @Test func aMerchantWithoutATerminalGetsNoReaderToken() async {
        var merchant = HaloMerchant()
        merchant.terminal = nil
        let provider = HaloSimulator(clock: scheduler, merchant: merchant)
        var request = HTTPRequest("POST", Origin(.http, "halo.test"), "/apple/proximity-token")
        request.headers["Authorization"] = "Bearer \(merchant.token(now: scheduler.now, number: 1).expose())"
        #expect(await provider.answer(request).response?.status == 500)
    }

    @Test func everythingIsKeptInASnapshot() async throws {
        _ = await send("POST", "/transactions/apple", try await tap(), token: token, device)
        _ = await send("POST", "/transactions/apple", try await tap(1_065, "r-2"), token: token, device)
        let other = HaloSimulator(clock: scheduler)
        #expect(other.restore(provider.snapshot()))
        #expect(other.snapshot() == provider.snapshot() && other.ledger == provider.ledger)
        #expect(!other.restore(["ledger": []]))
    }

    @Test func aLatePageOfEverythingCostsNoMoreThanTheFirst() async throws {
        let day: Int64 = 86_400_000
        for number in 0..<30 {
            let body = try await tap(1_500 + Int64(number), "r-\(number)")
            #expect(await send("POST", "/transactions/apple", body, token: token, device).status == 200)
            if number % 10 == 9 { scheduler.advance(by: day) }
        }
        func page(_ offset: Int, _ filters: String) async throws -> (references: [String?], visits: Int) {
            let visits = Locked(0)
            let target = "/transactions?merchant=\(provider.merchant.merchant)&limit=5&offset=\(offset)&\(filters)"
            let items = try await StoreVisits.$counter.withValue(visits) {
                try #require(await send("GET", target, token: token).body?.array)
            }
            return (items.map { $0["merchantTransactionReference"]?.string }, visits.withLock { $0 })
        }
        let now = try #require(Timestamp(milliseconds: scheduler.now))
        let (first, today) = ("2000-01-01", String(now.text().prefix(10)))
        let all = "startDate=\(first)&endDate=\(today)&minAmount=0&maxAmount=\(HaloSimulator.amountMax)"
        // Leaves nothing out either, and each record is compared with it.
        let most = "startDate=\(first)&endDate=\(today)&minAmount=1&maxAmount=9999"
        _ = try await page(0, all)
        let early = try await page(0, all)
        for offset in [0, 5, 25, 28, 30] {
            let (quick, slow) = (try await page(offset, all), try await page(offset, most))
            #expect(quick.references == slow.references && quick.visits <= early.visits, "\(offset)")
        }
        #expect(early.references == (25..<30).reversed().map { "r-\($0)" })
        // What leaves something out is believed: a day, an amount.
        let second = String(try #require(Timestamp(milliseconds: scheduler.now - 2 * day)).text().prefix(10))
        let middle = "startDate=\(second)&endDate=\(second)&minAmount=0&maxAmount=\(HaloSimulator.amountMax)"
        #expect(try await page(5, middle).references == (10..<15).reversed().map { "r-\($0)" })
        let least = "startDate=\(first)&endDate=\(today)&minAmount=0&maxAmount=1502"
        #expect(try await page(0, least).references == ["r-2", "r-1", "r-0"])
    }
}

/// A PIN belongs to the tap that asked for it.
@Suite struct HaloPINTests {
    private let scheduler = TestScheduler()
    private let provider: HaloSimulator

    init() { provider = HaloSimulator(clock: scheduler) }

    private func submit(_ target: String, _ tap: [(String, JSON)]) async -> (status: Int, body: JSON?) {
        var request = HTTPRequest(
            "POST", Origin(.http, "halo.test"), target, headers: ["Content-Type": "application/json"])
        request.headers["X-Device-Installation-Id"] = "d-1"
        request.headers["Authorization"] = "Bearer \(provider.merchant.token(now: scheduler.now, number: 1).expose())"
        var payload: JSONObject = [
            "amount": 1_065, "currency": "ZAR", "purpose": "purchase", "pan": "4111111111111111",
            "expectedPIN": "1234", "at": .number(JSONNumber(scheduler.now)),
        ]
        for (name, value) in tap { payload[name] = value }
        let blob = Base64.standard.encode(JSON.object(payload).bytes())
        let body: JSON = [
            "merchantReference": "r-1", "generalCardData": "9F02", "paymentCardData": .string(blob),
        ]
        request.body = body.bytes()
        guard case .reply(let response) = await provider.answer(request) else { return (0, nil) }
        return (response.status, try? JSONReader().read(response.body))
    }

    @Test func aPINOfAnotherCardOrForAnotherPurposeIsRefused() async throws {
        let first = await submit("/transactions/apple", [])
        let answer = try #require(first.body?["onlineAuthorizationResponse"])
        #expect(answer["errorCode"]?.int64 == 65)
        let target = "/transactions/\(answer["haloReference"]?.string ?? "")/submitPinApple"
        let other = await submit(target, [("pin", "1234"), ("pan", "5555555555554444")])
        #expect(other.status == 400)
        #expect(await submit(target, [("pin", "1234"), ("purpose", "refund")]).status == 400)
        #expect(provider.ledger.movements.isEmpty)
        #expect(await submit(target, [("pin", "1234")]).status == 201)
        #expect(provider.ledger.movements.count == 1)
    }
}

/// The simulated kit on its own: as strict as the SDK's document.
@Suite struct SimulatedHaloSDKTests {
    /// A kit in front of a simulated provider, and what its delegate heard.
    private struct Bench {
        let scheduler = TestScheduler()
        let backend: HaloSimulator
        let reader: SimulatedReader
        let kit: SimulatedHaloSDK
        let heard = Locked([HaloPhoneSDK.HaloAnalyticsEvent]())
        let tokens = Locked(0)

        init() {
            backend = HaloSimulator(clock: scheduler)
            reader = SimulatedReader(clock: scheduler, executor: scheduler)
            kit = SimulatedHaloSDK(
                clock: scheduler, executor: scheduler, reader: reader,
                transport: InProcessTransport([Origin(.http, "halo.test"): backend]),
                origin: Origin(.http, "halo.test"))
        }

        func prepare() async throws {
            await kit.setEventDelegate { [heard] event in
                if case .didEmitAnalyticsEvent(let step) = event { heard.withLock { $0.append(step) } }
            }
            _ = try await kit.initialize(
                tokenProvider: { [backend, scheduler, tokens] in
                    let number = tokens.withLock { number in
                        number += 1
                        return number
                    }
                    return backend.merchant.token(now: scheduler.now, number: number)
                }, environment: .sandbox)
        }

        func pay(_ units: Int64 = 1_500, _ reference: String = "r-1") async -> HaloPhoneSDK.HaloPaymentResult {
            await kit.startContactlessPayment(
                amountMinor: units, currency: "ZAR", merchantReference: reference,
                passthroughFields: .init(json: "{}"), type: .purchase)
        }
    }

    private static func code(_ result: HaloPhoneSDK.HaloPaymentResult) -> String? {
        if case .declined(let code, _) = result { return code?.rawValue }
        return "approved"
    }

    @Test func nothingIsPaidBeforeItIsReady() throws {
        let bench = Bench()
        let result = try bench.scheduler.run { await bench.pay() }
        #expect(Self.code(result) == "NOT_INITIALIZED" && bench.backend.ledger.movements.isEmpty)
    }

    @Test func onePaymentAtATime() throws {
        let bench = Bench()
        let (first, second) = try bench.scheduler.run {
            try await bench.prepare()
            let first = Task(executorPreference: bench.scheduler) { await bench.pay() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 100)
            let second = await bench.pay(1_600, "r-2")
            return (await first.value, second)
        }
        #expect(Self.code(first) == "approved" && Self.code(second) == "PAYMENT_IN_PROGRESS")
        #expect(bench.backend.ledger.movements.count == 1)
    }

    @Test func stepsComeInTheDocumentsOrder() throws {
        let bench = Bench()
        let result = try bench.scheduler.run {
            try await bench.prepare()
            return await bench.pay(1_065)
        }
        #expect(Self.code(result) == "approved")
        let steps: [HaloPhoneSDK.EventType] = [
            .sdkInitialized, .sdkReaderPrepared, .paymentStarted, .paymentValidated, .readyForTap, .cardDetected,
            .transactionSubmissionStarted, .transactionResponseReceived, .pinCaptureStarted, .pinCaptureSucceeded,
            .transactionSubmissionStarted, .transactionResponseReceived, .paymentApproved,
        ]
        let heard = bench.heard.withLock { $0 }
        #expect(heard.map(\.type) == steps)
        let asked = heard.first { $0.type == .transactionResponseReceived }
        #expect(asked?.isSingleTapAndPin == true && asked?.isApproved == false && asked?.originalTransactionId != nil)
    }

    @Test func aTokenThatLapsesSoonIsReplacedAndARefusedOneTwice() throws {
        let bench = Bench()
        try bench.scheduler.run { try await bench.prepare() }
        #expect(bench.tokens.withLock { $0 } == 1)
        bench.scheduler.advance(by: 15 * 60_000 - 29_000)
        _ = try bench.scheduler.run { await bench.pay() }
        #expect(bench.tokens.withLock { $0 } == 2)
        bench.backend.revokeTokens()
        let renewed = try bench.scheduler.run { await bench.pay(1_600, "r-2") }
        #expect(Self.code(renewed) == "approved" && bench.tokens.withLock { $0 } == 3)
    }

    @Test func whatIsLostOnTheLineIsANetworkError() throws {
        let bench = Bench()
        let results = try bench.scheduler.run {
            try await bench.prepare()
            return [await bench.pay(1_013), await bench.pay(1_014, "r-2"), await bench.pay(1_016, "r-3")]
        }
        #expect(results.map { Self.code($0) } == ["NETWORK_ERROR", "NETWORK_ERROR", nil])
        #expect(bench.backend.ledger.movements.map(\.amount.minorUnits) == [1_013, 1_016])
    }

    /// The worst that the document allows: the call ends as cancelled, and the payment continues unseen.
    @Test func whoCancelsAfterTheCardKnowsNothing() throws {
        let bench = Bench()
        var card = SimulatedReader.Card()
        card.fieldMilliseconds = 500
        bench.reader.present(card)
        let result = try bench.scheduler.run {
            try await bench.prepare()
            let paying = Task(executorPreference: bench.scheduler) { await bench.pay() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 700)
            await bench.kit.cancelPayment()
            let result = await paying.value
            try await bench.scheduler.sleep(until: bench.scheduler.now + 5_000)
            return result
        }
        #expect(Self.code(result) == "USER_CANCELLED" && bench.backend.ledger.movements.count == 1)
    }

    @Test func aScreenThatIsRecordedEndsThePayment() throws {
        let bench = Bench()
        let result = try bench.scheduler.run {
            try await bench.prepare()
            bench.reader.begin(.screenCapture)
            return await bench.pay()
        }
        #expect(Self.code(result) == "SCREEN_CAPTURE_DETECTED")
    }
}
