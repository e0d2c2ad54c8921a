import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentModel
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct ProviderConformanceTests {
    @Test(arguments: HarnessRegistry.builtin.harnesses.map(\.name), Check.all)
    func everyProviderPassesEveryCheck(_ provider: String, _ check: Check) throws {
        let harness = try #require(HarnessRegistry.builtin[provider])
        let result = PlainRun.result(harness, check)
        let trace = result.exchanges.joined(separator: "\n  ")
        #expect(result.status == .passed || result.status == .notApplicable, "\(result.detail)\n  \(trace)")
    }

    /// What is kept of an access names the addresses that it is for, so that it is sent nowhere else.
    @Test(arguments: HarnessRegistry.builtin.harnesses.map(\.name))
    func access_ofEveryDriver_namesItsAddresses(_ provider: String) throws {
        let fixture = try #require(HarnessRegistry.builtin[provider]).open(TestScheduler())
        guard let driver = try fixture.driver(.open) as? any SessionDriver else { return }
        let addresses = driver.accessAddresses
        #expect(!addresses.isEmpty && addresses.allSatisfy { $0.contains("://") }, "\(addresses)")
    }

    /// The order in which ready work runs is drawn from the seed; no check may hang on it.
    @Test(arguments: UInt64(2)...4) func noCheckHangsOnTheSeed(_ seed: UInt64) throws {
        let report = ConformanceRunner(MemoryHarness(), seed: seed).run()
        let failed = report.results.filter { $0.status == .failed }.map { "\($0.id): \($0.detail)" }
        #expect(failed.isEmpty, "seed \(seed): \(failed.joined(separator: "\n"))")
    }
}

@Suite struct FaultSweepTests {
    @Test(arguments: FaultSweepScenario.all) func everyFaultAtEveryExchangeSettles(_ scenario: FaultSweepScenario) {
        let report = FaultSweep(MemoryHarness()).walk([scenario])
        print("\(scenario): \(report.summary)")
        #expect(report.problems.isEmpty, "\(report.problems.prefix(20).joined(separator: "\n"))")
        #expect(report.cases > 40)
        #expect(report.open == 0)
    }

    @Test func pairsOfFaultsSettleToo() throws {
        let sale = try #require(FaultSweepScenario.all.first { "\($0)" == "sale from token" })
        var walk = FaultSweep(MemoryHarness())
        let single = walk.walk([sale])
        walk.walksPairs = true
        let report = walk.walk([sale])
        let classes = InjectedFault.Effect.allCases.count
        #expect(report.problems.isEmpty, "\(report.problems.joined(separator: "\n"))")
        #expect(report.cases == single.cases + single.exchanges * classes * classes)
    }
}

/// What the checks say of the unbroken drivers, each played once however many tests ask: a run is the same every time.
enum PlainRun {
    private static let results = Locked([String: CheckResult]())

    /// What a check says of one of our providers, by function calls and from the first seed.
    static func result(_ harness: any ConformanceHarness, _ check: Check) -> CheckResult {
        let key = "\(harness.name) \(check.id)"
        if let known = results.withLock({ $0[key] }) { return known }
        let result = ConformanceRunner(harness).run(check)
        results.withLock { $0[key] = result }
        return result
    }

    /// What all checks say of it.
    static func report(_ harness: any ConformanceHarness) -> ProviderConformance {
        var report = ProviderConformance(
            id: harness.name, upTo: .full, results: Check.all.map { result(harness, $0) })
        report.declared = ConformanceRunner(harness).declared
        return report
    }
}

/// The same checks over real HTTP on the loopback. The short form: `payctl conformance --front sockets` makes all of
/// them.
@Suite struct SocketFrontTests {
    @Test(arguments: HarnessRegistry.builtin.harnesses.map(\.name)) func everyProviderPassesOverSockets(
        _ name: String
    ) throws {
        let harness = try #require(HarnessRegistry.builtin(over: .sockets)[name])
        let report = ConformanceRunner(harness).run(upTo: name == "memory" ? .full : .core)
        let failed = report.results.filter { $0.status == .failed }.map { "\($0.id): \($0.detail)" }
        #expect(failed.isEmpty, "\(failed.joined(separator: "\n"))")
        #expect(report.level == (name == "memory" ? .full : .core))
    }

