import PaymentBase
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// The simulated ARISE on its own, spoken to in plain HTTP.
@Suite struct ARISEProviderTests {
    /// The provider with a signed-in client.
    private struct Desk: Sendable {
        let scheduler: TestScheduler
        let backend: ARISESimulator
        let token: String

        static func open(_ account: ARISEAccount = ARISEAccount(), now: Int64 = 1_767_225_600_000) async throws -> Desk
        {
            let scheduler = TestScheduler(now: now)
            let backend = ARISESimulator(clock: scheduler, account: account)
            let form =
                "grant_type=client_credentials&client_id=arise-sandbox-client&client_secret=arise-client-secret"
            let request = HTTPRequest(
                "POST", Origin(.http, "arise.test"), "/oauth2/token",
                headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Array(form.utf8))
            let reply = try JSONReader().read(try #require(await backend.answer(request).response).body)
            return Desk(scheduler: scheduler, backend: backend, token: try #require(reply["access_token"]?.string))
        }

        func ask(
            _ method: String, _ path: String, _ body: JSON? = nil, token given: String? = nil, type: String? = nil
        ) async throws -> (status: Int, body: JSON) {
            var request = HTTPRequest(method, Origin(.http, "arise.test"), "/pay-api/v1" + path)
            request.headers["Authorization"] = "Bearer \(given ?? token)"
            if let body {
                request.headers["Content-Type"] = type ?? "application/json"
                request.body = body.bytes()
            }
            let response = try #require(await backend.answer(request).response)
            return (response.status, (try? JSONReader().read(response.body)) ?? .null)
        }

        func sell(_ change: (inout JSONObject) -> Void = { _ in }) async throws -> (status: Int, body: JSON) {
            var body: JSONObject = [
                "paymentProcessorId": .string(ARISESimulator.processor), "amount": 50, "currencyId": 1,
                "cardDataSource": 7, "accountNumber": "4111111111111111", "expirationMonth": 12,
                "expirationYear": 2030, "securityCode": "123", "referenceId": "r-1",
            ]
            change(&body)
            return try await ask("POST", "/transactions/sale", .object(body))
        }
    }

    /// An amount as the wire has it.
    private static func dollars(_ text: String) -> JSON { (try? JSONNumber(text)).map { .number($0) } ?? .null }

    @Test func whatTheRealOneWouldRefuseIsRefused() async throws {
        let desk = try await Desk.open()
        #expect(try await desk.ask("GET", "/transactions", token: "nobody").status == 401)
        #expect(try await desk.ask("POST", "/transactions/sale", [:], type: "text/plain").status == 415)
        let currency = try await desk.sell { $0["currencyId"] = nil }
        #expect(currency.status == 400 && currency.body["details"]?.string == "'Currency Id' must not be empty.")
        for name in ["cardDataSource", "paymentProcessorId", "amount", "expirationYear", "accountNumber"] {
            #expect(try await desk.sell { $0[name] = nil }.status == 400, "\(name)")
        }
        #expect(try await desk.sell { $0["amount"] = Self.dollars("50.001") }.status == 400)
        #expect(try await desk.sell { $0["amount"] = 0 }.status == 400)
        #expect(try await desk.sell { $0["useCardPrice"] = true }.status == 400)
        #expect(try await desk.sell { $0["referenceId"] = .string(String(repeating: "x", count: 37)) }.status == 400)
        #expect(try await desk.ask("GET", "/transactions/nobody").status == 404)
        #expect(try await desk.ask("GET", "/transactions?pageSize=101").status == 400)
        #expect(try await desk.ask("GET", "/transactions?orderBy=mood").status == 400)
        #expect(try await desk.ask("GET", "/transactions?page=\(Int.max)&pageSize=100").status == 400)
        #expect(desk.backend.ledger.movements.isEmpty)
    }

    /// What is made of amounts and rates never reaches the end of their numbers.
    @Test func whatNoPaymentHasIsRefused() async throws {
        let desk = try await Desk.open()
        let most = Self.dollars("92233720368547758.07")
        let rate = Self.dollars("900000000000000.0000")
        #expect(try await desk.sell { $0["amount"] = most }.status == 400)
        #expect(try await desk.sell { $0["tipAmount"] = most }.status == 400)
        for name in ["percentageOffRate", "surchargeRate", "tipRate"] {
            #expect(try await desk.sell { $0[name] = rate }.status == 400, "\(name)")
        }
        for query in ["amount=10&tipAmount=92233720368547758.07", "amount=10&tipRate=900000000000000"] {
            let path = "/transactions/calculate-amount?currencyId=1&\(query)"
            #expect(try await desk.ask("GET", path).status != 200, "\(query)")
        }
        let sold = try #require(try await desk.sell().body["transactionId"]?.string)
        let tip: JSON = ["transactionId": .string(sold), "tipAmount": most]
        #expect(try await desk.ask("POST", "/transactions/tip", tip).status != 200)
        #expect(desk.backend.ledger.movements.count == 1)
    }

    @Test func aTokenLapses() async throws {
        let desk = try await Desk.open()
        try desk.scheduler.run {
            try await desk.scheduler.sleep(until: desk.scheduler.now + ARISESimulator.tokenMilliseconds)
        }
        #expect(try await desk.ask("GET", "/transactions").status == 401)
    }

    @Test(arguments: [("6", "07"), ("7", "41"), ("8", "43"), ("21", "51")])
    func theRealSandboxesAmountsDecline(_ cents: String, _ code: String) async throws {
        let desk = try await Desk.open()
        let reply = try await desk.sell { object in
            object["amount"] = .number(JSONNumber(units: Int64(cents) ?? 0, places: 2))
        }
        #expect(reply.status == 200 && reply.body["statusId"]?.int64 == 91)
        #expect(reply.body["details"]?["hostResponseCode"]?.string == code)
        #expect(try await desk.sell { $0["securityCode"] = "999" }.body["details"]?["hostResponseCode"] == "N7")
    }

    @Test func settlementDecidesBetweenVoidAndRefund() async throws {
        let desk = try await Desk.open()
        let id = try #require(try await desk.sell().body["transactionId"])
        #expect(try await desk.ask("POST", "/transactions/return", ["transactionId": id]).status == 409)
        let slot = try await desk.ask("POST", "/transactions/settle", ["paymentProcessorId": "p"])
        #expect(slot.status == 200)
        #expect(try await desk.ask("POST", "/transactions/void", ["transactionId": id]).status == 409)
        let part = try await desk.ask(
            "POST", "/transactions/return", ["transactionId": id, "amount": Self.dollars("20.00")])
        #expect(
            part.status == 200 && part.body["transactionReceipt"]?["amount"]?["totalAmount"] == Self.dollars("20.00"))
        let name = try #require(id.string)
        let details = try await desk.ask("GET", "/transactions/\(name)").body
        #expect(details["status"] == "Settled")
        #expect(details["availableOperations"]?[0]?["availableAmount"] == Self.dollars("30.00"))
        #expect(
            try await desk.ask("POST", "/transactions/return", ["transactionId": id, "amount": Self.dollars("30.01")])
                .status == 400)
        #expect(try await desk.ask("POST", "/transactions/return", ["transactionId": id]).status == 200)
        #expect(try await desk.ask("GET", "/transactions/\(name)").body["status"] == "Refunded")
        #expect(desk.backend.ledger.balance(.refunded) == ["USD": 5_000])
    }

