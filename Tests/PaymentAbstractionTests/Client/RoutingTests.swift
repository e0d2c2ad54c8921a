import MemoryProvider
import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct RoutingTests {
    private func client(_ till: Till, _ routing: Routing, first: (any HTTPTransport)? = nil) throws -> PaymentClient {
        let drivers = [till.driver(first, name: "one"), till.driver(name: "two")]
        return try PaymentClient(drivers: drivers, routing: routing, till.dependencies)
    }

    /// A customer's card that a first sale has left with a provider.
    private func kept(_ till: Till, by client: PaymentClient) throws -> SavedInstrument.ID {
        var request = SaleRequest(.cents(1_000), from: try Cards.good(), reference: "o")
        (request.customer, request.savesInstrument) = ("c-1", true)
        let sold = try till.play { [request] in try await client.sale(request) }.payment
        return try #require(sold?.saved?.id)
    }

    private func pair() -> Routing {
        var routing = Routing(active: "one")
        routing.rules = [Routing.Rule(["one", "two"])]
        return routing
    }

    /// Fails every call to a path in one way.
    private func failing(
        _ till: Till, at path: String, _ failure: TransportFailure
    ) -> HookTransport {
        HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            if request.target == path { throw failure }
            return try await next(request)
        }
    }

    @Test func theNextProviderIsTriedOnlyWhileNothingWasSent() throws {
        let till = Till()
        let routing = pair()
        let card = try Cards.good()
        let unreachable = try client(till, routing, first: failing(till, at: "/token", .notSent(.connectionRefused)))
        let payment = try till.play { try await unreachable.sale(.cents(1_000), from: card, reference: "o") }.payment
        #expect(payment?.provider.id == "two")
        #expect(till.backend.ledger.movements.count == 1)

        let doubtful = try client(till, routing, first: failing(till, at: "/payments", .maybeSent(.connectionReset)))
        let error = till.failure { _ = try await doubtful.sale(.cents(1_000), from: card, reference: "p") }
        #expect(error?.code == .notReceived)
        #expect(till.backend.ledger.movements.count == 1, "what may have been sent is never sent elsewhere")
    }

    /// The time that the first provider took counts, also where a person sets the clock back in it.
    @Test func saleAtTwoProviders_clockIsSetBackInBetween_endsInItsTime() throws {
        let till = Till()
        let clock = DeadlineTimerTests.SetClock(scheduler: till.scheduler)
        let unreachable = HookTransport(till.transport) { (_, _) async throws(TransportFailure) in
            try? await till.scheduler.sleep(until: till.scheduler.now + 5_000)
            clock.offset.withLock { $0 -= 3_600_000 }
            throw .notSent(.connectionRefused)
        }
        let slow = HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
            if request.target == "/payments" { try? await till.scheduler.sleep(until: till.scheduler.now + 60_000) }
            return try await next(request)
        }
        var options = till.dependencies
        options.clock = clock
        let drivers = [till.driver(unreachable, name: "one"), till.driver(slow, name: "two")]
        let client = try PaymentClient(drivers: drivers, routing: pair(), options)
        let (card, begun) = (try Cards.good(), till.scheduler.now)
        let took = try till.play {
            do {
                let request = SaleRequest(.cents(1_000), from: card, reference: "o")
                _ = try await client.sale(request, timeout: .seconds(10))
                return Int64.max
            } catch { return till.scheduler.now - begun }
        }
        #expect(took == 10_000)
    }

    /// Both names are of one account, and the first one sent nothing: its message is about a second payment of the other.
    @Test func secondPaymentUnderTheNameThatSentNothing_isCountedAndRaised() throws {
        let till = Till()
        let client = try client(till, pair(), first: failing(till, at: "/payments", .notSent(.connectionRefused)))
        let card = try Cards.good()
        let sale = try AttemptID("sale-1")
        let taken = try till.play { try await client.sale(.cents(1_000), from: card, reference: "o", attempt: sale) }
        #expect(taken.payment?.provider.id == "two")
        let body: JSON = [
            "id": "mp_9", "attempt": .string(sale.text), "state": "approved", "event": "sale",
            "amount": ["minorUnits": 1_000, "currency": "EUR"], "at": .number(JSONNumber(till.scheduler.now)),
        ]
        let record = try till.play {
            try await client.receiveWebhook(
                body.bytes(), headers: ["x-memory-secret": "memory-webhook-secret"], from: "one")
            return try #require(try await client.attempt(sale))
        }
        #expect(record.isContradicted && record.reports.map(\.run) == [2, 2])
        #expect(record.approval?.amount == .cents(2_000), "both have taken it")
    }

    @Test func theRouteThatIsShownIsTheOneThatIsTaken() throws {
        let till = Till()
        var routing = Routing(active: "one")
        var rule = Routing.Rule(["two", "one"])
        rule.routingLabel = "upstairs"
        routing.rules = [rule]
        let client = try client(till, routing)
        let card = try Cards.good()
        var request = SaleRequest(.cents(1_000), from: card, reference: "o")
        #expect(try client.route(for: request) == ["one"])
        request.routingLabel = "upstairs"
        #expect(try client.route(for: request) == ["two", "one"])
        #expect(try client.route(for: .cents(1_000), from: .card, label: "upstairs") == ["two", "one"])
        let payment = try till.play { [request] in try await client.sale(request) }.payment
        #expect(payment?.provider.id == "two")

        routing.draining = ["one", "two"]
        let closed = try self.client(till, routing)
        let error = till.failure { [request] in _ = try closed.route(for: request) }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
    }

    @Test func onceTheCardWasReadTheProviderStays() throws {
        let till = Till()
        let client = try client(till, pair(), first: failing(till, at: "/payments", .notSent(.connectionRefused)))
        let error = till.failure { _ = try await client.sale(.cents(1_000), from: .reader, reference: "o") }
        #expect(error == PaymentError(.network, outcome: .notExecuted))
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func aRefundGoesToTheProviderThatTookThePaymentWhateverIsActiveNow() throws {
        let till = Till()
        let card = try Cards.good()
        let before = try client(till, Routing(active: "one"))
        let sold = try till.play { try await before.sale(.cents(1_000), from: card, reference: "o") }.payment
        let id = try #require(sold).id
        var routing = Routing(active: "two")
        routing.draining = ["one"]
        let after = try client(till, routing)
        let refunded = try till.play { try await after.refund(id) }.payment
        #expect(refunded?.provider.id == "one")
        let next = try till.play { try await after.sale(.cents(500), from: card, reference: "p") }.payment
        #expect(next?.provider.id == "two")
    }

    @Test func anotherAccountUnderTheSameNameIsRefused() throws {
        let till = Till()
        let card = try Cards.good()
        let first = try till.client()
        let sold = try till.play { try await first.sale(.cents(1_000), from: card, reference: "o") }.payment
        let id = try #require(sold).id
        let other = MemoryConfiguration(
            endpoint: Till.origin, merchant: "m-2", secret: Secret("memory-client-secret"))
        let second = try till.client(over: MemoryDriver(other, till.transport))
        let error = till.failure { _ = try await second.refund(id) }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
        #expect(error?.detail.contains("m-1") == true)
    }

    /// The id of one account's card may be another customer's at the account that has the name now.
    @Test func savedInstrument_whoseNameMeansAnotherAccountNow_isNotCharged() throws {
        let till = Till()
        let client = try till.client()
        let saved = try kept(till, by: client)
        let listed = try till.play { try await client.provider("memory").savedInstruments?.list(of: "c-1") }
        #expect(listed?.map(\.id.text) == [saved.text])
        let other = MemoryConfiguration(
            endpoint: Till.origin, merchant: "m-2", secret: Secret("memory-client-secret"))
        let moved = try till.client(over: MemoryDriver(other, till.transport))
        for providers in [["memory"], []] as [[ProviderID]] {
            let card = SavedInstrument.ID(saved.text, among: providers)
            let sale = till.failure { _ = try await moved.sale(.cents(500), from: .saved(card), reference: "p") }
            #expect(sale?.outcome == .notExecuted && sale?.diagnosis?.cause == .wrongAccount)
            let debit = CardOnFileRequest(.cents(500), of: card, reference: "q")
            let charged = till.failure { _ = try await moved.chargeCardOnFile(debit) }
            #expect(charged?.outcome == .notExecuted && charged?.diagnosis?.cause == .wrongAccount)
            let removed = till.failure {
                _ = try await moved.provider("memory").savedInstruments?.remove(card, of: "c-1")
            }
            #expect(removed?.code == .unsupported)
        }
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func savedInstrument_asText_isReadWithoutDoubt() {
        let account = ProviderIdentity("till", adapter: "a", environment: "e", merchant: "m:1/%2F@x")
        let id = SavedInstrument.ID("4711:x@y/z", at: account)
        let read = SavedInstrument.ID(id.text, among: [])
        #expect(id.text == "till@a/e/m%3A1%2F%252F%40x:4711:x@y/z")
        #expect(read.provider == "till" && read.rawValue == id.rawValue && read.text == id.text)
        #expect(read.isKept(at: account))
        let other = ProviderIdentity("till", adapter: "a", environment: "e", merchant: "m")
        let renamed = ProviderIdentity("b", adapter: "a", environment: "e", merchant: account.merchant)
        #expect(!read.isKept(at: other) && !read.isKept(at: renamed))
        // As before, a name is a provider's only if that is configured.
        let short = SavedInstrument.ID("till:4711", among: ["till"])
        #expect(short.provider == "till" && short.text == "till:4711" && short.isKept(at: account))
        for text in ["till:4711", "4711", "M1/a@b/c:d", "a@b/c:d", "a@b/c/d/e:f", "a@b/%/d:e", ""] {
            let bare = SavedInstrument.ID(text, among: ["other"])
            #expect(bare.provider == nil && bare.rawValue == text && bare.text == text)
        }
    }

    @Test func content_ofAStoredCard_isOfItsKeeperAndOfNoSpelling() {
        func content(_ id: SavedInstrument.ID) -> [String] {
            [
                CardOnFileRequest(.cents(1), of: id, reference: "o").content,
                SaleRequest(.cents(1), from: .saved(id), reference: "o").content,
            ]
        }
        let account = ProviderIdentity("ecommpay", adapter: "ecommpay", environment: "production", merchant: "1234")
        let whole = SavedInstrument.ID("7", at: account)
        for text in ["ecommpay:7", whole.text] {
            for providers in [["ecommpay"], []] as [[ProviderID]] {
                #expect(content(SavedInstrument.ID(text, among: providers)) == content(whole))
            }
        }
        #expect(Set(content(whole)).isDisjoint(with: content(SavedInstrument.ID("7", of: "arise"))))
    }

    /// After the switch the new provider was asked to charge an instrument of the old one's list, which may be a stranger's there.
    @Test func listedInstrument_afterASwitch_goesToNoOtherProvider() throws {
        let till = Till()
        let other = MemoryConfiguration(
            name: "two", endpoint: Till.origin, merchant: "m-2", secret: Secret("memory-client-secret"))
        let drivers: [any PaymentDriver] = [till.driver(name: "one"), MemoryDriver(other, till.transport)]
        var switched = Routing(active: "two")
        switched.draining = ["one"]
        let before = try PaymentClient(drivers: drivers, routing: Routing(active: "one"), till.dependencies)
        let after = try PaymentClient(drivers: drivers, routing: switched, till.dependencies)
        var request = SaleRequest(.cents(1_000), from: try Cards.good(), reference: "o")
        (request.customer, request.savesInstrument) = ("c-1", true)
        let sold = try till.play { [request] in try await before.sale(request) }.payment
        #expect(sold?.saved?.id.provider == "one")
        let listed = try till.play { try await after.provider("one").savedInstruments?.list(of: "c-1") }
        let instrument = try #require(listed?.first)
        let error = till.failure { _ = try await after.sale(.cents(500), from: .saved(instrument.id), reference: "p") }
        #expect(error?.code == .unsupported && error?.outcome == .notExecuted)
        // Without its provider it may be another customer's at the new one.
        let bare = SavedInstrument.ID(rawValue: instrument.id.rawValue)
        let unclear = till.failure { _ = try await after.sale(.cents(500), from: .saved(bare), reference: "q") }
        #expect(unclear?.code == .invalidRequest && unclear?.outcome == .notExecuted)
        #expect(till.backend.ledger.movements.count == 1)
    }

    /// Two providers keep cards, and the routes name the other one.
    @Test func savedInstrument_whereTheRoutesNameAnother_goesToItsKeeper() throws {
        let till = Till()
        let saved = try kept(till, by: try client(till, Routing(active: "one")))
        let other = try client(till, Routing(active: "two"))
        var again = SaleRequest(.cents(500), from: .saved(saved), reference: "p")
        again.customer = "c-1"
        #expect(try other.route(for: again) == ["one"])
        let charged = try till.play { [again] in try await other.sale(again) }.payment
        #expect(charged?.provider.id == "one")
        // Who names a provider gets that one or none.
        var forced = Routing(active: "two")
        forced.isForced = true
        let named = try client(till, forced)
        let refused = till.failure { _ = try await named.sale(.cents(500), from: .saved(saved), reference: "q") }
        #expect(refused?.code == .unsupported && refused?.outcome == .notExecuted)
        #expect(till.backend.ledger.movements.count == 2)
    }

    /// A customer can pay elsewhere; whose card is kept is not there to give another one.
    @Test func drainingProvider_takesDebitsAndNoQuotedSales() throws {
        let till = Till()
        let saved = try kept(till, by: try client(till, Routing(active: "one")))
        var routing = Routing(active: "two")
        routing.draining = ["one"]
        let after = try client(till, routing)
        let debit = CardOnFileRequest(.cents(500), of: saved, reference: "p")
        let debited = try till.play { try await after.chargeCardOnFile(debit) }.payment
        #expect(debited?.provider.id == "one")
        let price = Quote.Breakdown(base: .cents(500), total: .cents(500))
        let quoted = try SaleRequest(
            Quote("one", [.credit: price]), .credit, from: Cards.good(), reference: OrderReference("q"))
        let refused = till.failure { _ = try await after.sale(quoted) }
        #expect(refused?.code == .configuration && refused?.outcome == .notExecuted)
        #expect(till.backend.ledger.movements.count == 2)
    }

    @Test func theFirstRuleThatMatchesWins() throws {
        var routing = Routing(active: "one")
        var euro = Routing.Rule(["two"])
        (euro.currency, euro.minimum, euro.maximum) = (.eur, .cents(1_000), .cents(2_000))
        var taps = Routing.Rule(["three"])
        taps.source = .reader
        var fuel = Routing.Rule(["four"])
        fuel.routingLabel = "fuel"
        routing.rules = [euro, taps, fuel]
        #expect(routing.candidates(.cents(1_000), from: .reader) == ["two"])
        #expect(routing.candidates(.cents(2_000), from: .card) == ["two"])
        #expect(routing.candidates(.cents(999), from: .reader) == ["three"])
        #expect(routing.candidates(.cents(2_001), from: .card, label: "fuel") == ["four"])
        #expect(routing.candidates(.cents(2_001), from: .card) == ["one"])
        routing.draining = ["one"]
        #expect(routing.candidates(.cents(2_001), from: .card).isEmpty)
    }

    @Test func unknownProviderName_isRefusedAtOpening() throws {
        let till = Till()
        #expect(throws: PaymentError(.configuration, outcome: .notExecuted)) {
            try client(till, Routing(active: "three"))
        }
    }
}

