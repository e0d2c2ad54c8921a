public import PaymentBase

extension ARISEPhoneSDK {
    /// All that the platform says of one transaction.
    public struct TransactionDetails: Hashable, Sendable {
        /// The transaction's identifier.
        public var transactionId: String?
        /// When the transaction was made, in milliseconds since 1970.
        public var transactionDateTime: Int64?
        /// The merchant's order behind the transaction.
        public var orderNumber: String?
        /// The transaction's amount in its parts.
        public var amount: TransactionAmountDto?
        /// The transaction's currency.
        public var currency: Currency
        /// The identifier of the transaction's processor.
        public var processorId: String?
        /// The name of the transaction's processor.
        public var processor: String?
        /// What was done in the transaction, as a number.
        public var operationTypeId: Int32?
        /// What was done in the transaction.
        public var operationType: String?
        /// What was done in the transaction, as a word of the platform.
        public var transactionType: TransactionType?
        /// What the transaction was paid with.
        public var paymentMethodType: PaymentMethodType?
        /// The customer's identifier at the merchant.
        public var customerId: String?
        /// The customer's card number, masked.
        public var customerPan: String?
        /// Where the transaction's card is kept.
        public var cardTokenType: CardTokenType?
        /// Where the transaction stands.
        public var status: TransactionStatus?
        /// The merchant's name.
        public var merchantName: String?
        /// The merchant's address.
        public var merchantAddress: String?
        /// The merchant's telephone number.
        public var merchantPhoneNumber: String?
        /// The merchant's e-mail address.
        public var merchantEmailAddress: String?
        /// The merchant's page in the web.
        public var merchantWebsite: String?
        /// The authorization code; only an approved transaction has one.
        public var authCode: String?
        /// Where the transaction came from.
        public var source: SourceResponseDto?
        /// The processor's result of the transaction.
        public var responseCode: String?
        /// The processor's result in words.
        public var responseDescription: String?
        /// How the cardholder was authenticated, as a number.
        public var cardholderAuthenticationMethodId: CardholderAuthenticationMethod?
        /// How the cardholder was authenticated.
        public var cardholderAuthenticationMethod: String?
        /// What came of verifying the cardholder.
        public var cvmResultMsg: String?
        /// How the card was read, as a number.
        public var cardDataSourceId: CardDataSource?
        /// How the card was read.
        public var cardDataSource: String?
        /// What the processor says of the card.
        public var cardProcessingDetails: CardDetailsDto?
        /// What the processor says of the bank debit.
        public var achProcessingDetails: ElectronicCheckDetails?
        /// What can still be done with the transaction.
        public var availableOperations: [AvailableOperation]?
        /// What came of comparing the customer's address.
        public var avsResponse: AvsResponseDto?
        /// The data of the card's chip.
        public var emvTags: EmvTagsDto?
        /// What the processor TSYS says of the card.
        public var tsysCardDetails: TsysCardDetailsDto?
        /// The bank account behind the transaction.
        public var achDetails: AchDetailsDto?

        /// Begins the details of a transaction.
        public init(currency: Currency) { self.currency = currency }
    }

    /// The bank account behind a transaction.
    public struct AchDetailsDto: Hashable, Sendable {
        /// The number of the customer's account.
        public var customerAccountNumber: Secret?
        /// The number of the customer's bank.
        public var customerRoutingNumber: Secret?
        /// Whose account it is.
        public var accountHolderType: AccountHolderType?
        /// What kind of account it is.
        public var accountType: AccountType?
        /// The account holder's tax number.
        public var taxId: Secret?

        /// Begins a bank account of which nothing is known.
        public init() {}
    }
}
