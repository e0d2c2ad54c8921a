internal import PaymentBase

/// Keeps access as long as the process lives.
public final class InMemoryTokenStore: TokenStore {
    private let kept = Locked([ProviderIdentity: AccessToken]())
    /// Makes an empty store.
    public init() {}
    public func load(_ provider: ProviderIdentity) async throws -> AccessToken? { kept.withLock { $0[provider] } }
    public func save(_ access: AccessToken?, for provider: ProviderIdentity) async throws {
        kept.withLock { $0[provider] = access }
    }
}