    /// One link of each provider: the front is the same for all.
    @Test(arguments: ["adyen", "arise", "ecommpay", "halo", "memory", "ni"]) func aFaultOfEachClassSettlesOverSockets(
        _ name: String
    ) throws {
        let harness = try #require(HarnessRegistry.builtin(over: .sockets)[name])
        var walk = FaultSweep(harness)
        walk.walksClassesOnly = true
        let report = walk.walk()
        print("\(name) over sockets: \(report.summary)")
        #expect(report.problems.isEmpty, "\(report.problems.prefix(20).joined(separator: "\n"))")
        #expect(report.cases == report.exchanges * InjectedFault.Effect.allCases.count)
    }

    @Test func theLineLeavesTheProcess() throws {
        let scheduler = TestScheduler()
        let provider = MemoryBackend(clock: scheduler)
        let connection = try SimulatorConnection([provider], scheduler, .sockets)
        let origin = connection.origin(of: provider.name)
        #expect(origin.host == "127.0.0.1")
        #expect(origin.port > 0)
    }

    @Test func aMutantIsCaughtOverSocketsToo() throws {
        for id in ["approval.as-decline", "lookup.never-tells", "decline.as-approval"] {
            let mutant = try #require(Mutant.all.first { $0.id == id })
            let check = try #require(Check.all.first { $0.id == mutant.caughtBy })
            var conformance = ConformanceRunner(MemoryHarness(.sockets))
            conformance.mutant = mutant
            #expect(conformance.run(check).status == .failed, "\(mutant) survives over sockets")
        }
    }
}

/// What a request costs a simulated provider does not depend on how many payments it has: counted in items that it looks
/// at, not in time.
@Suite struct FlatTests {
    private static let attempt = "flat-attempt"
    private static let reference = "flat-order"

    @Test(arguments: ["adyen", "arise", "ecommpay", "halo", "memory", "ni"])
    func aRequestLooksAtAsManyItemsAfterFiveThousandPayments(_ name: String) throws {
        let few = try Self.visits(name, earlier: 10)
        let (some, many) = (try Self.visits(name, earlier: 1_000), try Self.visits(name, earlier: 5_000))
        // Where a driver looks up in a list, a page of it is looked at; ten payments do not fill one.
        #expect(some == many)
        #expect(few.filter { $0.name != "status" } == many.filter { $0.name != "status" })
        #expect(few.map(\.name) == ["sale", "status", "refund"] && few.allSatisfy { $0.count > 0 })
    }

    private struct Visits: Equatable, Sendable {
        let name: String
        let count: Int
    }

    /// How many items are looked at by a sale, one whose answer is lost and looked up, and a refund.
    private static func visits(_ name: String, earlier: Int) throws -> [Visits] {
        let harness = try #require(HarnessRegistry.builtin[name])
        let found = Locked([Visits]())
        let problem = Locked("")
        let check = Check("flat.\(name)", "No request looks at all payments.", .sale) { context in
            @Sendable func counted(_ name: String, _ body: @Sendable () async throws -> Void) async throws {
                let counter = Locked(0)
                try await StoreVisits.$counter.withValue(counter) { try await body() }
                found.withLock { $0.append(Visits(name: name, count: counter.withLock { $0 })) }
            }
            do {
                _ = try await context.sale(reference: reference, attempt: try AttemptID(attempt))
                try fill(context, earlier)
                // What was there before lies an hour back.
                try await context.scheduler.sleep(until: context.scheduler.now + 3_600_000)
                let sold = try AttemptID("flat-counted")
                let scripted = try context.scripted()
                let request = SaleRequest(scripted.amount, from: scripted.source, reference: "counted")
                try await counted("sale") { _ = try await context.client.sale(request, attempt: sold) }
                guard let payment = try await context.client.status(sold).payment else { return }
                let fault = InjectedFault.sandbox.first { $0.id == "reply.lost" }
                if let fault { context.fixture.arm(fault, after: 0) }
                let doubtful = try context.scripted()
                let again = SaleRequest(doubtful.amount, from: doubtful.source, reference: "doubtful")
                try await counted("status") { _ = try? await context.client.sale(again) }
                _ = context.fixture.trigger(.settled)
                try await counted("refund") { _ = try await context.client.refund(payment.id) }
            } catch {
                problem.withLock { $0 = "\(error)" }
            }
        }
        _ = ConformanceRunner(harness).run(check)
        #expect(problem.withLock { $0 }.isEmpty, "\(problem.withLock { $0 })")
        return found.withLock { $0 }
    }

