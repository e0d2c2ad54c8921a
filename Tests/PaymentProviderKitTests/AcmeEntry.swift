import AllProviders
import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTestTill
import PaymentTransport

/// An adapter from outside with every kind of setting; its driver is the memory driver.
enum AcmeEntry {
    /// Where an account is.
    enum Region: String, Sendable, CaseIterable { case eu, us }

    static let settings = [
        ProviderSetting(.terminal), ProviderSetting(.region), ProviderSetting(.retries), ProviderSetting(.signs),
        ProviderSetting(.takes), ProviderSetting(.waitMilliseconds), ProviderSetting(.gateway),
        ProviderSetting(.callback),
    ]

    static let credentials = [ProviderCredential(.apiKey), ProviderCredential(.token)]

    private static var test: ProviderEnvironment {
        var test = ProviderEnvironment("test", endpoint: Origin(.https, "test.acme.example"))
        test.set(.gateway, to: Origin(.https, "gate.acme.example"))
        return test
    }

    /// Hands everything that it is made of to `seen`.
    static func entry(
        _ adapter: String = "acme",
        seen: @escaping @Sendable (ProviderSettings, ProviderDependencies) throws(PaymentError) -> Void = { _, _ in }
    ) -> ProviderDefinition {
        ProviderDefinition(
            adapter: adapter, name: "Acme Payments",
            environments: [test, ProviderEnvironment("own", endpoint: nil)], merchant: "The merchant's number at Acme.",
            settings: settings, credentials: credentials,
            errors: ErrorTable([])
        ) { settings, tools throws(PaymentError) in
            try seen(settings, tools)
            if try settings[.terminal] == "T-refuse" {
                throw PaymentError(
                    .configuration, outcome: .notExecuted, detail: "terminals of this kind are gone; order another")
            }
            let configuration = MemoryConfiguration(
                name: settings.id.rawValue, endpoint: settings.endpoint, merchant: settings.merchant,
                secret: try settings[.apiKey])
            return MemoryDriver(configuration, tools.transport)
        }
    }

    static let registry = ProviderRegistry.builtin + [entry()]
}

extension RequiredSettingKey where Value == String {
    static var terminal: Self { Self("terminal", .text(charactersMax: 32), "The terminal's id.") }
}

extension RequiredSettingKey where Value == AcmeEntry.Region {
    static var region: Self { Self("region", .choice, "Where the account is.") }
}

extension ProviderSettingKey where Value == Int64 {
    static var retries: Self { Self("retries", .integer(0...10), default: 2, "How often a look-up is repeated.") }
}

extension ProviderSettingKey where Value == Bool {
    static var signs: Self { Self("signs", .boolean, default: false, "Whether requests are signed.") }
}

extension ProviderSettingKey where Value == [Currency]? {
    static var takes: Self { Self("takes", .currencies, "What the terminal shows.") }
}

extension ProviderSettingKey where Value == Int64? {
    static var waitMilliseconds: Self {
        Self("waitMilliseconds", .milliseconds(100...60_000), "How long the terminal may think.")
    }
}

extension ProviderSettingKey where Value == Origin? {
    static var gateway: Self { Self("gateway", .origin, "Where cards are checked.") }
}

extension ProviderSettingKey where Value == WebURL? {
    static var callback: Self { Self("callback", .address, "Where results are sent.") }
}

extension ProviderCredentialKey where Value == Secret {
    static var apiKey: Self { Self("apiKey", "The key of the back office.") }
}

extension ProviderCredentialKey where Value == SecretSource? {
    static var token: Self { Self("token", "The till's token.") }
}
