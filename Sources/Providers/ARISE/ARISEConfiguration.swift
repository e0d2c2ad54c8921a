internal import PaymentMobileSDKs
public import PaymentProviderKit

/// What the ARISE driver needs to know.
public struct ARISEConfiguration: Sendable {
    /// Who reads a card that is tapped.
    public enum Integration: String, Hashable, Sendable, CaseIterable {
        /// A reader of the application's, whose taps the driver submits.
        case reader
        /// The vendor's kit on a phone, which reads and submits in one call.
        case mobile = "kit"
    }

    /// What a record proves that says that the payment failed.
    public enum Failed: String, Hashable, Sendable, CaseIterable {
        /// Nothing: it may have failed after the network approved it.
        case open
        /// That nothing moved: ARISE has said so.
        case final
    }

    /// Where ARISE keeps the reference of a request, so that a lost answer can be found by it.
    public enum ReferenceEcho: String, Hashable, Sendable, CaseIterable {
        /// It comes back as the order number.
        case orderNumber
        /// It does not come back; transactions are found by amount and time.
        case none
    }

    /// How the holder of a bank account has agreed to a transfer.
    public enum BankEntry: String, Hashable, Sendable, CaseIterable {
        /// On a web page.
        case web
        /// In writing, as a person.
        case ppd
        /// In writing, as a business.
        case ccd
        /// By telephone.
        case telephone

        /// ARISE's number for it.
        var number: Int64 {
            switch self {
            case .web: 1
            case .ppd: 2
            case .ccd: 3
            case .telephone: 4
            }
        }
    }

    /// The name under which it is configured.
    public let name: String
    /// `uat`, `production` or the simulated `sandbox`.
    public let environment: String
    /// Where the API is.
    public let endpoint: Origin
    /// Where access tokens are got.
    public let oauth: Origin
    /// The merchant's account.
    public let merchant: String
    /// The API token's client id.
    public let clientID: String
    /// The API token's secret; nil where it is fetched when it is needed.
    public let clientSecret: Secret?
    /// Fetches the API token's secret from the application's server; nil to use the one that is here.
    public let signIn: SecretSource?
    /// Who reads a card that is tapped.
    public var link = ProviderSettingKey.link.default
    /// The processor to use; nil for the default one of the settings.
    public var processor: String?
    /// Which amount a surcharge is a percentage of, in local previews.
    public var surchargeBase = ProviderSettingKey.surchargeBase.default
    /// Where the reference comes back.
    public var referenceEcho = ProviderSettingKey.referenceEcho.default
    /// What a record proves that says that the payment failed.
    public var failed = ProviderSettingKey.failed.default
    /// Whether no other system works on the account, so that what looks like a lost payment is it.
    public var isSoleUser = ProviderSettingKey.exclusiveAccount.default
    /// What webhooks are signed with; nil refuses them all.
    public var webhookSecret: Secret?
    /// What the device is called in the merchant's list.
    public var deviceName = ProviderSettingKey.deviceName.default
    /// The address of the machine that asks for transfers from and to bank accounts; they are refused without one.
    public var requesterIPAddress: String?
    /// How holders of bank accounts agree to transfers.
    public var bankEntry = ProviderSettingKey.bankEntry.default
    /// Currencies that are taken.
    public var currencies: Set<Currency> = [.usd]

    /// Makes a configuration.
    public init(
        name: String = "arise", environment: String = "sandbox", endpoint: Origin, oauth: Origin,
        merchant: String = "m-1", clientID: String, clientSecret: Secret
    ) {
        self.init(name, environment, endpoint, oauth, merchant, clientID, clientSecret, nil)
    }

    /// Makes a configuration for a phone, on which no secret is built in.
    public init(
        name: String = "arise", environment: String = "sandbox", endpoint: Origin, oauth: Origin,
        merchant: String = "m-1", clientID: String, signIn: SecretSource
    ) {
        self.init(name, environment, endpoint, oauth, merchant, clientID, nil, signIn)
    }

    private init(
        _ name: String, _ environment: String, _ endpoint: Origin, _ oauth: Origin, _ merchant: String,
        _ clientID: String, _ clientSecret: Secret?, _ signIn: SecretSource?
    ) {
        (self.name, self.environment, self.endpoint, self.oauth) = (name, environment, endpoint, oauth)
        (self.merchant, self.clientID) = (merchant, clientID)
        (self.clientSecret, self.signIn) = (clientSecret, signIn)
    }

    /// Whether an own reader's taps are submitted. No public path takes one, so that real payments are never sent to one.
    var submitsTaps: Bool { link == .mobile || environment != "production" }

