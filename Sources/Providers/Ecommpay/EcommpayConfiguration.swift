public import PaymentAbstraction
public import PaymentBase
public import PaymentProviderKit
public import PaymentTransport

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
    /// Where a session pushes its events; nil where nobody listens and the session is asked again and again.
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
    /// How Google Pay knows the merchant; nil where it is not taken.
    public var googlePay: GooglePay?
    /// Whether tokens of cards are made through the Gate and not in sessions.
    public var tokenizesAtGate = ProviderSettingKey.tokenizesAtGate.default
    /// Whether nobody else works on the account, so that what looks like a lost payment is it.
    public var isSoleUser = ProviderSettingKey.exclusiveAccount.default
    /// The currencies that are taken; nil for all.
    public var currencies: Set<Currency>?

    /// Where a payment begins.
    public var link = ProviderSettingKey.link.default

    /// Where a payment begins; what follows goes through the Gate in any case.
    public enum Integration: String, Hashable, Sendable, CaseIterable {
        /// At the Gate, on a server that may hold card numbers and hears callbacks.
        case gate
        /// On the provider's Payment Page, to which a link leads that a server signs.
        case page
        /// In a session of the vendor's own kit, on a phone.
        case mobile = "kit"
        /// In a session of the simulated provider, by messages of our own: those of the vendor's kit are not public.
        case session
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
