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
            ProviderSetting(.oauth), ProviderSetting(.clientID), ProviderSetting(.processor),
            ProviderSetting(.surchargeBase), ProviderSetting(.referenceEcho), ProviderSetting(.failed),
            ProviderSetting(.deviceName),
            ProviderSetting(.requesterIPAddress), ProviderSetting(.bankEntry), ProviderSetting(.soleUser),
        ],
        credentials: [ProviderCredential(.clientSecret), ProviderCredential(.webhookSecret)],
        errors: .arise
    ) { settings, tools throws(PaymentError) in
        ARISEDriver(try ARISEConfiguration(settings), tools.transport, crypto: tools.crypto)
    }
    .explained(by: ARISEInspector(), signatures: ARISESignatures())
    .assuming(ARISEAssumptions.all)
    .webhooks(provenBy: .webhookSecret)
    .declining(ARISEMapping.reasons)
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
        sandbox.set(.soleUser, to: true)
        sandbox.set(.clientID, to: "arise-sandbox-client")
        sandbox.publish(.clientSecret, "arise-client-secret")
        sandbox.publish(.webhookSecret, "arise-webhook-secret")
        return sandbox
    }
}
