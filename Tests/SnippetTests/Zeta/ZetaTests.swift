import PaymentConformance
import PaymentHarnesses
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// What the guide for authors says about follow-ups and keys, under the whole suite.
@Suite struct ZetaTests {
    @Test(arguments: Check.all.filter { $0.level <= .backOffice })
    func everyCheckPasses(_ check: Check) {
        let result = ConformanceRunner(ZetaHarness()).run(check)
        let trace = result.exchanges.joined(separator: "\n  ")
        #expect(result.status == .passed || result.status == .notApplicable, "\(result.detail)\n  \(trace)")
    }

    @Test func theLevelIsReached() {
        #expect(ConformanceRunner(ZetaHarness()).run(upTo: .backOffice).level == .backOffice)
    }

    /// A harness that doesn't say which sends are keyed fails the checks that lose one of them.
    @Test(arguments: ["lookup.request-lost", "lookup.quiet-time", "lookup.never-arrived"])
    func whatIsKeyedHasToBeDeclared(_ id: String) throws {
        let check = try #require(Check.all.first { $0.id == id })
        #expect(ConformanceRunner(ZetaHarness(isDeclared: false)).run(check).status == .failed)
    }
}

struct ZetaHarness: ConformanceHarness {
    let name = "zeta"
    var isDeclared = true

    var declaration: ConformanceProfile {
        var declaration = ConformanceProfile(faults: InjectedFault.sandbox)
        declaration.leaveOut("member.wrong-reference", because: "no reply names our reference")
        if isDeclared { declaration.idempotentOperations = [.sale, .refund] }
        declaration.secrets = ["zeta-test-key"]
        declaration.executesWithinMilliseconds = 5_000
        let missing: [SimulatedOutcome] = [
            .wrongSecurityCode, .pending, .decidedSoon, .decidedLate, .partial, .challenge, .clarification, .pin,
        ]
        for script in missing {
            declaration.unsupportedOutcomes[script] = "Zeta has no such thing"
        }
        return declaration
    }

    func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture { try ZetaFixture(scheduler) }
}

struct ZetaFixture: SimulatorFixture {
    static let cards: [SimulatedOutcome: (number: String, reason: Decline.Reason?, code: String?)] = [
        .approved: ("4111111111111111", nil, nil),
        .insufficientFunds: ("4000000000000051", .insufficientFunds, "funds"),
        .lostCard: ("4000000000000041", .lostCard, "lost"),
        .expiredCard: ("4000000000000054", .expiredCard, "expired"),
        .doNotHonor: ("4000000000000005", .doNotHonor, "no"),
    ]

    let connection: SimulatorConnection
    private let provider: SimulatedZeta

    init(_ scheduler: TestScheduler) throws {
        provider = SimulatedZeta(clock: scheduler)
        connection = try SimulatorConnection([provider], scheduler)
    }

    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
        let identity = ProviderIdentity("zeta", adapter: "zeta", environment: "test", merchant: "m-1")
        return ZetaDriver(
            identity, connection.origin(of: provider.name), key: provider.key, connection.transport(interceptor))
    }

    var ledger: LedgerView { LedgerView(provider.ledger) }

    func scripted(
        _ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind
    ) -> TestPayment? {
        let card = Self.cards[script] ?? ("4111111111111111", nil, nil)
        guard source == .card, Self.cards[script] != nil || connection.play(script, at: "/charges"),
            let keyed = try? KeyedCard(number: card.number, expiryMonth: 12, expiryYear: 30, securityCode: "737")
        else { return nil }
        var scripted = TestPayment(Money(minorUnits: 5_000, .eur), .card(keyed))
        (scripted.reason, scripted.code, scripted.secrets) = (card.reason, card.code, [card.number, "737"])
        return scripted
    }
}

/// An adapter for a provider whose sends carry our key and whose replies name no reference of the merchant.
struct ZetaDriver: PaymentDriver {
    let identity: ProviderIdentity
    let capabilities: Capabilities
    private let wire: JSONClient
    private let key: Secret

    init(_ identity: ProviderIdentity, _ endpoint: Origin, key: Secret, _ transport: any HTTPTransport) {
        (self.identity, self.key) = (identity, key)
        wire = JSONClient(transport, endpoint)
        var takes = Capabilities(sources: [.card], sendLimit: wire.sendLimitMilliseconds)
        takes.currencies = [.eur]
        capabilities = takes
    }

