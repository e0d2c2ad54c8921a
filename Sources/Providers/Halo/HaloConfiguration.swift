internal import PaymentMobileSDKs
public import PaymentProviderKit

/// What the driver of Halo needs to know.
public struct HaloConfiguration: Sendable {
    /// How tokens have to be signed.
    public enum Algorithm: String, Hashable, Sendable, CaseIterable {
        /// RSA with SHA-256.
        case rs256 = "RS256"
        /// RSA with SHA-512.
        case rs512 = "RS512"
    }

    /// Who reads the card and submits the payment.
    public enum Integration: String, Hashable, Sendable, CaseIterable {
        /// A reader of the application's, whose taps the driver submits.
        case reader
        /// The vendor's kit on a phone, which reads, asks for the PIN and submits in one call.
        case mobile = "kit"
    }

    /// What the provider calls a payment.
    public enum MerchantReference: String, Hashable, Sendable, CaseIterable {
        /// The attempt's id.
        case attempt
        /// The application's reference as far as there is room, and the attempt's id behind it.
        case orderAndAttempt
    }

    /// Whether a payment continues without the device's location.
    public enum LocationPolicy: String, Hashable, Sendable, CaseIterable {
        /// It is sent where it is known.
        case optional
        /// No payment begins without it.
        case required
    }

    /// Where the amounts of records are read; the documents show two forms and name no unit.
    public enum RecordAmounts: String, Hashable, Sendable, CaseIterable {
        /// As printed on the receipt, with the currency; a record without a receipt has none.
        case printed
        /// The record's own member, in the currency's smallest unit.
        case minor
        /// The record's own member, in major units.
        case major
    }

    /// The unit of the amounts in answers to taps.
    public enum ReplyAmounts: String, Hashable, Sendable, CaseIterable {
        /// The currency's smallest unit.
        case minor
        /// Major units.
        case major
    }

    /// How amounts are written for refunds of the back office.
    public enum RefundAmounts: String, Hashable, Sendable, CaseIterable {
        /// Numbers in major units.
        case major
        /// Numbers in the currency's smallest unit.
        case minor
        /// Texts in major units.
        case text
    }

    /// What a search that finds nothing proves.
    public enum AbsenceProof: String, Hashable, Sendable, CaseIterable {
        /// Nothing: the merchant has not seen that searches show every payment of the merchant at once.
        case unproven
        /// That there is nothing: the merchant has seen at the provider that a payment is found as soon as it is done.
        case proven
    }

    /// The name under which it is configured.
    public var name = "halo"
    /// The environment, as payments are recorded with it.
    public var environment = "production"
    /// The kernel server.
    public let endpoint: Origin
    /// The merchant's or the application's id.
    public let merchant: String
    /// Gives a signed token whenever one is needed.
    public let token: SecretSource
    /// How tokens have to be signed.
    public var algorithm = ProviderSettingKey.algorithm.default
    /// For which host tokens are made; the endpoint's own when nil.
    public var audience: String?
    /// Who reads the card and submits the payment.
    public var link = ProviderSettingKey.link.default
    /// Whether a payment continues without the device's location.
    public var locationPolicy = ProviderSettingKey.location.default
    /// What the provider calls a payment.
    public var merchantReference = ProviderSettingKey.merchantReference.default
    /// Where the amounts of records are read.
    public var recordAmounts = ProviderSettingKey.recordAmounts.default
    /// The unit of the amounts in answers to taps.
    public var answerAmounts = ProviderSettingKey.answerAmounts.default
    /// How amounts are written for refunds of the back office.
    public var refundAmounts = ProviderSettingKey.refundAmounts.default
    /// What a search that finds nothing proves.
    public var search = ProviderSettingKey.search.default
    /// What searches call the merchant; as tokens do when nil.
    public var searchMerchant: String?
    /// What newer kits send with each tap, as JSON; nothing when nil.
    public var passthroughFields: String?
    /// The key of the back office; without one nothing can be refunded to an original.
    public var backOfficeKey: Secret?

    /// Makes a configuration.
    public init(endpoint: Origin, merchant: String, token: SecretSource) {
        (self.endpoint, self.merchant, self.token) = (endpoint, merchant, token)
    }