    /// New York at 22:00, in winter (03:00 UTC) and in summer (02:00 UTC), and a zone that keeps its clock.
    @Test(arguments: [
        ("America/New_York", "2026-01-15T02:59:00Z", 60_000), ("America/New_York", "2026-07-15T01:59:00Z", 60_000),
        ("America/Phoenix", "2026-07-15T04:59:00Z", 60_000), ("America/Los_Angeles", "2026-03-09T04:59:00Z", 60_000),
        ("UTC", "2026-03-09T21:59:00Z", 60_000),
    ])
    func theBatchClosesAtItsSlot(_ zone: String, _ start: String, _ milliseconds: Int64) async throws {
        var account = ARISEAccount()
        account.settlesAt = ARISEZone.Slot(hours: 22, minutes: 0, zone: zone)
        let now = try #require(Timestamp(start)).milliseconds
        let desk = try await Desk.open(account, now: now)
        let id = try #require(try await desk.sell().body["transactionId"]?.string)
        try desk.scheduler.run { try await desk.scheduler.sleep(until: now + milliseconds - 1) }
        #expect(try await desk.ask("GET", "/transactions/\(id)").body["status"] == "Captured")
        try desk.scheduler.run { try await desk.scheduler.sleep(until: now + milliseconds) }
        #expect(try await desk.ask("GET", "/transactions/\(id)").body["status"] == "Settled")
    }

