import PaymentBase
import PaymentLinux
import PaymentSandbox
import PaymentTesting
import PaymentTransport
import Testing

/// Rules of the simulated provider that no driver needs to meet.
@Suite struct AdyenBackendTests {
    private let scheduler = TestScheduler()
    private let provider: AdyenBackend

    init() { provider = AdyenBackend(clock: scheduler, crypto: OpenSSLCrypto()) }

    private func post(_ target: String, _ body: JSON, key: String? = nil, idempotency: String? = nil) throws
        -> HTTPResponse
    {
        var request = HTTPRequest("POST", Origin(.http, "adyen.test"), target, body: body.bytes())
        request.headers["Content-Type"] = "application/json"
        request.headers["X-API-Key"] = key ?? provider.apiKey.expose()
        if let idempotency { request.headers["Idempotency-Key"] = idempotency }
        let asked = request
        let answer = try scheduler.play { [provider] in await provider.answer(asked) }
        return try #require(answer.response)
    }

    private func payment(_ id: String, _ amount: String) throws -> JSON {
        [
            "SaleToPOIRequest": [
                "MessageHeader": [
                    "ProtocolVersion": "3.0", "MessageClass": "Service", "MessageCategory": "Payment",
                    "MessageType": "Request", "ServiceID": .string(id), "SaleID": "S",
                    "POIID": .string(AdyenBackend.terminal),
                ],
                "PaymentRequest": [
                    "SaleData": ["SaleTransactionID": ["TransactionID": .string("ref-\(id)"), "TimeStamp": "t"]],
                    "PaymentTransaction": [
                        "AmountsReq": ["Currency": "EUR", "RequestedAmount": .number(try JSONNumber(amount))]
                    ],
                ],
            ]
        ]
    }

    private var sync: String { "/v1/merchants/TestMerchant/devices/\(AdyenBackend.terminal)/sync" }

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

    @Test func whatARestartMustNotLoseComesBack() throws {
        _ = try post(sync, payment("1", "50.00"))
        let snapshot = provider.snapshot()
        let other = AdyenBackend(clock: scheduler, crypto: OpenSSLCrypto())
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
        let other = AdyenBackend(clock: scheduler, crypto: OpenSSLCrypto())
        #expect(other.restore(provider.snapshot()) && other.nextDue == provider.nextDue)
        scheduler.advance(by: 600_000)
        let (messages, again) = (provider.takeMessages(), other.takeMessages())
        #expect(messages.map(\.attempt) == ["r-1", "r-2", "r-3"] && again == messages)
        #expect(messages.map { $0.at - messages[0].at } == [0, 1_000, 2_000])
        #expect(provider.nextDue == nil && other.nextDue == nil && other.ledger == provider.ledger)
    }
}
