public import PaymentSimulator

/// A simulated provider that a check can steer from outside: what is pending, what fails afterwards, its accesses.
///
/// ```swift
/// extension SimulatedAcme: RevocableProvider {}
/// struct AcmeFixture: ControllableFixture { let backend: SimulatedAcme; let connection: SimulatorConnection; … }
/// ```
public protocol RevocableProvider: WebhookSendingProvider {
    /// Ends every access.
    func revokeTokens()
}

extension HaloSimulator: RevocableProvider {}
extension MemoryBackend: RevocableProvider {}
extension NISimulator: RevocableProvider {}

extension ARISESimulator: RevocableProvider {
    public func revokeTokens() { revokeTokens(refreshToo: false) }
}