    @Test func aHoldLapsesAfterSevenDays() async throws {
        let desk = try await Desk.open()
        let body: JSON = [
            "paymentProcessorId": .string(ARISESimulator.processor), "amount": Self.dollars("50.00"), "currencyId": 1,
            "cardDataSource": 1, "paymentMethodId": .string(ARISESimulator.storedCard),
        ]
        let id = try #require(try await desk.ask("POST", "/transactions/auth", body).body["transactionId"])
        #expect(desk.backend.ledger.balance(.held) == ["USD": 5_000])
        try desk.scheduler.run {
            try await desk.scheduler.sleep(until: desk.scheduler.now + ARISESimulator.holdMilliseconds)
        }
        _ = try await desk.ask("POST", "/transactions/capture", ["transactionId": id], token: "lapsed")
        #expect(desk.backend.ledger.balance(.held) == ["USD": 0])
        #expect(desk.backend.ledger.isBalanced)
    }

    @Test func aTipMovesAtOnceAndOnce() async throws {
        let desk = try await Desk.open()
        let id = try #require(try await desk.sell().body["transactionId"])
        let tipped = try await desk.ask(
            "POST", "/transactions/tip-adjustment", ["transactionId": id, "tipAmount": Self.dollars("3.50")])
        #expect(tipped.body["transactionReceipt"]?["amount"]?["totalAmount"] == Self.dollars("53.50"))
        #expect(desk.backend.ledger.balance(.merchant) == ["USD": 5_350])
        desk.backend.settle()
        #expect(desk.backend.ledger.balance(.merchant) == ["USD": 5_350])
    }

    @Test func aTipThatBecomesSmallerIsReturned() async throws {
        let desk = try await Desk.open()
        let sold = try await desk.sell { $0["tipAmount"] = Self.dollars("5.00") }
        let id = try #require(sold.body["transactionId"])
        #expect(desk.backend.ledger.balance(.merchant) == ["USD": 5_500])
        _ = try await desk.ask(
            "POST", "/transactions/tip-adjustment", ["transactionId": id, "tipAmount": Self.dollars("2.00")])
        desk.backend.settle()
        #expect(desk.backend.ledger.balance(.merchant) == ["USD": 5_200])
        #expect(desk.backend.ledger.isBalanced)
    }

    @Test func whatWasApprovedInPartIsHeldLikeTheRest() async throws {
        let desk = try await Desk.open()
        func hold(_ reference: JSON) async throws -> JSON {
            let body: JSON = [
                "paymentProcessorId": .string(ARISESimulator.processor), "amount": Self.dollars("50.20"),
                "currencyId": 1, "cardDataSource": 1, "paymentMethodId": .string(ARISESimulator.storedCard),
                "referenceId": reference,
            ]
            return try #require(try await desk.ask("POST", "/transactions/auth", body).body["transactionId"])
        }
        let offered = try await desk.ask("GET", "/transactions/\(try await hold("h-1").string ?? "")")
        #expect(offered.body["availableOperations"]?[0]?["typeId"] == 3)
        let captured = try await desk.ask(
            "POST", "/transactions/capture", ["transactionId": offered.body["transactionId"] ?? .null])
        #expect(captured.status == 200 && desk.backend.ledger.balance(.merchant) == ["USD": 2_510])
        _ = try await hold("h-2")
        #expect(desk.backend.ledger.balance(.held) == ["USD": 2_510])
        try desk.scheduler.run {
            try await desk.scheduler.sleep(until: desk.scheduler.now + ARISESimulator.holdMilliseconds)
        }
        _ = try await desk.ask("GET", "/transactions", token: "lapsed")
        #expect(desk.backend.ledger.balance(.held) == ["USD": 0])
    }

