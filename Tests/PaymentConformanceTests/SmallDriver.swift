import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentConformance
import PaymentHarnesses
import PaymentTesting

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
