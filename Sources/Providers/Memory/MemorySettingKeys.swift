internal import PaymentBase
internal import PaymentProviderKit

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