    @Test func itsStateSurvives() async throws {
        let desk = try await Desk.open()
        _ = try await desk.sell()
        _ = try await desk.sell { $0["amount"] = Self.dollars("50.15") }
        _ = try await desk.ask("POST", "/devices", ["deviceId": "d-1", "deviceName": "Till"])
        let snapshot = desk.backend.snapshot()
        let other = ARISESimulator(clock: desk.scheduler)
        #expect(other.restore(snapshot))
        #expect(other.snapshot() == snapshot)
        #expect(other.ledger == desk.backend.ledger)
        #expect(!other.restore([:]))
        #expect(other.decide("r-1", succeeds: true) != nil)
        other.reset()
        #expect(other.ledger.movements.isEmpty)
    }
}

/// The simulated kit on its own: as strict as the SDK's document.
@Suite struct SimulatedARISESDKTests {
    /// A kit in front of a simulated platform, with an activated phone.
    private struct Bench {
        let scheduler = TestScheduler()
        let backend: ARISESimulator
        let reader: SimulatedReader
        let kit: SimulatedARISESDK

        init(_ account: ARISEAccount = ARISEAccount(), isActive: Bool = true) {
            backend = ARISESimulator(clock: scheduler, account: account)
            if isActive { backend.activate(SimulatedARISESDK.device) }
            reader = SimulatedReader(clock: scheduler, executor: scheduler)
            let origin = Origin(.http, "arise.test")
            kit = SimulatedARISESDK(
                clock: scheduler, executor: scheduler, reader: reader,
                transport: InProcessTransport([origin: backend], clock: scheduler), origin: origin)
        }

        func signIn() async throws {
            _ = try await kit.authenticate(clientId: ARISESimulator.clientID, clientSecret: backend.clientSecret)
        }

        func ready() async throws {
            try await signIn()
            try await kit.prepare()
        }

        /// The error that a tap ends with, or its status.
        func end(_ amount: String = "15.00") async -> String {
            guard let amount = SDKDecimal(amount) else { return "no amount" }
            do throws(ARISEPhoneSDK.Failure) {
                return try await kit.performTransaction(amount: amount).status.rawValue
            } catch { return error.name }
        }

        var charged: [Int64] { backend.ledger.movements.map(\.amount.minorUnits) }
    }

    @Test func nothingIsPaidBeforeItIsReady() throws {
        let bench = Bench()
        #expect(try bench.scheduler.run { await bench.end() } == "TTPError.sdkNotInitialized")
        #expect(bench.charged.isEmpty)
    }

    @Test func preparingActivatesNothing() throws {
        let bench = Bench(isActive: false)
        let (name, status) = try bench.scheduler.run {
            try await bench.signIn()
            var name = ""
            do throws(ARISEPhoneSDK.Failure) { try await bench.kit.prepare() } catch { name = error.name }
            return (name, try await bench.kit.getStatus())
        }
        #expect(name == "TTPError.notActive" && status == .inactive)
    }

