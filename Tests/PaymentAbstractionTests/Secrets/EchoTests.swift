import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import Testing

/// What a request carried in secret, and the provider says back, comes out nowhere.
@Suite struct EchoTests {
    /// The secrets that each kind of source carries.
    static func carried(by source: PaymentSource) -> [Planted.Needle] {
        let names: Set<String>
        switch source {
        case .reader, .hostedPage: names = []
        case .card: names = ["PAN", "CVV"]
        case .external: names = ["track 1", "track 2", "EMV data", "PIN block", "KSN"]
        case .wallet: names = ["wallet"]
        case .saved: names = ["CVV"]
        case .token: names = ["token", "CVV"]
        case .bank: names = ["account", "routing", "tax id"]
        }
        return Planted.secrets.filter { names.contains($0.name) }
    }

    /// Fields that a driver hands on as words or references of the provider.
    static let words: [EchoTransport.Field] = [.message, .id, .movement, .state, .refusedCode, .refusedMessage]

    @Test(arguments: [EchoRun.Route.approved, .declined])
    func theProvidersWordsAndReferencesHoldNoneOfIt(_ route: EchoRun.Route) throws {
        var run = EchoRun()
        for source in try Planted.sources() {
            for needle in Self.carried(by: source) {
                for field in Self.words { try run.run(needle, [.plain], from: source, field, route) }
            }
        }
        #expect(run.findings.isEmpty, "\(run.findings)")
        #expect(run.count > 10_000)
        print("secrets echoed, \(route): \(run.count) parts walked")
    }

    /// The code of a decline goes into results, events and the journal.
    @Test func theCodeOfADeclineHoldsNoneOfIt() throws {
        var run = EchoRun()
        for source in try Planted.sources() {
            for needle in Self.carried(by: source) { try run.run(needle, [.plain], from: source, .code, .declined) }
        }
        #expect(run.findings.isEmpty, "\(run.findings)")
    }

    /// People's names and addresses are sent nowhere by this driver, and what it says of them is masked.
    @Test func nothingAboutPeopleComesOut() throws {
        var run = EchoRun()
        let card = PaymentSource.card(try Planted.card())
        for needle in Planted.people {
            for route in EchoRun.Route.allCases { try run.run(needle, [], from: card, .message, route) }
        }
        #expect(run.findings.isEmpty, "\(run.findings)")
    }

    /// The client, the journal and the stores after a sale with an access in them.
    @Test func whatIsHeldAfterASaleShowsNothing() throws {
        let till = Till()
        let tokens = InMemoryTokenStore()
        var dependencies = till.dependencies
        (dependencies.tokens, dependencies.executor, dependencies.reader) = (tokens, till.scheduler, nil)
        let driver = till.driver(EchoTransport(till.transport, .event, ""))
        let client = try PaymentClient(driver, dependencies)
        let card = PaymentSource.card(try Planted.card())
        let result = try till.play { try await client.sale(Planted.sale(.cents(2_000), from: card)) }
        #expect(result.payment != nil)
        let kept = try till.play { try await tokens.load(driver.identity) }
        #expect(kept?.value.expose() == Planted.access)
        (dependencies.clock, dependencies.executor) = (SystemClock(), nil)
        var walk = SecretWalk()
        for value in [tokens, dependencies.journal, dependencies, driver] as [Any] { walk.walk(value) }
        #expect(walk.leaks.isEmpty, "\(walk.leaks)")
        #expect(walk.count > 100)
        print("secrets held: \(walk.count) parts walked")
    }
}
