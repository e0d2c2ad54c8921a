internal import PaymentBase

/// Keeps the installation's names as long as the process lives.
public final class InMemoryInstallationStore: InstallationStore {
    private let kept = Locked(Installation?.none)
    /// Makes an empty store.
    public init() {}
    public func load() async throws -> Installation? { kept.withLock { $0 } }
    public func save(_ installation: Installation) async throws { kept.withLock { $0 = installation } }
}
