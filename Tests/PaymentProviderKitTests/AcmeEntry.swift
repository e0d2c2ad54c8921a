import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTestTill
import PaymentTransport
import PaymentsBuiltin

/// An adapter from outside with every kind of setting; its driver is the memory driver.
enum AcmeEntry {
    static let settings = [
        ProviderSetting("terminal", .text(charactersMax: 32), .required, "The terminal's id."),
        ProviderSetting("region", .choice(["eu", "us"]), .required, "Where the account is."),
        ProviderSetting("retries", .integer(0...10), .otherwise(.integer(2)), "How often a look-up is repeated."),
        ProviderSetting("signs", .boolean, .otherwise(.boolean(false)), "Whether requests are signed."),
        ProviderSetting("takes", .currencies, .optional, "What the terminal shows."),
        ProviderSetting("waitMilliseconds", .milliseconds(100...60_000), .optional, "How long the terminal may think."),
        ProviderSetting("gateway", .origin, .optional, "Where cards are checked."),
        ProviderSetting("callback", .address, .optional, "Where results are sent."),
    ]

    static let credentials = [
        ProviderCredential("apiKey", "The key of the back office."),
        ProviderCredential("token", use: .whenNeeded, isOptional: true, "The till's token."),
    ]

    /// Hands everything that it is made of to `seen`.
    static func entry(
        _ adapter: String = "acme",
        seen: @escaping @Sendable (ProviderSettings, ProviderDependencies) throws(PaymentError) -> Void = { _, _ in }
    ) -> ProviderEntry {
        ProviderEntry(
            adapter: adapter, name: "Acme Payments",
            environments: [
                ProviderEnvironment(
                    "test", endpoint: Origin(.https, "test.acme.example"),
                    defaults: ["gateway": .origin(Origin(.https, "gate.acme.example"))]),
                ProviderEnvironment("own", endpoint: nil),
            ],
            merchant: "The merchant's number at Acme.", settings: settings, credentials: credentials,
            errors: ErrorTable([])
        ) { settings, tools throws(PaymentError) in
            try seen(settings, tools)
            if try settings.text("terminal") == "T-refuse" {
                throw PaymentError(
                    .configuration, outcome: .nothingMoved, detail: "terminals of this kind are gone; order another")
            }
            let configuration = MemoryConfiguration(
                name: settings.id.rawValue, endpoint: settings.endpoint, merchant: settings.merchant,
                secret: try settings.secret("apiKey"))
            return MemoryDriver(configuration, tools.transport)
        }
    }

    static let registry = ProviderRegistry.builtin + [entry()]
}
