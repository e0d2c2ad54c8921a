internal import PaymentBase
internal import PaymentProviderKit

/// Follows no reference: for commands that read the journal and send nothing.
struct UnresolvedSecrets: SecretResolver {
    /// What stands for every credential; digits, so that it can be read as a key in hexadecimal as well.
    static let nothing = Secret("00")

    func environment(_ name: String) async throws(SecretResolutionError) -> Secret { Self.nothing }
    func file(_ path: String) async throws(SecretResolutionError) -> Secret { Self.nothing }
    func command(_ words: [String]) async throws(SecretResolutionError) -> Secret { Self.nothing }
}
