import ARISEProvider
import AdyenProvider
import EcommpayProvider
import HaloProvider
import NetworkInternationalProvider
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import Testing

/// A gateway in front of a provider: each request that moves money is carried out, and answered with a bare status.
struct RefusingGateway: SimulatorService {
    private let provider: JudgedService
    private let status: Int
    private let ledger: @Sendable () -> Ledger
    /// How many requests were carried out.
    let executed = Locked(0)

    init(_ provider: any SimulatedProvider, _ status: Int, _ ledger: @escaping @Sendable () -> Ledger) {
        (self.provider, self.status, self.ledger) = (JudgedService(provider), status, ledger)
    }

    func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        let before = ledger().movements.count
        let answer = await provider.answer(request)
        guard ledger().movements.count > before else { return answer }
        executed.withLock { $0 += 1 }
        var response = HTTPResponse(status, headers: ["Content-Type": "text/html"])
        response.body = Array("<html><body><h1>\(status)</h1></body></html>".utf8)
        if status == 429 { response.headers["Retry-After"] = "1" }
        if (300..<400).contains(status) { response.headers["Location"] = "http://elsewhere.invalid/" }
        return .reply(response)
    }
}

/// A gateway refuses a sale that the provider has carried out: it is charged once, and a lookup finds it.
@Suite struct RefusedAfterTests {
    enum Adapter: String, CaseIterable { case adyen, arise, ecommpay, halo, ni }

    /// What became of a sale: how many requests were carried out, what the caller got, and what a look a day later found.
    struct Outcome: CustomStringConvertible {
        let executed: Int
        let told: String
        let later: String
        var description: String { "\(executed) executed; \(told); later \(later)" }
    }

    @Test(arguments: Adapter.allCases, [401, 403, 404, 307, 308, 429])
    func sale_refusedByAGatewayAfterItWasCarriedOut_isChargedOnceAndFound(adapter: Adapter, status: Int) throws {
        #expect(try "\(Self.sell(adapter, status))" == "1 executed; approved 15.00; later approved")
    }

    static func sell(_ adapter: Adapter, _ status: Int) throws -> Outcome {
        switch adapter {
        case .adyen:
            let till = AdyenTill()
            let gateway = RefusingGateway(till.backend, status) { [backend = till.backend] in backend.ledger }
            let line = InProcessTransport([AdyenTill.origin: gateway], clock: till.scheduler)
            let sale = SaleRequest(Money(minorUnits: 1_500, .eur), from: .reader, reference: "o-1")
            return try outcome(sale, try till.client(over: line), till.scheduler, till.journal, gateway)
        case .arise:
            let bench = ARISEBench()
            let gateway = RefusingGateway(bench.backend, status) { [backend = bench.backend] in backend.ledger }
            let line = InProcessTransport([ARISEBench.origin: gateway], clock: bench.scheduler)
            var given = ClientOptions(journal: bench.journal)
            (given.clock, given.executor, given.random) = (bench.scheduler, bench.scheduler, SeededRandom(seed: 1))
            let driver = ARISEDriver(bench.configuration, line, crypto: OpenSSLCrypto())
            let sale = SaleRequest(.dollars(1_500), from: try ARISEBench.card(), reference: "o-1")
            return try outcome(sale, try PaymentClient(driver, given), bench.scheduler, bench.journal, gateway)
        case .ecommpay:
            var till = EcommpayTill()
            let gateway = RefusingGateway(till.backend, status) { [backend = till.backend] in backend.ledger }
            till.tools.transport = InProcessTransport([till.configuration.gate: gateway], clock: till.scheduler)
            let sale = try EcommpayTill.request(1_500)
            return try outcome(sale, try till.client(), till.scheduler, till.journal, gateway)
        case .halo:
            var till = HaloTill()
            let gateway = RefusingGateway(till.backend, status) { [backend = till.backend] in backend.ledger }
            till.tools.transport = InProcessTransport([Origin(.http, "halo.test"): gateway], clock: till.scheduler)
            let sale = SaleRequest(Money(minorUnits: 1_500, .zar), from: .reader, reference: "o-1")
            return try outcome(sale, try till.client(), till.scheduler, till.journal, gateway)
        case .ni:
            var till = NITill()
            let gateway = RefusingGateway(till.backend, status) { [backend = till.backend] in backend.ledger }
            till.tools.transport = InProcessTransport([Origin(.http, "ni.test"): gateway], clock: till.scheduler)
            let sale = SaleRequest(.aed(1_500), from: .reader, reference: "o-1")
            return try outcome(sale, try till.client(), till.scheduler, till.journal, gateway)
        }
    }

    private static func outcome(
        _ sale: SaleRequest, _ client: PaymentClient, _ scheduler: TestScheduler, _ journal: InMemoryJournal,
        _ gateway: RefusingGateway
    ) throws -> Outcome {
        try scheduler.run {
            let attempt = try AttemptID("a-1")
            let told: String
            do {
                let result = try await client.sale(sale, attempt: attempt)
                told = result.payment.map { "approved \($0.approved.decimalText)" } ?? "\(result)"
            } catch let error as PaymentError { told = "\(error.code.rawValue) \(error.outcome)" }
            try await scheduler.sleep(until: scheduler.now + 86_400_000)
            _ = try? await client.recover()
            let later = word(try await journal.record(attempt)?.state)
            return Outcome(executed: gateway.executed.withLock { $0 }, told: told, later: later)
        }
    }

    private static func word(_ state: Attempt.State?) -> String {
        switch state {
        case .inDoubt: "in doubt"
        case .notExecuted: "not executed"
        case .some(let state): state.rawValue
        case nil: "nothing written"
        }
    }
}

/// What the adapters take for granted, against what the simulated providers play.
@Suite struct AssumptionTests {
    private static let entries: [ProviderDefinition] = [.adyen, .arise, .ecommpay, .halo, .ni]
    private static let adapters = entries.map(\.adapter)

    private static func entry(_ name: String) throws -> ProviderDefinition {
        try #require(entries.first { $0.adapter == name })
    }

    /// The adapter's list is written beside the adapter, the sandbox's beside the simulated company: the same places,
    /// and the adapter takes for granted what is played when nothing is named.
    @Test(arguments: adapters) func whatTheAdapterTakesForGrantedIsWhatIsPlayed(_ name: String) throws {
        let assumed = try Self.entry(name).assumptions.map(\.id)
        let usual = SimulatorRegistry.readings.filter { $0.isUsual && $0.place.hasPrefix(name + ".") }.map(\.id)
        #expect(Set(assumed) == Set(usual))
        #expect(assumed.count == usual.count)
    }

    @Test(arguments: adapters) func everySettingThatIsNamedIsThere(_ name: String) throws {
        let entry = try Self.entry(name)
        let keys = Set(entry.settings.map(\.key) + entry.credentials.map(\.key) + ["currencies", "endpoint"])
        for one in entry.assumptions {
            // Settings of the provider's say whose they are.
            guard let setting = one.setting, !setting.contains("(") else { continue }
            #expect(keys.contains(setting), "\(one.id) names \(setting)")
        }
    }
}
