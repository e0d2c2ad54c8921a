public import PaymentTransport

/// One of the worlds that a provider runs, such as its sandbox or the real one.
public struct ProviderEnvironment: Hashable, Sendable {
    /// Its name, such as `sandbox`, `uat` or `production`.
    public let name: String
    /// Where the provider is; nil when a configuration has to say it.
    public let endpoint: Origin?
    /// Whether addresses may be plain `http` beyond this machine: only for providers that are simulated.
    public var allowsPlainHTTP = false
    /// Credentials that a simulated provider accepts without any set-up, known to everyone, by key; empty for real
    /// ones.
    public var publicCredentials: [String: String] = [:]
    /// The merchant's account at a simulated provider; nil for real ones.
    public var publicMerchant: String?
    /// What settings have here when a configuration leaves them out; goes before the setting's own default.
    public var defaults: [String: SettingValue] = [:]

    /// Makes an environment.
    public init(_ name: String, endpoint: Origin?, defaults: [String: SettingValue] = [:]) {
        (self.name, self.endpoint, self.defaults) = (name, endpoint, defaults)
    }
}
