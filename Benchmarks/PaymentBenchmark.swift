import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentTesting
import PaymentTransport

/// What a sale costs in client and adapter, per provider and link, and whether it costs more after many others.
///
/// Everything runs on one thread with the simulated provider behind a door in the same process. The time behind that door
/// is measured apart; what is left is the client's and the adapter's, and without the time of a client around a driver that
/// does nothing it is the adapter's.
enum PaymentBenchmark {
    /// How many sales one figure is taken of.
    private static let salesInRound = 40
    /// How many payments a small and a large history hold, without `--payments`.
    private static let sizes = (small: 10, large: 2_000)

    /// What a provider is paid from here.
    static func source(of capabilities: Capabilities) -> PaymentSource.Kind {
        let order: [PaymentSource.Kind] = [.card, .reader, .token, .saved, .wallet, .external, .bank, .page]
        return order.first { capabilities.sources.contains($0) } ?? .card
    }

    static func run(_ options: BenchmarkOptions) throws -> [BenchmarkResult] {
        let names = HarnessRegistry.builtin.harnesses.map(\.name).filter { options.only.map($0.contains) ?? true }
        let large = options.payments ?? sizes.large
        var results: [BenchmarkResult] = []
        let still = try StillTill()
        try still.sell(salesInRound)
        for name in names {
            guard let harness = HarnessRegistry.builtin[name] else { continue }
            let (fresh, old) = (try ProviderTill(harness), try ProviderTill(harness))
            _ = try fresh.sell(sizes.small)
            for _ in 0..<(large / salesInRound) { _ = try old.sell(salesInRound) }
            var (client, adapter, provider) = ([Double](), [Double](), [Double]())
            var (mine, theirs) = ([Double](), [Double]())
            for _ in 0..<options.rounds {
                let alone = try still.sell(salesInRound)
                let (early, late) = (try fresh.sell(salesInRound), try old.sell(salesInRound))
                client.append(alone)
                adapter.append(early.ours - alone)
                provider.append(early.theirs)
                mine.append(late.ours / early.ours)
                theirs.append(early.theirs > 0 ? late.theirs / early.theirs : 1)
            }
            if results.isEmpty { results.append(BenchmarkResult("client alone, a sale", unit: "µs", samples: client)) }
            results += [
                BenchmarkResult("\(name), adapter, a sale", unit: "µs", samples: adapter),
                BenchmarkResult("\(name), simulated provider, a sale", unit: "µs", samples: provider),
                BenchmarkResult("\(name), client and adapter after \(large)", unit: "times", samples: mine),
                BenchmarkResult("\(name), simulated provider after \(large)", unit: "times", samples: theirs),
            ]
        }
        return results
    }
}

/// A client around a driver that does nothing.
struct StillTill {
    private let scheduler = TestScheduler()
    private let client: PaymentClient
    private let numbers = Locked(0)

    init() throws {
        var dependencies = ClientOptions(journal: .memory)
        (dependencies.clock, dependencies.executor) = (scheduler, scheduler)
        dependencies.random = SeededRandom(seed: 1)
        client = try PaymentClient(StillDriver(), dependencies)
    }

    /// Makes so many sales; how long one took in microseconds.
    @discardableResult func sell(_ count: Int) throws -> Double {
        let card = PaymentSource.card(
            try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, securityCode: "737"))
        let amount = Money(minorUnits: 2_500, .eur)
        let nanoseconds = try scheduler.run { [client, numbers] in
            let start = ContinuousClock().now
            for _ in 0..<count {
                let number = numbers.next()
                _ = try await client.sale(SaleRequest(amount, from: card, reference: "order-\(number)"))
            }
            return (ContinuousClock().now - start).nanoseconds
        }
        return Double(nanoseconds) / 1_000 / Double(count)
    }
}

/// A client over a provider's adapter, with its simulated provider behind a door that is watched.
private struct ProviderTill {
    private let scheduler = TestScheduler()
    private let client: PaymentClient
    private let fixture: any ConformanceFixture
    private let source: PaymentSource.Kind
    private let numbers = Locked(0)
    private let behind = Locked<Int64>(0)

    init(_ harness: any ConformanceHarness) throws {
        fixture = try harness.open(scheduler)
        let door = Interceptor { [behind] (request, next) async throws(TransportFailure) in
            let start = ContinuousClock().now
            defer { behind.withLock { $0 += (ContinuousClock().now - start).nanoseconds } }
            return try await next(request)
        }
        let driver = try fixture.driver(door)
        var dependencies = ClientOptions(journal: .memory)
        (dependencies.clock, dependencies.executor) = (scheduler, scheduler)
        (dependencies.reader, dependencies.answers) = (fixture.reader, CheckContext.defaultHandlers)
        dependencies.random = SeededRandom(seed: 2)
        dependencies.answers.handle(PaymentLink.self) { [visitor = fixture.visitor] page in
            await visitor(page)
            return true
        }
        client = try PaymentClient(driver, dependencies)
        source = PaymentBenchmark.source(of: driver.capabilities)
    }

    /// Makes so many sales; how long one took in microseconds on our side of the door and behind it.
    func sell(_ count: Int) throws -> (ours: Double, theirs: Double) {
        behind.withLock { $0 = 0 }
        let nanoseconds = try scheduler.run { [client, numbers, fixture, source] in
            var sum: Int64 = 0
            for _ in 0..<count {
                guard let scripted = fixture.scripted(.approved, .sale, source) else { throw Unplayable() }
                let request = scripted.request("order-\(numbers.next())")
                let start = ContinuousClock().now
                _ = try await client.sale(request)
                sum += (ContinuousClock().now - start).nanoseconds
            }
            return sum
        }
        let theirs = behind.withLock { $0 }
        return (Double(nanoseconds - theirs) / 1_000 / Double(count), Double(theirs) / 1_000 / Double(count))
    }

    private struct Unplayable: Error {}
}

extension Locked where State == Int {
    /// The next number.
    fileprivate func next() -> Int {
        withLock { number in
            number += 1
            return number
        }
    }
}
