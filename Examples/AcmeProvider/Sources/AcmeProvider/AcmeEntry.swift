import PaymentProviderKit

extension ProviderDefinition {
    /// How a configuration names Acme and what it has to say.
    public static let acme = ProviderDefinition(
        adapter: "acme", name: "Acme",
        environments: [
            .acmeSimulated,
            ProviderEnvironment("test", endpoint: Origin(.https, "test.acme.example")),
        ],
        merchant: "The merchant's number at Acme.",
        settings: [ProviderSetting(.quiet)],
        credentials: [ProviderCredential(.apiKey)],
        errors: .acme
    ) { settings, tools throws(PaymentError) in
        var driver = AcmeDriver(
            settings.identity, settings.endpoint, key: try settings[.apiKey], tools.transport)
        driver.quiet = try settings[.quiet]
        return driver
    }
    .withDeclineCodes(AcmeMapping.reasons)
}

extension ProviderSettingKey where Value == Int64 {
    static var quiet: Self {
        Self(
            "quietMilliseconds", .milliseconds(1_000...60_000), default: 5_000,
            "How long a request may still arrive after it was sent.")
    }
}

extension ProviderCredentialKey where Value == Secret {
    static var apiKey: Self { Self("apiKey", "The key of Acme's back office.") }
}

extension ProviderEnvironment {
    /// The simulated provider: `payctl` runs it within itself, so that every command works without an account.
    fileprivate static var acmeSimulated: ProviderEnvironment {
        var simulated = simulated("acme", merchant: "m-1")
        simulated.publish(.apiKey, "acme-test-key")
        return simulated
    }
}
