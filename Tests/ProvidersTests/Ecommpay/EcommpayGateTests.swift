import EcommpayProvider
import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

/// Payments that begin at the Gate.
@Suite struct EcommpayGateTests {
    private static func till() -> EcommpayTill {
        var till = EcommpayTill()
        (till.configuration.link, till.configuration.returnAddress) = (.gate, "https://shop.example/back")
        return till
    }

    /// Runs a call while the provider's callbacks come to the same process, each as often as it is told.
    private static func hearing(
        _ till: EcommpayTill, twice: Bool = false,
        _ call: @escaping @Sendable (PaymentClient) async throws -> PaymentResult
    ) throws -> PaymentResult {
        let (scheduler, backend) = (till.scheduler, till.backend)
        return try till.play { client in
            let isOver = Locked(false)
            let post = Task(executorPreference: scheduler) {
                while !isOver.withLock({ $0 }) {
                    for message in backend.takeMessages() {
                        for _ in 0..<(twice ? 2 : 1) {
                            _ = try? await client.receiveWebhook(
                                message.body, headers: message.headers, from: "ecommpay")
                        }
                    }
                    try? await scheduler.sleep(until: scheduler.now + 100)
                }
            }
            defer { isOver.withLock { $0 = true } }
            let result = try await call(client)
            isOver.withLock { $0 = true }
            await post.value
            return result
        }
    }

