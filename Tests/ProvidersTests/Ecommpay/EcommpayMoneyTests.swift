import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

@testable import EcommpayProvider

/// Answers that are easily taken for more than they say.
@Suite struct EcommpayMoneyTests {
    private let crypto = OpenSSLCrypto()

    private static func operation(
        _ id: Int64, _ type: String, _ status: String, _ units: Int64, _ more: [(String, JSON)] = []
    ) -> JSON {
        var body: JSON = [
            "id": .number(JSONNumber(id)), "type": .string(type), "status": .string(status),
            "code": status == "success" ? "0" : "10105", "message": "m", "date": "2026-01-01T00:00:00+0000",
            "sum_initial": ["amount": .number(JSONNumber(units)), "currency": "EUR"],
        ]
        for (name, value) in more { body = body.adding(name, value) }
        return body
    }

    private static func report(_ payment: JSON, _ operations: [JSON]) throws -> EcommpayReport {
        try #require(EcommpayReport(["project_id": 1_234, "payment": payment, "operations": .array(operations)]))
    }

    private func message(_ body: JSON, _ till: EcommpayTill) throws -> WebhookMessage {
        let proof = try EcommpaySigning.signature(EcommpaySigning.text(body), till.backend.rules.secret, crypto)
        return WebhookMessage(body: body.adding("signature", .string(proof)).bytes(), at: 1)
    }

