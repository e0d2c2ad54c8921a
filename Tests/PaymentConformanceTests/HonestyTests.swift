import MemoryProvider
import PaymentBase
import PaymentConformance
import PaymentCore
import PaymentDriverKit
import PaymentHarnesses
import PaymentTesting
import Testing

/// Nothing passes by silence: what is not declared is refused, what is declared happens, what is let off is said.
@Suite struct HonestyTests {
    private static func check(_ id: String) throws -> Check { try #require(Check.all.first { $0.id == id }) }

    @Test func aSmallDriver_refusingTheRest_reachesCoreAndNoMore() {
        var conformance = ConformanceRunner(MemoryHarness())
        conformance.mutant = .small
        let report = conformance.run()
        let failed = report.results.filter { $0.status == .failed }.map { "\($0.id): \($0.detail)" }
        #expect(failed.isEmpty, "\(failed.joined(separator: "\n"))")
        #expect(report.level == .core && report.next == .inPerson)
        #expect(report.lacking(for: .inPerson) == ["source.reader"] && report.lacking(for: .backOffice) == ["refund"])
        let (declared, count) = report.coverage
        #expect(declared.count < 8 && count > 25, "\(declared) of \(count)")
        let text = ConformanceReport([report]).text
        #expect(text.contains("level core: \(declared.count) of \(count) capabilities"), "\(text.prefix(300))")
        #expect(text.contains("missing for terminal: not declared: source.reader"), "\(text.prefix(300))")
        #expect(text.contains("not at the provider"), "\(text.prefix(300))")
        let silent = report.results.filter { $0.status == .notApplicable }
        #expect(silent.count > 80)
        #expect(silent.allSatisfy { $0.detail.count > 10 })
        #expect(silent.contains { $0.detail == "refund is not declared: refused as unsupported, nothing sent" })
        #expect(report.results.first { $0.id == "amount.foreign-currency" }?.status == .passed)
    }

    @Test func everyNeedIsTheNameOfACapability() throws {
        let scheduler = TestScheduler()
        let driver = try MemoryHarness().open(scheduler).driver(.open)
        let client = try PaymentClient(driver, ClientOptions(journal: .memory))
        let names = Set(try client.provider(driver.identity.id).capabilityTable.entries.map(\.name))
        for check in Check.all { #expect(Set(check.needs).isSubset(of: names), "\(check)") }
    }

    @Test func aWaiverCountsWithAReasonAnOwnerAndADay() throws {
        let check = try Self.check("sale.approved")
        func status(_ waiver: Waiver) -> CheckResult.Status {
            var harness = DeclaringHarness()
            harness.declaration.waivers = [waiver]
            var conformance = ConformanceRunner(harness)
            conformance.mutant = Mutant.all.first { $0.id == "approval.as-decline" }
            return conformance.run(check).status
        }
        #expect(status(Waiver(check.id, reason: "known", owner: "somebody", expires: .max)) == .waived)
        #expect(status(Waiver(check.id, reason: "known", owner: "somebody", expires: 1_000)) == .failed)
        #expect(status(Waiver(check.id, reason: "", owner: "somebody", expires: .max)) == .failed)
        #expect(status(Waiver(check.id, reason: "known", owner: "", expires: .max)) == .failed)
        #expect(status(Waiver("sale.tip", reason: "known", owner: "somebody", expires: .max)) == .failed)
    }

    @Test func theLastLineSaysThatSomethingWasLetOff() throws {
        var harness = DeclaringHarness()
        harness.declaration.waivers = [Waiver("sale.approved", reason: "known", owner: "somebody", expires: .max)]
        var conformance = ConformanceRunner(harness)
        conformance.mutant = Mutant.all.first { $0.id == "approval.as-decline" }
        let provider = conformance.run([try Self.check("sale.approved")])
        let report = ConformanceReport([provider])
        #expect(report.waivers == 1)
        #expect(report.text.hasSuffix("Nothing failed, and 1 were LET OFF by waivers."))
        #expect(provider.level == .backOffice)
        #expect(provider.missing(for: .full) == ["sale.approved"])
    }

    @Test func aFailureNamesTheLevelAndShowsNoSecret() throws {
        var conformance = ConformanceRunner(MemoryHarness())
        conformance.mutant = Mutant.all.first { $0.id == "approval.as-decline" }
        let provider = conformance.run([try Self.check("sale.approved"), try Self.check("sale.from-card")])
        #expect(provider.level == nil)
        #expect(provider.next == .core)
        let text = ConformanceReport([provider]).text
        #expect(text.contains("POST /payments → 200"))
        for secret in ["4111", "737", "memory-client-secret", "mt_"] { #expect(!text.contains(secret)) }
    }

    @Test func currencies_takenAndNotListed_failTheirExponent() throws {
        var harness = DeclaringHarness()
        harness.declaration.currencies = [.eur]
        for exponent in [0, 3, 4] {
            let result = ConformanceRunner(harness).run(try Self.check("amount.exponent-\(exponent)"))
            #expect(result.status == .failed && result.detail.contains("lists none"), "\(result.detail)")
        }
    }

    @Test func level_afterAWalkWithAProblem_isNotReached() throws {
        let sale = try #require(FaultSweepScenario.all.first { "\($0)" == "sale from token" })
        let core = Check.all.filter { $0.level == .core && $0.id.hasPrefix("sale.") }
        var report = ConformanceRunner(MemoryHarness()).run(core, upTo: .core)
        #expect(report.level == .core)
        var walk = FaultSweep(MemoryHarness())
        walk.mutant = Mutant.all.first { $0.id == "lookup.never-tells" }
        walk.every = 10
        report.faults = walk.walk([sale])
        #expect(report.faults?.problems.isEmpty == false)
        #expect(report.level == nil && report.missing(for: .core) == ["fault.walk"])
    }

    @Test func aLevelThatWasNotPlayedIsNotReached() {
        let report = ConformanceRunner(MemoryHarness()).run(upTo: .core)
        #expect(report.level == .core)
        #expect(report.next == nil)
    }

    /// A harness that says that nothing is sent is let off two checks, and has to prove it.
    @Test func aProviderThatSendsMayNotSayThatItSendsNothing() throws {
        var harness = DeclaringHarness()
        let check = try Self.check("sale.sends-nothing")
        #expect(ConformanceRunner(harness).run(check).status == .notApplicable)
        harness.declaration.startsWithoutRequest = "not true"
        let result = ConformanceRunner(harness).run(check)
        #expect(
            result.status == .failed && result.detail.contains("something has to be sent first"), "\(result.detail)")
    }

    /// A harness that says that what never left stays in doubt is let off a second try, and has to prove it.
    @Test func unsentRequest_declaredUnknownAndKnown_fails() throws {
        var harness = DeclaringHarness()
        harness.declaration.unsentIsUnknown = "not true"
        let result = ConformanceRunner(harness).run(try Self.check("attempt.begun-again"))
        #expect(result.status == .failed && result.detail.contains("what never left is"), "\(result.detail)")
    }

    @Test func aDeclaredOpenAttemptThatNeverStaysOpenFails() throws {
        var harness = DeclaringHarness()
        harness.declaration.expectedOpenAttempts[ConformanceProfile.FaultLocation(.debit, "reply.lost")] = .init(
            1, "not true")
        let debit = try #require(FaultSweepScenario.all.first { $0.operation == .debit })
        let report = FaultSweep(harness).walk([debit])
        #expect(report.problems == ["debit under reply.lost stays open in 0 cases, 1 are declared"])
    }

    /// One more or one less is as wrong as none.
    @Test func openAttemptsAreCountedExactly() throws {
        var harness = DeclaringHarness()
        let debit = try #require(FaultSweepScenario.all.first { $0.operation == .debit })
        var walk = FaultSweep(harness)
        walk.mutant = Mutant.all.first { $0.id == "lookup.never-tells" }
        let open = walk.walk([debit]).openPlaces
        #expect(open.count > 5)
        for (place, cases) in open { harness.declaration.expectedOpenAttempts[place] = .init(cases, "nobody can tell") }
        var declared = FaultSweep(harness)
        declared.mutant = walk.mutant
        #expect(declared.walk([debit]).problems.isEmpty)
        let place = ConformanceProfile.FaultLocation(.debit, "reply.lost")
        let cases = try #require(open[place])
        harness.declaration.expectedOpenAttempts[place] = .init(cases + 1, "nobody can tell")
        declared = FaultSweep(harness)
        declared.mutant = walk.mutant
        #expect(
            declared.walk([debit]).problems == [
                "debit under reply.lost stays open in \(cases) cases, \(cases + 1) are declared"
            ])
    }

    @Test func anUndeclaredOpenAttemptFails() throws {
        var walk = FaultSweep(MemoryHarness())
        walk.mutant = Mutant.all.first { $0.id == "lookup.never-tells" }
        let sale = try #require(FaultSweepScenario.all.first { "\($0)" == "sale from token" })
        let report = walk.walk([sale])
        #expect(report.open > 10)
        #expect(report.problems.count == report.open)
    }

    @Test func fault_leftOutWithoutAReason_failsItsChecks() throws {
        let check = try Self.check("lookup.late-arrival")
        var harness = DeclaringHarness()
        harness.declaration.faults = []
        let silent = ConformanceRunner(harness).run(check)
        #expect(silent.status == .failed && silent.detail.contains("reply.lost"), "\(silent.detail)")
        harness.declaration.leaveOut("reply.lost", because: "it loses no reply")
        let said = ConformanceRunner(harness).run(check)
        #expect(said.status == .notApplicable && said.detail.contains("it loses no reply"), "\(said.detail)")
    }

    @Test func aScriptThatIsMissingHasToBeDeclared() throws {
        let check = try Self.check("sale.pending-blocks")
        let silent = ConformanceRunner(DeafHarness()).run(check)
        #expect(silent.status == .failed)
        var harness = DeafHarness()
        harness.declaration.unsupportedOutcomes[.pending] = "it decides at once"
        #expect(ConformanceRunner(harness).run(check).status == .notApplicable)
    }
}

/// A harness that can't play pending payments.
private struct DeafHarness: ConformanceHarness {
    let name = "memory"
    var declaration = MemoryHarness().declaration
    func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture {
        DeafFixture(inner: try MemoryHarness().open(scheduler))
    }
}

private struct DeafFixture: ConformanceFixture {
    let inner: any ConformanceFixture
    func driver(_ interceptor: Interceptor) throws -> any PaymentDriver { try inner.driver(interceptor) }
    var reader: (any CardReader)? { inner.reader }
    func scripted(_ script: SimulatedOutcome, _ operation: PaymentOperation, _ source: PaymentSource.Kind)
        -> TestPayment?
    {
        script == .pending ? nil : inner.scripted(script, operation, source)
    }
    var ledger: LedgerView { inner.ledger }
    func arm(_ fault: InjectedFault, after skipped: Int) { inner.arm(fault, after: skipped) }
    var visitor: @Sendable (_ page: PaymentLink) async -> Void { inner.visitor }
    func signed(_ answer: JSON) -> JSON { inner.signed(answer) }
    func trigger(_ event: ProviderEvent) -> [ProviderWebhook]? { inner.trigger(event) }
}

/// Numbers at their ends, from a candidate's driver and in its books, fail a check and end no run.
@Suite struct HostileBooksTests {
    @Test func sum_ofEntriesBeyondEveryNumber_staysAtTheEnd() throws {
        let attempt = try AttemptID("a")
        let entry = LedgerView.Entry(attempt: "a", payment: "p", .charge, .max, "EUR", cause: "sale")
        #expect(LedgerView([entry, entry], isBalanced: true).sum(of: attempt, .charge) == .max)
    }

