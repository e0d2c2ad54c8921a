public import PaymentConformance
public import PaymentSimulator

/// A fixture of a provider that can be steered: what differs is how it is opened, and whether refunds wait.
public protocol ControllableFixture: SimulatorFixture {
    /// What the provider is.
    associatedtype Provider: RevocableProvider
    /// The provider.
    var backend: Provider { get }
}

extension ControllableFixture {
    /// Ends every access of the provider.
    public func revoke() -> Bool {
        backend.revokeTokens()
        return true
    }

    /// The provider itself.
    public var notifying: (any WebhookSendingProvider)? { backend }

    public var ledger: LedgerView { LedgerView(backend.ledger) }
}
