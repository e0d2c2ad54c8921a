public import PaymentBase

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
        /// Takes a saved instrument for a sale.
        public init(accountId: Int64, cvv: Secret?) { (self.accountId, self.cvv) = (accountId, cvv) }
    }

    /// An authorisation hold on the customer's saved instrument.
    public struct SavedCardAuthRequest: Hashable, Sendable {
        /// The saved instrument's identifier.
        public let accountId: Int64
        /// The card's security code.
        public let cvv: Secret?
        /// Takes a saved instrument for an authorisation.
        public init(accountId: Int64, cvv: Secret?) { (self.accountId, self.cvv) = (accountId, cvv) }
    }

    /// A sale by the token that the session's payment names.
    public struct CardSaleTokenizeRequest: Hashable, Sendable {
        /// The card's security code.
        public let cvv: Secret?
        /// Makes a sale by a token.
        public init(cvv: Secret?) { self.cvv = cvv }
    }

    /// An authorisation hold by the token that the session's payment names.
    public struct CardAuthTokenizeRequest: Hashable, Sendable {
        /// The card's security code.
        public let cvv: Secret?
        /// Makes an authorisation by a token.
        public init(cvv: Secret?) { self.cvv = cvv }
    }

    /// A sale by Apple Pay.
    public struct ApplePaySaleRequest: Hashable, Sendable {
        /// The wallet's payment data, as text.
        public let token: Secret
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
