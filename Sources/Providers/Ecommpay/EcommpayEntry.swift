internal import PaymentAbstraction
internal import PaymentBase
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderEntry {
    /// ecommpay: keyed and saved cards, tokens and wallets in sessions; the Gate for everything afterwards.
    public static let ecommpay = described.explained(by: EcommpayInspector(), signatures: EcommpaySignatures())
        .webhooks(provenBy: .secret)
        .declining(EcommpayReasons.byCode)
        .assuming(EcommpayAssumptions.all)

    private static let described = ProviderEntry(
        adapter: "ecommpay", name: "ecommpay",
        environments: [.ecommpaySimulated, .ecommpayProduction],
        merchant: "The project's number; test and live are two projects.",
        settings: [
            ProviderSetting(.sessions), ProviderSetting(.events), ProviderSetting(.sessionPath),
            ProviderSetting(.authenticates), ProviderSetting(.hidesSaved), ProviderSetting(.forcedMethod),
            ProviderSetting(.tokenizesAtGate), ProviderSetting(.googlePayMerchant),
            ProviderSetting(.googlePayEnvironment), ProviderSetting(.region), ProviderSetting(.soleUser),
            ProviderSetting(.customerIPAddress),
        ],
        credentials: [ProviderCredential(.secret)],
        errors: .ecommpay
    ) { settings, tools throws(PaymentError) in
        try EcommpayDriver(try EcommpayConfiguration(settings), tools)
    }
}

extension ProviderEnvironment {
    /// The simulated provider, whose secret is known to everyone.
    fileprivate static var ecommpaySimulated: ProviderEnvironment {
        var simulated = simulated("ecommpay", merchant: "1234")
        simulated.set(.soleUser, to: true)
        simulated.publish(.secret, "ecommpay-simulated-secret")
        return simulated
    }

    fileprivate static var ecommpayProduction: ProviderEnvironment {
        var production = ProviderEnvironment("production", endpoint: Origin(.https, "api.ecommpay.com"))
        production.set(.sessions, to: Origin(.https, "sdk.ecommpay.com"))
        production.set(.events, to: Origin(.https, "paymentpage.ecommpay.com"))
        return production
    }
}
