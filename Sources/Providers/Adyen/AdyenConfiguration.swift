public import PaymentMobileSDKs
public import PaymentProviderKit

/// What the Adyen driver needs to know.
public struct AdyenConfiguration: Sendable {
    /// How a terminal is reached.
    public enum Integration: String, Hashable, Sendable, CaseIterable {
        /// Through the cloud; the answer comes back on the same connection.
        case cloudSync
        /// Through the cloud; the answer is asked for afterwards.
        case cloudAsync
        /// On the same network, encrypted.
        case local
        /// A phone with the vendor's own kit.
        case mobile
    }

    /// Where refunds to the original go.
    public enum Refunds: String, Hashable, Sendable, CaseIterable {
        /// To the terminal that took the payment.
        case terminal
        /// To the back office.
        case backOffice
    }

    /// What a payment is called in the Customer Area and in reports.
    public enum MerchantReference: String, Hashable, Sendable, CaseIterable {
        /// The attempt's id.
        case attempt
        /// The application's reference, a tilde, and the attempt's id: a search for an order finds its payments.
        case orderAndAttempt
    }

    /// The name under which it is configured.
    public let name: String
    /// Which of the provider's worlds it is: `test` or `live`.
    public let environment: String
    /// Where terminals are reached: the cloud, or the terminal itself.
    public let endpoint: Origin
    /// Where the back office is, with the beginning of its paths.
    public let checkout: WebURL
    /// The merchant's account.
    public let merchant: String
    /// What the client is known by; nil on a phone, whose server has it.
    public let apiKey: Secret?
    /// The terminal, as `model-serial`; a phone is known by its session instead.
    public let terminal: String
    /// How the terminal is reached.
    public var link = ProviderSettingKey.link.default
    /// The currencies that may be taken; nil for all.
    public var currencies: Set<Currency>?
    /// What this till calls itself to the terminal.
    public var saleID = ProviderSettingKey.saleID.default
    /// Where refunds to the original go.
    public var refunds = ProviderSettingKey.refunds.default
    /// What a payment at a terminal is called in the Customer Area and in reports.
    public var merchantReference = ProviderSettingKey.merchantReference.default
    /// Whether the account may capture one authorisation in several parts.
    public var allowsMultipleCaptures = ProviderSettingKey.capturesSeveral.default
    /// Whether a terminal that doesn't know a message proves that nothing came of it: only where the merchant has seen
    /// that terminals here keep what they did over restarts, and that none is replaced while something is open.
    public var treatsNotFoundAsProof = ProviderSettingKey.trustsNotFound.default
    /// Further wishes about each payment, such as `SkipAIDPriority`, with commas between. By `AskGratuity` or `AskGiving` the
    /// shopper adds to the amount, and what is approved then is more than what was asked for.
    public var tenderOptions: String?
    /// The store that payments belong to.
    public var store: String?
    /// What each request says about the software that sends it.
    public var applicationInfo = ApplicationInfo()
    /// The keys of webhooks as hexadecimal text; without any, all are refused.
    public var webhookKeys: [Secret] = []
    /// What messages to a terminal on the same network are encrypted with.
    public var passphrase: Secret?
    /// The passphrase that takes its place, while both are in use: terminals answer under the new one as soon as it is set.
    public var nextPassphrase: Secret?
    /// Which version the next passphrase is.
    public var nextKeyVersion: Int64?
    /// Whether messages through the cloud are encrypted with the passphrase, too, as the account may demand.
    public var encryptsCloud = ProviderSettingKey.encryptsCloud.default
    /// The roots, as PEM, that the certificates of terminals on the same network lead to; their names follow the
    /// provider's rule, whatever address they have.
    public var terminalRoots: String?
    /// What the terminal knows the passphrase by.
    public var keyIdentifier = ProviderSettingKey.keyIdentifier.default
    /// Which version of the passphrase it is.
    public var keyVersion = ProviderSettingKey.keyVersion.default
    /// Where to connect to a terminal on the same network, whose certificate names another host.
    public var connectTo: Origin?
    /// Where a shopper would come back to; the back office requires it of every charge.
    public var returnURL = ProviderSettingKey.returnURL.default
    /// What a phone reads cards with, where a payment doesn't say it.
    public var interface = ProviderSettingKey.interface.default
    /// Whether a phone is asked what became of a payment.
    public var phoneStatus = ProviderSettingKey.phoneStatus.default