    @Test(arguments: [Int64.max, .min, 5_000]) func quote_whosePartsCanNotBeAdded_failsItsCheck(_ total: Int64) throws {
        let check = try #require(Check.all.first { $0.id == "pricing.adds-up" })
        var mutant = Mutant("books.greedy", "Quotes more than there is.", caughtBy: check.id)
        mutant.wrapDriver = { shipped in
            (shipped as? MemoryDriver).map { GreedyDriver(inner: $0, total: total) } ?? shipped
        }
        var conformance = ConformanceRunner(MemoryHarness())
        conformance.mutant = mutant
        let result = conformance.run(check)
        #expect(result.status == .failed && result.detail.contains("the total for"), "\(result.detail)")
    }
}

/// A driver whose prices have no sum.
private struct GreedyDriver: SaleDriver, SessionDriver, PricingDriver {
    let inner: MemoryDriver
    let total: Int64
    var identity: ProviderIdentity { inner.identity }
    var capabilities: Capabilities { inner.capabilities }
    var secrets: [Secret] { inner.secrets }
    var renewalMarginMilliseconds: Int64 { inner.renewalMarginMilliseconds }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { inner.lookupPlan(for: operation) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await inner.lookup(inquiry, context)
    }
    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }
    var accessAddresses: [String] { inner.accessAddresses }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await inner.accessToken(replacing: last, context)
    }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.sale(request, context)
    }
    func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        let most = Money(minorUnits: .max, request.amount.currency)
        var part = Quote.Breakdown(
            base: request.amount, total: Money(minorUnits: total, request.amount.currency))
        (part.surcharge, part.tip, part.tax) = (most, most, most)
        (part.discount, part.cashDiscount) = (Money(minorUnits: .min, most.currency), most)
        return Quote(identity.id, [.credit: part])
    }
}

