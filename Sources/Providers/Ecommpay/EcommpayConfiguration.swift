internal import PaymentMobileSDKs
public import PaymentProviderKit

/// What the driver of ecommpay needs to know.
public struct EcommpayConfiguration: Sendable {
    /// The name under which it is configured.
    public var name = "ecommpay"
    /// The environment, as payments are recorded with it.
    public var environment = "production"
    /// Where the Gate is.
    public let gate: Origin
    /// Where the Payment Page is; the Gate's host where it is left out.
    public var page: Origin?
    /// How long a link to the Payment Page can be paid, in minutes.
    public var pageMinutes = ProviderSettingKey.pageMinutes.default
    /// Where sessions are opened.
    public var sessions: Origin
    /// Where a session pushes its events; nil where the client doesn't listen and the session is asked again and again.
    public var events: Origin?
    /// The project's number, which is the merchant.
    public let project: Int64
    /// The project's secret, where it may be in this process: on a server, never on a phone.
    public var secret: Secret?
    /// Where the interface of sessions begins.
    public var sessionPath = ProviderSettingKey.sessionPath.default
    /// Whether the project authenticates customers; then a Visa card needs an e-mail address or a telephone number.
    public var authenticatesCustomers = ProviderSettingKey.authenticates.default
    /// The payment method that a session begins with; nil lets the customer choose.
    public var forcedMethod: String?
    /// Whether saved instruments are left out of a session.
    public var hidesSaved = ProviderSettingKey.hidesSaved.default
    /// The two letters of the customer's region; nil says nothing.
    public var region: String?
    /// The address that is named as the customer's where no request names one: the Gate wants one of every payment.
    public var customerIPAddress: String?
    /// Where the customer's browser goes after a page of the bank's or the provider's; nil says nothing.
    public var returnAddress: String?
    /// Where the bank says that its hidden page was loaded, which is another page than that to which the customer returns.
    public var notificationAddress: String?
    /// How Google Pay knows the merchant; nil where it is not taken.
    public var googlePay: GooglePay?
    /// Whether tokens of cards are made through the Gate and not in sessions.
    public var tokenizesAtGate = ProviderSettingKey.tokenizesAtGate.default
    /// Whether no other system works on the account, so that what looks like a lost payment is it.
    public var isSoleUser = ProviderSettingKey.exclusiveAccount.default
    /// The currencies that are taken; nil for all.
    public var currencies: Set<Currency>?

    /// Where a payment begins.
    public var link = ProviderSettingKey.link.default

    /// Where a payment begins; what follows goes through the Gate in any case.
    public enum Integration: String, Hashable, Sendable, CaseIterable {
        /// At the Gate, on a server that may hold card numbers and learns callbacks.
        case gate
        /// On the provider's Payment Page, to which a link leads that a server signs.
        case page
        /// In a session of the vendor's own kit, on a phone.
        case mobile = "kit"
        /// In a session of the simulated provider, by messages of our own: those of the vendor's kit are not public.
        case session = "simulated"
    }

    /// A merchant at Google Pay.
    public struct GooglePay: Hashable, Sendable {
        /// Google's two worlds: tokens of one are worth nothing in the other.
        public enum Environment: String, Hashable, Sendable, CaseIterable {
            /// Tokens that are worth nothing.
            case test
            /// Tokens of real cards.
            case prod
        }
        /// The merchant's name at Google.
        public let merchant: String
        /// Where its tokens come from.
        public let environment: Environment

        /// Names a merchant in one of the environments.
        public init(_ merchant: String, _ environment: Environment) {
            (self.merchant, self.environment) = (merchant, environment)
        }
    }

    /// Makes a configuration.
    public init(gate: Origin, project: Int64) {
        (self.gate, sessions, events, self.project) = (gate, gate, gate, project)
    }

