public import PaymentAbstraction
public import PaymentBase
public import PaymentMobileSDKs
public import PaymentProviderKit
public import PaymentTransport

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
    /// Whether the account may capture one authorisation in several parts.
    public var allowsMultipleCaptures = ProviderSettingKey.capturesSeveral.default
    /// Whether a terminal that doesn't know a message proves that nothing came of it: only where somebody has seen that
    /// terminals here keep what they did over restarts, and that none is replaced while something is open.
    public var treatsNotFoundAsProof = ProviderSettingKey.trustsNotFound.default
    /// Further wishes about each payment, such as `SkipAIDPriority`, with commas between; none by which the shopper
    /// adds to the amount.
    public var tenderOptions: String?
    /// The store that payments belong to.
    public var store: String?
    /// The keys of webhooks as hexadecimal text; without any, all are refused.
    public var webhookKeys: [Secret] = []
    /// What messages to a terminal on the same network are encrypted with.
    public var passphrase: Secret?
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
    /// What a phone reads cards with.
    public var interface = ProviderSettingKey.interface.default

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
        guard environment == "live" else { return }
        let held = [
            ("apiKey", apiKey != nil), ("webhookKey", !webhookKeys.isEmpty), ("passphrase", passphrase != nil),
        ].filter(\.1).map(\.0)
        if held.isEmpty { return }
        throw PaymentError.notExecuted(
            .configuration,
            "link mobile of \(name) has \(held.joined(separator: " and ")) on a phone: leave it out. The application's "
                + "server opens the kit's sessions with its own key, carries requests to the back office as an "
                + "AdyenServer, and takes the webhooks")
    }

    /// Everything that must not be printed or kept.
    var secrets: [Secret] { (apiKey.map { [$0] } ?? []) + webhookKeys + (passphrase.map { [$0] } ?? []) }
}
