/// One member of a provider's `credentials` as entries list it; a ``ProviderCredentialKey`` declares it.
public struct ProviderCredential: Hashable, Sendable {
    /// When the reference is followed.
    public enum Use: String, Hashable, Sendable, CaseIterable {
        /// Once, when the client opens: a key or a secret that stays.
        case once
        /// Whenever the adapter asks: a token that somebody else renews.
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
