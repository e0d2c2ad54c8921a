internal import PaymentBase
internal import PaymentProviderKit

/// Follows no reference: for commands that read the journal and send nothing.
struct NoSecrets: SecretResolver {
    /// What stands for every credential; digits, so that it can be read as a key in hexadecimal as well.
    private let nothing = Secret("00")

    func environment(_ name: String) async throws(SecretFailure) -> Secret { nothing }
    func file(_ path: String) async throws(SecretFailure) -> Secret { nothing }
    func command(_ words: [String]) async throws(SecretFailure) -> Secret { nothing }
}