    /// What signs in, fetched if need be.
    func secret() async throws(PaymentError) -> Secret {
        if let signIn { return try await signIn.secret() }
        return clientSecret ?? Secret("")
    }

    /// Reads a configuration out of settings that fit the entry of this adapter.
    public init(_ settings: ProviderSettings) throws(PaymentError) {
        self.init(
            settings.id.rawValue, settings.environment, settings.endpoint, try settings[.oauth], settings.merchant,
            try settings[.clientID], try settings[.clientSecret], try settings[.signIn])
        (processor, surchargeBase) = (try settings[.processor], try settings[.surchargeBase])
        (referenceEcho, deviceName) = (try settings[.referenceEcho], try settings[.deviceName])
        (failed, link) = (try settings[.failed], try settings[.link])
        (requesterIPAddress, bankEntry) = (try settings[.requesterIPAddress], try settings[.bankEntry])
        (webhookSecret, isSoleUser) = (try settings[.webhookSecret], try settings[.exclusiveAccount])
        if let taken = settings.currencies { currencies.formIntersection(taken) }
    }
}

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
    .withLinks([
        ProviderLink(
            "kit", .sdk, "taps on an iPhone by the vendor's SDK, all else by the API",
            at: ["uat", "production", "sandbox"]),
        ProviderLink(
            "reader", .published, "typed and stored cards, bank accounts and follow-ups by the API",
            at: ["uat", "production", "sandbox"],
            limits: [
                "uat": "No published path takes a tap: one that is made by an own reader may find nothing there.",
                "production": "It takes no taps: no published path takes one. Set link to kit for them.",
            ]),
    ])
}

extension ProviderEnvironment {
    fileprivate static func arise(_ name: String, _ host: String, oauth: String) -> ProviderEnvironment {
        var environment = ProviderEnvironment(name, endpoint: Origin(.https, host))
        environment.set(.oauth, to: Origin(.https, oauth))
        environment.expect(.link, as: ARISEConfiguration.Integration.mobile.rawValue)
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

// What a configuration can say about ARISE: each setting and credential once.

extension RequiredSettingKey where Value == Origin {
    static var oauth: Self { Self("oauth", .origin, "Where access tokens are got.") }
}

extension RequiredSettingKey where Value == String {
    static var clientID: Self { Self("clientId", .text(), "The client id of the merchant's API token.") }
}

extension ProviderSettingKey where Value == String? {
    static var processor: Self {
        Self("processor", .text(), "The payment processor to use instead of the default one.")
    }
    static var requesterIPAddress: Self {
        Self(
            "requesterIpAddress", .text(),
            "The address of the machine that asks for transfers from and to bank accounts.")
    }
}

extension ProviderSettingKey where Value == ARISEPricing.SurchargeBase {
    static var surchargeBase: Self {
        Self(
            "surchargeBase", .choice, default: .originalBase,
            "Which amount a surcharge is a percentage of, in local previews.")
    }
}

extension ProviderSettingKey where Value == ARISEConfiguration.ReferenceEcho {
    static var referenceEcho: Self {
        Self(
            "referenceEcho", .choice, default: .orderNumber,
            "Where the reference of a request comes back; without one, lost answers are found by amount and time.")
    }
}

extension ProviderSettingKey where Value == ARISEConfiguration.Integration {
    static var link: Self {
        Self(
            "link", .choice, default: .reader,
            "Who reads a card that is tapped: an own reader, or the vendor's kit on a phone.")
    }
}

extension ProviderSettingKey where Value == ARISEConfiguration.Failed {
    static var failed: Self {
        Self("failed", .choice, default: .open, "What a record proves that says that the payment failed.")
    }
}

extension ProviderSettingKey where Value == ARISEConfiguration.BankEntry {
    static var bankEntry: Self {
        Self("bankEntry", .choice, default: .web, "How holders of bank accounts agree to transfers.")
    }
}

extension ProviderSettingKey where Value == String {
    static var deviceName: Self {
        Self("deviceName", .text(), default: "iPhone", "What the device is called at ARISE.")
    }
}

extension ProviderCredentialKey where Value == SecretSource? {
    static var signIn: Self {
        Self("signIn", "Gives the client secret from the application's server whenever a user signs in.")
    }
}

extension ProviderCredentialKey where Value == Secret? {
    static var clientSecret: Self {
        Self("clientSecret", unless: "signIn", "The client secret of the merchant's API token.")
    }
    static var webhookSecret: Self {
        Self("webhookSecret", "What webhooks are signed with; all are refused when left out.")
    }
}
