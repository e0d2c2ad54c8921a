public import PaymentBase

/// One member of a provider's `credentials` as entries list it; a ``ProviderCredentialKey`` declares it.
public struct ProviderCredential: Hashable, Sendable {
    /// When the reference is followed.
    public enum Use: String, Hashable, Sendable, CaseIterable {
        /// Once, when the client opens: a key or a secret that stays.
        case once
        /// Whenever the adapter asks: a token that another program renews.
        case whenNeeded
    }

    /// The member's name.
    public let key: String
    /// When the reference is followed.
    public let use: Use
    /// Whether it may be left out.
    public let isOptional: Bool
    /// Another credential that stands in for it where it is left out; nil for one that nothing stands in for.
    public let standIn: String?
    /// Whether a file to begin with names it although it may be left out.
    public let isExpected: Bool
    /// What a simulated provider accepts without any set-up, known to everyone; nil for every real provider.
    public let publicDefault: String?
    /// What it is for, as one sentence.
    public let summary: String

    /// What a key declares.
    public init<Value>(_ key: ProviderCredentialKey<Value>) { self = key.credential }

    init(
        _ key: String, use: Use = .once, isOptional: Bool = false, standIn: String? = nil, isExpected: Bool = false,
        publicDefault: String? = nil, _ summary: String
    ) {
        (self.key, self.use, self.publicDefault, self.summary) = (key, use, publicDefault, summary)
        self.standIn = standIn
        self.isOptional = isOptional || publicDefault != nil
        self.isExpected = isExpected || !self.isOptional
    }
}

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
    /// - Parameters:
    ///   - key: The member of the configuration.
    ///   - summary: What it is, in one line.
    ///   - publicDefault: What a simulated provider accepts without any set-up; nil for every real provider.
    public init(_ key: String, publicDefault: String? = nil, _ summary: String) {
        credential = ProviderCredential(key, publicDefault: publicDefault, summary)
        read = { $0.secrets[key] }
    }
}

extension ProviderCredentialKey where Value == Secret? {
    /// Declares a credential that may be left out.
    ///
    /// - Parameters:
    ///   - key: The member of the configuration.
    ///   - summary: What it is, in one line.
    ///   - isExpected: Whether a file to begin with names it all the same.
    public init(_ key: String, isExpected: Bool = false, _ summary: String) {
        credential = ProviderCredential(key, isOptional: true, isExpected: isExpected, summary)
        read = { .some($0.secrets[key]) }
    }

    /// Declares a credential that has to be there unless another one is.
    ///
    /// - Parameters:
    ///   - key: The member of the configuration.
    ///   - summary: What it is, in one line.
    ///   - other: The member that stands in for it.
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
