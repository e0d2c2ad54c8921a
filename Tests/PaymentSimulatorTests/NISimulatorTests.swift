import PaymentBase
import PaymentMobileSDKs
import PaymentModel
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// What the simulated provider refuses, and when.
@Suite struct NIProviderTests {
    private let scheduler = TestScheduler()
    private let provider: NISimulator

    init() { provider = NISimulator(clock: scheduler) }

    private func send(
        _ method: String, _ target: String, _ body: JSON?, _ headers: HTTPHeaders = [:]
    ) async -> (status: Int, body: JSON?) {
        var request = HTTPRequest(method, Origin(.http, "ni.test"), target, headers: headers)
        if let body { request.body = body.bytes() }
        guard case .reply(let response) = await provider.answer(request) else { return (0, nil) }
        return (response.status, try? JSONReader().read(response.body))
    }

    private let identity = "application/vnd.ni-identity.v1+json"
    private let softpos = "application/vnd.ni-softpos.v1+json"

    private func grant(terminal: String = "434334344299", device: String = "d-1") async -> (status: Int, token: String)
    {
        let key: HTTPHeaders = ["Content-Type": identity, "Authorization": "Bearer ni-simulated-api-key"]
        let service = await send("POST", "/identity/auth/access-token", [:], key)
        let body: JSON = [
            "deviceCode": "c", "userCode": "u", "tid": .string(terminal), "deviceIdentifier": .string(device),
        ]
        let bearer = "Bearer \(service.body?["access_token"]?.string ?? "")"
        let reply = await send(
            "POST", "/identity/outlets/\(provider.rules.outlet)/devices/auth", body,
            ["Content-Type": identity, "Authorization": bearer])
        return (reply.status, reply.body?["access_token"]?.string ?? "")
    }

    private func headers(_ token: String, _ type: String? = nil) -> HTTPHeaders {
        let type = type ?? softpos
        return ["Content-Type": type, "Accept": type, "Authorization": "Bearer \(token)"]
    }

    @Test func tokensAreForOneOutletOneTerminalAndOneDevice() async {
        #expect(await grant().status == 200)
        #expect(await grant(terminal: "1").status == 400)
        #expect(await grant(device: "d-2").status == 409)
        let wrong = await send(
            "POST", "/identity/auth/access-token", [:], ["Content-Type": identity, "Authorization": "Bearer no"])
        #expect(wrong.status == 401 && wrong.body?["errors"]?[0]?["errorCode"]?.string == "111")
        let token = await grant().token
        let other = await send("DELETE", "/softpos/outlets/other/devices/tids/434334344299/unbind", nil, headers(token))
        #expect(other.status == 403)
    }

    @Test func aTokenLapsesAfterEightHours() async {
        let token = await grant().token
        #expect(await send("GET", "/softpos/reporting/payments", nil, headers(token)).status == 200)
        scheduler.advance(by: NISimulator.tokenMilliseconds)
        let late = await send("GET", "/softpos/reporting/payments", nil, headers(token))
        #expect(late.status == 401 && late.body?["errors"]?[0]?["errorCode"]?.string == "102")
    }

    @Test func anotherMediaTypeIsRefused() async {
        let token = await grant().token
        let json = headers(token, "application/json")
        #expect(await send("POST", "/softpos/payment-card-reader-token", ["currency": "AED"], json).status == 415)
        #expect(await send("GET", "/softpos/reporting/payments", nil, json).status == 406)
        let key: HTTPHeaders = ["Content-Type": "application/json", "Authorization": "Bearer ni-simulated-api-key"]
        #expect(await send("POST", "/identity/auth/access-token", [:], key).status == 415)
    }

    @Test func cardDataThatCannotBeReadAndForeignTerminalsAreRefused() async {
        let token = await grant().token
        let unreadable: JSON = ["tid": "434334344299", "payment": "???"]
        let reply = await send("POST", "/softpos/payment/card/purchase", unreadable, headers(token))
        #expect(reply.status == 400 && reply.body?["errors"]?[0]?["errorCode"]?.string == "510")
        let foreign: JSON = ["tid": "434334344300", "payment": "???"]
        let other = await send("POST", "/softpos/payment/card/purchase", foreign, headers(token))
        #expect(other.body?["errors"]?[0]?["errorCode"]?.string == "115")
        #expect(await send("GET", "/softpos/reporting/orders/nothing", nil, headers(token)).status == 404)
        #expect(provider.ledger.movements.isEmpty)
    }

