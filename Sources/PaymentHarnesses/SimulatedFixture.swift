package import PaymentConformance
package import PaymentSandbox

/// A fixture whose provider is one of the sandbox's.
package protocol SimulatedFixture: Fixture {
    /// The provider, which decides and tells of it.
    var notifying: any NotifyingProvider { get }
}
