internal import PaymentBase

/// Keeps access as long as the process lives.
public final class MemoryTokenStore: TokenStore {
    private let kept = Locked([ProviderIdentity: ProviderAccess]())
    /// Makes an empty store.
    public init() {}
    public func load(_ provider: ProviderIdentity) async throws -> ProviderAccess? { kept.withLock { $0[provider] } }
    public func save(_ access: ProviderAccess?, for provider: ProviderIdentity) async throws {
        kept.withLock { $0[provider] = access }
    }
}
