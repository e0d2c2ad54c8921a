import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHTTPServer
import PaymentHarnesses
import PaymentJournalKit
import PaymentModel
import PaymentTesting
import Testing

@testable import PaymentService

/// A till that follows the client's rule to the letter behind a proxy that delays, doubles, drops and replaces what it passes on,
/// at each of the five providers: goods are handed over exactly where the provider's ledger has a charge, and what was refunded
/// is what the ledger has as refunded.
struct ProviderProxyTests {
    typealias H = ServiceHarness

    /// What the proxy does with one exchange.
    private enum Fault: CaseIterable {
        case late, twice, requestLost, replyLost, forbidden, gatewayTimeout, pageInstead, pageAfterwards
    }

    /// What a client gets; nil for a broken connection.
    private struct Answer: Sendable {
        let status: Int
        let isOurs: Bool
        let body: JSON
        var retryAfter: Int64 = 1

        init(_ reply: Reply) {
            (status, isOurs, body) = (reply.status, reply["Payments-Version"] != nil, reply.body)
            retryAfter = reply["Retry-After"].flatMap { Int64($0) } ?? 1
        }

        /// An answer of the proxy.
        init(proxy status: Int) { (self.status, isOurs, body) = (status, false, .string("<html>")) }
    }

    /// A service over one simulated provider, with the proxy in front.
    private struct Shop: Sendable {
        let scheduler: TestScheduler
        let fixture: any ConformanceFixture
        let service: PaymentService
        let client: PaymentClient
        /// The fault of each exchange, by its number.
        let fault: @Sendable (Int) -> Fault?
        /// Whether the service says at the end that the attempt is not decided.
        let isOpen = Locked(false)
        private let exchanges = Locked(0)
        /// How often a till sends or asks before it gives up.
        private static let turnsMax = 1_000

        init(_ provider: String, seed: UInt64, _ fault: @escaping @Sendable (Int) -> Fault?) throws {
            let scheduler = TestScheduler(seed: seed)
            let harness = try #require(HarnessRegistry.builtin[provider])
            fixture = try harness.open(scheduler)
            var options = ClientOptions(journal: InMemoryJournal())
            (options.clock, options.random, options.executor) = (scheduler, SeededRandom(seed: seed), scheduler)
            (options.reader, options.scope) = (fixture.reader, "berlin")
            let client = try PaymentClient(try fixture.driver(.open), options)
            self.client = client
            service = try H.service([ServiceShop("berlin", scope: "berlin", client: client)]) { options in
                (options.clock, options.executor) = (scheduler, scheduler)
                options.random = SeededRandom(seed: seed)
            }
            (self.scheduler, self.fault) = (scheduler, fault)
        }

        func rest(_ milliseconds: Int64) async throws {
            try await scheduler.sleep(until: scheduler.now.addingSaturating(milliseconds))
        }

        func pass(_ send: @escaping @Sendable () async throws -> Reply) async throws -> Answer? {
            let number = exchanges.withLock { count in
                count += 1
                return count
            }
            switch fault(number) {
            case nil: return Answer(try await send())
            case .late?:
                try await rest(30_000)
                return Answer(try await send())
            case .twice?:
                async let first = send()
                async let second = send()
                _ = try await first
                return Answer(try await second)
            case .requestLost?: return nil
            case .replyLost?:
                _ = try await send()
                return nil
            case .forbidden?:
                _ = try await send()
                return Answer(proxy: 403)
            case .gatewayTimeout?:
                _ = try await send()
                return Answer(proxy: 504)
            case .pageInstead?: return Answer(proxy: 200)
            case .pageAfterwards?:
                _ = try await send()
                return Answer(proxy: 200)
            }
        }

