/// What an adapter that can take payments without a network implements. Applications use ``ProviderView/Offline``.
public protocol OfflineDriver: PaymentDriver {
    /// What waits to be forwarded, and until when more may be taken.
    func offlineQueue(_ context: LookupContext) async throws -> OfflineQueue
    /// Forwards what waits; says how many went.
    func forward(_ context: LookupContext) async throws -> Int
}
