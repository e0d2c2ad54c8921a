import PaymentBase
import PaymentLinux
import PaymentMobileSDKs
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// Rules of the simulated provider that no driver needs to meet.
@Suite struct AdyenSimulatorTests {
    private let scheduler = TestScheduler()
    private let provider: AdyenSimulator

    init() { provider = AdyenSimulator(clock: scheduler, crypto: OpenSSLCrypto()) }

    private func post(_ target: String, _ body: JSON, key: String? = nil, idempotency: String? = nil) throws
        -> HTTPResponse
    {
        var request = HTTPRequest("POST", Origin(.http, "adyen.test"), target, body: body.bytes())
        request.headers["Content-Type"] = "application/json"
        request.headers["X-API-Key"] = key ?? provider.apiKey.expose()
        if let idempotency { request.headers["Idempotency-Key"] = idempotency }
        let asked = request
        let answer = try scheduler.run { [provider] in await provider.answer(asked) }
        return try #require(answer.response)
    }

    private func payment(_ id: String, _ amount: String, _ data: String? = nil) throws -> JSON {
        var sale: JSON = ["SaleTransactionID": ["TransactionID": .string("ref-\(id)"), "TimeStamp": "t"]]
        if let data { sale = sale.adding("SaleToAcquirerData", .string(data)) }
        return [
            "SaleToPOIRequest": [
                "MessageHeader": [
                    "ProtocolVersion": "3.0", "MessageClass": "Service", "MessageCategory": "Payment",
                    "MessageType": "Request", "ServiceID": .string(id), "SaleID": "S",
                    "POIID": .string(AdyenSimulator.terminal),
                ],
                "PaymentRequest": [
                    "SaleData": sale,
                    "PaymentTransaction": [
                        "AmountsReq": ["Currency": "EUR", "RequestedAmount": .number(try JSONNumber(amount))]
                    ],
                ],
            ]
        ]
    }

    private var sync: String { "/v1/merchants/TestMerchant/devices/\(AdyenSimulator.terminal)/sync" }

    @Test func aWrongKeyIsRefusedBeforeAnything() throws {
        #expect(try post(sync, payment("1", "50.00"), key: "wrong").status == 401)
        #expect(try post("/v72/cancels", [:], key: "wrong").status == 401)
        #expect(provider.ledger.movements.isEmpty)
    }

    @Test func anAmountThatItsMinorUnitsCanNotHoldIsNoAmount() throws {
        let answer = try post(sync, payment("1", "50.001"))
        #expect(String(decoding: answer.body, as: UTF8.self).contains("MessageFormat"))
        #expect(provider.ledger.movements.isEmpty)
    }

    /// However often: what a ledger adds up never reaches the end of its numbers.
    @Test func anAmountThatNoPaymentHasIsNoAmount() throws {
        for id in ["1", "2"] {
            let answer = try post(sync, payment(id, "92233720368547758.07"))
            #expect(String(decoding: answer.body, as: UTF8.self).contains("MessageFormat"))
        }
        let saved: JSON = [
            "merchantAccount": "TestMerchant", "amount": ["value": .number(JSONNumber(Int64.max)), "currency": "EUR"],
        ]
        #expect(try post("/v72/payments", saved).status == 422)
        #expect(provider.ledger.movements.isEmpty)
    }

    @Test func aNameThatComesAgainIsCountedAndExecuted() throws {
        _ = try post(sync, payment("1", "50.00"))
        _ = try post(sync, payment("1", "50.00"))
        #expect(provider.repeatedNames == 1)
        #expect(provider.ledger.movements.count == 2)
    }

