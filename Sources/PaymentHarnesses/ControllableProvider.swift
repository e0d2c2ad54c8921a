internal import PaymentAbstraction
internal import PaymentConformance
internal import PaymentSandbox

/// A simulated provider whose tokens a check can end.
protocol ControllableProvider: NotifyingProvider {
    /// Ends every access.
    func revokeTokens()
}

/// A fixture of a provider that can be steered: what differs is how it is opened, and whether refunds wait.
protocol ControllableFixture: ConnectionFixture {
    associatedtype Provider: ControllableProvider
    /// The provider.
    var backend: Provider { get }
}

extension ControllableFixture {
    var notifying: any NotifyingProvider { backend }

    func revoke() -> Bool {
        backend.revokeTokens()
        return true
    }

    func settle() -> Bool { false }

    var ledger: LedgerView { LedgerView(backend.ledger) }
}

extension HaloBackend: ControllableProvider {}
extension MemoryBackend: ControllableProvider {}
extension NIBackend: ControllableProvider {}

extension ARISEBackend: ControllableProvider {
    func revokeTokens() { revokeTokens(refreshToo: false) }
}
