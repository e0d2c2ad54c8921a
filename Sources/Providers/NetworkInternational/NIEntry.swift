internal import PaymentAbstraction
internal import PaymentBase
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderEntry {
    /// Network International: cards by tap on an iPhone in the United Arab Emirates.
    public static let ni = ProviderEntry(
        adapter: "ni", name: "Network International",
        environments: [
            .niSimulated,
            ProviderEnvironment("sandbox", endpoint: Origin(.https, "api-gateway.sandbox.ngenius-payments.com")),
            ProviderEnvironment("production", endpoint: Origin(.https, "api-gateway.ngenius-payments.com")),
        ],
        merchant: "The outlet's reference.",
        settings: [
            ProviderSetting("tid", .text(), .required, "The number of the terminal that this device plays."),
            ProviderSetting("deviceCode", .text(), .required, "The terminal's code in the hierarchy."),
            ProviderSetting("userCode", .text(), .required, "The user's code in the hierarchy."),
            ProviderSetting(
                "scheme", .choice(NIConfiguration.Scheme.allCases.map(\.rawValue)), .otherwise(.text("Bearer")),
                "How the API key goes out."),
            ProviderSetting(
                "deviceIdentifier", .text(), .optional,
                "What the terminal is bound to; the installation's own name when left out."),
            ProviderSetting("basePath", .text(), .otherwise(.text("/softpos")), "Where the card-present API begins."),
            ProviderSetting(
                "currency", .currencies, .otherwise(.currencies([.aed])), "The currency that the reader is for."),
            ProviderSetting(
                "tracksLocation", .boolean, .otherwise(.boolean(false)),
                "Whether the device must know where it is before a card is read."),
            ProviderSetting(
                "webhookHeader", .text(), .otherwise(.text("X-NGENIUS-Webhook-Signature")),
                "The header that webhooks carry, as chosen in the portal."),
        ],
        credentials: [
            ProviderCredential("apiKey", "The API key of the service account."),
            ProviderCredential(
                "webhookValue", isOptional: true,
                "The value that webhooks carry in the header; all are refused when left out."),
        ],
        errors: .ni
    ) { settings, tools throws(PaymentError) in
        var driver = NIDriver(try NIConfiguration(settings), tools)
        driver.take(only: settings.currencies)
        return driver
    }
    .explained(by: NIInspector(), webhookCredential: "webhookValue")
    .declining(NIMapping.reasons)
}

extension ProviderEnvironment {
    /// The simulated provider, whose key is known to everyone.
    fileprivate static var niSimulated: ProviderEnvironment {
        var simulated = ProviderEnvironment(
            "simulated", endpoint: Origin(.http, "ni.sandbox"),
            defaults: ["tid": .text("434334344299"), "deviceCode": .text("000C69"), "userCode": .text("user-1")])
        simulated.allowsPlainHTTP = true
        simulated.publicMerchant = "87f2ebb4-6301-4b13-b59e-ea15ecc07b43"
        simulated.publicCredentials = ["apiKey": "ni-simulated-api-key", "webhookValue": "ni-simulated-webhook-value"]
        return simulated
    }
}
