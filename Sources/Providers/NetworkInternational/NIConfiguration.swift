public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
public import PaymentTransport

/// What the driver of Network International needs to know.
public struct NIConfiguration: Sendable {
    /// Who reads the card and submits the payment.
    public enum Integration: String, Hashable, Sendable, CaseIterable {
        /// A reader of the application's, whose taps the driver submits.
        case reader
        /// The vendor's kit on a phone, which reads and submits in one call.
        case mobile = "kit"
    }

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
    /// What signs in; nil where the application's server does, and gives device tokens.
    public let apiKey: Secret?
    /// Gives the platform's device token, or its whole answer, from the application's server; nil to sign in with the key.
    public let deviceToken: SecretSource?
    /// Who reads the card and submits the payment.
    public var link = ProviderSettingKey.link.default
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
    public var isSoleUser = ProviderSettingKey.exclusiveAccount.default
    /// The header that the provider's webhooks carry.
    public var webhookHeader = ProviderSettingKey.webhookHeader.default
    /// The header's value; nil refuses all webhooks.
    public var webhookSecret: Secret?

    /// Makes a configuration for who may hold the API key.
    public init(
        endpoint: Origin, outlet: String, terminal: String, deviceCode: String, userCode: String, apiKey: Secret
    ) {
        self.init(endpoint, outlet, terminal, deviceCode, userCode, apiKey, nil)
    }

    /// Makes a configuration for a phone, whose application's server signs in.
    public init(
        endpoint: Origin, outlet: String, terminal: String, deviceCode: String, userCode: String,
        deviceToken: SecretSource
    ) {
        self.init(endpoint, outlet, terminal, deviceCode, userCode, nil, deviceToken)
    }

    private init(
        _ endpoint: Origin, _ outlet: String, _ terminal: String, _ deviceCode: String, _ userCode: String,
        _ apiKey: Secret?, _ deviceToken: SecretSource?
    ) {
        (self.endpoint, self.outlet, self.terminal) = (endpoint, outlet, terminal)
        (self.deviceCode, self.userCode) = (deviceCode, userCode)
        (self.apiKey, self.deviceToken) = (apiKey, deviceToken)
    }

    /// Reads a configuration out of settings that fit the entry of this adapter.
    public init(_ settings: ProviderSettings) throws(PaymentError) {
        self.init(
            settings.endpoint, settings.merchant, try settings[.terminal], try settings[.deviceCode],
            try settings[.userCode], try settings[.apiKey], try settings[.deviceToken])
        (name, environment) = (settings.id.rawValue, settings.environment)
        (scheme, deviceIdentifier) = (try settings[.scheme], try settings[.deviceIdentifier])
        (basePath, currency) = (try settings[.basePath], try settings[.currency])
        (tracksLocation, webhookHeader) = (try settings[.tracksLocation], try settings[.webhookHeader])
        (webhookSecret, isSoleUser) = (try settings[.webhookValue], try settings[.exclusiveAccount])
        link = try settings[.link]
    }
}
