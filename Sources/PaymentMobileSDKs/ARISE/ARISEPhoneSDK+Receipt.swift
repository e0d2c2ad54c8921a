public import PaymentBase

extension ARISEPhoneSDK {
    /// What is known of a transaction for its receipt.
    public struct TransactionReceiptDto: Hashable, Sendable {
        /// The transaction's identifier.
        public var transactionId: String?
        /// When the transaction was made, in milliseconds since 1970.
        public var transactionDateTime: Int64?
        /// The merchant's order behind the transaction.
        public var orderNumber: String?
        /// The transaction's amount in its parts.
        public var amount: TransactionAmountDto?
        /// The transaction's currency as a number.
        public var currency: Int32?
        /// The transaction's currency as a code; the document gives this member the same name as the one before.
        public var currencyCode: String?
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
        public var availableOperations: [TransactionOperation]?
        /// What came of comparing the customer's address.
        public var avsResponse: AvsResponseDto?
        /// The data of the card's chip.
        public var emvTags: EmvTagsDto?

        /// Begins a receipt of which nothing is known.
        public init() {}
    }

    /// What the processor says of a transaction's card, without a documented shape and kept secret.
    public struct CardDetailsDto: Hashable, Sendable {
        /// What the processor says of the transaction, as JSON text.
        public var raw: Secret?
        /// Takes a card's details as JSON text.
        public init(raw: Secret? = nil) { self.raw = raw }
    }

    /// What the processor says of a bank debit, without a documented shape and kept secret.
    public struct ElectronicCheckDetails: Hashable, Sendable {
        /// What the processor says of the transaction, as JSON text.
        public var raw: Secret?
        /// Takes a bank debit's details as JSON text.
        public init(raw: Secret? = nil) { self.raw = raw }
    }

    /// What came of comparing the customer's address, without a documented shape and kept secret.
    public struct AvsResponseDto: Hashable, Sendable {
        /// What the processor says of the transaction, as JSON text.
        public var raw: Secret?
        /// Takes an address check's details as JSON text.
        public init(raw: Secret? = nil) { self.raw = raw }
    }

    /// The data of a card's chip, without a documented shape and kept secret.
    public struct EmvTagsDto: Hashable, Sendable {
        /// What the processor says of the transaction, as JSON text.
        public var raw: Secret?
        /// Takes the data of a card's chip as JSON text.
        public init(raw: Secret? = nil) { self.raw = raw }
    }

    /// What the processor TSYS says of a transaction's card, without a documented shape and kept secret.
    public struct TsysCardDetailsDto: Hashable, Sendable {
        /// What the processor says of the transaction, as JSON text.
        public var raw: Secret?
        /// Takes a card's details as JSON text.
        public init(raw: Secret? = nil) { self.raw = raw }
    }
}