    var secrets: [Secret] { [key] }
    private func signed(_ attempt: AttemptID) -> HTTPHeaders {
        ["X-Api-Key": key.expose(), "Idempotency-Key": attempt.text]
    }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
        LookupPlan(every: 1_000, giveUpAfter: 10_000, quiet: 5_000)
    }

    func classify(_ error: any Error) -> RequestFailure {
        ErrorTable.zeta.failure(error) { ($0?["error"]?.string ?? "", "") }
    }

    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        let reply: JSONReply
        do {
            reply = try await context.exchange { _ in
                try await wire.send("GET", "/keys/\(inquiry.attempt)", more: signed(inquiry.attempt))
            }
        } catch {
            if error.provider?.code == "unknownKey" { return .notFound(seesBack: nil) }
            throw error
        }
        return .found(try ZetaMapping.verdict(reply.body, of: inquiry.amount))
    }
}

extension ZetaDriver: SaleDriver {
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        guard case .card(let card) = request.source else {
            throw PaymentError.notExecuted(.unsupported, "Zeta takes typed cards only")
        }
        let body: JSON = [
            "amount": .number(JSONNumber(request.amount.minorUnits)),
            "currency": .string(request.amount.currency.code),
            "card": ["number": .string(card.number.expose())],
        ]
        let reply = try await context.exchange(.idempotent) { _ in
            try await wire.send("POST", "/charges", body: body, more: signed(context.attempt))
        }
        return try ZetaMapping.verdict(reply.body, of: request.amount)
    }
}

extension ZetaDriver: RefundDriver {
    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        guard let charge = request.payment.references["charge"] else {
            throw PaymentError.notExecuted(.notFound, "the journal has no charge of Zeta's for this payment")
        }
        let body: JSON = ["amount": .number(JSONNumber(request.amount.minorUnits))]
        let reply = try await context.exchange(.idempotent) { _ in
            try await wire.send(
                "POST", "/charges/\(charge.pathPiece)/refunds", body: body, more: signed(context.attempt))
        }
        return try ZetaMapping.verdict(reply.body, of: request.amount)
    }
}

/// Domain ⇄ wire, as pure functions.
enum ZetaMapping {
    /// What Zeta said about our request; only the amount can be compared with what was asked.
    static func verdict(_ body: JSON?, of asked: Money) throws(PaymentError) -> Verdict {
        guard let id = body?["id"]?.string, let status = body?["status"]?.string else {
            throw PaymentError.unknown(.unreadableReply, "the answer names neither itself nor a status")
        }
        switch status {
        case "succeeded":
            guard let amount = body?["amount"]?.int64,
                let currency = body?["currency"]?.string.flatMap({ Currency.known($0) })
            else { throw PaymentError.unknown(.unreadableReply, "the answer names no amount") }
            let name = id.hasPrefix("r_") ? "refund" : "charge"
            return .approved(Approval(Money(minorUnits: amount, currency), references: [name: id]))
        case "processing": return .pending(Pending(references: ["refund": id], shouldPoll: true))
        case "failed":
            let why = body?["reason"]?.string ?? ""
            return .declined(Decline(reasons[why] ?? .unmapped, provider: ProviderMessage(code: why, message: "")))
        default: throw PaymentError.unmapped(status)
        }
    }

    static let reasons: [String: Decline.Reason] = [
        "funds": .insufficientFunds, "lost": .lostCard, "expired": .expiredCard, "no": .doNotHonor,
    ]
}

extension ErrorTable {
    static let zeta = ErrorTable([
        Row("badKey", "access", .authentication, .refused, userAction: true, "the key is wrong"),
        Row("malformed", "request", .invalidRequest, .refused, "the request could not be read"),
        Row("unknownKey", "request", .notFound, .refused, "nothing came under this key"),
        Row("unknownCharge", "request", .notFound, .refused, "there is no such charge"),
        Row("tooMuch", "request", .amountTooHigh, .refused, "more than is left of the charge"),
        Row(
            "busy", "service", .providerUnavailable, .refused, isRetryable: true, "busy for a moment, nothing was done"),
    ])
}

/// Zeta as it would behave: sales and refunds under a key of the caller's, each done once however often it comes. Its
/// replies name no order of the merchant.
final class SimulatedZeta: SimulatedProvider {
    struct State: Sendable {
        var ledger = Ledger()
        /// What came under each key, and its answer.
        var answers: [String: JSON] = [:]
        var charges: [String: (left: Int64, currency: String)] = [:]
        var nextNumber = 0
    }

