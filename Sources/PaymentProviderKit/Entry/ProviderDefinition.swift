public import PaymentAbstraction

/// What an adapter tells about itself, so that a configuration can name it: one entry per adapter.
///
/// The reader of `providers.json` and its schema both follow this description, and `makeDriver` runs only with settings
/// that fit it.
///
/// ```swift
/// let acme = ProviderDefinition(
///     adapter: "acme", name: "Acme Payments",
///     environments: [ProviderEnvironment("test", endpoint: Origin(.https, "test.acme.example"))],
///     merchant: "The merchant's number at Acme.",
///     settings: [ProviderSetting(.terminal)], credentials: [ProviderCredential(.apiKey)], errors: .acme
/// ) { settings, tools throws(PaymentError) in
///     AcmeDriver(key: try settings[.apiKey], settings.endpoint, tools.transport)
/// }
/// extension ProviderSettingKey where Value == String? {
///     static var terminal: Self { Self("terminal", .text(), "The terminal's id.") }
/// }
/// extension ProviderCredentialKey where Value == Secret {
///     static var apiKey: Self { Self("apiKey", "The key of Acme's back office.") }
/// }
/// ```
public struct ProviderDefinition: Sendable {
    /// Makes a driver of settings that fit the entry.
    public typealias Make = @Sendable (ProviderSettings, ProviderDependencies) throws(PaymentError) -> any PaymentDriver

    /// The name by which a configuration names the adapter.
    public let adapter: String
    /// The provider's name, for people.
    public let name: String
    /// The environments that the provider has.
    public let environments: [ProviderEnvironment]
    /// What `merchant` means at this name, as one sentence.
    public let merchant: String
    /// What may stand under `settings`.
    public let settings: [ProviderSetting]
    /// What may stand under `credentials`.
    public let credentials: [ProviderCredential]
    /// What the provider's errors mean.
    public let errors: ErrorTable
    /// Makes the driver.
    public let makeDriver: Make
    /// Explains messages of the provider's wire; nil where nobody can.
    public var inspector: (any Inspector)?
    /// How messages are signed; nil where they aren't.
    public var signatures: (any SignatureScheme)?
    /// Which credential proves that a webhook comes from the provider; nil where nothing does.
    public internal(set) var webhookCredential: String?
    /// What the codes of its final refusals mean: those of issuers and those of its own; empty where nobody says.
    public var declines: [String: Decline.Reason] = [:]
    /// What the adapter takes for granted where the documents allow more than one behaviour.
    public private(set) var assumptions: [ProviderAssumption] = []

    /// Makes an entry.
    public init(
        adapter: String, name: String, environments: [ProviderEnvironment], merchant: String,
        settings: [ProviderSetting] = [], credentials: [ProviderCredential] = [], errors: ErrorTable,
        makeDriver: @escaping Make
    ) {
        (self.adapter, self.name, self.environments) = (adapter, name, environments)
        (self.merchant, self.settings, self.credentials) = (merchant, settings, credentials)
        (self.errors, self.makeDriver) = (errors, makeDriver)
    }

    /// One of the environments.
    public func environment(_ name: String) -> ProviderEnvironment? { environments.first { $0.name == name } }

    /// The same with what the codes of its refusals mean.
    public func withDeclineCodes(_ declines: [String: Decline.Reason]) -> ProviderDefinition {
        var entry = self
        entry.declines = declines
        return entry
    }

    /// The same with what people need who look at single messages.
    public func withInspector(
        _ inspector: (any Inspector)?, signatures: (any SignatureScheme)? = nil
    ) -> ProviderDefinition {
        var entry = self
        (entry.inspector, entry.signatures) = (inspector, signatures)
        return entry
    }

    /// The same with what the adapter takes for granted.
    public func withAssumptions(_ assumptions: [ProviderAssumption]) -> ProviderDefinition {
        var entry = self
        entry.assumptions = assumptions
        return entry
    }

    /// The same with the credential that proves that a webhook comes from the provider.
    public func withWebhookKey<Value>(_ key: ProviderCredentialKey<Value>) -> ProviderDefinition {
        var entry = self
        entry.webhookCredential = key.credential.key
        return entry
    }
}
