internal import PaymentAbstraction
internal import PaymentBase
public import PaymentProviderKit
internal import PaymentTransport

extension ProviderEntry {
    /// Adyen: terminals by Terminal API, the back office by the Checkout API.
    public static let adyen = bare.explained(
        by: AdyenInspector(), signatures: AdyenSignatures(), webhookCredential: "webhookKey"
    )
    .declining(AdyenReasons.codes.merging(AdyenReasons.declines) { code, _ in code })

    private static let bare = ProviderEntry(
        adapter: "adyen", name: "Adyen", environments: [.adyenSimulated, .adyenTest, .adyenLive],
        merchant: "The merchant account, as the Customer Area names it.",
        settings: [
            ProviderSetting("terminal", .text(), .optional, "The terminal, as model-serial; a phone needs none."),
            ProviderSetting(
                "link", .choice(AdyenConfiguration.Link.allCases.map(\.rawValue)), .otherwise(.text("cloudSync")),
                "How the terminal is reached."),
            ProviderSetting(
                "saleID", .text(), .otherwise(.text("TILL")), "What this till calls itself to the terminal."),
            ProviderSetting(
                "refunds", .choice(AdyenConfiguration.Refunds.allCases.map(\.rawValue)), .otherwise(.text("terminal")),
                "Where refunds to the original go."),
            ProviderSetting(
                "checkout", .address, .optional, "Where the back office is, with the version; the live one is personal."
            ),
            ProviderSetting(
                "capturesSeveral", .boolean, .otherwise(.boolean(false)),
                "Whether the account may capture one authorisation in several parts."),
            ProviderSetting(
                "tenderOptions", .text(), .optional, "Further wishes about each payment, with commas between."),
            ProviderSetting("store", .text(), .optional, "The store that payments belong to."),
            ProviderSetting(
                "keyIdentifier", .text(), .otherwise(.text("till")), "What the terminal knows the passphrase by."),
            ProviderSetting(
                "keyVersion", .integer(0...Int64(Int32.max)), .otherwise(.integer(1)),
                "Which version of the passphrase it is."),
            ProviderSetting(
                "connectTo", .origin, .optional,
                "Where to connect to a terminal on the same network, whose certificate names another host."),
            ProviderSetting("sessions", .address, .optional, "Where sessions of phones are opened."),
            ProviderSetting(
                "interface", .choice(AdyenInterface.allCases.map(\.rawValue)), .otherwise(.text("tapToPay")),
                "What a phone reads cards with."),
        ],
        credentials: [
            ProviderCredential(
                "apiKey", "The key of the account's user with the roles for terminals and the back office."),
            ProviderCredential(
                "webhookKey", isOptional: true, "The key that webhooks are signed with; all are refused without it."),
            ProviderCredential(
                "nextWebhookKey", isOptional: true, "The key that takes the first one's place, while both are in use."),
            ProviderCredential(
                "passphrase", isOptional: true, "What messages to a terminal on the same network are encrypted with."),
            ProviderCredential(
                "terminalRoots", isOptional: true,
                "The roots of terminals' certificates on the same network, as PEM on one line with \\n for each break."),
        ],
        errors: .adyen
    ) { settings, tools throws(PaymentError) in
        try AdyenConfiguration(settings).driver(
            tools.transport, tools.crypto, phone: tools.delegates[settings.id.rawValue] as? any AdyenPhone)
    }
}

extension ProviderEnvironment {
    /// The simulated provider with its one terminal, whose keys are known to everyone.
    fileprivate static var adyenSimulated: ProviderEnvironment {
        let origin = Origin(.http, "adyen.sandbox")
        var simulated = ProviderEnvironment(
            "simulated", endpoint: origin,
            defaults: [
                "terminal": .text("V400m-324688042"), "checkout": .address(WebAddress(origin, "/v72")),
                "sessions": .address(WebAddress(origin, "/checkout/possdk/v68/sessions")),
            ])
        simulated.allowsPlainHTTP = true
        simulated.publicMerchant = "TestMerchant"
        simulated.publicCredentials = [
            "apiKey": "adyen-sandbox-api-key",
            "webhookKey": "DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00",
            "passphrase": "adyen-sandbox-passphrase",
        ]
        return simulated
    }
    fileprivate static let adyenTest = ProviderEnvironment(
        "test", endpoint: Origin(.https, "device-api-test.adyen.com"))
    fileprivate static let adyenLive = ProviderEnvironment(
        "live", endpoint: Origin(.https, "device-api-live.adyen.com"))
}

extension AdyenConfiguration {
    /// Where the back office and the sessions of the test world are.
    private static let testCheckout = Origin(.https, "checkout-test.adyen.com")

    /// Reads a configuration out of settings that fit the entry of this adapter.
    init(_ settings: ProviderSettings) throws(PaymentError) {
        let isTest = settings.environment == "test"
        let link = Link(rawValue: try settings.text("link")) ?? .cloudSync
        var checkout = WebAddress(Self.testCheckout, "/v72")
        if settings.has("checkout") {
            checkout = try settings.address("checkout")
        } else if !isTest {
            throw Self.missing("checkout", "the live back office has an address of the account's own")
        }
        var terminal = ""
        if settings.has("terminal") {
            terminal = try settings.text("terminal")
        } else if link != .mobile {
            throw Self.missing("terminal", "payments go to one terminal")
        }
        self.init(
            name: settings.id.rawValue, environment: settings.environment, endpoint: settings.endpoint,
            checkout: checkout, merchant: settings.merchant, apiKey: try settings.secret("apiKey"), terminal: terminal)
        (self.link, saleID) = (link, try settings.text("saleID"))
        refunds = Refunds(rawValue: try settings.text("refunds")) ?? .terminal
        capturesSeveral = try settings.boolean("capturesSeveral")
        if settings.has("tenderOptions") { tenderOptions = try settings.text("tenderOptions") }
        if settings.has("store") { store = try settings.text("store") }
        interface = AdyenInterface(rawValue: try settings.text("interface")) ?? .tapToPay
        if settings.has("connectTo") { connectTo = try settings.origin("connectTo") }
        currencies = settings.currencies
        (keyIdentifier, keyVersion) = (try settings.text("keyIdentifier"), try settings.integer("keyVersion"))
        for key in ["webhookKey", "nextWebhookKey"] where settings.hasCredential(key) {
            webhookKeys.append(try settings.secret(key))
        }
        if settings.hasCredential("passphrase") { passphrase = try settings.secret("passphrase") }
        if settings.hasCredential("terminalRoots") {
            terminalRoots = try settings.secret("terminalRoots").expose().replacing("\\n", with: "\n")
        }
        if settings.has("sessions") {
            sessions = try settings.address("sessions")
        } else if isTest {
            sessions = WebAddress(Self.testCheckout, "/checkout/possdk/v68/sessions")
        } else if link == .mobile {
            throw Self.missing("sessions", "the live sessions have an address of the account's own")
        }
        if link == .local, passphrase == nil {
            throw Self.missing("passphrase", "messages on the same network are encrypted")
        }
        if link == .local, settings.endpoint.scheme == .https, terminalRoots == nil {
            throw Self.missing("terminalRoots", "the certificates of terminals lead to roots of the provider's own")
        }
    }

    private static func missing(_ what: String, _ why: String) -> PaymentError {
        PaymentError(.configuration, outcome: .nothingMoved, detail: "\(what) is missing: \(why)")
    }
}
