public import PaymentBase

/// A credential of a provider: its name, when it is followed, whether it may be left out, and what it is for.
///
/// The type says how it is used: a `Secret` is read once, when the client opens; a ``SecretSource`` whenever the
/// adapter asks; either may be left out where it is optional.
///
/// ```swift
/// extension ProviderCredentialKey where Value == Secret {
///     static var apiKey: Self { Self("apiKey", "The key of the back office.") }
/// }
/// extension ProviderCredentialKey where Value == Secret? {
///     static var webhookKey: Self { Self("webhookKey", "What webhooks are signed with; without it all are refused.") }
/// }
///
/// credentials: [ProviderCredential(.apiKey), ProviderCredential(.webhookKey)]      // in the entry
/// AcmeDriver(key: try settings[.apiKey], …)                                        // where it is read
/// ```
public struct ProviderCredentialKey<Value: Sendable>: Sendable {
    /// What a configuration may say about it.
    public let credential: ProviderCredential
    let read: @Sendable (ProviderSettings) -> Value?
}

extension ProviderCredentialKey where Value == Secret {
    /// Declares a credential that has to be there.
    ///
    /// - Parameter publicDefault: What a simulated provider accepts without any set-up; nil for every real provider.
    public init(_ key: String, publicDefault: String? = nil, _ summary: String) {
        credential = ProviderCredential(key, publicDefault: publicDefault, summary)
        read = { $0.secrets[key] }
    }
}

extension ProviderCredentialKey where Value == Secret? {
    /// Declares a credential that may be left out.
    ///
    /// - Parameter isExpected: Whether a file to begin with names it all the same.
    public init(_ key: String, isExpected: Bool = false, _ summary: String) {
        credential = ProviderCredential(key, isOptional: true, isExpected: isExpected, summary)
        read = { .some($0.secrets[key]) }
    }

    /// Declares a credential that has to be there unless another one is.
    ///
    /// - Parameter other: The member that stands in for it.
    public init(_ key: String, unless other: String, _ summary: String) {
        credential = ProviderCredential(key, standIn: other, summary)
        read = { .some($0.secrets[key]) }
    }
}

extension ProviderCredentialKey where Value == SecretSource {
    /// Declares a credential that is fetched whenever it is needed.
    public init(_ key: String, _ summary: String) {
        credential = ProviderCredential(key, use: .whenNeeded, summary)
        read = { $0.sources[key] }
    }
}

extension ProviderCredentialKey where Value == SecretSource? {
    /// Declares a credential that is fetched whenever it is needed, and may be left out.
    public init(_ key: String, _ summary: String) {
        credential = ProviderCredential(key, use: .whenNeeded, isOptional: true, summary)
        read = { .some($0.sources[key]) }
    }
}