    /// Whether a phone is asked what became of a payment.
    public enum PhoneStatus: String, Hashable, Sendable, CaseIterable {
        /// It isn't: a webhook says what became of a payment.
        case notAsked
        /// By a TransactionStatusRequest, which the SDK gets as it gets a payment.
        case asked
    }

    /// What the provider wants to know of the software that sends requests; it requires this of technology partners.
    public struct ApplicationInfo: Hashable, Sendable {
        /// The platform that the payment comes from.
        public var platformName: String?
        /// The platform's version.
        public var platformVersion: String?
        /// Who has integrated the platform with the provider.
        public var integrator: String?
        /// The merchant's application.
        public var applicationName: String?
        /// The application's version.
        public var applicationVersion: String?
        /// The operating system of the merchant's device.
        public var deviceSystem: String?
        /// The version of the operating system.
        public var deviceSystemVersion: String?

        /// Makes one that says nothing.
        public init() {}

        /// What is said, by the provider's names: a group and its member.
        var members: [(group: String, name: String, value: String)] {
            [
                ("externalPlatform", "name", platformName), ("externalPlatform", "version", platformVersion),
                ("externalPlatform", "integrator", integrator), ("merchantApplication", "name", applicationName),
                ("merchantApplication", "version", applicationVersion), ("merchantDevice", "os", deviceSystem),
                ("merchantDevice", "osVersion", deviceSystemVersion),
            ].compactMap { group, name, value in value.map { (group, name, $0) } }
        }
    }

    /// Which of the provider's worlds it is, whichever region's: terminals' certificates name it, and payments are
    /// recorded with it. A region is only where terminals are reached; the merchant account is the same.
    var world: String { environment.hasPrefix("live-") ? "live" : environment }

    /// Makes a configuration.
    public init(
        name: String = "adyen", environment: String = "test", endpoint: Origin, checkout: WebURL, merchant: String,
        apiKey: Secret?, terminal: String
    ) {
        (self.name, self.environment, self.endpoint, self.checkout) = (name, environment, endpoint, checkout)
        (self.merchant, self.apiKey, self.terminal) = (merchant, apiKey, terminal)
    }

    /// Makes the driver of the link.
    ///
    /// - Throws: `configuration`, nothing moved, when the way to the terminal needs something that is not there.
    public func driver(
        _ transport: any HTTPTransport, _ crypto: any Crypto, kit: (any AdyenPhoneSDK.PaymentService)? = nil,
        server: (any AdyenMerchantServer)? = nil
    ) throws(PaymentError) -> any AdyenTerminalDriver {
        switch link {
        case .cloudSync, .cloudAsync: return AdyenDriver(try AdyenCore(self, transport, crypto))
        case .local: return AdyenLocalDriver(try AdyenCore(self, transport, crypto))
        case .mobile:
            guard let kit else {
                throw AdyenCore.missing(
                    "\(name) has link mobile and got no kit: hand a value of AdyenPhoneSDK.PaymentService over when opening, "
                        + "in `delegates[\"\(name)\"]`")
            }
            try keepsNoSecret()
            return AdyenMobileDriver(try AdyenCore(self, transport, crypto, kit: kit, server: server), kit)
        }
    }

    /// Throws where a phone of the live world would have what belongs on a server.
    private func keepsNoSecret() throws(PaymentError) {
        guard world == "live" else { return }
        let held = [
            ("apiKey", apiKey != nil), ("webhookKey", !webhookKeys.isEmpty),
            ("passphrase", passphrase != nil || nextPassphrase != nil),
        ].filter(\.1).map(\.0)
        if held.isEmpty { return }
        throw PaymentError.notExecuted(
            .configuration,
            "link mobile of \(name) has \(held.joined(separator: " and ")) on a phone: leave it out. The application's "
                + "server opens the kit's sessions with its own key, carries requests to the back office as an "
                + "AdyenServer, and takes the webhooks")
    }

