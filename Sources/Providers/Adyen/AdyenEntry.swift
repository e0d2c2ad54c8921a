internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderDefinition {
    /// Adyen: terminals by Terminal API, the back office by the Checkout API.
    public static let adyen = bare.withInspector(AdyenInspector(), signatures: AdyenSignatures())
        .withWebhookKey(.webhookKey)
        .withDeclineCodes(AdyenDeclineCodes.codes.merging(AdyenDeclineCodes.declines) { code, _ in code })
        .withAssumptions(AdyenAssumptions.all)

    private static let bare = ProviderDefinition(
        adapter: "adyen", name: "Adyen", environments: [.adyenSimulated, .adyenTest, .adyenLive],
        merchant: "The merchant account, as the Customer Area names it.",
        settings: [
            ProviderSetting(.terminal), ProviderSetting(.link), ProviderSetting(.saleID), ProviderSetting(.refunds),
            ProviderSetting(.checkout), ProviderSetting(.capturesSeveral), ProviderSetting(.trustsNotFound),
            ProviderSetting(.tenderOptions),
            ProviderSetting(.store), ProviderSetting(.keyIdentifier), ProviderSetting(.keyVersion),
            ProviderSetting(.connectTo), ProviderSetting(.interface), ProviderSetting(.returnURL),
        ],
        credentials: [
            ProviderCredential(.apiKey), ProviderCredential(.webhookKey), ProviderCredential(.nextWebhookKey),
            ProviderCredential(.passphrase), ProviderCredential(.terminalRoots),
        ],
        errors: .adyen
    ) { settings, tools throws(PaymentError) in
        let given = tools.delegates[settings.id.rawValue]
        return try AdyenConfiguration(settings).driver(
            tools.transport, tools.crypto, kit: given as? any AdyenPhoneSDK.PaymentService,
            server: given as? any AdyenMerchantServer)
    }
}

extension ProviderEnvironment {
    /// The simulated provider with its one terminal, whose keys are known to everyone.
    fileprivate static var adyenSimulated: ProviderEnvironment {
        let origin = Origin(.http, "adyen.sandbox")
        var simulated = simulated("adyen", merchant: "TestMerchant")
        simulated.set(.terminal, to: "V400m-324688042")
        simulated.set(.checkout, to: WebURL(origin, "/v72"))
        simulated.set(.trustsNotFound, to: true)
        simulated.publish(.apiKey, "adyen-sandbox-api-key")
        simulated.publish(.webhookKey, "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00")
        simulated.publish(.passphrase, "adyen-sandbox-passphrase")
        return simulated
    }
    fileprivate static var adyenTest: ProviderEnvironment {
        var test = ProviderEnvironment("test", endpoint: Origin(.https, "device-api-test.adyen.com"))
        test.expect(.terminal)
        test.set(.checkout, to: WebURL(AdyenConfiguration.testCheckout, "/v72"))
        return test
    }
    fileprivate static var adyenLive: ProviderEnvironment {
        var live = ProviderEnvironment("live", endpoint: Origin(.https, "device-api-live.adyen.com"))
        live.expect(.terminal)
        live.expect(.checkout, as: "https://REPLACE-ME-checkout-live.adyenpayments.com/checkout/v72")
        return live
    }
}

extension AdyenConfiguration {
    /// Where the back office of the test world is.
    fileprivate static let testCheckout = Origin(.https, "checkout-test.adyen.com")

    /// Reads a configuration out of settings that fit the entry of this adapter.
    init(_ settings: ProviderSettings) throws(PaymentError) {
        let (link, terminal) = (try settings[.link], try settings[.terminal])
        guard var checkout = try settings[.checkout] else {
            throw Self.missing("checkout", "the live back office has an address of the account's own")
        }
        // The endpoint is then the terminal itself, which never is the back office.
        if link == .local, settings.environment == "test", checkout.origin == settings.endpoint {
            checkout = WebURL(Self.testCheckout, checkout.target)
        }
        if terminal == nil, link != .mobile { throw Self.missing("terminal", "payments go to one terminal") }
        self.init(
            name: settings.id.rawValue, environment: settings.environment, endpoint: settings.endpoint,
            checkout: checkout, merchant: settings.merchant, apiKey: try settings[.apiKey], terminal: terminal ?? "")
        (self.link, saleID, currencies) = (link, try settings[.saleID], settings.currencies)
        (refunds, allowsMultipleCaptures) = (try settings[.refunds], try settings[.capturesSeveral])
        treatsNotFoundAsProof = try settings[.trustsNotFound]
        (tenderOptions, store) = (try settings[.tenderOptions], try settings[.store])
        (interface, connectTo) = (try settings[.interface], try settings[.connectTo])
        (keyIdentifier, keyVersion) = (try settings[.keyIdentifier], try settings[.keyVersion])
        webhookKeys = [try settings[.webhookKey], try settings[.nextWebhookKey]].compactMap(\.self)
        passphrase = try settings[.passphrase]
        terminalRoots = try settings[.terminalRoots]?.expose().replacing("\\n", with: "\n")
        returnURL = try settings[.returnURL]
        if link == .local, passphrase == nil {
            throw Self.missing("passphrase", "messages on the same network are encrypted")
        }
        if link == .local, settings.endpoint.scheme == .https, terminalRoots == nil {
            throw Self.missing("terminalRoots", "the certificates of terminals lead to roots of the provider's own")
        }
    }

    private static func missing(_ what: String, _ why: String) -> PaymentError {
        PaymentError.notExecuted(.configuration, "\(what) is missing: \(why)")
    }
}
