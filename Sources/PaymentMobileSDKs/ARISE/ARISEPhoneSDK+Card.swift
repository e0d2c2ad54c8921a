public import PaymentBase

extension ARISEPhoneSDK {
    /// A sale or an authorization with a card that the caller has read or keyed in.
    public struct CardTransactionRequest: Hashable, Sendable {
        /// The identifier of the processor for the payment.
        public var paymentProcessorId: String
        /// The payment's amount.
        public var amount: SDKDecimal
        /// The payment's currency.
        public var currency: Currency
        /// How the card was read.
        public var cardDataSource: CardDataSource
        /// The identifier of the customer's saved instrument, in place of a card.
        public var paymentMethodId: String?
        /// The card's number.
        public var accountNumber: Secret?
        /// The month of the card's expiry.
        public var expirationMonth: Int32?
        /// The year of the card's expiry.
        public var expirationYear: Int32?
        /// The card's security code.
        public var securityCode: Secret?
        /// The first track of the card's stripe.
        public var track1: Secret?
        /// The second track of the card's stripe.
        public var track2: Secret?
        /// The data of the card's chip.
        public var emvTags: [Secret]?
        /// The version of the program that read the card's chip.
        public var emvPaymentAppVersion: String?
        /// The customer's identifier.
        public var customerId: String?
        /// The tip as an amount.
        public var tipAmount: SDKDecimal?
        /// The rate of the tip.
        public var tipRate: SDKDecimal?
        /// The rate of the payment's reduction.
        public var percentageOffRate: SDKDecimal?
        /// The rate of the surcharge on card payments.
        public var surchargeRate: SDKDecimal?
        /// Whether the amount is the card's price, where cards and cash have two prices.
        public var useCardPrice: Bool?
        /// Where the customer's bill goes.
        public var billingAddress: AddressDto?
        /// Where the customer's goods go.
        public var shippingAddress: AddressDto?
        /// How the customer can be reached.
        public var contactInfo: ContactInfoDto?
        /// The customer's PIN, encrypted.
        public var pin: Secret?
        /// The serial number of the key that encrypted the PIN.
        public var pinKsn: Secret?
        /// Why the card's chip gave way to its stripe.
        public var emvFallbackCondition: EMVFallbackCondition?
        /// How the card's chip was read the time before.
        public var emvFallbackLastChipRead: EMVFallbackLastChipRead?
        /// The merchant's reference of the payment.
        public var referenceId: String?
        /// Whether the customer began the payment.
        public var customerInitiatedTransaction: Bool?

        /// Makes a payment by card.
        public init(
            paymentProcessorId: String, amount: SDKDecimal, currency: Currency, cardDataSource: CardDataSource
        ) {
            (self.paymentProcessorId, self.amount, self.currency) = (paymentProcessorId, amount, currency)
            self.cardDataSource = cardDataSource
        }
    }

    /// What a sale or an authorization came to.
    public struct CardTransactionResponse: Hashable, Sendable {
        /// The transaction's identifier.
        public var transactionId: String?
        /// When the transaction was made, in milliseconds since 1970.
        public var transactionDateTime: Int64?
        /// What was done in the transaction.
        public var operationType: OperationType?
        /// Where the transaction stands.
        public var status: TransactionStatus?
        /// The amount that was approved, which may be less than was asked for.
        public var processedAmount: SDKDecimal?
        /// What the processor said of the transaction.
        public var details: TransactionResponseDetailsDto?
        /// What the receipt of the transaction shows.
        public var transactionReceipt: TransactionReceiptDto?
        /// What came of comparing the customer's address.
        public var avsResponse: AvsResponseDto?

        /// Begins the answer to a payment.
        public init() {}
    }

    /// What a void, a capture or a refund came to.
    public struct TransactionResponse: Hashable, Sendable {
        /// The transaction's identifier.
        public var transactionId: String?
        /// When the transaction was changed, in milliseconds since 1970.
        public var transactionDateTime: Int64?
        /// Where the transaction stands.
        public var status: TransactionStatus?
        /// What was done in the transaction.
        public var operationType: OperationType?

        /// Begins the answer to a void, a capture or a refund.
        public init() {}
    }

    /// What the processor said of a transaction.
    public struct TransactionResponseDetailsDto: Hashable, Sendable {
        /// The result's code at the processor's host.
        public var hostResponseCode: String?
        /// The result in the words of the processor's host.
        public var hostResponseMessage: String?
        /// What the result at the processor's host means.
        public var hostResponseDefinition: String?
        /// The operation's result at the platform.
        public var code: String?
        /// The transaction's result in words.
        public var message: String?
        /// The processor's own code of the result.
        public var processorResponseCode: String?
        /// The transaction's authorization code.
        public var authCode: String?
        /// The card's number, masked.
        public var maskedPan: String?

        /// Begins a processor's word on a transaction.
        public init() {}
    }

    /// An address of a payment's customer.
    public struct AddressDto: Hashable, Sendable {
        /// The street and the number of the customer's address.
        public var line1: PersonalData?
        /// The second line of the customer's address.
        public var line2: PersonalData?
        /// The city of the customer's address.
        public var city: PersonalData?
        /// The postcode of the customer's address.
        public var postalCode: PersonalData?
        /// The state of the customer's address.
        public var stateName: String?
        /// The state of the customer's address, as the platform numbers it.
        public var stateId: Int32?
        /// The country of the customer's address, as the platform numbers it.
        public var countryId: Int32?

        /// Begins an empty address.
        public init() {}
    }

    /// How a payment's customer can be reached.
    public struct ContactInfoDto: Hashable, Sendable {
        /// The customer's first name.
        public var firstName: PersonalData?
        /// The customer's family name.
        public var lastName: PersonalData?
        /// The customer's company.
        public var companyName: String?
        /// The customer's e-mail address; the document's table has lost the member's name.
        public var email: PersonalData?
        /// The customer's mobile number.
        public var mobileNumber: PersonalData?
        /// Whether the customer wants messages by telephone.
        public var smsNotification: Bool?

        /// Begins a customer of whom nothing is known.
        public init() {}
    }
}