    /// Everything that must not be printed or kept.
    var secrets: [Secret] { [apiKey, passphrase, nextPassphrase].compactMap(\.self) + webhookKeys }
}

extension ProviderDefinition {
    /// Adyen: terminals by Terminal API, the back office by the Checkout API.
    public static let adyen = bare.withInspector(AdyenInspector(), signatures: AdyenSignatures())
        .withWebhookKey(.webhookKey)
        .withDeclineCodes(AdyenDeclineCodes.codes.merging(AdyenDeclineCodes.declines) { code, _ in code })
        .withAssumptions(AdyenAssumptions.all)
        .withLinks([
            ProviderLink(
                "cloudSync", .published, "terminals through Adyen's cloud, which answers at once", at: everywhere),
            ProviderLink("cloudAsync", .published, "terminals through Adyen's cloud, asked afterwards", at: everywhere),
            ProviderLink("local", .published, "terminals on the same network, encrypted", at: everywhere),
            ProviderLink(
                "mobile", .sdk, "an iPhone, or a reader that is paired with it, by the vendor's SDK", at: everywhere),
        ])

    private static let everywhere = ["simulated", "test", "live", "live-us", "live-au", "live-apse"]

    private static let bare = ProviderDefinition(
        adapter: "adyen", name: "Adyen",
        environments: [
            .adyenSimulated, .adyenTest, .adyenLive, .adyenLive(in: "us"), .adyenLive(in: "au"),
            .adyenLive(in: "apse"),
        ],
        merchant: "The merchant account, as the Customer Area names it.",
        settings: [
            ProviderSetting(.terminal), ProviderSetting(.link), ProviderSetting(.saleID), ProviderSetting(.refunds),
            ProviderSetting(.merchantReference),
            ProviderSetting(.checkout), ProviderSetting(.capturesSeveral), ProviderSetting(.trustsNotFound),
            ProviderSetting(.tenderOptions),
            ProviderSetting(.store), ProviderSetting(.keyIdentifier), ProviderSetting(.keyVersion),
            ProviderSetting(.connectTo), ProviderSetting(.interface), ProviderSetting(.phoneStatus),
            ProviderSetting(.returnURL),
            ProviderSetting(.nextKeyVersion), ProviderSetting(.encryptsCloud), ProviderSetting(.platformName),
            ProviderSetting(.platformVersion), ProviderSetting(.integrator), ProviderSetting(.applicationName),
            ProviderSetting(.applicationVersion), ProviderSetting(.deviceSystem), ProviderSetting(.deviceSystemVersion),
        ],
        credentials: [
            ProviderCredential(.apiKey), ProviderCredential(.webhookKey), ProviderCredential(.nextWebhookKey),
            ProviderCredential(.passphrase), ProviderCredential(.nextPassphrase), ProviderCredential(.terminalRoots),
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
    fileprivate static var adyenLive: ProviderEnvironment { live("live", "device-api-live.adyen.com") }

    /// The live world of another region than Europe: terminals have to be reached through the nearest one.
    fileprivate static func adyenLive(in region: String) -> ProviderEnvironment {
        live("live-\(region)", "device-api-live-\(region).adyen.com")
    }

    private static func live(_ name: String, _ host: String) -> ProviderEnvironment {
        var live = ProviderEnvironment(name, endpoint: Origin(.https, host))
        live.world = "live"
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
        if terminal == nil, link != .mobile {
            // Both at once, so that one error names all that has to be filled in.
            let key = try settings[.apiKey] == nil ? "; apiKey is missing, too: it is a credential" : ""
            throw Self.missing("terminal", "payments go to one terminal\(key)")
        }
        self.init(
            name: settings.id.rawValue, environment: settings.environment, endpoint: settings.endpoint,
            checkout: checkout, merchant: settings.merchant, apiKey: try settings[.apiKey], terminal: terminal ?? "")
        (self.link, saleID, currencies) = (link, try settings[.saleID], settings.currencies)
        (refunds, allowsMultipleCaptures) = (try settings[.refunds], try settings[.capturesSeveral])
        merchantReference = try settings[.merchantReference]
        treatsNotFoundAsProof = try settings[.trustsNotFound]
        (tenderOptions, store) = (try settings[.tenderOptions], try settings[.store])
        (interface, connectTo) = (try settings[.interface], try settings[.connectTo])
        phoneStatus = try settings[.phoneStatus]
        (keyIdentifier, keyVersion) = (try settings[.keyIdentifier], try settings[.keyVersion])
        webhookKeys = [try settings[.webhookKey], try settings[.nextWebhookKey]].compactMap(\.self)
        passphrase = try settings[.passphrase]
        (nextPassphrase, nextKeyVersion) = (try settings[.nextPassphrase], try settings[.nextKeyVersion])
        encryptsCloud = try settings[.encryptsCloud]
        try readApplicationInfo(settings)
        terminalRoots = try settings[.terminalRoots]?.expose().replacing("\\n", with: "\n")
        returnURL = try settings[.returnURL]
        if link == .local || encryptsCloud, passphrase == nil {
            throw Self.missing("passphrase", "messages on the same network, and with encryptsCloud all, are encrypted")
        }
        if (nextPassphrase == nil) != (nextKeyVersion == nil) {
            throw Self.missing("nextPassphrase or nextKeyVersion", "the next passphrase has a version")
        }
        if link == .local, settings.endpoint.scheme == .https, terminalRoots == nil {
            throw Self.missing("terminalRoots", "the certificates of terminals lead to roots of the provider's own")
        }
    }

    private mutating func readApplicationInfo(_ settings: ProviderSettings) throws(PaymentError) {
        applicationInfo.platformName = try settings[.platformName]
        applicationInfo.platformVersion = try settings[.platformVersion]
        applicationInfo.integrator = try settings[.integrator]
        applicationInfo.applicationName = try settings[.applicationName]
        applicationInfo.applicationVersion = try settings[.applicationVersion]
        applicationInfo.deviceSystem = try settings[.deviceSystem]
        applicationInfo.deviceSystemVersion = try settings[.deviceSystemVersion]
    }

    private static func missing(_ what: String, _ why: String) -> PaymentError {
        PaymentError.notExecuted(.configuration, "\(what) is missing: \(why)")
    }
}

// What a configuration can say about Adyen: each setting and credential once.

extension ProviderSettingKey where Value == AdyenConfiguration.Integration {
    static var link: Self { Self("link", .choice, default: .cloudSync, "How the terminal is reached.") }
}

extension ProviderSettingKey where Value == AdyenConfiguration.Refunds {
    static var refunds: Self { Self("refunds", .choice, default: .terminal, "Where refunds to the original go.") }
}

extension ProviderSettingKey where Value == AdyenConfiguration.MerchantReference {
    static var merchantReference: Self {
        Self(
            "merchantReference", .choice, default: .attempt,
            "What a payment at a terminal is called in the Customer Area and in reports.")
    }
}

extension ProviderSettingKey where Value == AdyenInterface {
    static var interface: Self {
        Self("interface", .choice, default: .tapToPay, "What a phone reads cards with, where a payment doesn't say it.")
    }
}

extension ProviderSettingKey where Value == AdyenConfiguration.PhoneStatus {
    static var phoneStatus: Self {
        Self(
            "phoneStatus", .choice, default: .notAsked,
            "Whether a phone is asked what became of a payment: Adyen's pages say that phones answer, and no published "
                + "call of the SDK is said to take the question. Try it on a test account first.")
    }
}

extension ProviderSettingKey where Value == String {
    static var saleID: Self { Self("saleID", .text(), default: "TILL", "What this till calls itself to the terminal.") }
    static var returnURL: Self {
        Self(
            "returnUrl", .text(), default: "https://return.invalid/",
            "Where a shopper would come back to; the back office requires it although a saved card sends no shopper away."
        )
    }
    static var keyIdentifier: Self {
        Self("keyIdentifier", .text(), default: "till", "What the terminal knows the passphrase by.")
    }
}

extension ProviderSettingKey where Value == Bool {
    static var capturesSeveral: Self {
        Self(
            "capturesSeveral", .boolean, default: false,
            "Whether the account may capture one authorisation in several parts.")
    }
    static var trustsNotFound: Self {
        Self(
            "trustsNotFound", .boolean, default: false,
            "Whether a terminal that doesn't know a message proves that nothing came of it.")
    }
    static var encryptsCloud: Self {
        Self(
            "encryptsCloud", .boolean, default: false,
            "Whether messages through the cloud are encrypted with the passphrase, as the account may demand.")
    }
}

extension ProviderSettingKey where Value == Int64? {
    static var nextKeyVersion: Self {
        Self("nextKeyVersion", .integer(0...Int64(Int32.max)), "Which version the next passphrase is.")
    }
}

extension ProviderSettingKey where Value == Int64 {
    static var keyVersion: Self {
        Self("keyVersion", .integer(0...Int64(Int32.max)), default: 1, "Which version of the passphrase it is.")
    }
}

extension ProviderSettingKey where Value == String? {
    static var terminal: Self { Self("terminal", .text(), "The terminal, as model-serial; a phone needs none.") }
    static var tenderOptions: Self {
        Self("tenderOptions", .text(), "Further wishes about each payment, with commas between.")
    }
    static var store: Self { Self("store", .text(), "The store that payments belong to.") }
    static var platformName: Self {
        Self("platformName", .text(), "The platform that payments come from; Adyen requires it of technology partners.")
    }
    static var platformVersion: Self { Self("platformVersion", .text(), "The platform's version.") }
    static var integrator: Self { Self("integrator", .text(), "Who has integrated the platform with Adyen.") }
    static var applicationName: Self { Self("applicationName", .text(), "The merchant's application.") }
    static var applicationVersion: Self { Self("applicationVersion", .text(), "The application's version.") }
    static var deviceSystem: Self { Self("deviceSystem", .text(), "The operating system of the merchant's device.") }
    static var deviceSystemVersion: Self {
        Self("deviceSystemVersion", .text(), "The version of the device's operating system.")
    }
}

extension ProviderSettingKey where Value == WebURL? {
    static var checkout: Self {
        Self("checkout", .address, "Where the back office is, with the version; the live one is personal.")
    }
}

extension ProviderSettingKey where Value == Origin? {
    static var connectTo: Self {
        Self(
            "connectTo", .origin,
            "Where to connect to a terminal on the same network, whose certificate names another host.")
    }
}

extension ProviderCredentialKey where Value == Secret? {
    static var apiKey: Self {
        Self(
            "apiKey", isExpected: true,
            "The key of the account's user with the roles for terminals and the back office; never on a phone.")
    }
    static var webhookKey: Self {
        Self("webhookKey", "The key that webhooks are signed with; all are refused without it.")
    }
    static var nextWebhookKey: Self {
        Self("nextWebhookKey", "The key that takes the first one's place, while both are in use.")
    }
    static var passphrase: Self {
        Self(
            "passphrase",
            "What messages to a terminal on the same network are encrypted with; ASCII alone, since of other letters one "
                + "of the vendor's own libraries derives other keys.")
    }
    static var nextPassphrase: Self {
        Self("nextPassphrase", "The passphrase that takes the first one's place, while both are in use.")
    }
    static var terminalRoots: Self {
        Self(
            "terminalRoots",
            "The roots of terminals' certificates on the same network, as PEM on one line with \\n for each break.")
    }
}

/// What a phone reads cards with.
public enum AdyenInterface: String, Hashable, Sendable, CaseIterable {
    /// A reader beside the phone.
    case cardReader
    /// The phone itself.
    case tapToPay

    /// What an application chose for one payment; nil where it left the choice.
    init?(_ hardware: ReaderPresentation.Hardware?) {
        switch hardware {
        case .phone: self = .tapToPay
        case .reader: self = .cardReader
        case nil: return nil
        }
    }
}