    /// Reads a configuration out of settings that fit the entry of this adapter.
    public init(_ settings: ProviderSettings) throws(PaymentError) {
        self.init(endpoint: settings.endpoint, merchant: settings.merchant, token: try settings[.token])
        (name, environment) = (settings.id.rawValue, settings.environment)
        (algorithm, audience) = (try settings[.algorithm], try settings[.audience])
        merchantReference = try settings[.merchantReference]
        (recordAmounts, answerAmounts) = (try settings[.recordAmounts], try settings[.answerAmounts])
        (refundAmounts, search) = (try settings[.refundAmounts], try settings[.search])
        (searchMerchant, passthroughFields) = (try settings[.searchMerchant], try settings[.passthroughFields])
        link = try settings[.link]
        (locationPolicy, backOfficeKey) = (try settings[.location], try settings[.officeKey])
    }
}

extension ProviderDefinition {
    /// Halo: cards by tap on an iPhone.
    public static let halo = ProviderDefinition(
        adapter: "halo", name: "Halo Dot",
        environments: [
            .haloSimulated,
            .halo("sandbox", Origin(.https, "kernelserver.go.dev.haloplus.io")),
            .halo("production", nil),
        ],
        merchant: "The merchant's or the application's id, as tokens name it.",
        settings: [
            ProviderSetting(.link), ProviderSetting(.merchantReference), ProviderSetting(.algorithm),
            ProviderSetting(.audience), ProviderSetting(.location),
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
    .withLinks([
        ProviderLink("kit", .sdk, "taps on an iPhone by the vendor's SDK", at: ["simulated", "sandbox", "production"]),
        ProviderLink(
            "reader", .published, "taps of an own reader, and the back office",
            at: ["simulated", "sandbox", "production"],
            limits: [
                "sandbox": "Ask Halo whether an own reader may be used.",
                "production": "Ask Halo whether an own reader may be used.",
            ]),
    ])
    .withDeclineCodes(HaloMapping.reasons.merging(Decline.Reason.isoResponseCodes) { own, _ in own })
}

extension ProviderEnvironment {
    /// A real one, where taps go by the vendor's SDK.
    fileprivate static func halo(_ name: String, _ endpoint: Origin?) -> ProviderEnvironment {
        var environment = ProviderEnvironment(name, endpoint: endpoint)
        environment.expect(.link, as: HaloConfiguration.Integration.mobile.rawValue)
        return environment
    }

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

// What a configuration can say about Halo: each setting and credential once.

extension ProviderSettingKey where Value == HaloConfiguration.Algorithm {
    static var algorithm: Self { Self("algorithm", .choice, default: .rs256, "How tokens have to be signed.") }
}

extension ProviderSettingKey where Value == String? {
    static var audience: Self {
        Self("audience", .text(), "The host that tokens are for; the endpoint's when left out.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.Integration {
    static var link: Self {
        Self("link", .choice, default: .reader, "Who reads the card: an own reader, or the vendor's kit on a phone.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.MerchantReference {
    static var merchantReference: Self {
        Self(
            "merchantReference", .choice, default: .attempt,
            "What a payment is called at Halo: the attempt, or the order before it, by which people can search.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.LocationPolicy {
    static var location: Self {
        Self("location", .choice, default: .optional, "Whether a payment needs the device's location.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.RecordAmounts {
    static var recordAmounts: Self {
        Self("recordAmounts", .choice, default: .printed, "Where the amounts of records are read, and in which unit.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.ReplyAmounts {
    static var answerAmounts: Self {
        Self("answerAmounts", .choice, default: .minor, "The unit of the amounts in answers to taps.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.RefundAmounts {
    static var refundAmounts: Self {
        Self("refundAmounts", .choice, default: .major, "How amounts are written for refunds of the back office.")
    }
}

extension ProviderSettingKey where Value == HaloConfiguration.AbsenceProof {
    static var search: Self {
        Self("search", .choice, default: .unproven, "Whether a search that finds nothing proves that nothing is there.")
    }
}

extension ProviderSettingKey where Value == String? {
    static var searchMerchant: Self {
        Self("searchMerchant", .text(), "What searches call the merchant; as tokens do when left out.")
    }
    static var passthroughFields: Self {
        Self("passthroughFields", .text(charactersMax: 1_024), "What newer kits send with each tap, as JSON.")
    }
}

extension ProviderCredentialKey where Value == SecretSource {
    static var token: Self { Self("token", "Gives a fresh signed token.") }
}

extension ProviderCredentialKey where Value == Secret? {
    static var officeKey: Self {
        Self("officeKey", "The key of the back office; without one, originals can't be refunded.")
    }
}