    let name = "zeta"
    let members = ReplyFields(
        amounts: ["amount"], currencies: ["currency"], references: [], words: ["status"])
    let key = Secret("zeta-test-key")
    private let clock: any PaymentClock
    private let state = Locked(State())

    init(clock: any PaymentClock) { self.clock = clock }

    var ledger: Ledger { state.withLock { $0.ledger } }
    func reset() { state.withLock { $0 = State() } }
    func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        guard request.headers["X-Api-Key"] == key.expose() else { return .reply(refusal(.accessRefused)) }
        return state.withLock { Self.routes.answer(request, &$0, now: clock.now) }
    }

    private static let routes = Router<State>(refusal: said) { routes in
        routes.post("/charges", .json) { call, zeta in once(call, &zeta, charge) }
        routes.post("/charges/:id/refunds", .json) { call, zeta in once(call, &zeta, refund) }
        routes.get("/keys/:key") { call, zeta in
            zeta.answers[call["key"]].map { .json($0) } ?? .json(["error": "unknownKey"], status: 404)
        }
    }

    /// Does what comes under a key, or gives the answer of the first time.
    private static func once(
        _ call: SimulatorRequest, _ zeta: inout State,
        _ does: (SimulatorRequest, inout State, String) -> SimulatorResponse
    ) -> SimulatorResponse {
        guard let key = call.request.headers["Idempotency-Key"] else {
            return .json(["error": "malformed"], status: 400)
        }
        if let answer = zeta.answers[key] { return .json(answer) }
        return does(call, &zeta, key)
    }

    private static func charge(_ call: SimulatorRequest, _ zeta: inout State, _ key: String) -> SimulatorResponse {
        guard let amount = call.json?["amount"]?.int64, amount > 0, let currency = call.json?["currency"]?.string,
            let card = call.json?["card"]?["number"]?.string
        else { return .json(["error": "malformed"], status: 400) }
        zeta.nextNumber += 1
        let id = "c_\(zeta.nextNumber)"
        var answer: JSONObject = [
            "id": .string(id), "amount": .number(JSONNumber(amount)), "currency": .string(currency),
            "status": "succeeded",
        ]
        if let why = refusals[String(card.suffix(4))] {
            (answer["status"], answer["reason"]) = ("failed", .string(why))
        } else {
            zeta.charges[id] = (amount, currency)
            zeta.ledger.move(
                LedgerAmount(amount, currency), from: .cardholder, to: .merchant, payment: id, attempt: key,
                cause: "charge", at: call.now)
        }
        zeta.answers[key] = .object(answer)
        return .json(.object(answer))
    }

    private static func refund(_ call: SimulatorRequest, _ zeta: inout State, _ key: String) -> SimulatorResponse {
        guard let amount = call.json?["amount"]?.int64, amount > 0 else {
            return .json(["error": "malformed"], status: 400)
        }
        guard let charge = zeta.charges[call["id"]] else { return .json(["error": "unknownCharge"], status: 404) }
        guard amount <= charge.left else { return .json(["error": "tooMuch"], status: 409) }
        zeta.nextNumber += 1
        zeta.charges[call["id"]] = (charge.left - amount, charge.currency)
        zeta.ledger.move(
            LedgerAmount(amount, charge.currency), from: .merchant, to: .refunded, payment: call["id"], attempt: key,
            cause: "refund", at: call.now)
        let answer: JSON = [
            "id": .string("r_\(zeta.nextNumber)"), "amount": .number(JSONNumber(amount)),
            "currency": .string(charge.currency), "status": "succeeded",
        ]
        zeta.answers[key] = answer
        return .json(answer)
    }

    private static func said(_ refusal: SimulatorRefusal) -> HTTPResponse {
        let code =
            switch refusal {
            case .accessRefused: "badKey"
            case .rateLimited: "busy"
            case .broken: "broken"
            case .malformed, .unknownPath, .wrongMethod, .wrongMediaType, .missingHeader: "malformed"
            }
        let body: JSON = ["error": .string(code)]
        return HTTPResponse(refusal.status, headers: ["Content-Type": "application/json"], body: body.bytes())
    }

    /// Why a card is refused, by its last four digits.
    private static let refusals = ["0051": "funds", "0041": "lost", "0054": "expired", "0005": "no"]
}
