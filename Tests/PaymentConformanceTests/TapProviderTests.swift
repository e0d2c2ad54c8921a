import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentHarnesses
import PaymentTesting
import PaymentTransport
import Testing

/// Providers whose cards are tapped: the whole suite, every fault, and two days at the till.
@Suite struct TapProviderTests {
    static let harnesses: [any ConformanceHarness] = [NIHarness(), HaloHarness()]

    @Test(arguments: harnesses.map(\.name)) func eachTapProvider_reachesTheLevelThatItsCapabilitiesCover(_ name: String)
        throws
    {
        let harness = try #require(HarnessRegistry.builtin[name])
        let report = PlainRun.report(harness)
        // Halo has no authorization, capture or void, which the highest level is about.
        #expect(report.level == (name == "halo" ? .backOffice : .full))
        #expect(report.lacking(for: .full) == (name == "halo" ? ["authorize", "capture.partial", "void"] : []))
        #expect(report.results.allSatisfy { $0.status == .passed || $0.status == .notApplicable })
        #expect(report.results.filter { $0.status == .notApplicable }.allSatisfy { $0.detail.count > 8 })
    }

    /// By operation, so that no test holds a thread for long.
    @Test(
        arguments: harnesses.map(\.name),
        Set(FaultSweepScenario.all.map(\.operation)).sorted { $0.rawValue < $1.rawValue })
    func pairsOfFaultsEndAsDeclaredToo(_ name: String, _ operation: PaymentOperation) throws {
        var walk = FaultSweep(try #require(HarnessRegistry.builtin[name]))
        walk.walksPairs = true
        // A share of the cases; `payctl conformance --faults --pairs` plays all.
        walk.every = 17
        let scenarios = FaultSweepScenario.all.filter { $0.operation == operation }
        let report = walk.walk(scenarios)
        if report.cases > 0 { print("\(name), \(operation), single faults and pairs: \(report.summary)") }
        #expect(report.problems.isEmpty, "\(report.problems.prefix(20).joined(separator: "\n"))")
    }

    /// A payment every ten minutes for two days: nothing fails for a lapsed token, and renewals come one at a time.
    @Test(arguments: harnesses.map(\.name)) func noPaymentFailsForALapsedTokenInTwoDays(_ name: String) throws {
        let harness = try #require(HarnessRegistry.builtin[name])
        let scheduler = TestScheduler()
        let fixture = try harness.open(scheduler)
        let counts = Locked((under: 0, most: 0, tokens: 0, afterTap: 0, tapped: false))
        let interceptor = Interceptor { (request, next) async throws(TransportFailure) in
            let isToken = TapProviderTests.tokenPaths.contains { request.path.hasSuffix($0) }
            guard isToken else { return try await next(request) }
            counts.withLock { counts in
                counts.under += 1
                counts.tokens += 1
                counts.most = max(counts.most, counts.under)
                if counts.tapped { counts.afterTap += 1 }
            }
            defer { counts.withLock { $0.under -= 1 } }
            return try await next(request)
        }
        let driver = try fixture.driver(interceptor)
        var given = ClientOptions(journal: .memory)
        (given.clock, given.executor, given.reader) = (scheduler, scheduler, fixture.reader)
        let client = try PaymentClient(driver, given)
        let scripted = try #require(fixture.scripted(.approved, .sale, .reader))
        let paid = try scheduler.run {
            var paid = 0
            for number in 0..<288 {
                let attempt = try AttemptID("ten-\(number)")
                let result = try await client.sale(
                    scripted.amount, from: scripted.source, reference: "o-\(number)", attempt: attempt)
                if result.payment != nil { paid += 1 }
                try await scheduler.sleep(until: scheduler.now + 600_000)
            }
            return paid
        }
        let end = counts.withLock { $0 }
        print("\(name): \(paid) payments in two days, \(end.tokens) requests for tokens")
        #expect(paid == 288)
        #expect(end.most == 1)
        #expect(fixture.ledger.entries.count == 288)
        #expect(end.tokens >= 2)
    }

    static let tokenPaths = ["/access-token", "/devices/auth", "/payment-card-reader-token", "/apple/proximity-token"]
}