    @Test func theBackOfficeDoesEverythingOnceUnderAKey() throws {
        let sold = try JSONReader().read(try post(sync, payment("1", "50.00")).body)
        let name = sold["SaleToPOIResponse"]?["PaymentResponse"]?["POIData"]?["POITransactionID"]?["TransactionID"]
        let psp = try #require(name?.string?.split(separator: ".").last)
        let body: JSON = [
            "merchantAccount": "TestMerchant", "reference": "r", "amount": ["currency": "EUR", "value": 1_000],
        ]
        let (one, two) = (
            try post("/v72/payments/\(psp)/refunds", body, idempotency: "k"),
            try post("/v72/payments/\(psp)/refunds", body, idempotency: "k")
        )
        #expect(one.status == 201)
        #expect(one.body == two.body)
        scheduler.advance(by: 60_000)
        #expect(provider.ledger.movements.map(\.cause) == ["sale", "refund"])
    }

    /// Older libraries name the terminal in the message alone, and write some addresses with a slash at the end.
    @Test(arguments: ["/sync", "/sync/", "/v1/merchants/TestMerchant/devices/\(AdyenSimulator.terminal)/sync/"])
    func theAddressesOfOlderLibrariesAreAnswered(_ address: String) throws {
        let answer = try JSONReader().read(try post(address, payment("1", "50.00")).body)
        #expect(answer["SaleToPOIResponse"]?["PaymentResponse"]?["Response"]?["Result"]?.string == "Success")
        #expect(provider.ledger.movements.count == 1)
        #expect(try post("/async/", payment("2", "50.00")).body == Array("ok".utf8))
        #expect(try post("/sync", payment("3", "50.00"), key: "wrong").status == 401)
    }

    @Test func connectedTerminalsAreListedAsOlderLibrariesAskForThem() throws {
        let answer = try post("/connectedTerminals", ["merchantAccount": "TestMerchant"])
        let names = try JSONReader().read(answer.body)["uniqueTerminalIds"]?.array ?? []
        #expect(answer.status == 200 && names.contains(.string(AdyenSimulator.terminal)))
        #expect(try post("/connectedTerminals", ["merchantAccount": "Another"]).status == 403)
    }

