internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

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
