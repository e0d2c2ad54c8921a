internal import PaymentBase
public import PaymentTesting

/// What the author of an adapter supplies so that the suite can judge it: a provider, what brings what about, and
/// honesty.
///
/// ```swift
/// struct AcmeHarness: Harness {
///     let name = "acme"
///     let declaration = Declaration(faults: InjectedFault.sandbox)
///     func open(_ scheduler: TestScheduler) throws -> any Fixture { try AcmeFixture(scheduler) }
/// }
/// ```
public protocol ConformanceHarness: Sendable {
    /// The provider's name, as reports and the command line have it.
    var name: String { get }
    /// What the author admits beforehand; whatever differs from it fails.
    var declaration: ConformanceProfile { get }
    /// Opens a fresh provider with empty books, which lives by the stage's clock.
    func open(_ scheduler: TestScheduler) throws -> any ConformanceFixture
}