        /// Does an operation as the rule says; true if it is executed, nil if the till gives up without knowing.
        func carry(_ key: Int, _ path: String, _ body: JSON, believesProxies: Bool = false) async throws -> Bool? {
            var isAsking = false
            for _ in 0..<Self.turnsMax {
                let asks = isAsking
                let answer = try await pass {
                    asks
                        ? try await H.send(
                            service, "GET", "/v1/attempts/\(H.uuid(key))", [], by: .office, wait: 10, [])
                        : try await H.post(service, path, body, key, by: .office, wait: 10)
                }
                guard let answer else { continue }
                guard answer.isOurs else {
                    if !believesProxies { continue }
                    return answer.status < 300
                }
                switch answer.status {
                case 201: return true
                case 402: return false
                case 200 where answer.body["outcome"] == "executed": return true
                case 200 where answer.body["outcome"] == "notExecuted": return false
                case 200, 202:
                    isAsking = true
                    try await rest(answer.retryAfter * 1_000)
                case 500...599: try await rest(answer.retryAfter * 1_000)
                // What is not there was not recorded: it proves nothing, and the same request follows.
                case 404 where asks: isAsking = false
                default:
                    Issue.record("\(path) \(answer.status) \(answer.body)")
                    return nil
                }
            }
            return nil
        }

        /// Runs a till beside what a service has beside its requests: recovery, and the provider's messages.
        func open(_ keys: [Int], _ provider: String, _ till: () async throws -> Bool?) async throws -> Bool? {
            let beside = [
                Task(executorPreference: scheduler) { await news(of: keys, provider) },
                Task(executorPreference: scheduler) { await client.runRecovery() },
            ]
            let end = try await till()
            // What the proxy holds back arrives, and what runs ends.
            try await rest(200_000)
            for task in beside { task.cancel() }
            for task in beside { await task.value }
            return end
        }

        /// The provider decides what is pending and sends what it has to say, until it is cancelled.
        func news(of keys: [Int], _ provider: String) async {
            while !Task.isCancelled {
                do { try await rest(5_000) } catch { return }
                var messages = fixture.pendingWebhooks()
                for key in keys {
                    guard let id = AttemptID(any: H.uuid(key)) else { continue }
                    messages += fixture.trigger(.decided(id, succeeds: true)) ?? []
                }
                for message in messages {
                    let fields = message.headers.map { HTTPField($0.key.lowercased(), $0.value) }
                    let head = RequestHead(method: "POST", target: "/v1/webhooks/\(provider)", fields: fields)
                    _ = await service.response(to: ServerRequest(head, body: message.body))
                }
            }
        }

        /// What an attempt moved to the merchant.
        func taken(_ key: Int) -> Int64 {
            guard let id = AttemptID(any: H.uuid(key)) else { return -1 }
            let ledger = fixture.ledger
            return ledger.sum(of: id, .charge) - ledger.sum(of: id, .reversal)
        }

        /// What an attempt refunded.
        func given(_ key: Int) -> Int64 {
            guard let id = AttemptID(any: H.uuid(key)) else { return -1 }
            let ledger = fixture.ledger
            return ledger.sum(of: id, .refund) + ledger.sum(of: id, .reversal) - ledger.sum(of: id, .returned)
        }
    }

    private static let providers = ["adyen", "arise", "ecommpay", "halo", "ni"]

    /// A sale that the provider plays as a script says; nil where it can't.
    private static func sale(_ shop: Shop, _ provider: String, _ script: SimulatedOutcome) throws -> (JSON, Money)? {
        let isPhone = provider != "ecommpay"
        guard let cue = shop.fixture.scripted(script, .sale, isPhone ? .reader : .wallet) else { return nil }
        var body: JSON = ["amount": MoneyForm.json(cue.amount), "reference": "order-1"]
        if !isPhone {
            body = body.adding("source", "wallet").adding("wallet", "applePay").adding("token", "wallet-payload")
        }
        return (body, cue.amount)
    }

