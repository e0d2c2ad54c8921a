internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentMobileSDKs
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderDefinition {
    /// Halo: cards by tap on an iPhone.
    public static let halo = ProviderDefinition(
        adapter: "halo", name: "Halo Dot",
        environments: [
            .haloSimulated,
            ProviderEnvironment("sandbox", endpoint: Origin(.https, "kernelserver.go.dev.haloplus.io")),
            ProviderEnvironment("production", endpoint: nil),
        ],
        merchant: "The merchant's or the application's id, as tokens name it.",
        settings: [
            ProviderSetting(.link), ProviderSetting(.algorithm), ProviderSetting(.audience), ProviderSetting(.location),
            ProviderSetting(.search), ProviderSetting(.searchMerchant), ProviderSetting(.recordAmounts),
            ProviderSetting(.answerAmounts), ProviderSetting(.refundAmounts), ProviderSetting(.passthroughFields),
        ],
        credentials: [ProviderCredential(.token), ProviderCredential(.officeKey)],
        errors: .halo
    ) { settings, tools throws(PaymentError) in
        let configuration = try HaloConfiguration(settings)
        var driver = HaloDriver(configuration, tools)
        driver.take(only: settings.currencies)
        if configuration.link == .reader { return driver }
        let kit = try tools.mobileSDK(for: settings, "HaloPhoneSDK.SDK") { $0 as? any HaloPhoneSDK.SDK }
        return HaloMobileDriver(driver, kit)
    }
    .withInspector(HaloInspector())
    .withAssumptions(HaloAssumptions.all)
    .withDeclineCodes(HaloMapping.reasons.merging(Decline.Reason.isoResponseCodes) { own, _ in own })
}

extension ProviderEnvironment {
    /// The simulated provider, whose merchant's token is known to everyone.
    fileprivate static var haloSimulated: ProviderEnvironment {
        var simulated = simulated("halo", merchant: "merchant-1")
        simulated.set(.audience, to: "halo.sandbox")
        simulated.publish(.token, simulatedToken)
        simulated.publish(.officeKey, "halo-simulated-office-key")
        return simulated
    }

    /// Signed with the key of RFC 7515, good until 2100.
    private static let simulatedToken =
        "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzaW11bGF0ZWQiLCJzdWIiOiJtZXJjaGFudC0xIiwidXNyIjoidXN"
        + "lci0xIiwiYXVkIjoiaGFsby5zYW5kYm94IiwiaWF0IjoxNzY3MjI1NjAwLCJleHAiOjQxMDI0NDQ4MDAsInJlZnJlc2hfdG9rZW4"
        + "iOmZhbHNlLCJ4LXRpZCI6IlRJRDAwMDEiLCJtY2MiOiI1NDExIiwibWJuIjoiU2ltdWxhdGVkIFNob3AiLCJ0cGlkIjoidHAtMSJ"
        + "9.g45kaZ7PI5qFZEDP6xI4iDwzBn_jGYYUx73FgyEBAEZVo6CBIzvUfDB0c3PW3ZQCb4fLf5Rkz0hTMB00dEmrTYjhxf9N0t54ld"
        + "AcP4ai0hMhwh3U-0240bl5CfaegpBMnpFbI7dzg_N41eO5DrgxCAf5qq9QSM-AyZfUwItUTO5cLpMWfRn5b_0tWXQ9qZWJhWznp1"
        + "sBjNfXf52zW43Y_q4HAMMBrvNZBIM6GK6L6tmIQWIJa863sA4Sk1Lv6ohZkpV486DDdcgrMmSSw0aIR_6jOzn-xrZaxRgtqEktlY"
        + "5sD7kdRG_Iai9Kxa4E_aWqVLY9PBki-x31ErnX3NxcbQ"
}
