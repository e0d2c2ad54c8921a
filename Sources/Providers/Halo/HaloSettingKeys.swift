internal import PaymentBase
internal import PaymentProviderKit

// What a configuration can say about Halo: each setting and credential once.

extension ProviderSettingKey where Value == HaloConfiguration.Algorithm {
    static var algorithm: Self { Self("algorithm", .choice, default: .rs256, "How tokens have to be signed.") }
}

extension ProviderSettingKey where Value == String? {
    static var audience: Self {
        Self("audience", .text(), "The host that tokens are for; the endpoint's when left out.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.LocationPolicy {
    static var location: Self {
        Self("location", .choice, default: .optional, "Whether a payment needs the device's location.")
    }
}

extension ProviderCredentialKey where Value == SecretSource {
    static var token: Self { Self("token", "Gives a fresh signed token.") }
}

extension ProviderCredentialKey where Value == Secret? {
    static var officeKey: Self {
        Self("officeKey", "The key of the back office; without one, originals can't be refunded.")
    }
}