    @Test func onePaymentAtATime() throws {
        let bench = Bench()
        let (first, second) = try bench.scheduler.run {
            try await bench.ready()
            let first = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 100)
            let second = await bench.end("16.00")
            return (await first.value, second)
        }
        #expect(first == "approved" && second == "PaymentCardReaderError.readerBusy" && bench.charged == [1_500])
    }

    @Test func eventsComeInTheirOrderToEveryListener() throws {
        let bench = Bench()
        let heard = try bench.scheduler.run {
            try await bench.ready()
            let streams = [try await bench.kit.eventsStream(), try await bench.kit.eventsStream()]
            let listeners = streams.map { stream in
                Task(executorPreference: bench.scheduler) {
                    var events: [ARISEPhoneSDK.TTPEvent] = []
                    for await event in stream { events.append(event) }
                    return events
                }
            }
            _ = await bench.end()
            var heard: [[ARISEPhoneSDK.TTPEvent]] = []
            for listener in listeners {
                listener.cancel()
                heard.append(await listener.value)
            }
            return heard
        }
        #expect(heard.count == 2 && heard[0] == heard[1])
        #expect(
            heard.first == [
                .readerEvent(.readyForTap), .readerEvent(.cardDetected), .readerEvent(.removeCard),
                .readerEvent(.readCompleted), .readerEvent(.userInterfaceDismissed), .customEvent(.cardReadSuccess),
                .customEvent(.authorizing), .customEvent(.approved),
            ])
    }

    /// The worst that the document allows: it asks the platform in the tap's own call, before the card.
    @Test func aTapThatBeginsLateAsksThePlatformFirst() throws {
        let bench = Bench()
        try bench.scheduler.run { try await bench.ready() }
        bench.scheduler.advance(by: 11 * 60_000)
        bench.backend.reset()
        let end = try bench.scheduler.run { await bench.end() }
        #expect(end.hasPrefix("AuthenticationError") || end.hasPrefix("AriseApiError"), "\(end)")
        #expect(bench.charged.isEmpty)
    }

    @Test func aSurchargeNeedsACalculation() throws {
        var account = ARISEAccount()
        account.zeroCost = .surcharge
        let bench = Bench(account)
        let (plain, quoted) = try bench.scheduler.run {
            try await bench.ready()
            let plain = await bench.end("100")
            let amount = try #require(SDKDecimal("100"))
            let prices = try await bench.kit.calculateAmount(request: .init(amount: amount, currency: .usd))
            let quoted = try await bench.kit.performTransaction(calculationResult: prices, isDebitCard: false)
            return (plain, quoted)
        }
        #expect(plain == "TTPError.configurationFailed")
        #expect(quoted.status == .approved && quoted.authorizedAmount == "103.50" && bench.charged == [10_350])
    }

    @Test func itIsStoppedOnlyWhileACardIsWaitedFor() throws {
        let bench = Bench()
        var card = SimulatedReader.Card()
        card.fieldMilliseconds = 500
        bench.reader.present(card)
        let (none, late, end, early, cancelled) = try bench.scheduler.run {
            try await bench.ready()
            let none = try await bench.kit.abortTransaction()
            let first = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 700)
            var late = ""
            do throws(ARISEPhoneSDK.Failure) { _ = try await bench.kit.abortTransaction() } catch { late = error.name }
            let end = await first.value
            bench.reader.present(nil)
            let second = Task(executorPreference: bench.scheduler) { await bench.end() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 700)
            let early = try await bench.kit.abortTransaction()
            return (none, late, end, early, await second.value)
        }
        #expect(!none && late == "TTPError.failedToAbortTransaction" && end == "approved")
        #expect(early && cancelled == "cancelled" && bench.charged == [1_500])
    }

    /// What only asks is made again with a new token; a tap goes out once.
    @Test func aTokenThatIsRefusedIsRenewedByTheKitItself() throws {
        let bench = Bench()
        let (early, late) = try bench.scheduler.run {
            try await bench.ready()
            bench.backend.revokeTokens()
            let early = await bench.end()
            _ = try await bench.kit.getStatus()
            return (early, await bench.end("16.00"))
        }
        #expect(early == "AriseApiError.unauthorized" && late == "approved")
        #expect(bench.backend.tokenCount == 2 && bench.charged == [1_600])
    }

    @Test func whatIsLostOnTheLineIsAnErrorOfThePlatform() throws {
        let bench = Bench()
        let ends = try bench.scheduler.run {
            try await bench.ready()
            return [await bench.end("50.13"), await bench.end("50.17"), await bench.end("50.16")]
        }
        #expect(ends == ["AriseApiError.networkError", "AriseApiError.serverError", "failed"])
    }
}