    /// Reads a configuration out of settings that fit the entry of this adapter.
    ///
    /// - Throws: `configuration`, nothing moved, when the merchant is not a project's number, or half of Google Pay's
    ///   settings is missing.
    public init(_ settings: ProviderSettings) throws(PaymentError) {
        guard let project = Int64(settings.merchant), (1...4_294_967_295).contains(project) else {
            throw PaymentError.notExecuted(
                .configuration, "the merchant of \(settings.id) is the project's number, 1 to 4,294,967,295")
        }
        self.init(gate: settings.endpoint, project: project)
        (name, environment) = (settings.id.rawValue, settings.environment)
        if let origin = try settings[.sessions] { sessions = origin }
        events = try settings[.events] ?? sessions
        secret = try settings[.secret]
        (sessionPath, authenticatesCustomers) = (try settings[.sessionPath], try settings[.authenticates])
        (hidesSaved, tokenizesAtGate) = (try settings[.hidesSaved], try settings[.tokenizesAtGate])
        (forcedMethod, region) = (try settings[.forcedMethod], try settings[.region])
        (customerIPAddress, returnAddress) = (try settings[.customerIPAddress], try settings[.returnAddress])
        notificationAddress = try settings[.notificationAddress]
        link = try settings[.link]
        (page, pageMinutes) = (try settings[.page], try settings[.pageMinutes])
        (currencies, isSoleUser) = (settings.currencies, try settings[.exclusiveAccount])
        switch (try settings[.googlePayMerchant], try settings[.googlePayEnvironment]) {
        case (nil, nil): break
        case (let merchant?, let environment?): googlePay = GooglePay(merchant, environment)
        case (nil, _?), (_?, nil):
            throw PaymentError.notExecuted(
                .configuration, "\(settings.id) needs both `googlePayMerchant` and `googlePayEnvironment`, or neither")
        }
    }
}

extension ProviderDefinition {
    /// ecommpay: keyed and saved cards, tokens and wallets in sessions; the Gate for everything afterwards.
    public static let ecommpay = described.withInspector(EcommpayInspector(), signatures: EcommpaySignatures())
        .withWebhookKey(.secret)
        .withDeclineCodes(EcommpayDeclineCodes.byCode)
        .withAssumptions(EcommpayAssumptions.all)
        .withLinks([
            ProviderLink(
                "gate", .published, "a server that may hold card numbers", at: ["simulated", "test", "production"]),
            ProviderLink(
                "page", .published, "a server that may not: the customer pays on the provider's page",
                at: ["simulated", "test", "production"]),
            ProviderLink(
                "kit", .sdk, "an iPhone, by the vendor's SDK", at: ["simulated", "test", "production"]),
            ProviderLink(
                "simulated", .simulated, "sessions by messages of our own, since those of the SDK are not public",
                at: ["simulated"]),
        ])
        .withCautions { provider in
            guard provider.settings["customerIpAddress"] != nil, provider.environment != "simulated" else { return [] }
            return [
                "customerIpAddress names one address for all customers of payments that name none: the provider's checks "
                    + "for fraud then see one customer. Give ip_address with each payment"
            ]
        }

