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
    public internal(set) var publicCredentials: [String: String] = [:]
    /// The merchant's account at a simulated provider; nil for real ones.
    public var publicMerchant: String?
    /// What settings have here when a configuration leaves them out; goes before the setting's own default.
    public internal(set) var defaults: [String: SettingValue] = [:]
    /// What a file to start from has for settings that only the merchant knows, by key.
    public internal(set) var expected: [String: String] = [:]

    /// Makes an environment.
    public init(_ name: String, endpoint: Origin?) { (self.name, self.endpoint) = (name, endpoint) }

    /// The simulated provider, at the address under which `payctl` runs it within itself.
    ///
    /// - Parameters:
    ///   - provider: The simulated provider's name; it is found at `http://NAME.sandbox`.
    ///   - name: What configurations call the environment.
    ///   - merchant: The account that it knows.
    public static func simulated(
        _ provider: String, as name: String = "simulated", merchant: String
    ) -> ProviderEnvironment {
        var environment = ProviderEnvironment(name, endpoint: Origin(.http, "\(provider).sandbox"))
        (environment.allowsPlainHTTP, environment.publicMerchant) = (true, merchant)
        return environment
    }

    /// Says what a setting is here when a configuration leaves it out.
    public mutating func set<Value>(_ key: ProviderSettingKey<Value>, to value: Value) {
        defaults[key.setting.key] = key.write(value)
    }

    /// Says what a setting is here when a configuration leaves it out.
    public mutating func set<Value>(_ key: RequiredSettingKey<Value>, to value: Value) {
        defaults[key.setting.key] = key.write(value)
    }

    /// Says that a setting is usually needed here, although it may be left out: a file to start from asks for it.
    ///
    /// - Parameter example: What stands there, with `REPLACE-ME` for what only the merchant knows.
    public mutating func expect<Value>(
        _ key: ProviderSettingKey<Value>, as example: String = ConfigurationReader.placeholder
    ) {
        expected[key.setting.key] = example
    }

    /// Says what the simulated provider accepts, known to everyone; never for a real one.
    public mutating func publish<Value>(_ key: ProviderCredentialKey<Value>, _ value: String) {
        publicCredentials[key.credential.key] = value
    }
}
