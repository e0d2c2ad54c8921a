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

    /// The state of a payment, as the SDK sorts the platform's words.
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
        /// Whether the customer's payment data is saved, by the SDK's name of the mode; nil where it isn't said.
        public var walletSaveMode: String?
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

extension EcommpayPhoneSDK {
    /// What is to be done with a session's payment, one case for each request of the SDK.
    public enum PayRequest: Hashable, Sendable {
        /// Pays with a card that is keyed in.
        case newCardSale(NewCardSaleRequest)
        /// Holds an amount on a card that is keyed in.
        case cardAuth(CardAuthRequest)
        /// Checks a card without a payment.
        case cardVerify(CardVerifyRequest)
        /// Makes a token of a card without a payment.
        case cardTokenize(CardTokenizeRequest)
        /// Pays with the customer's saved instrument.
        case savedCardSale(SavedCardSaleRequest)
        /// Holds an amount on the customer's saved instrument.
        case savedCardAuth(SavedCardAuthRequest)
        /// Pays with a token.
        case cardSaleTokenize(CardSaleTokenizeRequest)
        /// Holds an amount by a token.
        case cardAuthTokenize(CardAuthTokenizeRequest)
        /// Pays with Apple Pay.
        case applePaySale(ApplePaySaleRequest)
        /// Holds an amount by Apple Pay.
        case applePayAuth(ApplePayAuthRequest)
        /// Takes up a payment that waits.
        case paymentRestore(PaymentRestoreRequest)
    }

    /// A card's month and year of expiry.
    public struct CardDate: Hashable, Sendable {
        /// The month of the card's expiry, from 1.
        public let month: Int
        /// The year of the card's expiry, in four digits.
        public let year: Int
        /// Takes a card's expiry.
        public init(month: Int, year: Int) { (self.month, self.year) = (month, year) }
    }

    /// A sale with a card that is keyed in.
    public struct NewCardSaleRequest: Hashable, Sendable {
        /// The card's security code.
        public let cvv: Secret
        /// The card's number, without spaces.
        public let pan: Secret
        /// The card's expiry.
        public let expiryDate: CardDate
        /// The cardholder's name.
        public let cardHolder: PersonalData
        /// Whether the card is kept for the customer's next payments.
        public let saveCard: Bool
        /// Whose debt the payment settles, where it does; from the SDK's public header.
        public var recipientInfo: RecipientInfo?
        /// Takes a card for a sale.
        public init(cvv: Secret, pan: Secret, expiryDate: CardDate, cardHolder: PersonalData, saveCard: Bool = false) {
            (self.cvv, self.pan, self.expiryDate) = (cvv, pan, expiryDate)
            (self.cardHolder, self.saveCard) = (cardHolder, saveCard)
        }
    }

    /// An authorisation hold on a card that is keyed in.
    public struct CardAuthRequest: Hashable, Sendable {
        /// The card's security code.
        public let cvv: Secret
        /// The card's number, without spaces.
        public let pan: Secret
        /// The card's expiry.
        public let expiryDate: CardDate
        /// The cardholder's name.
        public let cardHolder: PersonalData
        /// Whether the card is kept for the customer's next payments.
        public let saveCard: Bool
        /// Whose debt the payment settles, where it does; from the SDK's public header.
        public var recipientInfo: RecipientInfo?
        /// Takes a card for an authorisation.
        public init(cvv: Secret, pan: Secret, expiryDate: CardDate, cardHolder: PersonalData, saveCard: Bool = false) {
            (self.cvv, self.pan, self.expiryDate) = (cvv, pan, expiryDate)
            (self.cardHolder, self.saveCard) = (cardHolder, saveCard)
        }
    }

    /// A check of a card without a payment; the session's amount is 0.
    public struct CardVerifyRequest: Hashable, Sendable {
        /// The card's security code.
        public let cvv: Secret
        /// The card's number, without spaces.
        public let pan: Secret
        /// The card's expiry.
        public let expiryDate: CardDate
        /// The cardholder's name.
        public let cardHolder: PersonalData
        /// Takes a card to be checked.
        public init(cvv: Secret, pan: Secret, expiryDate: CardDate, cardHolder: PersonalData) {
            (self.cvv, self.pan, self.expiryDate, self.cardHolder) = (cvv, pan, expiryDate, cardHolder)
        }
    }

