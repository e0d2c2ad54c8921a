internal import PaymentBase

/// Keeps access as long as the process lives.
public final class MemoryTokenStore: TokenStore {
    private let kept = Locked([ProviderIdentity: Access]())
    /// Makes an empty store.
    public init() {}
    public func load(_ provider: ProviderIdentity) async throws -> Access? { kept.withLock { $0[provider] } }
    public func save(_ access: Access?, for provider: ProviderIdentity) async throws {
        kept.withLock { $0[provider] = access }
    }
}
