public import PaymentConformance
internal import PaymentSandbox

/// A fixture of a provider that can be steered: what differs is how it is opened, and whether refunds wait.
public protocol ControllableFixture: ConnectionFixture {
    /// What the provider is.
    associatedtype Provider: ControllableProvider
    /// The provider.
    var backend: Provider { get }
}

extension ControllableFixture {
    /// Ends every access of the provider.
    public func revoke() -> Bool {
        backend.revokeTokens()
        return true
    }

    /// Has the provider decide what is pending under an attempt.
    public func decide(_ attempt: String, succeeds: Bool) -> ProviderNews? {
        backend.decide(attempt, succeeds: succeeds).map(Provider.news)
    }

    /// Has the provider take back what it did under an attempt.
    public func failLater(_ attempt: String) -> ProviderNews? { backend.failLater(attempt).map(Provider.news) }

    public var ledger: LedgerView { LedgerView(backend.ledger) }
}
