public import PaymentBase

extension EcommpayPhoneSDK {
    /// A payment as the SDK shows it.
    public struct Payment: Hashable, Sendable {
        /// The payment's identifier, as the session named it.
        public let id: String?
        /// The payment's status as the SDK sorts it.
        public var status: PaymentStatus?
        /// The payment's status in the platform's words.
        public var serverStatusName: String?
        /// The payment's amount in minor units.
        public var sum: Int64 = 0
        /// The payment's currency.
        public var currency: String?
        /// The payment's method.
        public var method: String?
        /// The token that was made of the payment's card.
        public var token: Secret?
        /// The number of the payment's card, masked.
        public var account: String?

        /// Makes a payment as the SDK shows it.
        public init(id: String?) { self.id = id }
    }

    /// How a payment stands, as the SDK sorts the platform's words.
    public struct PaymentStatus: SDKTextCode {
        /// The status by the SDK's name for it.
        public let rawValue: String
        /// Takes the SDK's name of a status.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The payment is being made.
        public static let processing = Self(rawValue: "processing")
        /// The customer is on another site's page for the payment.
        public static let awaitingRedirectResult = Self(rawValue: "awaitingRedirectResult")
        /// The customer authenticates the payment.
        public static let awaiting3dsResult = Self(rawValue: "awaiting3dsResult")
        /// The payment's amount is held, and waits to be captured.
        public static let awaitingCapture = Self(rawValue: "awaitingCapture")
        /// The payment was called off.
        public static let canceled = Self(rawValue: "canceled")
        /// The payment was made.
        public static let success = Self(rawValue: "success")
        /// The payment was declined.
        public static let decline = Self(rawValue: "decline")
        /// The payment waits for another try of the customer's.
        public static let awaitingCustomer = Self(rawValue: "awaitingCustomer")
        /// The payment waits for answers to the provider's questions.
        public static let awaitingClarification = Self(rawValue: "awaitingClarification")
        /// The payment is being refunded.
        public static let refundProcessing = Self(rawValue: "refundProcessing")
        /// The payment is being reversed.
        public static let reversalProcessing = Self(rawValue: "reversalProcessing")
        /// A refund of the payment is being reversed.
        public static let refundReversalProcessing = Self(rawValue: "refundReversalProcessing")
        /// The payment was refunded.
        public static let refunded = Self(rawValue: "refunded")
        /// The payment was reversed.
        public static let reversed = Self(rawValue: "reversed")
        /// A part of the payment was refunded.
        public static let partiallyRefunded = Self(rawValue: "partiallyRefunded")
        /// The payment waits for a confirmation.
        public static let awaitingConfirmation = Self(rawValue: "awaitingConfirmation")
        /// The SDK doesn't know the platform's word for the payment's status.
        public static let unknown = Self(rawValue: "unknown")
    }

    /// A way to pay that the session offers; the document names the type and that it has a code.
    public struct PaymentMethod: Hashable, Sendable {
        /// The method's code, which a payment may be begun with.
        public let code: String
        /// The method's name to show.
        public var name: String?
        /// Makes a payment method.
        public init(code: String, name: String? = nil) { (self.code, self.name) = (code, name) }
    }

    /// A payment instrument that the customer has saved.
    public struct SavedAccount: Hashable, Sendable {
        /// The instrument's identifier, which a payment names.
        public let id: Int64
        /// The instrument's number, masked.
        public var number: String?
        /// The instrument's token.
        public var token: Secret?
        /// What kind of instrument it is, such as `card`.
        public var type: String?
        /// The instrument's expiry, as the SDK writes it.
        public var cardExpiry: String?
        /// The scheme of the instrument's card.
        public var cardType: String?
        /// Makes a saved instrument.
        public init(id: Int64) { self.id = id }
    }

    /// The page on which the customer authenticates a payment.
    public struct ThreeDSecurePage: Hashable, Sendable {
        /// The page itself, where the SDK has built it.
        public var content: Secret?
        /// The page's address.
        public var loadUrl: String?
        /// The address that the page goes to at its end.
        public var returnUrl: String?
        /// Which step of the payment's authentication it is.
        public let type: ThreeDSecurePageType
        /// Makes a page of a payment's authentication.
        public init(type: ThreeDSecurePageType) { self.type = type }
    }

    /// The steps of a payment's authentication.
    public struct ThreeDSecurePageType: SDKTextCode {
        /// The step by the SDK's name for it.
        public let rawValue: String
        /// Takes the SDK's name of a step.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The page of the first version of the protocol.
        public static let threeDs1 = Self(rawValue: "threeDs1")
        /// A page that the payment's customer isn't shown.
        public static let threeDs2Frictionless = Self(rawValue: "threeDs2Frictionless")
        /// A page that the payment's customer is shown.
        public static let threeDs2Challenge = Self(rawValue: "threeDs2Challenge")
    }

    /// An answer to a question of the provider's.
    public struct ClarificationFieldValue: Hashable, Sendable {
        /// The name of the payment's field.
        public let name: String
        /// The answer for the payment.
        public let value: PersonalData
        /// Answers a question of a payment.
        public init(name: String, value: PersonalData) { (self.name, self.value) = (name, value) }
    }

    /// An answer to a question of the merchant's, or what is known of the customer from the start.
    public struct CustomerFieldValue: Hashable, Sendable {
        /// The name of the payment's field.
        public let name: String
        /// The answer for the payment.
        public let value: PersonalData
        /// Says something about the customer of a payment.
        public init(name: String, value: PersonalData) { (self.name, self.value) = (name, value) }
    }

    /// A question of the provider that a payment waits for; the document names the type alone.
    public struct ClarificationField: Hashable, Sendable {
        /// The name of the payment's field.
        public let name: String
        /// The label that the customer is shown.
        public var label: String?
        /// The hint that the customer is shown.
        public var hint: String?
        /// How the customer's answer is checked.
        public var validator: String?
        /// Makes a question of a payment.
        public init(name: String) { self.name = name }
    }

    /// A question of the merchant to the customer of a payment; the document names the type alone.
    public struct CustomerField: Hashable, Sendable {
        /// The name of the payment's field.
        public let name: String
        /// The label that the customer is shown.
        public var label: String?
        /// The hint that the customer is shown.
        public var hint: String?
        /// How the customer's answer is checked.
        public var validator: String?
        /// Whether the payment needs an answer.
        public var isRequired = true
        /// Whether the customer isn't shown the field.
        public var isHidden = false
        /// Makes a question to the customer of a payment.
        public init(name: String) { self.name = name }
    }
}