    @Test func aCardIsChargedByThePublishedMessage() throws {
        var till = Self.till()
        let seen = Locked([(path: String, body: JSON?)]())
        till.tools.transport = Watching(till.tools.transport) { path, body in
            seen.withLock { $0.append((path, body)) }
        }
        #expect(try till.sell().payment != nil)
        let first = try #require(seen.withLock { $0.first })
        let body = try #require(first.body)
        #expect(first.path == "/v2/payment/card/sale")
        #expect(body["card"]?["card_holder"]?.string == "John Doe" && body["card"]?["cvv"]?.string == "737")
        #expect(body["customer"]?["ip_address"]?.string == "198.51.100.47")
        #expect(body["acs_return_url"]?["3ds_notification_url"]?.string == "https://shop.example/back")
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    @Test(arguments: [false, true]) func stepsComeByCallbackAndAreAnsweredOnce(_ twice: Bool) throws {
        var till = Self.till()
        let steps = Locked([ThreeDSecureChallenge.Step]())
        till.answers.handle(ThreeDSecureChallenge.self) { asked in
            steps.withLock { $0.append(asked.step) }
            return .init(result: Secret("ok"))
        }
        let request = try EcommpayTill.request(5_000, "5413330000000019")
        let result = try Self.hearing(till, twice: twice) { try await $0.sale(request) }
        #expect(result.payment != nil && steps.withLock { $0 } == [.method, .challenge])
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func theOlderPageStandsInTheStatus() throws {
        var till = Self.till()
        let fields = Locked([String: String]())
        till.answers.handle(ThreeDSecureChallenge.self) { asked in
            fields.withLock { $0 = asked.fields }
            return .init(result: Secret("ok"))
        }
        // Nobody hears callbacks here.
        #expect(try till.sell(5_000, "4006260000000014").payment != nil)
        #expect(fields.withLock { $0["PaReq"] } != nil)
    }

    @Test func whereNoCallbackComesTheStepsStayOpenAndAreDeclined() throws {
        let till = Self.till()
        let id = try AttemptID("deaf-1")
        let request = try EcommpayTill.request(5_000, "5413330000000019")
        let result = try till.play { try await $0.sale(request, attempt: id) }
        guard case .pending = result else {
            Issue.record("it is \(result)")
            return
        }
        till.scheduler.advance(by: 31 * 60_000)
        _ = try till.play { try await $0.recover() }
        guard case .declined(let decline) = try till.play({ try await $0.status(id) }) else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.provider.code == "108" && till.backend.ledger.movements.isEmpty)
    }

    @Test func aForgedStepIsShownToNobody() throws {
        var till = Self.till()
        till.configuration.secret = Secret("another secret")
        let asked = Locked(0)
        till.answers.handle(ThreeDSecureChallenge.self) { _ in
            asked.withLock { $0 += 1 }
            return .init(result: Secret("ok"))
        }
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let body: JSON = [
            "general": ["project_id": 1_234, "payment_id": "a-1", "signature": "bm9uZQ=="],
            "payment": ["id": "a-1", "status": "awaiting 3ds result"],
            "threeds2": ["redirect": ["url": "https://thief.example", "params": [:]]],
        ]
        #expect(throws: PaymentError(.signatureInvalid, outcome: .notExecuted)) {
            try driver.notices(in: WebhookMessage(body: body.bytes(), at: 0))
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test func clarificationIsAskedByCallbackAndAnsweredInItsGroups() throws {
        var till = Self.till()
        let asked = Locked([String]())
        till.answers.handle(Clarification.self) { question in
            asked.withLock { $0 += question.fields.map(\.name) }
            return ["avs_post_code": "SW1", "avs_street_address": "Main"]
        }
        let request = try EcommpayTill.request(5_031)
        #expect(try Self.hearing(till) { try await $0.sale(request) }.payment != nil)
        #expect(asked.withLock { $0 } == ["avs_post_code", "avs_street_address"])
    }

    @Test func anotherPageNeedsConsentAndWithoutItNothingIsSent() throws {
        var till = Self.till()
        let cascade = try #require((5_001...5_099).first { TestAmount(minorUnits: $0) == .challenges })
        let request = try EcommpayTill.request(cascade)
        #expect(try Self.hearing(till) { try await $0.sale(request) }.payment != nil)
        till = Self.till()
        till.answers.handle(CascadeConsent.self) { _ in false }
        let refused = try Self.hearing(till) { try await $0.sale(request) }
        guard case .pending = refused else {
            Issue.record("it is \(refused)")
            return
        }
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func aCardIsCheckedAndMadeAToken() throws {
        let till = Self.till()
        let card = try EcommpayTill.request().source
        let token = try till.play { client in
            var request = VerificationRequest(card, in: .eur, reference: "o")
            request.customer = "12"
            #expect(try await client.verify(request).payment != nil)
            return try #require(try await client.tokenize(request).payment?.saved?.token)
        }
        let id = try AttemptID("token-1")
        let paid = try till.play { client in
            try await client.sale(
                .eur(700), from: .token(token, securityCode: Secret("737")), reference: "t", attempt: id)
        }
        #expect(paid.payment != nil && till.backend.ledger.balance(.merchant) == ["EUR": 700])
    }

    @Test func theCodeOfATokensCardGoesAlong() throws {
        var till = Self.till()
        let seen = Locked(JSON.null)
        till.tools.transport = Watching(till.tools.transport) { path, body in
            if path.hasSuffix("/sale/token") { seen.withLock { $0 = body ?? .null } }
        }
        #expect(till.backend.play("ecommpay.gate.token-code.code-needed"))
        let bare = till.failure { client in
            _ = try await client.sale(.eur(500), from: .token(Secret("card-token")), reference: "t")
        }
        #expect(bare?.outcome == .notExecuted && bare?.provider?.code == "3141")
        let id = try AttemptID("token-2")
        let paid = try till.play { client in
            try await client.sale(
                .eur(500), from: .token(Secret("card-token"), securityCode: Secret("737")), reference: "u", attempt: id)
        }
        #expect(paid.payment != nil && seen.withLock { $0["cvv"]?.string } == "737")
    }

    @Test func whatThePublishedMessageWantsIsMissedBeforeAnythingIsSent() throws {
        var till = Self.till()
        let nameless = try KeyedCard(number: "5555555555554444", expiryMonth: 12, expiryYear: 30)
        let holder = till.failure { client in
            _ = try await client.sale(.eur(500), from: .card(nameless), reference: "o")
        }
        #expect(holder == PaymentError(.invalidRequest, outcome: .notExecuted))
        let owner = till.failure { client in
            _ = try await client.sale(.eur(500), from: .saved(.init(rawValue: "12353661")), reference: "o")
        }
        #expect(owner?.detail.contains("own customer") == true)
        till.configuration.customerIPAddress = nil
        let address = till.failure { client in _ = try await client.sale(EcommpayTill.request()) }
        #expect(address?.code == .configuration && address?.detail.contains("customerIpAddress") == true)
        var request = try EcommpayTill.request()
        request.contact?.additional["ip_address"] = "203.0.113.9"
        let own = request
        #expect(try till.play { try await $0.sale(own) }.payment != nil)
        #expect(till.backend.ledger.movements.count == 1)
    }

    /// The answer is lost, so that the same message is sent again under the same name.
    @Test func aSaleThatIsSentTwiceChargesOnce() throws {
        var till = Self.till()
        till.tools.transport = Losing(till.tools.transport, "/v2/payment/card/sale") {}
        #expect(try till.sell().payment != nil)
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
    }
}

extension Money {
    fileprivate static func eur(_ cents: Int64) -> Money { Money(minorUnits: cents, .eur) }
}
