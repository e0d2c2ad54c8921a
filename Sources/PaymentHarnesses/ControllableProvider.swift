public import PaymentSandbox

/// A simulated provider that a check can steer from outside: what is pending, what fails afterwards, its accesses.
///
/// ```swift
/// extension SimulatedAcme: ControllableProvider {}
/// struct AcmeFixture: ControllableFixture { let backend: SimulatedAcme; let connection: ProviderConnection; … }
/// ```
public protocol ControllableProvider: NotifyingProvider {
    /// Ends every access.
    func revokeTokens()
}

extension HaloBackend: ControllableProvider {}
extension MemoryBackend: ControllableProvider {}
extension NIBackend: ControllableProvider {}

extension ARISEBackend: ControllableProvider {
    public func revokeTokens() { revokeTokens(refreshToo: false) }
}
