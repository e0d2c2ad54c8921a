import PaymentBase
import PaymentSimulator
import PaymentTransport

/// Acme as it would behave: written from its documents, and never from the adapter.
public final class SimulatedAcme: SimulatedProvider {
    struct State: Sendable {
        var ledger = Ledger()
        var sales: [String: JSON] = [:]
    }

    public let name = "acme"
    public let members = ReplyFields(
        amounts: ["minor"], currencies: ["currency"], references: ["order"], words: ["result"])
    /// The key that it knows.
    public let key = Secret("acme-test-key")
    private let clock: any PaymentClock
    private let state = Locked(State())

    /// Opens it with an empty ledger.
    public init(clock: any PaymentClock) { self.clock = clock }

    public var ledger: Ledger { state.withLock { $0.ledger } }
    public func reset() { state.withLock { $0 = State() } }
    public func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { Self.said(refusal) }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        guard request.headers["X-Api-Key"] == key.expose() else { return .reply(refusal(.accessRefused)) }
        return state.withLock { Self.routes.answer(request, &$0, now: clock.now) }
    }

    private static let routes = Router<State>(refusal: said) { routes in
        routes.post("/v1/sales", .json, sale)
        routes.get("/v1/sales/:order") { call, provider in
            provider.sales[call["order"]].map { .json($0) } ?? .json(["error": "unknownOrder"], status: 404)
        }
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

    private static func sale(_ call: SimulatorRequest, _ provider: inout State) -> SimulatorResponse {
        guard let order = call.json?["order"]?.string, let minor = call.json?["minor"]?.int64, minor > 0,
            let currency = call.json?["currency"]?.string, let card = call.json?["card"]?["number"]?.string
        else { return .json(["error": "malformed"], status: 400) }
        let number = "s_\(provider.sales.count + 1)"
        var answer: JSONObject = [
            "sale": .string(number), "order": .string(order), "minor": .number(JSONNumber(minor)),
            "currency": .string(currency), "result": "paid",
        ]
        if let why = refusals[String(card.suffix(4))] {
            (answer["result"], answer["why"]) = ("refused", .string(why))
        } else {
            provider.ledger.move(
                LedgerAmount(minor, currency), from: .cardholder, to: .merchant,
                payment: number, attempt: order, cause: "sale", entry: "card", at: call.now)
        }
        provider.sales[order] = .object(answer)
        return .json(.object(answer))
    }

    /// Why a card is refused, by its last four digits.
    private static let refusals = ["0051": "funds", "0041": "lost", "0054": "expired", "0005": "no"]
}

/// What two commands have in common: the same Acme, with its books and its sales.
extension SimulatedAcme: StatefulProvider {
    public func snapshot() -> JSON {
        state.withLock { state in
            var sales = JSONObject()
            for (order, sale) in state.sales.sorted(by: { $0.key < $1.key }) { sales[order] = sale }
            return ["ledger": state.ledger.json, "sales": .object(sales)]
        }
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }), let sales = snapshot["sales"]?.object
        else { return false }
        let known = sales.members.map { ($0.key, $0.value) }
        state.withLock { state in
            state.ledger = ledger
            state.sales = Dictionary(known, uniquingKeysWith: { _, last in last })
        }
        return true
    }
}
