internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderDefinition {
    /// ARISE of Aurora Payments.
    public static let arise = ProviderDefinition(
        adapter: "arise", name: "ARISE, Aurora Payments",
        environments: [
            .arise("uat", "api.uat.arise.risewithaurora.com", oauth: "oauth.uat.arise.risewithaurora.com"),
            .arise("production", "api.arise.risewithaurora.com", oauth: "oauth.arise.risewithaurora.com"),
            .ariseSandbox,
        ],
        merchant: "The merchant's account at ARISE.",
        settings: [
            ProviderSetting(.link), ProviderSetting(.oauth), ProviderSetting(.clientID), ProviderSetting(.processor),
            ProviderSetting(.surchargeBase), ProviderSetting(.referenceEcho), ProviderSetting(.failed),
            ProviderSetting(.deviceName),
            ProviderSetting(.requesterIPAddress), ProviderSetting(.bankEntry), ProviderSetting(.exclusiveAccount),
        ],
        credentials: [
            ProviderCredential(.clientSecret), ProviderCredential(.signIn), ProviderCredential(.webhookSecret),
        ],
        errors: .arise
    ) { settings, tools throws(PaymentError) in
        let configuration = try ARISEConfiguration(settings)
        let driver = ARISEDriver(configuration, tools.transport, crypto: tools.crypto)
        if configuration.link == .reader { return driver }
        let kit = try tools.mobileSDK(for: settings, "ARISEPhoneSDK.TappingSdk") { $0 as? any ARISEPhoneSDK.TappingSdk }
        return ARISEMobileDriver(driver, kit)
    }
    .withInspector(ARISEInspector(), signatures: ARISESignatures())
    .withAssumptions(ARISEAssumptions.all)
    .withWebhookKey(.webhookSecret)
    .withDeclineCodes(ARISEMapping.reasons)
}

extension ProviderEnvironment {
    fileprivate static func arise(_ name: String, _ host: String, oauth: String) -> ProviderEnvironment {
        var environment = ProviderEnvironment(name, endpoint: Origin(.https, host))
        environment.set(.oauth, to: Origin(.https, oauth))
        return environment
    }

    /// The simulated provider, whose client is known to everyone.
    fileprivate static var ariseSandbox: ProviderEnvironment {
        var sandbox = simulated("arise", as: "sandbox", merchant: "m-1")
        sandbox.set(.oauth, to: Origin(.http, "arise.sandbox"))
        sandbox.set(.exclusiveAccount, to: true)
        sandbox.set(.clientID, to: "arise-sandbox-client")
        sandbox.publish(.clientSecret, "arise-client-secret")
        sandbox.publish(.webhookSecret, "arise-webhook-secret")
        return sandbox
    }
}
