public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
public import PaymentTransport

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
