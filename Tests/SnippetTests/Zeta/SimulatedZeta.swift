import PaymentBase
import PaymentSimulator
import PaymentTransport

/// Zeta as it would behave: sales and refunds under a key of the caller's, each done once however often it comes. Its
/// replies name no order of ours.
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
