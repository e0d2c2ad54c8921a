internal import PaymentBase
internal import PaymentProviderKit
internal import Payments

/// A secret as a command line names it: never itself, always where it is.
enum SecretOption {
    /// Follows `env:NAME` or `file:PATH`.
    static func read(_ text: String) async throws -> Secret {
        let secrets = SystemSecretResolver()
        do throws(SecretResolutionError) {
            if text.hasPrefix("env:") { return try await secrets.environment(String(text.dropFirst(4))) }
            if text.hasPrefix("file:") { return try await secrets.file(String(text.dropFirst(5))) }
        } catch {
            throw UsageError(message: "\(text) led to nothing: \(error.problem). \(error.advice)")
        }
        throw UsageError(message: "a secret is named as env:NAME or file:PATH, so that nobody sees it among processes")
    }
}
