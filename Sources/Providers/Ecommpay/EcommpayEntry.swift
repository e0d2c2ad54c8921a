internal import PaymentAbstraction
internal import PaymentBase
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderEntry {
    /// ecommpay: keyed and saved cards, tokens and wallets in sessions; the Gate for everything afterwards.
    public static let ecommpay = described.explained(
        by: EcommpayInspector(), signatures: EcommpaySignatures(), webhookCredential: "secret"
    )
    .declining(EcommpayReasons.byCode)

    private static let described = ProviderEntry(
        adapter: "ecommpay", name: "ecommpay",
        environments: [
            .ecommpaySimulated,
            ProviderEnvironment(
                "production", endpoint: Origin(.https, "api.ecommpay.com"),
                defaults: [
                    "sessions": .origin(Origin(.https, "sdk.ecommpay.com")),
                    "events": .origin(Origin(.https, "paymentpage.ecommpay.com")),
                ]),
        ],
        merchant: "The project's number; test and live are two projects.",
        settings: [
            ProviderSetting(
                "sessions", .origin, .optional, "Where sessions are opened; the Gate's host when left out."),
            ProviderSetting(
                "events", .origin, .optional, "Where sessions push their events; the sessions' host when left out."),
            ProviderSetting(
                "sessionPath", .text(), .otherwise(.text("/msdk/v1")), "Where the interface of sessions begins."),
            ProviderSetting(
                "authenticates", .boolean, .otherwise(.boolean(true)),
                "Whether customers are authenticated, so that Visa cards need an e-mail address or a number."),
            ProviderSetting(
                "hidesSaved", .boolean, .otherwise(.boolean(false)), "Whether sessions leave saved instruments out."),
            ProviderSetting("forcedMethod", .text(), .optional, "The payment method that sessions begin with."),
            ProviderSetting(
                "tokenizesAtGate", .boolean, .otherwise(.boolean(false)),
                "Whether tokens of cards are made through the Gate and not in sessions."),
            ProviderSetting("googlePayMerchant", .text(), .optional, "The merchant's name at Google Pay."),
            ProviderSetting(
                "googlePayEnvironment", .choice(EcommpayConfiguration.GooglePay.Environment.allCases.map(\.rawValue)),
                .optional, "Where Google Pay's tokens come from."),
            ProviderSetting("region", .text(charactersMax: 2), .optional, "The customer's region, as two letters."),
        ],
        credentials: [
            ProviderCredential(
                "secret", isOptional: true,
                "The project's secret: only on a server; a phone gives a signer instead.")
        ],
        errors: .ecommpay
    ) { settings, tools throws(PaymentError) in
        try EcommpayDriver(try EcommpayConfiguration(settings), tools)
    }
}

extension ProviderEnvironment {
    /// The simulated provider, whose secret is known to everyone.
    fileprivate static var ecommpaySimulated: ProviderEnvironment {
        var simulated = ProviderEnvironment("simulated", endpoint: Origin(.http, "ecommpay.sandbox"))
        simulated.allowsPlainHTTP = true
        simulated.publicMerchant = "1234"
        simulated.publicCredentials = ["secret": "ecommpay-simulated-secret"]
        return simulated
    }
}
