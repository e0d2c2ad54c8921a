public import PaymentBase

/// Halo Dot's Halo.Swift 4.0, the SDK that takes contactless payments on an iPhone, as plain values and one protocol.
///
/// The name space has a name of ours: the SDK's module and its main type are both called `HaloSDK`, and a type of that
/// name here would hide the module from the application that makes it conform.
public enum HaloPhoneSDK {
    /// The SDK's documented calls, which take and refund contactless payments; an application makes the SDK conform.
    ///
    /// Every requirement is asynchronous, so that a witness may stand on the main actor, where the SDK wants to be.
    public protocol SDK: Sendable {
        /// Prepares the SDK for payments and says what the device can do; calls the token provider once.
        func initialize(
            tokenProvider: @escaping TokenProvider, environment: Environment
        ) async throws(HaloError) -> HaloDeviceCapabilities

        /// Takes or refunds a contactless payment with the reader's own screen; never throws.
        ///
        /// A declined result is not always a decline: it stands for cancellations and failures as well.
        func startContactlessPayment(
            amountMinor: Int64, currency: String, merchantReference: String,
            passthroughFields: HaloPassthroughFields, type: HaloTransactionType
        ) async -> HaloPaymentResult

        /// Stops the reader and ends the payment, whose own call then returns.
        func cancelPayment() async

        /// Names who hears of the reader's preparation, of errors and of a payment's timeline.
        func setEventDelegate(_ delegate: @escaping @Sendable (HaloEventDelegate) -> Void) async

        /// Forgets the SDK's tokens; payments need ``initialize(tokenProvider:environment:)`` again.
        func deinitialize() async
    }

    /// The server leg: gives a signed JWT with an `exp` claim for the merchant's payments.
    ///
    /// The application's server signs it; no key is on the phone. The SDK asks at its start, before requests when the
    /// last token expires within 30 seconds, and once more after a 401. A throw counts as `authTokenUnauthorized`.
    public typealias TokenProvider = @Sendable () async throws -> Secret

    /// Where the SDK's payments go.
    public struct Environment: SDKTextCode {
        /// The spelling of the payments' environment.
        public let rawValue: String
        /// Takes the spelling of the payments' environment.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Test services, where no real payment is made.
        public static let sandbox = Self(rawValue: "sandbox")
        /// Real payments.
        public static let production = Self(rawValue: "production")
    }

    /// Which way the money of a contactless payment goes.
    public struct HaloTransactionType: SDKTextCode {
        /// The spelling of the payment's type.
        public let rawValue: String
        /// Takes the spelling of a payment's type.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A sale, which is the SDK's default.
        public static let purchase = Self(rawValue: "purchase")
        /// A refund by tapping the card again.
        public static let refund = Self(rawValue: "refund")
    }

    /// What goes to the vendor's server with each payment; required from 1.0.95 on.
    ///
    /// Without `streetAddress`, `city`, `stateProvince` and `countryCode` the SDK declines before its reader shows.
    public struct HaloPassthroughFields: Hashable, Sendable {
        /// The payment's fields as a JSON object.
        public let json: String
        /// Takes the payment's fields as a JSON object.
        public init(json: String) { self.json = json }
    }

    /// What the device can do for payments; the document names one member.
    public struct HaloDeviceCapabilities: Hashable, Sendable {
        /// Whether the device can take payments.
        public let canAcceptPayments: Bool
        /// Says what a device can do.
        public init(canAcceptPayments: Bool) { self.canAcceptPayments = canAcceptPayments }
    }

    /// How a contactless payment ended.
    public enum HaloPaymentResult: Hashable, Sendable {
        /// The payment was approved.
        case approved(HaloReceipt)
        /// The payment was not approved, for any reason; ``HaloPhoneSDK/outcome(of:seen:)`` says what that proves.
        case declined(errorCode: HaloErrorCode?, errorMessage: String?)
    }

    /// What an approved payment leaves for the receipt.
    public struct HaloReceipt: Hashable, Sendable {
        /// The vendor's own reference of the payment.
        public let transactionId: String
        /// The processor's authorization code; the document doesn't say that a refund has one.
        public var authCode: String?
        /// The card's scheme.
        public var cardBrand: String?
        /// The card's product, from 1.0.78 on.
        public var cardType: String?
        /// The card number's last four digits.
        public var last4: String?
        /// The payment's amount in minor units.
        public let amountMinor: Int64
        /// The payment's currency.
        public let currency: String
        /// The merchant's reference, as it was given.
        public let reference: String
        /// When the payment was approved, in milliseconds since 1970; the document says only "timestamp".
        public let approvedAt: Int64

        /// Makes the receipt of an approved payment.
        public init(
            transactionId: String, authCode: String? = nil, cardBrand: String? = nil, cardType: String? = nil,
            last4: String? = nil, amountMinor: Int64, currency: String, reference: String, approvedAt: Int64
        ) {
            (self.transactionId, self.authCode, self.last4) = (transactionId, authCode, last4)
            (self.cardBrand, self.cardType) = (cardBrand, cardType)
            (self.amountMinor, self.currency) = (amountMinor, currency)
            (self.reference, self.approvedAt) = (reference, approvedAt)
        }
    }
}
