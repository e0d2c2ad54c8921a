public import PaymentBase

/// Follows references to credentials on this machine; `Payments` has the one for environment, files and programs.
///
/// A test needs a dictionary:
///
/// ```swift
/// struct Fixed: SecretResolver {
///     let values: [String: Secret]
///     func environment(_ name: String) async throws(SecretResolutionError) -> Secret {
///         guard let value = values[name] else { throw SecretResolutionError("it is not set", "Set it.") }
///         return value
///     }
///     func file(_ path: String) async throws(SecretResolutionError) -> Secret { try await environment(path) }
///     func command(_ words: [String]) async throws(SecretResolutionError) -> Secret { try await environment(words[0])
/// } }
/// ```
public protocol SecretResolver: Sendable {
    /// The value of an environment variable.
    func environment(_ name: String) async throws(SecretResolutionError) -> Secret
    /// The one line of a file.
    func file(_ path: String) async throws(SecretResolutionError) -> Secret
    /// The one line that a program prints.
    func command(_ words: [String]) async throws(SecretResolutionError) -> Secret
}
