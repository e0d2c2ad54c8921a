internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderDefinition {
    /// Network International: cards by tap on an iPhone in the United Arab Emirates.
    public static let ni = ProviderDefinition(
        adapter: "ni", name: "Network International",
        environments: [
            .niSimulated,
            ProviderEnvironment("sandbox", endpoint: Origin(.https, "api-gateway.sandbox.ngenius-payments.com")),
            ProviderEnvironment("production", endpoint: Origin(.https, "api-gateway.ngenius-payments.com")),
        ],
        merchant: "The outlet's reference.",
        settings: [
            ProviderSetting(.link), ProviderSetting(.terminal), ProviderSetting(.deviceCode),
            ProviderSetting(.userCode),
            ProviderSetting(.scheme), ProviderSetting(.deviceIdentifier), ProviderSetting(.basePath),
            ProviderSetting(.currency), ProviderSetting(.tracksLocation), ProviderSetting(.webhookHeader),
            ProviderSetting(.exclusiveAccount),
        ],
        credentials: [
            ProviderCredential(.apiKey), ProviderCredential(.deviceToken), ProviderCredential(.webhookValue),
        ],
        errors: .ni
    ) { settings, tools throws(PaymentError) in
        let configuration = try NIConfiguration(settings)
        var driver = NIDriver(configuration, tools)
        driver.take(only: settings.currencies)
        if configuration.link == .reader { return driver }
        let kit = try tools.mobileSDK(for: settings, "NIPhoneSDK.AppleTapToPayManager") {
            $0 as? any NIPhoneSDK.AppleTapToPayManager
        }
        return NIMobileDriver(driver, kit)
    }
    .withInspector(NIInspector())
    .withAssumptions(NIAssumptions.all)
    .withWebhookKey(.webhookValue)
    .withDeclineCodes(NIMapping.reasons)
}

extension ProviderEnvironment {
    /// The simulated provider, whose key is known to everyone.
    fileprivate static var niSimulated: ProviderEnvironment {
        var simulated = simulated("ni", merchant: "87f2ebb4-6301-4b13-b59e-ea15ecc07b43")
        simulated.set(.terminal, to: "434334344299")
        simulated.set(.deviceCode, to: "000C69")
        simulated.set(.exclusiveAccount, to: true)
        simulated.set(.userCode, to: "user-1")
        simulated.publish(.apiKey, "ni-simulated-api-key")
        simulated.publish(.webhookValue, "ni-simulated-webhook-value")
        return simulated
    }
}
