internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderDefinition {
    /// ecommpay: keyed and saved cards, tokens and wallets in sessions; the Gate for everything afterwards.
    public static let ecommpay = described.withInspector(EcommpayInspector(), signatures: EcommpaySignatures())
        .withWebhookKey(.secret)
        .withDeclineCodes(EcommpayDeclineCodes.byCode)
        .withAssumptions(EcommpayAssumptions.all)

    private static let described = ProviderDefinition(
        adapter: "ecommpay", name: "ecommpay",
        environments: [.ecommpaySimulated, .ecommpayProduction],
        merchant: "The project's number; test and live are two projects.",
        settings: [
            ProviderSetting(.link), ProviderSetting(.sessions), ProviderSetting(.events),
            ProviderSetting(.sessionPath), ProviderSetting(.authenticates), ProviderSetting(.hidesSaved),
            ProviderSetting(.forcedMethod), ProviderSetting(.tokenizesAtGate), ProviderSetting(.googlePayMerchant),
            ProviderSetting(.googlePayEnvironment), ProviderSetting(.region), ProviderSetting(.exclusiveAccount),
            ProviderSetting(.customerIPAddress), ProviderSetting(.returnAddress),
            ProviderSetting(.page), ProviderSetting(.pageMinutes),
        ],
        credentials: [ProviderCredential(.secret)],
        errors: .ecommpay
    ) { settings, tools throws(PaymentError) in
        let configuration = try EcommpayConfiguration(settings)
        let driver = try EcommpayDriver(configuration, tools)
        guard configuration.link == .mobile else { return driver }
        guard let kit = tools.delegates[settings.id.rawValue] as? any EcommpayPhoneSDK.SDK else {
            throw PaymentError.notExecuted(
                .configuration,
                "\(settings.id) has link kit and got no kit: hand a value of EcommpayPhoneSDK.SDK over when opening, in "
                    + "`delegates[\"\(settings.id)\"]`; it may be an EcommpaySigner too, or a signer of bytes "
                    + "stands in `signers[\"\(settings.id)\"]`")
        }
        return try EcommpayMobileDriver(driver, kit)
    }
}

extension ProviderEnvironment {
    /// The simulated provider, whose secret is known to everyone.
    fileprivate static var ecommpaySimulated: ProviderEnvironment {
        var simulated = simulated("ecommpay", merchant: "1234")
        simulated.set(.exclusiveAccount, to: true)
        simulated.set(.link, to: .session)
        simulated.publish(.secret, "ecommpay-simulated-secret")
        return simulated
    }

    fileprivate static var ecommpayProduction: ProviderEnvironment {
        var production = ProviderEnvironment("production", endpoint: Origin(.https, "api.ecommpay.com"))
        production.set(.sessions, to: Origin(.https, "sdk.ecommpay.com"))
        production.set(.events, to: Origin(.https, "paymentpage.ecommpay.com"))
        production.set(.page, to: Origin(.https, "paymentpage.ecommpay.com"))
        return production
    }
}
