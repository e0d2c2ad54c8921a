public import PaymentProviderKit

/// What the memory driver needs to know.
public struct MemoryConfiguration: Sendable {
    /// The name under which it is configured.
    public let name: String
    /// Where the provider is.
    public let endpoint: Origin
    /// The merchant's account there.
    public let merchant: String
    /// What the client signs in with.
    public let secret: Secret
    /// What the provider's webhooks carry; nil refuses them all.
    public var webhookSecret: Secret?

    /// Makes a configuration.
    public init(name: String = "memory", endpoint: Origin, merchant: String = "m-1", secret: Secret) {
        (self.name, self.endpoint, self.merchant, self.secret) = (name, endpoint, merchant, secret)
    }

    /// Reads a configuration out of settings that fit the entry of this adapter.
    public init(_ settings: ProviderSettings) throws(PaymentError) {
        self.init(
            name: settings.id.rawValue, endpoint: settings.endpoint, merchant: settings.merchant,
            secret: try settings[.secret])
        webhookSecret = try settings[.webhookSecret]
    }
}

extension ProviderDefinition {
    /// The memory provider, which is simulated: its secret is known to everyone.
    public static let memory = ProviderDefinition(
        adapter: "memory", name: "Memory, a simulated provider", environments: [.memorySandbox],
        merchant: "The merchant's account; any name will do.",
        credentials: [ProviderCredential(.secret), ProviderCredential(.webhookSecret)],
        errors: .memory
    ) { settings, tools throws(PaymentError) in
        MemoryDriver(
            MemoryDriver(try MemoryConfiguration(settings), tools.transport), taking: settings.currencies)
    }
    .withInspector(MemoryInspector())
    .withWebhookKey(.webhookSecret)
    .withDeclineCodes(MemoryMapping.reasons)
}

extension ProviderEnvironment {
    /// The one world of the memory provider.
    fileprivate static var memorySandbox: ProviderEnvironment {
        var sandbox = simulated("memory", as: "sandbox", merchant: "m-1")
        sandbox.publish(.webhookSecret, "memory-webhook-secret")
        return sandbox
    }
}

extension MemoryDriver {
    /// The same driver, taking only some currencies; nil for all.
    fileprivate init(_ driver: MemoryDriver, taking currencies: Set<Currency>?) {
        var takes = driver.capabilities
        takes.currencies = currencies
        (identity, capabilities) = (driver.identity, takes)
        (wire, configuration) = (driver.wire, driver.configuration)
    }
}

// What a configuration can say about the memory provider: each credential once.

extension ProviderCredentialKey where Value == Secret {
    static var secret: Self {
        Self(
            "secret", publicDefault: "memory-client-secret",
            "What the client signs in with; the sandbox's own when left out.")
    }
}

extension ProviderCredentialKey where Value == Secret? {
    static var webhookSecret: Self {
        Self("webhookSecret", "What the provider's webhooks carry; all are refused when left out.")
    }
}