/// The memory driver with nothing but sessions and sales: what it does not declare must be refused.
struct SmallDriver: SaleDriver, SessionDriver {
    let inner: MemoryDriver
    var identity: ProviderIdentity { inner.identity }
    var secrets: [Secret] { inner.secrets }
    var capabilities: Capabilities {
        var takes = Capabilities(sources: [.card], sendLimit: inner.capabilities.sendLimit)
        takes.currencies = [.eur, .jpy]
        return takes
    }
    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { inner.lookupPlan(for: operation) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        try await inner.lookup(inquiry, context)
    }
    func classify(_ error: any Error) -> RequestFailure { inner.classify(error) }
    var accessAddresses: [String] { inner.accessAddresses }
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await inner.accessToken(replacing: last, context)
    }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.sale(request, context)
    }
}

/// The memory harness with a declaration of the test's own.
struct DeclaringHarness: ConformanceHarness {
    let name = "memory"
    var declaration = MemoryHarness().declaration
    func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture { try MemoryHarness().open(scheduler) }
}

extension Mutant {
    /// Puts the small driver in the place of the shipped one.
    static var small: Mutant {
        var mutant = Mutant("small", "Has sales only.", caughtBy: "")
        mutant.wrapDriver = { shipped in (shipped as? MemoryDriver).map { SmallDriver(inner: $0) } ?? shipped }
        return mutant
    }
}