    @Test func theRefundThatAPaymentNamesIsNotEveryRefundOfTheList() throws {
        let payment: JSON = ["id": "p", "status": "partially refunded", "merchant_refund_id": "r-2"]
        let sale = Self.operation(1, "sale", "success", 1_000)
        let two = [
            sale, Self.operation(2, "refund", "success", 400), Self.operation(3, "refund", "decline", 100),
        ]
        #expect(try EcommpayMapping.refund(Self.report(payment, two), "r-2") == nil)
        let one = [
            sale, Self.operation(2, "refund", "success", 400, [("merchant_refund_id", "r-1")]),
            Self.operation(3, "refund", "decline", 100),
        ]
        guard case .declined(let decline)? = try EcommpayMapping.refund(Self.report(payment, one), "r-2") else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.references["operation"] == "3")
    }

    /// The list has neither our names nor the requests, as a project's own selection of members may have it.
    @Test(arguments: [true, false]) func aRefundIsFoundByItsRequestWhereTheListNamesNone(_ isKnown: Bool) throws {
        var till = EcommpayTill()
        let payment = try #require(try till.sell().payment)
        till.tools.transport = Nameless(till.tools.transport, till.backend.rules.secret, knowsRequests: isKnown)
        let (part, id) = (Money(minorUnits: 1_000, .eur), try AttemptID("refund-1"))
        guard isKnown else {
            #expect(till.failure { _ = try await $0.refund(payment.id, of: part, attempt: id) }?.outcome == .unknown)
            return
        }
        #expect(try till.play { try await $0.refund(payment.id, of: part, attempt: id) }.payment != nil)
    }

    @Test func aSaleBesideTheNameOfARefundStaysASale() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let body: JSON = [
            "project_id": 1_234,
            "payment": [
                "id": "sale-1", "status": "success", "merchant_refund_id": "r-1",
                "sum": ["amount": 1_000, "currency": "EUR"],
            ],
            "operation": Self.operation(1, "sale", "success", 1_000),
        ]
        let notice = try #require(try driver.notices(in: message(body, till)).first)
        #expect(notice.subject == .attempt(try AttemptID("sale-1")) && notice.verdict?.isFinal == true)
    }

    @Test func ofSeveralTriesTheOneThatWentWellCounts() throws {
        let (lost, won) = (Self.operation(1, "sale", "decline", 500), Self.operation(2, "sale", "success", 500))
        guard
            case .verdict(.approved(let approval)) = try EcommpayMapping.standing(
                Self.report(["id": "p", "status": "success"], [lost, won]), .sale)
        else {
            Issue.record("it is not approved")
            return
        }
        #expect(approval.references["operation"] == "2")
        let both = try Self.report(
            ["id": "p", "status": "decline"], [lost, Self.operation(3, "sale", "decline", 500)])
        guard case .verdict(.declined(let decline)) = try EcommpayMapping.standing(both, .sale) else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.references["operation"] == "3")
        for contradiction in [
            [won, Self.operation(3, "sale", "success", 500)], [won, Self.operation(3, "sale", "processing", 500)],
        ] {
            let report = try Self.report(["id": "p", "status": "success"], contradiction)
            #expect(throws: PaymentError.self) { try EcommpayMapping.standing(report, .sale) }
        }
        let refused = try Self.report(["id": "p", "status": "decline"], [lost, won])
        #expect(throws: PaymentError.self) { try EcommpayMapping.standing(refused, .sale) }
    }

    /// The sum of a payment may be less than was asked for: then the customer changed it, or only a part was approved.
    @Test(arguments: [("success", false), ("partially paid", true)]) func whatWasPaidIsWhatThePaymentSays(
        _ status: String, _ isPartial: Bool
    ) throws {
        let payment: JSON = ["id": "p", "status": .string(status), "sum": ["amount": 400, "currency": "EUR"]]
        let sale = Self.operation(1, "sale", "success", 500)
        guard
            case .verdict(.approved(let approval)) = try EcommpayMapping.standing(Self.report(payment, [sale]), .sale)
        else {
            Issue.record("it is not approved")
            return
        }
        #expect(approval.amount == Money(minorUnits: 400, .eur) && approval.isPartial == isPartial)
        let refunded = [sale, Self.operation(2, "refund", "success", 100)]
        guard
            case .verdict(.approved(let whole)) = try EcommpayMapping.standing(Self.report(payment, refunded), .sale)
        else {
            Issue.record("it is not approved")
            return
        }
        #expect(whole.amount == Money(minorUnits: 500, .eur))
    }

    @Test func onlyAHoldCanBeCancelledAfterItWentWell() throws {
        let payment: JSON = ["id": "p", "status": "canceled"]
        let sale = try Self.report(payment, [Self.operation(1, "sale", "success", 500)])
        #expect(throws: PaymentError.self) { try EcommpayMapping.standing(sale, .sale) }
        let hold = try Self.report(payment, [Self.operation(1, "auth", "success", 500)])
        guard case .verdict(.approved) = try EcommpayMapping.standing(hold, .authorize) else {
            Issue.record("it is not approved")
            return
        }
    }

    /// The hold is let go between the status and the capture.
    @Test func capture_ofAHoldThatIsLetGoInBetween_isDeclined() throws {
        var till = EcommpayTill()
        let (client, hold) = (try till.client(), try EcommpayTill.request(6_000))
        let held = try #require(try till.scheduler.run { try await client.authorize(hold) }.payment)
        till.tools.transport = HookTransport(till.tools.transport) { request, next throws(TransportFailure) in
            if request.target == "/v2/payment/card/capture" {
                var release = request
                release.target = "/v2/payment/card/cancel"
                _ = try await next(release)
            }
            return try await next(request)
        }
        let id = try AttemptID("capture-1")
        let state = try till.play { client in
            _ = try? await client.capture(held.id, attempt: id)
            return try await client.attempt(id)?.state
        }
        #expect(state == .declined)
        #expect(till.backend.ledger.balance(.merchant)["EUR", default: 0] == 0)
    }

    /// A copy of an executed increment is refused so as well, and nothing shows which it was.
    @Test func anIncrementThatTheStateDoesNotAllowIsDecidedByAPerson() throws {
        var till = EcommpayTill()
        let (client, hold) = (try till.client(), try EcommpayTill.request(6_000, "5555555555554444"))
        let held = try #require(try till.scheduler.run { try await client.authorize(hold) }.payment)
        till.tools.transport = Refusing(
            till.tools.transport, path: "/v2/payment/card/incremental",
            ["status": "error", "code": "3060", "message": "Current status does not allow this action"])
        let (more, id) = (Money(minorUnits: 7_000, .eur), try AttemptID("adjust-1"))
        let error = till.failure { _ = try await $0.adjust(held.id, to: more, attempt: id) }
        #expect(error?.outcome == .unknown && error?.provider?.code == "3060")
        #expect(try till.play { try await $0.recover() } == [id])
        till.scheduler.advance(by: 240_000)
        let after = try till.play { client in
            _ = try await client.resolve(id, as: .notExecuted(), by: "Ann", reason: "the Dashboard shows no increment")
            return try await client.payment(held.id).amounts.authorized
        }
        #expect(try after == Money(minorUnits: 6_000, .eur) && till.play { try await $0.recover() }.isEmpty)
    }

    @Test func theCustomersConsentIsSentToTheProvider() throws {
        for consents in [true, false] {
            var till = EcommpayTill()
            let told = Locked([Bool?]())
            till.tools.transport = Watching(till.tools.transport) { path, body in
                if path.hasSuffix("/cascade") { told.withLock { $0.append(body?["accept"]?.bool) } }
            }
            till.answers.handle(CascadeConsent.self) { _ in consents }
            #expect((try till.sell(5_030).payment != nil) == consents)
            #expect(told.withLock { $0 } == [consents])
        }
    }

    @Test func fieldsThatAreRefusedAreAskedForAgain() throws {
        var till = EcommpayTill()
        let rounds = Locked(0)
        till.answers.handle(RequestedFields.self) { _ in
            let round = rounds.withLock { count in
                count += 1
                return count
            }
            return ["email": PersonalData(round == 1 ? "nowhere" : "john@example.org")]
        }
        #expect(try till.sell(5_032).payment != nil)
        #expect(rounds.withLock { $0 } == 2)
        var stubborn = EcommpayTill()
        let asked = Locked(0)
        stubborn.answers.handle(RequestedFields.self) { _ in
            asked.withLock { $0 += 1 }
            return ["email": "nowhere"]
        }
        guard case .pending = try stubborn.sell(5_032) else {
            Issue.record("it is not pending")
            return
        }
        #expect(asked.withLock { $0 } == 3 && stubborn.backend.ledger.movements.isEmpty)
    }

    /// What is signed is not one to one: a mark between two members may come out of one member's own text.
    @Test func aCallbackWhoseTextCouldBeAnotherMessagesIsOnlyAHint() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        func body(_ description: JSON) -> JSON {
            [
                "project_id": 1_234,
                "payment": [
                    "id": "sale-1", "status": "success", "description": description,
                    "sum": ["amount": 1_000, "currency": "EUR"],
                ],
                "operation": Self.operation(1, "sale", "success", 1_000),
            ]
        }
        let clear = try #require(try driver.notices(in: message(body("a book"), till)).first)
        let double = try #require(try driver.notices(in: message(body("a;payment:status:decline"), till)).first)
        #expect(clear.verdict?.isFinal == true && double.verdict == nil)
        #expect(double.subject == clear.subject)
    }

    private struct Server: EcommpaySigner {
        let name: String

        func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters {
            EcommpaySignedParameters(request.parameters.adding(name, "another"), signature: "made elsewhere")
        }

        func isGenuine(_ message: JSON) async throws -> Bool { false }
    }

    @Test(arguments: ["customer_id", "account_token"]) func aServerMustNotChangeWhoPaysNorWithWhat(
        _ name: String
    ) async throws {
        var parameters: JSONObject = [
            "project_id": 1, "payment_id": "p", "payment_amount": 400, "payment_currency": "EUR",
        ]
        let seal = EcommpaySignatureMode.server(Server(name: name), crypto)
        #expect(try await seal.signed(session: parameters)[name] == "another")
        parameters[name] = "ours"
        let changed = parameters
        let error = await #expect(throws: PaymentError.self) { _ = try await seal.signed(session: changed) }
        #expect(error == PaymentError(.mismatch, outcome: .notExecuted))
    }

    @Test func webhook_withASignerAlone_isVerifiedInEachOrder() async throws {
        let crypto = crypto
        let secret = Secret("far away")
        let seal = EcommpaySignatureMode.bytes(
            { bytes in Secret(Base64.standard.encode(try crypto.authenticate(.sha512, key: secret, bytes))) }, crypto)
        let message: JSON = ["a": 1, "a-b": 3, "a1": 2]
        for order in EcommpaySigning.Order.allCases {
            let proof = try EcommpaySigning.signature(EcommpaySigning.text(message, order), secret, crypto)
            #expect(try await seal.isGenuine(message.adding("signature", .string(proof))), "\(order)")
        }
        #expect(try await !seal.isGenuine(message.adding("signature", "x")))
    }

    @Test func aSecondTryThatIsNotMadeIsDeclinedAfterHalfAnHour() throws {
        var till = EcommpayTill()
        till.answers.handle(RetryPrompt.self) { _ in .stop }
        let (client, id) = (try till.client(), try AttemptID("given-up"))
        let request = try EcommpayTill.request(5_033)
        guard case .pending = try till.scheduler.run({ try await client.sale(request, attempt: id) }) else {
            Issue.record("it is not pending")
            return
        }
        till.scheduler.advance(by: 31 * 60_000)
        _ = try till.scheduler.run { try await client.recover() }
        guard case .declined(let decline) = try till.scheduler.run({ try await client.status(id) }) else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.provider.code == "10105" && till.backend.ledger.movements.isEmpty)
    }
}

