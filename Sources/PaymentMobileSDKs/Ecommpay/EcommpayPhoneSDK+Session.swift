public import PaymentBase

extension EcommpayPhoneSDK {
    /// Where a session's payment is made.
    public struct MSDKCoreSessionConfig: Hashable, Sendable {
        /// How the SDK makes the configuration.
        public let companion: Companion
        /// The host of the platform's payments.
        public let apiHost: String
        /// The host that tells of a payment's progress.
        public let wsApiHost: String

        /// Says where payments are made.
        public init(_ companion: Companion, apiHost: String, wsApiHost: String) {
            (self.companion, self.apiHost, self.wsApiHost) = (companion, apiHost, wsApiHost)
        }
    }

    /// How the SDK makes a session's configuration for payments.
    public struct Companion: SDKTextCode {
        /// The maker's name.
        public let rawValue: String
        /// Takes a maker's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The only maker that the document shows, for test and production payments alike.
        public static let debug = Self(rawValue: "debug")
        /// The maker for real payments in the SDK's public header.
        public static let release = Self(rawValue: "release")
    }

    /// The payment that a session is opened for.
    public struct PaymentInfo: Hashable, Sendable {
        /// The merchant's project.
        public var projectId: Int32
        /// The payment's identifier, unique within the project.
        public var paymentId: String
        /// The payment's amount in minor units; 0 to check a card.
        public var paymentAmount: Int64
        /// The payment's currency.
        public var paymentCurrency: String
        /// The customer's identifier within the project; tokens and card checks need it.
        public var customerId: String?
        /// What the payment is for.
        public var paymentDescription: String?
        /// The country of the payment.
        public var regionCode: String?
        /// The token of the payment's card, where the request pays with one.
        public var token: Secret?
        /// The code of the payment method to begin with.
        public var forcePaymentMethod: String?
        /// Whether saved payment instruments are left out.
        public var hideSavedWallets: Bool?
        /// The server's signature of the payment's parameters.
        public var signature: String?

        /// Names a payment.
        public init(projectId: Int32, paymentId: String, paymentAmount: Int64, paymentCurrency: String) {
            (self.projectId, self.paymentId) = (projectId, paymentId)
            (self.paymentAmount, self.paymentCurrency) = (paymentAmount, paymentCurrency)
        }
    }

    /// What opens a payment's session.
    public struct InitRequest: Hashable, Sendable {
        /// The payment, signed.
        public var paymentInfo: PaymentInfo
        /// What the payment puts on file for later debits, if anything.
        public var recurrentInfo: RecurrentInfo?
        /// What is known of the customer and the bill, for the payment's authentication.
        public var additionalFields: [CustomerFieldValue]

        /// Opens a payment's session.
        public init(
            paymentInfo: PaymentInfo, recurrentInfo: RecurrentInfo? = nil,
            additionalFields: [CustomerFieldValue] = []
        ) {
            (self.paymentInfo, self.recurrentInfo) = (paymentInfo, recurrentInfo)
            self.additionalFields = additionalFields
        }
    }

    /// A field about the customer that goes with a payment's session.
    public struct AdditionalField: SDKTextCode {
        /// The spelling of the customer's field.
        public let rawValue: String
        /// Takes the spelling of a customer's field.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer's e-mail address.
        public static let customerEmail = Self(rawValue: "customerEmail")
        /// The customer's telephone number.
        public static let customerPhone = Self(rawValue: "customerPhone")
        /// The country of the customer's bill.
        public static let billingCountry = Self(rawValue: "billingCountry")
        /// The postcode of the customer's bill.
        public static let billingPostal = Self(rawValue: "billingPostal")
        /// The city of the customer's bill.
        public static let billingCity = Self(rawValue: "billingCity")
        /// The street of the customer's bill.
        public static let billingAddress = Self(rawValue: "billingAddress")
    }

    /// What a payment puts on file for later debits; the document names one member and refers to another article.
    public struct RecurrentInfo: Hashable, Sendable {
        /// Whether the payment registers the card for later debits.
        public var register: Bool
        /// Further members of the registration, by the names of that other article.
        public var fields: [String: String]

        /// Registers the payment's card for later debits.
        public init(register: Bool = true, fields: [String: String] = [:]) {
            (self.register, self.fields) = (register, fields)
        }
    }
}
