public import PaymentBase

extension EcommpayKit {
    /// A payment as the SDK shows it; the document says that it has a status and may hold a token.
    public struct Payment: Hashable, Sendable {
        /// The payment's identifier, as the session named it.
        public let id: String
        /// The payment's status.
        public var status: String?
        /// The payment's amount in minor units.
        public var sum: Int64?
        /// The payment's currency.
        public var currency: String?
        /// The payment's method.
        public var method: String?
        /// The token that was made of the payment's card.
        public var token: Secret?
        /// The number of the payment's card, masked.
        public var account: String?

        /// Makes a payment as the SDK shows it.
        public init(id: String) { self.id = id }
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
        /// When the instrument was last paid with, as the platform writes it.
        public var lastDepositDate: String?
        /// When the instrument's token was last made, as the platform writes it.
        public var lastTokenizeDate: String?
        /// What kind of instrument it is, such as `card`.
        public var type: String?
        /// What else is kept with the instrument.
        public var additional: Additional?
        /// Makes a saved instrument.
        public init(id: Int64) { self.id = id }
    }

    /// What else is kept with a saved instrument.
    public struct Additional: Hashable, Sendable {
        /// The customer's e-mail address.
        public var email: Personal?
        /// The customer's telephone number.
        public var phone: Personal?
        /// The customer's country.
        public var country: String?
        /// Whether the instrument may be debited again without the customer.
        public var recurringEnable: Bool?
        /// The instrument's card.
        public var card: CardDetails?
        /// Begins with nothing known of the instrument.
        public init() {}
    }

    /// What is kept of a saved instrument's card.
    public struct CardDetails: Hashable, Sendable {
        /// The cardholder's name.
        public var holder: Personal?
        /// The country of the card's issuer.
        public var country: String?
        /// The card's issuer.
        public var bankName: String?
        /// The card's scheme.
        public var type: String?
        /// The card's product.
        public var productName: String?
        /// The card's expiry, as the platform writes it.
        public var expiry: String?
        /// Begins with nothing known of the card.
        public init() {}
    }

    /// The page on which the customer authenticates a payment; the document names no members.
    public struct AcsPage: Hashable, Sendable {
        /// The page's address.
        public var url: String?
        /// The page itself, where the SDK has built it.
        public var content: Secret?
        /// What is posted to the payment's page.
        public var fields: [String: Secret] = [:]
        /// The address that the customer is sent to after the authentication.
        public var returnUrl: String?
        /// Begins an empty page of a payment's authentication.
        public init() {}
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
        /// The answer for the payment.
        public var value: Personal?
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
        /// The answer for the payment.
        public var value: Personal?
        /// Makes a question to the customer of a payment.
        public init(name: String) { self.name = name }
    }
}