    /// What goes to the payment service comes as pairs or as Base64 of JSON, and means the same.
    @Test(arguments: [
        "tenderOption=AllowPartialAuthorisation",
        Base64.standard.encode(Array(#"{"tenderOption":"AllowPartialAuthorisation"}"#.utf8)),
        Base64.standard.encode(Array(#"{"additionalData":{"tenderOption":"AllowPartialAuthorisation"}}"#.utf8)),
    ]) func acquirerDataIsReadInBothForms(_ data: String) throws {
        let said = try JSONReader().read(try post(sync, payment("1", "51.39", data)).body)["SaleToPOIResponse"]?[
            "PaymentResponse"]
        #expect(said?["Response"]?["Result"]?.string == "Partial", "\(data)")
    }

    /// A status that names no message is about the terminal's last one.
    @Test func aStatusWithoutAReferenceIsAboutTheLastTransaction() throws {
        func status(_ id: String) throws -> JSON? {
            let header: JSONObject = [
                "ProtocolVersion": "3.0", "MessageClass": "Service", "MessageCategory": "TransactionStatus",
                "MessageType": "Request", "ServiceID": .string(id), "SaleID": "S",
                "POIID": .string(AdyenSimulator.terminal),
            ]
            let body: JSON = [
                "SaleToPOIRequest": ["MessageHeader": .object(header), "TransactionStatusRequest": [:]]
            ]
            return try JSONReader().read(try post(sync, body).body)["SaleToPOIResponse"]?["TransactionStatusResponse"]
        }
        #expect(try status("8")?["Response"]?["ErrorCondition"]?.string == "NotFound")
        _ = try post(sync, payment("1", "50.00"))
        scheduler.advance(by: 1_000)
        _ = try post(sync, payment("2", "60.00"))
        let said = try status("9")
        #expect(said?["Response"]?["Result"]?.string == "Success")
        #expect(said?["MessageReference"]?["ServiceID"]?.string == "2")
        let header = said?["RepeatedMessageResponse"]?["MessageHeader"]
        #expect(header?["ServiceID"]?.string == "2" && header?["MessageCategory"]?.string == "Payment")
    }

    @Test func whatARestartMustNotLoseComesBack() throws {
        _ = try post(sync, payment("1", "50.00"))
        let snapshot = provider.snapshot()
        let other = AdyenSimulator(clock: scheduler, crypto: OpenSSLCrypto())
        #expect(other.restore(snapshot))
        #expect(other.snapshot() == snapshot)
        #expect(other.ledger == provider.ledger)
        #expect(!other.restore(["ledger": 5]))
        #expect(other.snapshot() == snapshot)
    }

    /// The back office decides in order of time, whatever it was asked first, and in one leap as in many steps.
    @Test func whatIsDueIsDecidedInOrderOfTimeAlsoAfterARestart() throws {
        let sold = try JSONReader().read(try post(sync, payment("1", "50.00")).body)
        let name = sold["SaleToPOIResponse"]?["PaymentResponse"]?["POIData"]?["POITransactionID"]?["TransactionID"]
        let psp = try #require(name?.string?.split(separator: ".").last)
        _ = provider.takeMessages()
        for number in 1...3 {
            let body: JSON = [
                "merchantAccount": "TestMerchant", "reference": .string("r-\(number)"),
                "amount": ["currency": "EUR", "value": 1_000],
            ]
            #expect(try post("/v72/payments/\(psp)/refunds", body).status == 201)
            scheduler.advance(by: 1_000)
        }
        let other = AdyenSimulator(clock: scheduler, crypto: OpenSSLCrypto())
        #expect(other.restore(provider.snapshot()) && other.nextDue == provider.nextDue)
        scheduler.advance(by: 600_000)
        let (messages, again) = (provider.takeMessages(), other.takeMessages())
        #expect(messages.map(\.attempt) == ["r-1", "r-2", "r-3"] && again == messages)
        #expect(messages.map { $0.at - messages[0].at } == [0, 1_000, 2_000])
        #expect(provider.nextDue == nil && other.nextDue == nil && other.ledger == provider.ledger)
    }
}

/// The simulated kit on its own: as strict as the SDK's document.
@Suite struct SimulatedAdyenSDKTests {
    private struct Bench {
        struct NoSession: Error {}

        let scheduler = TestScheduler()
        let backend: AdyenSimulator
        let kit: SimulatedAdyenSDK
        let opens = Locked(true)

        init() {
            let origin = Origin(.http, "adyen.test")
            backend = AdyenSimulator(clock: scheduler, crypto: OpenSSLCrypto())
            let transport = InProcessTransport([origin: backend], clock: scheduler)
            let (key, merchant) = (backend.apiKey, backend.merchant)
            kit = SimulatedAdyenSDK(clock: scheduler, transport: transport, origin: origin) { [opens] token in
                guard opens.withLock({ $0 }) else { throw NoSession() }
                let body: JSON = [
                    "merchantAccount": .string(merchant), "setupToken": .string(token.expose()),
                ]
                let response = try await transport.send(
                    HTTPRequest(
                        "POST", origin, "/checkout/possdk/v68/sessions",
                        headers: ["X-API-Key": key.expose(), "Content-Type": "application/json"], body: body.bytes()))
                return Secret(try JSONReader().read(response.body)["sdkData"]?.string ?? "")
            }
        }

        func pay(_ amount: String = "15.00", as installation: String = SimulatedAdyenSDK.installation) async -> String {
            let message: JSON = [
                "SaleToPOIRequest": [
                    "MessageHeader": [
                        "ProtocolVersion": "3.0", "MessageClass": "Service", "MessageCategory": "Payment",
                        "MessageType": "Request", "ServiceID": .string("S\(kit.startCount)"), "SaleID": "S",
                        "POIID": .string(installation),
                    ],
                    "PaymentRequest": [
                        "SaleData": ["SaleTransactionID": ["TransactionID": "r", "TimeStamp": "t"]],
                        "PaymentTransaction": [
                            "AmountsReq": [
                                "Currency": "EUR",
                                "RequestedAmount": (try? JSONNumber(amount)).map { .number($0) } ?? .null,
                            ]
                        ],
                    ],
                ]
            ]
            return Self.word(
                await kit.performTransaction(
                    with: .init(data: message.bytes()), paymentInterface: .tapToPay,
                    presentationMode: .presentingViewController))
        }

        static func word(_ answer: AdyenPhoneSDK.Answer) -> String {
            switch answer {
            case .failed(let code): return code.rawValue
            case .message(let bytes):
                let response = (try? JSONReader().read(bytes))?["SaleToPOIResponse"]?["PaymentResponse"]?["Response"]
                return [response?["Result"]?.string, response?["ErrorCondition"]?.string].compactMap { $0 }
                    .joined(separator: " ")
            }
        }
    }

    @Test func itOpensItsSessionOnItsOwnAndOnce() throws {
        let bench = Bench()
        let (before, words, after) = try bench.scheduler.run {
            let before = try? await bench.kit.installationId
            let words = [await bench.pay(), await bench.pay()]
            return (before, words, try await bench.kit.installationId)
        }
        #expect(before == nil && words == ["Success", "Success"] && after == SimulatedAdyenSDK.installation)
        #expect(bench.kit.registrationCount == 1 && bench.backend.ledger.movements.count == 2)
    }

    @Test func withoutASessionItTakesNothing() throws {
        let bench = Bench()
        bench.opens.withLock { $0 = false }
        let (word, error) = try bench.scheduler.run {
            let word = await bench.pay()
            do throws(AdyenPhoneSDK.ErrorCode) { try await bench.kit.warmUp() } catch { return (word, error.rawValue) }
            return (word, "")
        }
        #expect(word == "NO_TOKEN" && error == "unableToObtainInstallationId")
        #expect(bench.backend.ledger.movements.isEmpty)
    }

    @Test func onePaymentAtATimeAndOnlyUnderItsOwnName() throws {
        let bench = Bench()
        let words = try bench.scheduler.run {
            let first = Task(executorPreference: bench.scheduler) { await bench.pay() }
            try await bench.scheduler.sleep(until: bench.scheduler.now + 500)
            let second = await bench.pay()
            return [second, await first.value, await bench.pay(as: "INST-of-another")]
        }
        #expect(words == ["transactionInProgress", "Success", "malformedTransactionRequest"])
        #expect(bench.backend.ledger.movements.count == 1)
    }

    @Test func aFindingStandsInTheAnswer() throws {
        let bench = Bench()
        bench.backend.failAttestation("SCREEN_RECORDING")
        #expect(try bench.scheduler.run { await bench.pay() } == "Failure NotAllowed")
        #expect(bench.backend.ledger.movements.isEmpty)
    }

    @Test func theSuccessScreenHasItsBounds() throws {
        let bench = Bench()
        let words = try bench.scheduler.run {
            var words: [String] = []
            for time in [499, 4_001] as [Int64] {
                let mode = AdyenPhoneSDK.TransactionPresentationMode(
                    .viewModifier, parameters: .init(successScreenTimeout: time))
                words.append(
                    Bench.word(
                        await bench.kit.performTransaction(
                            with: .init(data: []), paymentInterface: .tapToPay, presentationMode: mode)))
            }
            return words
        }
        #expect(words == ["invalidSuccessScreenTimeout", "invalidSuccessScreenTimeout"])
    }

    /// What was taken without a network continues on its own, at the next warm-up.
    @Test func paymentStoredOnThePhone_isForwardedLater() throws {
        let bench = Bench()
        let counts = try bench.scheduler.run {
            _ = await bench.pay("19.09")
            let kept = bench.backend.storedCount
            try await bench.kit.warmUp()
            return [kept, bench.backend.storedCount]
        }
        #expect(counts == [1, 0])
    }
}