    @Test func everythingIsKeptInASnapshot() async throws {
        let token = await grant().token
        let reader = SimulatedReader(clock: InstantClock(scheduler: scheduler))
        try await reader.prepare(token: Secret("r"))
        reader.present(instant)
        let read = try await reader.read(CardReadRequest(.purchase, Money(minorUnits: 5_000, .aed)))
        let body: JSON = ["tid": "434334344299", "payment": .string(read.paymentCardData.expose())]
        let sale = await send("POST", "/softpos/payment/card/purchase", body, headers(token))
        #expect(sale.body?["state"]?.string == "PURCHASED")
        let order = sale.body?["orderReference"]?.string ?? ""
        #expect(
            await send("POST", "/softpos/payment/card/orders/\(order)/actions/cancel", [:], headers(token)).status
                == 200)
        let other = NISimulator(clock: scheduler)
        #expect(other.restore(provider.snapshot()))
        #expect(other.snapshot() == provider.snapshot() && other.ledger == provider.ledger)
        #expect(other.ledger.balance(.merchant) == ["AED": 0])
        #expect(!other.restore(["ledger": []]))
    }

    private var instant: SimulatedReader.Card {
        var card = SimulatedReader.Card()
        card.tapMilliseconds = 0
        return card
    }
}

/// A terminal is played by one device at a time.
@Suite struct NIUnbindTests {
    private let provider = NISimulator(clock: TestScheduler())

    private func send(
        _ method: String, _ target: String, _ body: JSON?, _ bearer: String, type: String = "identity"
    ) async -> (status: Int, body: JSON?) {
        let type = "application/vnd.ni-\(type).v1+json"
        var request = HTTPRequest(
            method, Origin(.http, "ni.test"), target,
            headers: ["Content-Type": type, "Accept": type, "Authorization": "Bearer \(bearer)"])
        if let body { request.body = body.bytes() }
        guard case .reply(let response) = await provider.answer(request) else { return (0, nil) }
        return (response.status, try? JSONReader().read(response.body))
    }

    private func grant(_ device: String) async -> String {
        let service = await send("POST", "/identity/auth/access-token", [:], "ni-simulated-api-key")
        let body: JSON = [
            "deviceCode": "c", "userCode": "u", "tid": "434334344299", "deviceIdentifier": .string(device),
        ]
        let target = "/identity/outlets/\(provider.rules.outlet)/devices/auth"
        let reply = await send("POST", target, body, service.body?["access_token"]?.string ?? "")
        return reply.body?["access_token"]?.string ?? ""
    }

    @Test func anUnboundDeviceHasNoTokenAnyMore() async {
        let old = await grant("d-1")
        let report = "/softpos/reporting/payments"
        #expect(await send("GET", report, nil, old, type: "softpos").status == 200)
        let unbind = "/softpos/outlets/\(provider.rules.outlet)/devices/tids/434334344299/unbind"
        _ = await send("DELETE", unbind, nil, old, type: "softpos")
        #expect(await send("GET", report, nil, old, type: "softpos").status == 401)
        let new = await grant("d-2")
        #expect(await send("GET", report, nil, new, type: "softpos").status == 200)
        #expect(await send("GET", report, nil, old, type: "softpos").status == 401)
    }
}

/// The simulated kit on its own: as strict as the SDK's document.
@Suite struct SimulatedNISDKTests {
    /// A kit in front of a simulated platform, with a device token.
    private struct Bench {
        let scheduler = TestScheduler(now: 1_767_225_600_000)
        let backend: NISimulator
        let reader: SimulatedReader
        let kit: SimulatedNISDK
        let token: Secret
        let progress = Locked([Int]())

        init() async throws {
            backend = NISimulator(clock: scheduler)
            reader = SimulatedReader(clock: scheduler, executor: scheduler)
            let terminal = backend.rules.terminals[0]
            kit = SimulatedNISDK(
                NIPhoneSDK.Setup(
                    serverScheme: "http", serverHost: "ni.test", serverPort: 80, serverBasePath: "/softpos"),
                terminal: terminal, clock: scheduler, executor: scheduler, reader: reader,
                transport: InProcessTransport([Origin(.http, "ni.test"): backend]))
            let service = try await Self.post(backend, "access-token", backend.rules.apiKey, [:])
            token = try await Self.post(
                backend, "../outlets/\(backend.rules.outlet)/devices/auth", service,
                [
                    "deviceCode": "1", "userCode": "2", "tid": .string(terminal), "deviceIdentifier": "phone-1",
                ])
        }

        private static func post(_ backend: NISimulator, _ path: String, _ key: Secret, _ body: JSON) async throws
            -> Secret
        {
            let target = path.hasPrefix("../") ? "/identity/\(path.dropFirst(3))" : "/identity/auth/\(path)"
            let request = HTTPRequest(
                "POST", Origin(.http, "ni.test"), target,
                headers: [
                    "Authorization": "Bearer \(key.expose())", "Content-Type": "application/vnd.ni-identity.v1+json",
                ], body: body.bytes())
            guard case .reply(let response) = await backend.answer(request) else { return Secret("") }
            return Secret(try JSONReader().read(response.body)["access_token"]?.string ?? "")
        }

        func prepare() async throws {
            try await kit.prepare(authToken: token, currencyCode: "AED") { percent in
                progress.withLock { $0.append(percent) }
            }
        }

        func pay(
            _ amount: String = "1500", _ currency: String = "AED", token: Secret? = nil, dryRun: Bool = false
        ) async throws(NIPhoneSDK.AppleTapToPaySDKError) -> NIPhoneSDK.PaymentResponse {
            try await kit.processPayment(
                authToken: token ?? self.token, paymentType: .contactless, amount: amount, currencyCode: currency,
                dryRun: dryRun, onProgress: { percent in progress.withLock { $0.append(percent) } })
        }

