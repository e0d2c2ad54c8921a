internal import PaymentAbstraction
internal import PaymentBase
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderEntry {
    /// ARISE of Aurora Payments.
    public static let arise = ProviderEntry(
        adapter: "arise", name: "ARISE, Aurora Payments",
        environments: [
            .arise("uat", "api.uat.arise.risewithaurora.com", oauth: "oauth.uat.arise.risewithaurora.com"),
            .arise("production", "api.arise.risewithaurora.com", oauth: "oauth.arise.risewithaurora.com"),
            .ariseSandbox,
        ],
        merchant: "The merchant's account at ARISE.",
        settings: [
            ProviderSetting("oauth", .origin, .required, "Where access tokens are got."),
            ProviderSetting("clientId", .text(), .required, "The client id of the merchant's API token."),
            ProviderSetting(
                "processor", .text(), .optional, "The payment processor to use instead of the default one."),
            ProviderSetting(
                "surchargeBase", .choice(ARISEPricing.SurchargeBase.allCases.map(\.rawValue)),
                .otherwise(.text(ARISEPricing.SurchargeBase.originalBase.rawValue)),
                "Which amount a surcharge is a percentage of, in local previews."),
            ProviderSetting(
                "referenceEcho", .choice(ARISEConfiguration.ReferenceEcho.allCases.map(\.rawValue)),
                .otherwise(.text(ARISEConfiguration.ReferenceEcho.orderNumber.rawValue)),
                "Where the reference of a request comes back; without one, lost answers are found by likeness."),
            ProviderSetting("deviceName", .text(), .otherwise(.text("iPhone")), "What the device is called at ARISE."),
        ],
        credentials: [
            ProviderCredential("clientSecret", "The client secret of the merchant's API token."),
            ProviderCredential(
                "webhookSecret", isOptional: true, "What webhooks are signed with; all are refused when left out."),
        ],
        errors: .arise
    ) { settings, tools throws(PaymentError) in
        ARISEDriver(try ARISEConfiguration(settings), tools.transport, crypto: tools.crypto)
    }
    .explained(by: ARISEInspector(), signatures: ARISESignatures(), webhookCredential: "webhookSecret")
    .declining(ARISEMapping.reasons)
}

extension ProviderEnvironment {
    fileprivate static func arise(_ name: String, _ host: String, oauth: String) -> ProviderEnvironment {
        ProviderEnvironment(
            name, endpoint: Origin(.https, host), defaults: ["oauth": .origin(Origin(.https, oauth))])
    }

    /// The simulated provider, whose client is known to everyone.
    fileprivate static var ariseSandbox: ProviderEnvironment {
        let origin = Origin(.http, "arise.sandbox")
        var sandbox = ProviderEnvironment(
            "sandbox", endpoint: origin,
            defaults: ["oauth": .origin(origin), "clientId": .text("arise-sandbox-client")])
        sandbox.allowsPlainHTTP = true
        sandbox.publicMerchant = "m-1"
        sandbox.publicCredentials = ["clientSecret": "arise-client-secret", "webhookSecret": "arise-webhook-secret"]
        return sandbox
    }
}