    /// Sells once and compares; what was handed over, or nil where the provider can't play it.
    @discardableResult
    private static func play(
        _ provider: String, _ script: SimulatedOutcome, seed: UInt64 = 1, believesProxies: Bool = false,
        loses: Int? = nil, _ fault: @escaping @Sendable (Int) -> Fault?
    ) throws -> (handed: Bool?, isRight: Bool)? {
        let shop = try Shop(provider, seed: seed, fault)
        guard let (body, amount) = try sale(shop, provider, script) else { return nil }
        if let loses, let lost = InjectedFault.sandbox.first(where: { $0.id == "request.lost" }) {
            shop.fixture.arm(lost, after: loses)
        }
        let handed = try shop.scheduler.run {
            let handed = try await shop.open([1], provider) {
                try await shop.carry(1, "/v1/sales", body, believesProxies: believesProxies)
            }
            let last = try await H.send(shop.service, "GET", "/v1/attempts/\(H.uuid(1))", [], by: .office, [])
            shop.isOpen.withLock { $0 = last.outcome == "unknown" }
            return handed
        }
        // A request that is lost on the service's way to a provider that can't prove that it never came stays open, and says so.
        let mayStayOpen = loses != nil && shop.isOpen.withLock { $0 }
        return (
            handed, shop.taken(1) == (handed == true ? amount.minorUnits : 0) && (handed != nil || mayStayOpen)
        )
    }

    private static let scripts: [SimulatedOutcome] = [
        .approved, .insufficientFunds, .pending, .replyLost, .failsAfter,
    ]

    /// Each fault at each exchange, alone and at all exchanges up to it.
    @Test(arguments: providers)
    func sale_behindEachFaultAtEachPoint_isHandedOverIfItWasCharged(provider: String) throws {
        var (sold, refused) = (0, 0)
        for script in Self.scripts {
            for fault in Fault.allCases {
                for place in 1...3 {
                    for isAlone in place < 3 ? [true] : [true, false] {
                        let end = try Self.play(provider, script) { number in
                            number == place || !isAlone && number < place ? fault : nil
                        }
                        guard let end else { continue }
                        #expect(end.isRight, "\(script) \(fault) at \(place), alone: \(isAlone)")
                        if end.handed == true { sold += 1 } else { refused += 1 }
                    }
                }
            }
        }
        #expect(sold >= 90 && refused >= 30, "\(sold) sold, \(refused) refused")
    }

    /// Faults drawn from seeds, two exchanges of three being bad; a request of the service to its provider is lost as well.
    @Test(arguments: providers)
    func sale_behindABadProxy_isHandedOverIfItWasCharged(provider: String) throws {
        for seed in UInt64(0)..<60 {
            let script = Self.scripts[Int(seed) % Self.scripts.count]
            let random = SeededRandom(seed: seed)
            let end = try Self.play(provider, script, seed: seed, loses: Int(seed) % 4) { _ in
                let drawn = Int(random.next() % 12)
                return drawn < Fault.allCases.count ? Fault.allCases[drawn] : nil
            }
            guard let end else { continue }
            #expect(end.isRight, "seed \(seed): \(script), handed over: \(String(describing: end.handed))")
        }
    }

    /// What is handed over comes back, through the same proxy: what the till refunded is what the ledger refunded.
    @Test(arguments: providers)
    func refund_behindEachFault_refundsOnce(provider: String) throws {
        for fault in Fault.allCases {
            for place in 2...3 {
                let shop = try Shop(provider, seed: 7) { $0 == place ? fault : nil }
                let (body, amount) = try #require(try Self.sale(shop, provider, .approved))
                let given = try shop.scheduler.run {
                    #expect(try await shop.carry(1, "/v1/sales", body) == true)
                    _ = shop.fixture.trigger(.settled)
                    return try await shop.open([2], provider) {
                        try await shop.carry(2, "/v1/payments/\(H.uuid(1))/refunds", ["all": true])
                    }
                }
                #expect(given == true, "\(fault) at \(place)")
                #expect(shop.given(2) == amount.minorUnits, "\(fault) at \(place): \(shop.given(2))")
            }
        }
    }

    /// The faults are real: a till that believes a proxy's statuses hands over what was not paid, or keeps what was.
    @Test(arguments: providers)
    func till_thatBelievesTheProxy_isWrong(provider: String) throws {
        for fault in [Fault.forbidden, .gatewayTimeout, .pageInstead] {
            let end = try Self.play(provider, .approved, believesProxies: true) { $0 == 1 ? fault : nil }
            #expect(end?.isRight == false, "\(fault)")
        }
    }
}