    /// A request to make a token of a card; nothing is paid.
    public struct CardTokenizeRequest: Hashable, Sendable {
        /// The card's number, without spaces.
        public let pan: Secret
        /// The card's expiry.
        public let expiryDate: CardDate
        /// The cardholder's name.
        public let cardHolder: PersonalData
        /// Takes a card to make a token of.
        public init(pan: Secret, expiryDate: CardDate, cardHolder: PersonalData) {
            (self.pan, self.expiryDate, self.cardHolder) = (pan, expiryDate, cardHolder)
        }
    }

    /// A sale with the customer's saved instrument.
    public struct SavedCardSaleRequest: Hashable, Sendable {
        /// The saved instrument's identifier.
        public let accountId: Int64
        /// The card's security code.
        public let cvv: Secret?
        /// Whose debt the payment settles, where it does; from the SDK's public header.
        public var recipientInfo: RecipientInfo?
        /// Takes a saved instrument for a sale.
        public init(accountId: Int64, cvv: Secret?) { (self.accountId, self.cvv) = (accountId, cvv) }
    }

    /// An authorisation hold on the customer's saved instrument.
    public struct SavedCardAuthRequest: Hashable, Sendable {
        /// The saved instrument's identifier.
        public let accountId: Int64
        /// The card's security code.
        public let cvv: Secret?
        /// Whose debt the payment settles, where it does; from the SDK's public header.
        public var recipientInfo: RecipientInfo?
        /// Takes a saved instrument for an authorisation.
        public init(accountId: Int64, cvv: Secret?) { (self.accountId, self.cvv) = (accountId, cvv) }
    }

    /// A sale by the token that the session's payment names.
    public struct CardSaleTokenizeRequest: Hashable, Sendable {
        /// The card's security code.
        public let cvv: Secret?
        /// Whose debt the payment settles, where it does; from the SDK's public header.
        public var recipientInfo: RecipientInfo?
        /// Makes a sale by a token.
        public init(cvv: Secret?) { self.cvv = cvv }
    }

    /// An authorisation hold by the token that the session's payment names.
    public struct CardAuthTokenizeRequest: Hashable, Sendable {
        /// The card's security code.
        public let cvv: Secret?
        /// Whose debt the payment settles, where it does; from the SDK's public header.
        public var recipientInfo: RecipientInfo?
        /// Makes an authorisation by a token.
        public init(cvv: Secret?) { self.cvv = cvv }
    }

    /// A sale by Apple Pay.
    public struct ApplePaySaleRequest: Hashable, Sendable {
        /// The wallet's payment data, as text.
        public let token: Secret
        /// Whose debt the payment settles, where it does; from the SDK's public header.
        public var recipientInfo: RecipientInfo?
        /// Takes a wallet's token for a sale.
        public init(token: Secret) { self.token = token }
    }

    /// An authorisation hold by Apple Pay.
    public struct ApplePayAuthRequest: Hashable, Sendable {
        /// The wallet's payment data, as text.
        public let token: Secret
        /// Whose debt the payment settles, where it does.
        public let recipientInfo: RecipientInfo?
        /// Takes a wallet's token for an authorisation.
        public init(token: Secret, recipientInfo: RecipientInfo? = nil) {
            (self.token, self.recipientInfo) = (token, recipientInfo)
        }
    }

    /// Whose debt a payment settles; the document names no members.
    public struct RecipientInfo: Hashable, Sendable {
        /// The customer's details, by the SDK's names.
        public var fields: [String: PersonalData]
        /// Takes the details of a payment's recipient.
        public init(_ fields: [String: PersonalData]) { self.fields = fields }
    }

    /// A request to take up the session's payment where it was left.
    public struct PaymentRestoreRequest: Hashable, Sendable {
        /// Takes up a payment.
        public init() {}
    }
}
