internal import PaymentBase
public import PaymentTesting

/// What the author of an adapter supplies so that the kit can judge it: a company, what brings what about, and honesty.
///
/// ```swift
/// struct AcmeHarness: Harness {
///     let name = "acme"
///     let declaration = Declaration(faults: NeutralFault.sandbox)
///     func open(_ stage: Stage) throws -> any Fixture { try AcmeFixture(stage) }
/// }
/// ```
public protocol Harness: Sendable {
    /// The provider's name, as reports and the command line have it.
    var name: String { get }
    /// What the author admits beforehand; whatever differs from it fails.
    var declaration: Declaration { get }
    /// Opens a fresh company with empty books, which lives by the stage's clock.
    func open(_ stage: Stage) throws -> any Fixture
}
