// What the suite must know, the program that runs it, and the test that holds the level.

extension ProviderTemplate {
    var harness: String { judging + fixture }

    private var judging: String {
        #"""
        import \#(type)Provider
        import \#(type)Sandbox
        import PaymentAbstraction
        import PaymentConformance
        import PaymentHarnesses
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
