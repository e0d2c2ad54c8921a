public import PaymentBase
public import PaymentProviderKit

/// Credentials out of a dictionary, by what stands in the reference.
public struct FixedSecrets: SecretResolver {
    private let values: [String: Secret]

    public init(values: [String: Secret] = [:]) { self.values = values }

    public func environment(_ name: String) async throws(SecretResolutionError) -> Secret {
        guard let value = values[name] else {
            throw SecretResolutionError("the variable is not set", "Set it before the program starts.")
        }
        return value
    }

    public func file(_ path: String) async throws(SecretResolutionError) -> Secret {
        guard let value = values[path] else { throw SecretResolutionError("there is no such file", "Write it.") }
        return value
    }

    public func command(_ words: [String]) async throws(SecretResolutionError) -> Secret {
        guard let value = values[words[0]] else {
            throw SecretResolutionError("there is no such program", "Install it.")
        }
        return value
    }
}
