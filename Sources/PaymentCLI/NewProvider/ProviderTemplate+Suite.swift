// What the suite must know, the program that runs it, and the test that holds the level.

extension ProviderTemplate {
    var harness: String { judging + fixture }

    private var judging: String {
        #"""
        import \#(type)Provider
        import \#(type)Sandbox
        import PaymentConformance
        import PaymentHarnesses
        import PaymentProviderKit
        import PaymentTesting

        /// What the suite has to know to judge the adapter.
        public struct \#(type)Harness: ConformanceHarness {
            public let name = "\#(name)"
            private let carrier: ConnectionKind

            /// Makes the harness.
            public init(_ carrier: ConnectionKind = .inProcess) { self.carrier = carrier }

            public var declaration: ConformanceProfile {
                var declaration = ConformanceProfile(faults: InjectedFault.sandbox)
                declaration.currencies = [.eur, .usd, .jpy]
                declaration.secrets = ["\#(name)-test-key"]
                declaration.executesWithinMilliseconds = 5_000
                declaration.expectedDoubleCharges = InjectedFault.executedTwice("what arrives twice is executed twice")
                let missing: [SimulatedOutcome] = [
                    .wrongSecurityCode, .pending, .decidedSoon, .decidedLate, .partial, .challenge, .clarification,
                    .pin,
                ]
                for script in missing {
                    declaration.unsupportedOutcomes[script] = "\#(title) has no such thing"
                }
                return declaration
            }

            public func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
                try \#(type)Fixture(scheduler, carrier)
            }
        }

        """#
    }

    private var fixture: String {
        #"""

        /// One fresh \#(title).
        struct \#(type)Fixture: SimulatorFixture {
            static let cards: [SimulatedOutcome: (number: String, reason: Decline.Reason?, code: String?)] = [
                .approved: ("4111111111111111", nil, nil),
                .insufficientFunds: ("4000000000000051", .insufficientFunds, "funds"),
                .lostCard: ("4000000000000041", .lostCard, "lost"),
                .expiredCard: ("4000000000000054", .expiredCard, "expired"),
                .doNotHonor: ("4000000000000005", .doNotHonor, "no"),
            ]

            let connection: SimulatorConnection
            private let provider: Simulated\#(type)

            init(_ scheduler: TestScheduler, _ carrier: ConnectionKind) throws {
                provider = Simulated\#(type)(clock: scheduler)
                connection = try SimulatorConnection([provider], scheduler, carrier)
            }

            func driver(_ interceptor: Interceptor) throws -> any PaymentDriver {
                let identity = ProviderIdentity("\#(name)", adapter: "\#(name)", environment: "test", merchant: "m-1")
                let (origin, transport) = (connection.origin(of: provider.name), connection.transport(interceptor))
                return \#(type)Driver(identity, origin, key: provider.key, transport)
            }

            var ledger: LedgerView { LedgerView(provider.ledger) }

            func scripted(
                _ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind
            ) -> TestPayment? {
                let card = Self.cards[script] ?? ("4111111111111111", nil, nil)
                guard source == .card, Self.cards[script] != nil || connection.play(script, at: "/v1/sales"),
                    let keyed = try? KeyedCard(
                        number: card.number, expiryMonth: 12, expiryYear: 30, securityCode: "737")
                else { return nil }
                var scripted = TestPayment(Money(minorUnits: 5_000, .eur), .card(keyed))
                (scripted.reason, scripted.code, scripted.secrets) = (card.reason, card.code, [card.number, "737"])
                return scripted
            }
        }

        """#
    }

    var program: String {
        #"""
        import \#(type)Harnesses
        import \#(type)Provider
        import \#(type)Sandbox
        import PaymentCLI
        import PaymentSimulator

        /// `payctl` with one provider more.
        @main struct Main {
            static func main() async {
                let sandbox = SimulatorRegistry.Entry(name: "\#(name)") { Simulated\#(type)(clock: $0) }
                let \#(member) = CommandRegistry.AddedProvider(.\#(member), sandbox: sandbox) { \#(type)Harness($0) }
                await Payctl.run(registry: .builtin + [\#(member)])
            }
        }

        """#
    }

    var test: String {
        #"""
        import \#(type)Harnesses
        import PaymentConformance
        import Testing

        /// The suite, up to the level that is reached; raise it with every operation that is added.
        @Suite struct \#(type)Tests {
            static let level = ConformanceLevel.core

            @Test(arguments: Check.all.filter { $0.level <= level })
            func everyCheckOfTheLevelPasses(_ check: Check) {
                let result = ConformanceRunner(\#(type)Harness()).run(check)
                let trace = result.exchanges.joined(separator: "\n  ")
                #expect(result.status == .passed || result.status == .notApplicable, "\(result.detail)\n  \(trace)")
            }

            @Test func theLevelIsReached() {
                #expect(ConformanceRunner(\#(type)Harness()).run(upTo: Self.level).level == Self.level)
            }
        }

        """#
    }
}

// The simulated provider, which shares nothing with the adapter: a misread document must show.

extension ProviderTemplate {
    var simulated: String { simulatedFront + simulatedSale }

    private var simulatedFront: String {
        #"""
        import PaymentBase
        import PaymentSimulator
        import PaymentTransport

        /// \#(title) as it would behave: written from its documents, and never from the adapter.
        public final class Simulated\#(type): SimulatedProvider {
            struct State: Sendable {
                var ledger = Ledger()
                var sales: [String: JSON] = [:]
            }

            public let name = "\#(name)"
            public let members = ReplyFields(
                amounts: ["minor"], currencies: ["currency"], references: ["order"], words: ["result"])
            /// The key that it knows.
            public let key = Secret("\#(name)-test-key")
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

        """#
    }

    private var simulatedSale: String {
        #"""

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

        /// What two commands have in common: the same \#(title), with its books and its sales.
        extension Simulated\#(type): StatefulProvider {
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

        """#
    }
}