/// Refuses what goes to one path.
struct Refusing: HTTPTransport {
    let inner: any HTTPTransport
    let path: String
    let body: JSON

    init(_ inner: any HTTPTransport, path: String, _ body: JSON) {
        (self.inner, self.path, self.body) = (inner, path, body)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.target == path else { return try await inner.send(request) }
        return HTTPResponse(400, headers: ["Content-Type": "application/json"], body: body.bytes())
    }
}

/// Reports the path and the body of what goes out.
struct Watching: HTTPTransport {
    let inner: any HTTPTransport
    let tell: @Sendable (String, JSON?) -> Void

    init(_ inner: any HTTPTransport, _ tell: @escaping @Sendable (String, JSON?) -> Void) {
        (self.inner, self.tell) = (inner, tell)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        tell(request.target, try? JSONReader().read(request.body))
        return try await inner.send(request)
    }
}

/// Takes the names and the requests out of every list of operations, and signs the rest.
private struct Nameless: HTTPTransport {
    let inner: any HTTPTransport
    let secret: Secret
    let knowsRequests: Bool

    init(_ inner: any HTTPTransport, _ secret: Secret, knowsRequests: Bool) {
        (self.inner, self.secret, self.knowsRequests) = (inner, secret, knowsRequests)
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        if request.target == "/v2/payment/status/request", !knowsRequests { return HTTPResponse(404) }
        var response = try await inner.send(request)
        guard request.target == "/v2/payment/status", let body = try? JSONReader().read(response.body),
            var object = body.object
        else { return response }
        let operations = (body["operations"]?.array ?? []).map { operation -> JSON in
            guard var members = operation.object else { return operation }
            (members["merchant_refund_id"], members["request_id"]) = (nil, nil)
            return .object(members)
        }
        object["operations"] = .array(operations)
        var payment = object["payment"]?.object ?? [:]
        payment["merchant_refund_id"] = nil
        object["payment"] = .object(payment)
        object["signature"] = nil
        let proof = try? EcommpaySigning.signature(EcommpaySigning.text(.object(object)), secret, OpenSSLCrypto())
        object["signature"] = proof.map(JSON.string)
        response.body = JSON.object(object).bytes()
        return response
    }
}
