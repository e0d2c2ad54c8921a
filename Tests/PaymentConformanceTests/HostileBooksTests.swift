import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import Testing

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
    func accessToken(replacing last: AccessToken?, _ context: SessionContext) async throws -> AccessToken {
        try await inner.accessToken(replacing: last, context)
    }
    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await inner.sale(request, context)
    }
    func quote(_ request: QuoteRequest, _ context: LookupContext) async throws -> Quote {
        let most = Money(minorUnits: .max, request.amount.currency)
        var part = AmountBreakdown(
            base: request.amount, total: Money(minorUnits: total, request.amount.currency))
        (part.surcharge, part.tip, part.tax) = (most, most, most)
        (part.discount, part.cashDiscount) = (Money(minorUnits: .min, most.currency), most)
        return Quote(identity.id, [.credit: part])
    }
}
