internal import PaymentMobileSDKs
public import PaymentProviderKit

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
        /// The key is after `Bearer`.
        case bearer = "Bearer"
        /// The key is after `Basic`.
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
    /// Whether no other system works on the account, so that what looks like a lost payment is it.
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

extension ProviderDefinition {
    /// Network International: cards by tap on an iPhone in the United Arab Emirates.
    public static let ni = ProviderDefinition(
        adapter: "ni", name: "Network International",
        environments: [
            .niSimulated,
            .ni("sandbox", "api-gateway.sandbox.ngenius-payments.com"),
            .ni("production", "api-gateway.ngenius-payments.com"),
        ],
        merchant: "The outlet's reference.",
        settings: [
            ProviderSetting(.link), ProviderSetting(.terminal), ProviderSetting(.deviceCode),
            ProviderSetting(.userCode),
            ProviderSetting(.scheme), ProviderSetting(.deviceIdentifier), ProviderSetting(.basePath),
            ProviderSetting(.currency), ProviderSetting(.tracksLocation), ProviderSetting(.webhookHeader),
            ProviderSetting(.exclusiveAccount),
        ],
        credentials: [
            ProviderCredential(.apiKey), ProviderCredential(.deviceToken), ProviderCredential(.webhookValue),
        ],
        errors: .ni
    ) { settings, tools throws(PaymentError) in
        let configuration = try NIConfiguration(settings)
        var driver = NIDriver(configuration, tools)
        driver.take(only: settings.currencies)
        // The reader's token is for one currency.
        driver.take(only: [configuration.currency])
        if driver.capabilities.currencies?.isEmpty == true {
            throw PaymentError.notExecuted(
                .configuration,
                "the entry \(configuration.name) takes no currency: its `currencies` lack its reader's, "
                    + "\(configuration.currency.code); set `currency`")
        }
        if configuration.link == .reader { return driver }
        let kit = try tools.mobileSDK(for: settings, "NIPhoneSDK.AppleTapToPayManager") {
            $0 as? any NIPhoneSDK.AppleTapToPayManager
        }
        return NIMobileDriver(driver, kit)
    }
    .withInspector(NIInspector())
    .withAssumptions(NIAssumptions.all)
    .withLinks([
        ProviderLink("kit", .sdk, "taps on an iPhone by the vendor's SDK", at: ["simulated", "sandbox", "production"]),
        ProviderLink(
            "reader", .published, "taps of an own reader, and the back office",
            at: ["simulated", "sandbox", "production"],
            limits: [
                "sandbox": "Ask NI whether an own reader may be used.",
                "production": "Ask NI whether an own reader may be used.",
            ]),
    ])
    .withWebhookKey(.webhookValue)
    .withDeclineCodes(NIMapping.reasons)
}

extension ProviderEnvironment {
    /// A real one, where taps go by the vendor's SDK.
    fileprivate static func ni(_ name: String, _ host: String) -> ProviderEnvironment {
        var environment = ProviderEnvironment(name, endpoint: Origin(.https, host))
        environment.expect(.link, as: NIConfiguration.Integration.mobile.rawValue)
        return environment
    }

    /// The simulated provider, whose key is known to everyone.
    fileprivate static var niSimulated: ProviderEnvironment {
        var simulated = simulated("ni", merchant: "87f2ebb4-6301-4b13-b59e-ea15ecc07b43")
        simulated.set(.terminal, to: "434334344299")
        simulated.set(.deviceCode, to: "000C69")
        simulated.set(.exclusiveAccount, to: true)
        simulated.set(.userCode, to: "user-1")
        simulated.publish(.apiKey, "ni-simulated-api-key")
        simulated.publish(.webhookValue, "ni-simulated-webhook-value")
        return simulated
    }
}

// What a configuration can say about Network International: each setting and credential once.

extension RequiredSettingKey where Value == String {
    static var terminal: Self { Self("tid", .text(), "The number of the terminal that this device plays.") }
    static var deviceCode: Self { Self("deviceCode", .text(), "The terminal's code in the hierarchy.") }
    static var userCode: Self { Self("userCode", .text(), "The user's code in the hierarchy.") }
}

extension ProviderSettingKey where Value == NIConfiguration.Integration {
    static var link: Self {
        Self("link", .choice, default: .reader, "Who reads the card: an own reader, or the vendor's kit on a phone.")
    }
}

extension ProviderSettingKey where Value == NIConfiguration.Scheme {
    static var scheme: Self { Self("scheme", .choice, default: .bearer, "How the API key goes out.") }
}

extension ProviderSettingKey where Value == String? {
    static var deviceIdentifier: Self {
        Self(
            "deviceIdentifier", .text(), "What the terminal is bound to; the installation's own name when left out.")
    }
}

extension ProviderSettingKey where Value == String {
    static var basePath: Self {
        Self("basePath", .text(), default: "/softpos", "Where the card-present API begins.")
    }
    static var webhookHeader: Self {
        Self(
            "webhookHeader", .text(), default: "X-NGENIUS-Webhook-Signature",
            "The header that webhooks carry, as chosen in the portal.")
    }
}

extension ProviderSettingKey where Value == Currency {
    /// A list of one in the configuration.
    static var currency: Self {
        Self(
            "currency", SettingKind.currencies.mapped({ $0.first }, back: { [$0] }), default: .aed,
            "The currency that the reader is for.")
    }
}

extension ProviderSettingKey where Value == Bool {
    static var tracksLocation: Self {
        Self(
            "tracksLocation", .boolean, default: false,
            "Whether the device must know where it is before a card is read.")
    }
}

extension ProviderCredentialKey where Value == SecretSource? {
    static var deviceToken: Self {
        Self("deviceToken", "Gives a device token from the application's server, which has the API key.")
    }
}

extension ProviderCredentialKey where Value == Secret? {
    static var apiKey: Self {
        Self("apiKey", unless: "deviceToken", "The API key of the service account.")
    }
    static var webhookValue: Self {
        Self("webhookValue", "The value that webhooks carry in the header; all are refused when left out.")
    }
}
