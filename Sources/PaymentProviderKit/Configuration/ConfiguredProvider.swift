public import PaymentAbstraction
public import PaymentTransport

/// One provider of a configuration, complete but for its credentials, of which only the references are known.
public struct ConfiguredProvider: Sendable {
    /// A reference with the place where it stands.
    struct Reference: Sendable {
        let reference: SecretReference
        let place: String
    }

    /// The name under which it is configured.
    public let id: ProviderID
    /// What the adapter tells about itself.
    public let entry: ProviderDefinition
    /// Which of the entry's environments.
    public let environment: String
    /// Where the provider is.
    public let endpoint: Origin
    /// What goes before every path there; empty where the provider stands at the root.
    public let endpointPath: String
    /// The merchant's account.
    public let merchant: String
    /// The currencies that it may take; nil for all.
    public let currencies: Set<Currency>?
    /// The settings, with their defaults filled in.
    public let settings: [String: SettingValue]
    let references: [String: Reference]
    /// Where it stands in the file.
    let place: String

    /// The references to credentials, by key.
    public var credentials: [String: SecretReference] { references.mapValues(\.reference) }

    /// Which account of which provider it is.
    public var identity: ProviderIdentity {
        ProviderIdentity(id, adapter: entry.adapter, environment: environment, merchant: merchant)
    }
}
