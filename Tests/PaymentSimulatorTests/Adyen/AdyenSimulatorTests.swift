import PaymentBase
import PaymentLinux
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