/// What an adapter extends the view of its provider with.
@Suite struct ViewExtensionTests {
    private struct Vault: StubDriver {
        static let name = "vault"
        let provider: Provider
        let capabilities = Capabilities(sources: [.card], sendLimit: 0)
        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            .cannotTell("It can't be seen now.")
        }
        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 1_000)
        }
        func classify(_ error: any Error) -> RequestFailure {
            RequestFailure(
                .invalidRequest, .refused, provider: ProviderMessage(code: "1", message: "no token \(error)"))
        }
    }

    private struct Echo: Error, CustomStringConvertible { let description: String }

    @Test func theAdapterIsFoundByItsKindAndItsDoorHidesWhatWentOut() async throws {
        let till = Till()
        let client = try till.client(over: Vault(provider: Provider { _, _, _ in [:] }))
        let view = try client.provider("vault")
        #expect(view.driver(as: Vault.self) != nil && view.driver(as: MemoryDriver.self) == nil)
        for (reads, isHidden) in [(view.queries, false), (view.queries.hiding([Secret("token-of-ours")]), true)] {
            let error = try till.play {
                do { try await reads.exchange { _ in throw Echo(description: "token-of-ours") } } catch {
                    return error as? PaymentError
                }
                return nil
            }
            #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
            #expect(error?.provider?.message.contains("token-of-ours") == !isHidden)
        }
    }
}
