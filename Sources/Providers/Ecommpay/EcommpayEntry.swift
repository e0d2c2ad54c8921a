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
        adapter: "ecommpay", company: "ecommpay",
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
            Setting("sessions", .origin, .optional, "Where sessions are opened; the Gate's host when left out."),
            Setting(
                "events", .origin, .optional, "Where sessions push their events; the sessions' host when left out."),
            Setting(
                "sessionPath", .text(), .otherwise(.text("/msdk/v1")), "Where the interface of sessions begins."),
            Setting(
                "authenticates", .boolean, .otherwise(.boolean(true)),
                "Whether customers are authenticated, so that Visa cards need an e-mail address or a number."),
            Setting(
                "hidesSaved", .boolean, .otherwise(.boolean(false)), "Whether sessions leave saved instruments out."),
            Setting("forcedMethod", .text(), .optional, "The payment method that sessions begin with."),
            Setting(
                "tokenizesAtGate", .boolean, .otherwise(.boolean(false)),
                "Whether tokens of cards are made through the Gate and not in sessions."),
            Setting("googlePayMerchant", .text(), .optional, "The merchant's name at Google Pay."),
            Setting(
                "googlePayEnvironment", .choice(EcommpayConfiguration.GooglePay.Environment.allCases.map(\.rawValue)),
                .optional, "Where Google Pay's tokens come from."),
            Setting("region", .text(charactersMax: 2), .optional, "The customer's region, as two letters."),
        ],
        credentials: [
            Credential(
                "secret", isOptional: true,
                "The project's secret: only on a server; a phone gives a signer instead.")
        ],
        errors: .ecommpay
    ) { settings, tools throws(PaymentError) in
        try EcommpayDriver(try EcommpayConfiguration(settings), tools)
    }
}

extension ProviderEnvironment {
    /// The simulated company, whose secret is known to everyone.
    fileprivate static var ecommpaySimulated: ProviderEnvironment {
        var simulated = ProviderEnvironment("simulated", endpoint: Origin(.http, "ecommpay.sandbox"))
        simulated.allowsPlainHTTP = true
        simulated.publicMerchant = "1234"
        simulated.publicCredentials = ["secret": "ecommpay-simulated-secret"]
        return simulated
    }
}
