public import PaymentBase

extension ARISEPhoneSDK {
    /// Which transactions a list is to have.
    public struct TransactionFilters: Hashable, Sendable {
        /// The list's page.
        public var page: Int?
        /// How many transactions a page has, from 1 to 100.
        public var pageSize: Int?
        /// Whether the list rises; it falls otherwise.
        public var asc: Bool?
        /// What the transactions are sorted by; by their date if nothing is said.
        public var orderBy: String?
        /// How the transactions were made.
        public var createMethodId: CreateMethodId?
        /// Which terminal, invoice or payment made the transactions.
        public var createdById: String?
        /// Which batch the transactions were settled in.
        public var batchId: String?
        /// Whether only transactions that wait for the settlement are wanted.
        public var noBatch: Bool?

        /// Asks for all transactions.
        public init() {}
    }

    /// A page of the merchant's transactions.
    public struct TransactionsResponse: Hashable, Sendable {
        /// The page's transactions.
        public var items: [TransactionSummary]
        /// How many transactions there are on all pages.
        public var total: Int

        /// Makes a page of transactions.
        public init(items: [TransactionSummary], total: Int) { (self.items, self.total) = (items, total) }
    }

    /// A transaction in the merchant's list.
    public struct TransactionSummary: Hashable, Sendable {
        /// The transaction's identifier.
        public var id: String
        /// The identifier of the transaction's processor.
        public var paymentProcessorId: String
        /// When the transaction was made, in milliseconds since 1970.
        public var date: Int64?
        /// The transaction's amount before surcharge, tip and tax.
        public var baseAmount: SDKDecimal
        /// The transaction's amount with everything.
        public var totalAmount: SDKDecimal
        /// The transaction's surcharge.
        public var surchargeAmount: SDKDecimal?
        /// The rate of the transaction's surcharge.
        public var surchargePercentage: SDKDecimal?
        /// The transaction's currency as a code.
        public var currencyCode: String?
        /// The transaction's currency.
        public var currency: Currency
        /// The merchant's name.
        public var merchant: String?
        /// The merchant's identifier.
        public var merchantId: String
        /// The mode that the transaction was made in.
        public var operationMode: String?
        /// What the transaction was paid with.
        public var paymentMethodType: PaymentMethodType?
        /// The customer's name.
        public var customerName: PersonalData?
        /// The customer's company.
        public var customerCompany: String?
        /// The customer's card number, masked.
        public var customerPan: String?
        /// Where the transaction's card is kept.
        public var cardTokenType: CardTokenType?
        /// The customer's e-mail address.
        public var customerEmail: PersonalData?
        /// The customer's telephone number.
        public var customerPhone: PersonalData?
        /// Where the transaction stands.
        public var status: TransactionStatus?
        /// What was done in the transaction.
        public var operationType: OperationType?
        /// What was done in the transaction, as a word.
        public var type: String?
        /// The batch that the transaction was settled in.
        public var batchId: String?
        /// Where the transaction came from.
        public var source: SourceResponseDto
        /// What can still be done with the transaction.
        public var availableOperations: [AvailableOperation]?
        /// The transaction's amount in all of its parts.
        public var amount: AmountDto

        /// Makes an item of the merchant's list of transactions.
        public init(
            id: String, paymentProcessorId: String, baseAmount: SDKDecimal, totalAmount: SDKDecimal,
            currency: Currency, merchantId: String, source: SourceResponseDto, amount: AmountDto
        ) {
            (self.id, self.paymentProcessorId, self.baseAmount) = (id, paymentProcessorId, baseAmount)
            (self.totalAmount, self.currency, self.merchantId) = (totalAmount, currency, merchantId)
            (self.source, self.amount) = (source, amount)
        }
    }

    /// Where a transaction came from.
    public struct SourceResponseDto: Hashable, Sendable {
        /// What was done in the transaction; the document gives a source this type.
        public var operationType: OperationType?
        /// The identifier of the transaction's source.
        public var id: String?
        /// The name of the transaction's source.
        public var name: String

        /// Names where a transaction came from.
        public init(name: String) { self.name = name }
    }

    /// Something that can still be done with a transaction.
    public struct AvailableOperation: Hashable, Sendable {
        /// What can be done with the transaction.
        public var operationType: OperationType?
        /// Up to which amount of the transaction.
        public var availableAmount: SDKDecimal?
        /// The tips that the customer may choose.
        public var suggestedTips: [SuggestedTipsDto]?

        /// Begins an operation of a transaction with nothing known.
        public init() {}
    }

    /// Something that can still be done with a transaction, as its receipt lists it.
    public struct TransactionOperation: Hashable, Sendable {
        /// What can be done with the transaction.
        public var operationType: OperationType?
        /// Up to which amount of the transaction.
        public var availableAmount: SDKDecimal?
        /// The tips that the customer may choose.
        public var suggestedTips: [SuggestedTipsDto]?

        /// Begins an operation of a receipt with nothing known.
        public init() {}
    }
}