    private static let described = ProviderDefinition(
        adapter: "ecommpay", name: "ecommpay",
        environments: [.ecommpaySimulated, .ecommpayWorld("test"), .ecommpayWorld("production")],
        merchant: "The project's number; test and live are two projects.",
        settings: [
            ProviderSetting(.link), ProviderSetting(.sessions), ProviderSetting(.events),
            ProviderSetting(.sessionPath), ProviderSetting(.authenticates), ProviderSetting(.hidesSaved),
            ProviderSetting(.forcedMethod), ProviderSetting(.tokenizesAtGate), ProviderSetting(.googlePayMerchant),
            ProviderSetting(.googlePayEnvironment), ProviderSetting(.region), ProviderSetting(.exclusiveAccount),
            ProviderSetting(.customerIPAddress), ProviderSetting(.returnAddress),
            ProviderSetting(.notificationAddress), ProviderSetting(.page), ProviderSetting(.pageMinutes),
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
                    + "`delegates[\"\(settings.id)\"]`; it is the EcommpaySigner, too; outside production "
                    + "a signer of bytes in `signers[\"\(settings.id)\"]` will do")
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

    /// Test and production are two projects on the same hosts.
    fileprivate static func ecommpayWorld(_ name: String) -> ProviderEnvironment {
        var production = ProviderEnvironment(name, endpoint: Origin(.https, "api.ecommpay.com"))
        production.set(.sessions, to: Origin(.https, "sdk.ecommpay.com"))
        production.set(.events, to: Origin(.https, "paymentpage.ecommpay.com"))
        production.set(.page, to: Origin(.https, "paymentpage.ecommpay.com"))
        // The link is the Gate unless the file says another; with authentication the Gate needs both.
        production.expect(.returnAddress, as: "https://REPLACE-ME/back")
        production.expect(.notificationAddress, as: "https://REPLACE-ME/loaded")
        return production
    }
}

// What a configuration can say about ecommpay: each setting and credential once.

extension ProviderSettingKey where Value == Origin? {
    static var sessions: Self {
        Self("sessions", .origin, "Where sessions are opened; the Gate's host when left out.")
    }
    static var page: Self {
        Self("page", .origin, "Where the Payment Page is; the Gate's host when left out.")
    }
    static var events: Self {
        Self("events", .origin, "Where sessions push their events; the sessions' host when left out.")
    }
}

extension ProviderSettingKey where Value == Int64 {
    static var pageMinutes: Self {
        Self(
            "pageMinutes", .integer(1...43_200), default: 30,
            "How long a link to the Payment Page can be paid, in minutes; the provider goes by its own clock.")
    }
}

extension ProviderSettingKey where Value == String {
    static var sessionPath: Self {
        Self("sessionPath", .text(), default: "/msdk/v1", "Where the interface of sessions begins.")
    }
}

extension ProviderSettingKey where Value == Bool {
    static var authenticates: Self {
        Self(
            "authenticates", .boolean, default: true,
            "Whether customers are authenticated: Visa cards, and each payment at the Gate, then need an e-mail address or "
                + "a telephone number; the Gate needs the size of the screen and both addresses of the shop, too.")
    }
    static var hidesSaved: Self {
        Self("hidesSaved", .boolean, default: false, "Whether sessions leave saved instruments out.")
    }
    static var tokenizesAtGate: Self {
        Self(
            "tokenizesAtGate", .boolean, default: false,
            "Whether tokens of cards are made through the Gate and not in sessions.")
    }
}

extension ProviderSettingKey where Value == EcommpayConfiguration.Integration {
    static var link: Self {
        Self(
            "link", .choice, default: .gate,
            "Where payments begin: in the vendor's kit on a phone, at the Gate on a server that may hold card numbers, "
                + "on the Payment Page for a server that may not, or in sessions of the simulated provider.")
    }
}

extension ProviderSettingKey where Value == String? {
    static var customerIPAddress: Self {
        Self(
            "customerIpAddress", .text(),
            "The address that is named as the customer's where no request names one, as with debits of registered cards."
        )
    }
    static var returnAddress: Self {
        Self(
            "returnAddress", .text(), "Where the customer's browser goes after a page of the bank's or the provider's.")
    }
    static var notificationAddress: Self {
        Self(
            "notificationAddress", .text(),
            "Where the bank's hidden page of 3-D Secure posts that it was loaded; the Gate needs it with `authenticates`."
        )
    }
    static var forcedMethod: Self { Self("forcedMethod", .text(), "The payment method that sessions begin with.") }
    static var googlePayMerchant: Self {
        Self("googlePayMerchant", .text(), "The merchant's name at Google Pay.")
    }
    static var region: Self {
        Self("region", .text(charactersMax: 2), "The customer's region, as two letters.")
    }
}

extension ProviderSettingKey where Value == EcommpayConfiguration.GooglePay.Environment? {
    static var googlePayEnvironment: Self {
        Self("googlePayEnvironment", .choice, "Where Google Pay's tokens come from.")
    }
}

extension ProviderCredentialKey where Value == Secret? {
    static var secret: Self {
        Self("secret", isExpected: true, "The project's secret: only on a server; a phone gives a signer instead.")
    }
}
