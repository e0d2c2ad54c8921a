internal import PaymentBase
internal import PaymentProviderKit

/// Follows references to secrets and remembers what they led to, so that nothing of it is recorded.
final class RememberingSecrets: SecretResolver {
    private let inner: any SecretResolver
    private let seen: Locked<[Secret]>

    init(_ inner: any SecretResolver, _ known: [Secret]) { (self.inner, seen) = (inner, Locked(known)) }

    /// Every secret so far.
    var all: [Secret] { seen.withLock { $0 } }

    private func remember(_ secret: Secret) -> Secret {
        seen.withLock { $0.append(secret) }
        return secret
    }

    func environment(_ name: String) async throws(SecretResolutionError) -> Secret {
        remember(try await inner.environment(name))
    }
    func file(_ path: String) async throws(SecretResolutionError) -> Secret { remember(try await inner.file(path)) }
    func command(_ words: [String]) async throws(SecretResolutionError) -> Secret {
        remember(try await inner.command(words))
    }
}