    /// Gives the provider as many payments as are wanted, each like the one that it has, under names of its own.
    private static func fill(_ context: CheckContext, _ count: Int) throws {
        let provider = try #require((context.fixture as? any SimulatorFixture)?.notifying as? any StatefulProvider)
        guard var state = provider.snapshot().object else { throw CheckFailure("there is no snapshot") }
        var names: Set<String> = [attempt, reference]
        for member in ["payments", "transactions", "orders", "records"] {
            if let name = state[member]?[0]?.object?.members.first?.value.string { names.insert(name) }
        }
        for (key, value) in state.members.map({ ($0.key, $0.value) }) where key != "terminals" && key != "messages" {
            if let items = value.array, let last = items.last, renamed(last, names, 0) != last {
                state[key] = .array(items + (0..<count).map { renamed(last, names, $0) })
            } else if var object = value.object, let last = object.members.last {
                guard names.contains(last.key) || renamed(last.value, names, 0) != last.value else { continue }
                for number in 0..<count { object["\(last.key)-\(number)"] = renamed(last.value, names, number) }
                state[key] = .object(object)
            }
        }
        guard provider.restore(.object(state)) else { throw CheckFailure("the copies can't be read") }
    }

    private static func renamed(_ json: JSON, _ names: Set<String>, _ number: Int) -> JSON {
        switch json {
        case .string(let text): names.contains(text) ? .string("\(text)-\(number)") : json
        case .array(let items): .array(items.map { renamed($0, names, number) })
        case .object(let object):
            .object(
                object.members.reduce(into: JSONObject()) { copy, member in
                    copy[member.key] = renamed(member.value, names, number)
                })
        case .null, .bool, .number: json
        }
    }
}

/// Under every reading of the documents the journal says of money what the books say; the whole suite under each is a
/// step of its own in CI.
@Suite struct ReadingTests {
    /// One check for each way in which money moves or doesn't.
    private static let names: Set<String> = [
        "sale.from-reader", "sale.insufficient-funds", "sale.from-saved", "sale.saved-declined", "sale.debit-declined",
        "refund.part", "refund.unlinked-reader", "capture.part", "lookup.reply-lost", "lookup.late-arrival",
        "reader.cancel-waiting", "sale.tip",
    ]
    private static let checks = Check.all.filter { names.contains($0.id) }

    @Test func theChecksAreThere() { #expect(Self.checks.count == Self.names.count) }

    private static let harnesses: [any VariantHarness] = [
        AdyenHarness(), ARISEHarness(), EcommpayHarness(), HaloHarness(), NIHarness(),
    ]

    @Test(arguments: harnesses.flatMap { harness in harness.playable.map(\.id) })
    func noReadingMisreportsMoney(_ reading: String) throws {
        let harness = try #require(Self.harnesses.first { reading.hasPrefix($0.name + ".") })
        let known = try #require(harness.readings.first { $0.id == reading })
        let report = try #require(harness.readingReports(Self.checks, only: [reading]).first)
        let worse = report.worse.map { "\($0.check): \($0.status.rawValue): \($0.detail)" }
        #expect(!report.outcomes.isEmpty)
        #expect(report.misreported == 0, "\(worse)")
        let isMet = known.isMet(by: report)
        #expect(isMet, "\(worse)")
    }

    /// Drivers that are broken on purpose tell something else than the books, and that is seen.
    @Test func aDriverThatMisreportsIsSeen() throws {
        let misreporting = Mutant.all.filter { mutant in
            guard let check = Check.all.first(where: { $0.id == mutant.caughtBy }) else { return false }
            var conformance = ConformanceRunner(MemoryHarness())
            conformance.mutant = mutant
            return conformance.outcome(of: check).status == .misreported
        }
        #expect(misreporting.count >= 5, "\(misreporting)")
    }

    @Test func whatIsOpenIsUnknownAndNotMisreported() throws {
        let harness = AdyenHarness()
        let check = try #require(Check.all.first { $0.id == "capture.part" })
        let silent = ConformanceRunner(harness.using(variant: "adyen.webhook.delivery.none"))
        #expect(silent.outcome(of: check).status == .leftOpen)
    }

    @Test func aReadingThatIsNotPlayedIsNoHarness() {
        let harness = AdyenHarness().using(variant: "adyen.expire.expires")
        #expect(ConformanceRunner(harness).outcome(of: Check.all[0]).status == .leftOpen)
    }
}