        /// The error that a payment ends with, or its state.
        func end(_ amount: String = "1500", _ currency: String = "AED", token: Secret? = nil) async -> String {
            do throws(NIPhoneSDK.AppleTapToPaySDKError) {
                return try await pay(amount, currency, token: token).state
            } catch {
                return error.key
            }
        }

        var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
    }

    @Test func nothingIsPaidBeforeItIsReady() async throws {
        let bench = try await Bench()
        #expect(try bench.scheduler.run { await bench.end() } == "510" && bench.charged.isEmpty)
    }

    @Test func aCallIsLookedAtBeforeTheScreenComes() async throws {
        let bench = try await Bench()
        let ends = try bench.scheduler.run {
            try await bench.prepare()
            return [
                await bench.end("15.00"), await bench.end("-1"), await bench.end("1500", "aed"),
                await bench.end("1500", "AEDX"), await bench.end(token: Secret("")),
            ]
        }
        #expect(ends == ["203", "203", "202", "202", "102"] && bench.charged.isEmpty)
    }

    @Test func aPaymentHasItsMembersAndItsProgress() async throws {
        let bench = try await Bench()
        let answer = try bench.scheduler.run {
            try await bench.prepare()
            return try await bench.pay()
        }
        #expect(answer.state == "PURCHASED" && answer.amount == NIPhoneSDK.Amount(currencyCode: "AED", value: 1_500))
        #expect(answer.authResponse?.success == true && answer.authResponse?.resultCode == "00")
        #expect(bench.progress.withLock { $0 } == [1, 50, 100, 1, 50, 100] && bench.charged == [1_500])
    }

    @Test func onePaymentAtATime() async throws {
        let bench = try await Bench()
        let (first, second) = try bench.scheduler.run {
            try await bench.prepare()
            let first = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 100)
            let second = await bench.end("1600")
            return (await first.value, second)
        }
        #expect(first == "PURCHASED" && second == "530" && bench.charged == [1_500])
    }

    /// Who asked may leave; the screen stays, and the card that comes is charged.
    @Test func whoLeavesEndsNothing() async throws {
        let bench = try await Bench()
        let end = try bench.scheduler.run {
            try await bench.prepare()
            let paying = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 100)
            paying.cancel()
            return await paying.value
        }
        #expect(end == "PURCHASED" && bench.charged == [1_500])
    }

    @Test func refusalsHaveTheDocumentsNumbers() async throws {
        let bench = try await Bench()
        let ends = try bench.scheduler.run {
            try await bench.prepare()
            var ends = [await bench.end("1013"), await bench.end("1017"), await bench.end("2000000000")]
            ends.append(await bench.end(token: Secret("unknown")))
            bench.reader.present(SimulatedReader.Card(number: "378282246310005"))
            ends.append(await bench.end())
            return ends
        }
        #expect(ends == ["110", "1", "118", "111", "114"])
    }

    @Test func aDryRunSendsNothing() async throws {
        let bench = try await Bench()
        let answer = try bench.scheduler.run {
            try await bench.prepare()
            return try await bench.pay(dryRun: true)
        }
        #expect(answer.reference == "dry-run" && bench.charged.isEmpty)
    }

    @Test func whatFollowsAPaymentIsAskedByItsReference() async throws {
        let bench = try await Bench()
        try bench.scheduler.run {
            try await bench.prepare()
            let one = try await bench.pay()
            let (kit, token) = (bench.kit, bench.token)
            let before = try await kit.getTransactionDetails(reference: one.orderReference, authToken: token)
            #expect(before.voidEnabled && !before.refundEnabled)
            #expect(
                try await kit.voidTransaction(authToken: token, transactionId: one.orderReference).status == "SUCCESS")
        }
        #expect(bench.charged == [1_500, 1_500])
    }

    @Test func aRefundWaitsForTheSettlement() async throws {
        let bench = try await Bench()
        let (status, after, items, missing) = try bench.scheduler.run {
            try await bench.prepare()
            let paid = try await bench.pay()
            bench.backend.settleNow()
            let (kit, token) = (bench.kit, bench.token)
            let status = try await kit.refundTransaction(
                authToken: token, transactionId: paid.orderReference, amount: "500", currencyCode: "AED"
            ).status
            let after = try await kit.getTransactionDetails(reference: paid.orderReference, authToken: token)
            let items = try await kit.getTransactions(limit: 10, offset: 0, authToken: token).items
            var missing: String?
            do throws(NIPhoneSDK.AppleTapToPaySDKError) {
                _ = try await kit.voidTransaction(authToken: token, transactionId: "none")
            } catch { missing = error.key }
            return (status, after, items, missing)
        }
        #expect(status == "SUCCESS" && missing == "invalidTransactionId")
        #expect(!after.voidEnabled)
        #expect(items.first?.amount == SDKDecimal("15.00") && items.first?.refundedAmount == SDKDecimal("5"))
        #expect(bench.charged == [1_500, 500])
    }
}
