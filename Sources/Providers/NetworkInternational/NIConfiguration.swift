public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
public import PaymentTransport

/// What the driver of Network International needs to know.
public struct NIConfiguration: Sendable {
    /// How the API key goes out.
    public enum Scheme: String, Hashable, Sendable, CaseIterable {
        /// The key stands after `Bearer`.
        case bearer = "Bearer"
        /// The key stands after `Basic`.
        case basic = "Basic"
    }

    /// The name under which it is configured.
    public var name = "ni"
    /// The environment, as payments are recorded with it.
    public var environment = "production"
    /// The gateway.
    public let endpoint: Origin
    /// The outlet's reference, which is the merchant.
    public let outlet: String
    /// The number of the terminal that this device plays.
    public let terminal: String
    /// The terminal's code in the hierarchy.
    public let deviceCode: String
    /// The user's code in the hierarchy.
    public let userCode: String
    /// What signs in.
    public let apiKey: Secret
    /// How the API key goes out.
    public var scheme = ProviderSettingKey.scheme.default
    /// What the terminal is bound to; the installation's own device name when nil.
    public var deviceIdentifier: String?
    /// Where the card-present API begins.
    public var basePath = ProviderSettingKey.basePath.default
    /// The currency that the reader is prepared for.
    public var currency = ProviderSettingKey.currency.default
    /// Whether the device must know where it is before a card is read.
    public var tracksLocation = ProviderSettingKey.tracksLocation.default
    /// Whether nobody else works on the account, so that what looks like a lost payment is it.
    public var isSoleUser = ProviderSettingKey.soleUser.default
    /// The header that the provider's webhooks carry.
    public var webhookHeader = ProviderSettingKey.webhookHeader.default
    /// The header's value; nil refuses all webhooks.
    public var webhookSecret: Secret?

    /// Makes a configuration.
    public init(
        endpoint: Origin, outlet: String, terminal: String, deviceCode: String, userCode: String, apiKey: Secret
    ) {
        (self.endpoint, self.outlet, self.terminal) = (endpoint, outlet, terminal)
        (self.deviceCode, self.userCode, self.apiKey) = (deviceCode, userCode, apiKey)
    }

    /// Reads a configuration out of settings that fit the entry of this adapter.
    public init(_ settings: ProviderSettings) throws(PaymentError) {
        self.init(
            endpoint: settings.endpoint, outlet: settings.merchant, terminal: try settings[.terminal],
            deviceCode: try settings[.deviceCode], userCode: try settings[.userCode], apiKey: try settings[.apiKey])
        (name, environment) = (settings.id.rawValue, settings.environment)
        (scheme, deviceIdentifier) = (try settings[.scheme], try settings[.deviceIdentifier])
        (basePath, currency) = (try settings[.basePath], try settings[.currency])
        (tracksLocation, webhookHeader) = (try settings[.tracksLocation], try settings[.webhookHeader])
        (webhookSecret, isSoleUser) = (try settings[.webhookValue], try settings[.soleUser])
    }
}
