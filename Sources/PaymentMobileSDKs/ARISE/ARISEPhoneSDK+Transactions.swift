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
        public var amount: TransactionReceiptAmountDto?
        /// The transaction's currency.
        public var currency: Currency?
        /// The transaction's amount before surcharge and tip; deprecated for ``amount``.
        public var baseAmount: SDKDecimal?
        /// The transaction's amount with everything; deprecated for ``amount``.
        public var totalAmount: SDKDecimal?
        /// The identifier of the transaction's processor.
        public var processorId: String?
        /// The name of the transaction's processor.
        public var processor: String?
        /// What was done in the transaction, as a number.
        public var operationType: OperationType?
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
        /// The state of the transaction.
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
        /// What the processor TSYS says of the card.
        public var tsysCardDetails: TsysCardDetailsDto?
        /// The bank account behind the transaction.
        public var achDetails: AchDetailsDto?

        /// Begins the details of a transaction.
        public init() {}
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

extension ARISEPhoneSDK {
    /// An amount with all of its parts, each one known.
    public struct AmountDto: Hashable, Sendable {
        /// The transaction's amount before everything else.
        public var baseAmount: SDKDecimal
        /// What the transaction is reduced by.
        public var percentageOffAmount: SDKDecimal
        /// The rate of the transaction's reduction.
        public var percentageOffRate: SDKDecimal
        /// What is taken off for paying in cash.
        public var cashDiscountAmount: SDKDecimal
        /// The rate of the discount for paying in cash.
        public var cashDiscountRate: SDKDecimal
        /// What is added for paying by card.
        public var surchargeAmount: SDKDecimal
        /// The rate of the surcharge for paying by card.
        public var surchargeRate: SDKDecimal
        /// The tip in the transaction.
        public var tipAmount: SDKDecimal
        /// The rate of the tip.
        public var tipRate: SDKDecimal
        /// The tax in the transaction.
        public var taxAmount: SDKDecimal
        /// The rate of the tax.
        public var taxRate: SDKDecimal
        /// What is to be paid.
        public var totalAmount: SDKDecimal

        /// Makes an amount of its parts.
        public init(
            baseAmount: SDKDecimal, percentageOffAmount: SDKDecimal, percentageOffRate: SDKDecimal,
            cashDiscountAmount: SDKDecimal, cashDiscountRate: SDKDecimal, surchargeAmount: SDKDecimal,
            surchargeRate: SDKDecimal, tipAmount: SDKDecimal, tipRate: SDKDecimal, taxAmount: SDKDecimal,
            taxRate: SDKDecimal, totalAmount: SDKDecimal
        ) {
            self.baseAmount = baseAmount
            self.percentageOffAmount = percentageOffAmount
            self.percentageOffRate = percentageOffRate
            self.cashDiscountAmount = cashDiscountAmount
            self.cashDiscountRate = cashDiscountRate
            self.surchargeAmount = surchargeAmount
            (self.surchargeRate, self.tipAmount, self.tipRate) = (surchargeRate, tipAmount, tipRate)
            (self.taxAmount, self.taxRate, self.totalAmount) = (taxAmount, taxRate, totalAmount)
        }
    }

    /// A transaction's amount with the parts that are known; a rate is a fraction here.
    public struct TransactionReceiptAmountDto: Hashable, Sendable {
        /// The transaction's amount before everything else.
        public var baseAmount: SDKDecimal?
        /// What the transaction is reduced by.
        public var percentageOffAmount: SDKDecimal?
        /// The rate of the transaction's reduction.
        public var percentageOffRate: SDKDecimal?
        /// What is taken off for paying in cash.
        public var cashDiscountAmount: SDKDecimal?
        /// The rate of the discount for paying in cash.
        public var cashDiscountRate: SDKDecimal?
        /// What is added for paying by card.
        public var surchargeAmount: SDKDecimal?
        /// The rate of the surcharge for paying by card.
        public var surchargeRate: SDKDecimal?
        /// The tip in the transaction.
        public var tipAmount: SDKDecimal?
        /// The rate of the tip.
        public var tipRate: SDKDecimal?
        /// What the customer is charged.
        public var totalAmount: SDKDecimal?

        /// Begins an amount of which nothing is known.
        public init() {}
    }

    /// A tip that the customer may choose.
    public struct SuggestedTipsDto: Hashable, Sendable {
        /// The tip in hundredths of the amount.
        public var tipPercent: SDKDecimal
        /// The tip as an amount.
        public var tipAmount: SDKDecimal

        /// Makes a tip to choose.
        public init(tipPercent: SDKDecimal, tipAmount: SDKDecimal) {
            (self.tipPercent, self.tipAmount) = (tipPercent, tipAmount)
        }
    }

    /// What the platform works a payment's amounts out of; a rate is in hundredths here.
    public struct CalculateAmountRequest: Hashable, Sendable {
        /// The payment's amount before reductions and surcharges.
        public var amount: SDKDecimal
        /// The rate of the payment's reduction.
        public var percentageOffRate: SDKDecimal?
        /// The rate of the surcharge on card payments.
        public var surchargeRate: SDKDecimal?
        /// The tip as an amount.
        public var tipAmount: SDKDecimal?
        /// The rate of the tip.
        public var tipRate: SDKDecimal?
        /// The payment's currency.
        public var currency: Currency
        /// Whether the amount is the card's price, where cards and cash have two prices.
        public var useCardPrice: Bool?

        /// Asks for the amounts of a payment.
        public init(amount: SDKDecimal, currency: Currency) { (self.amount, self.currency) = (amount, currency) }
    }

    /// What a payment comes to, by what it is paid with; the SDK may leave out any part of it.
    public struct CalculateAmountResponse: Hashable, Sendable {
        /// The payment's currency.
        public var currency: Currency?
        /// How the merchant passes the cost of card payments on.
        public var zeroCostProcessingOption: ZeroCostProcessingOption?
        /// Whether the calculation took the amount as the card price, where cards and cash have two prices.
        public var useCardPrice: Bool?
        /// What is to be paid in cash.
        public var cash: AmountDto?
        /// What is to be paid by credit card.
        public var creditCard: AmountDto?
        /// What is to be paid by debit card.
        public var debitCard: AmountDto?
        /// What is to be paid from a bank account.
        public var ach: AmountDto?

        /// Takes the amounts of a payment.
        public init(
            currency: Currency?, cash: AmountDto?, creditCard: AmountDto?, debitCard: AmountDto?, ach: AmountDto?
        ) {
            (self.currency, self.cash, self.creditCard) = (currency, cash, creditCard)
            (self.debitCard, self.ach) = (debitCard, ach)
        }
    }
}

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
        /// What the payment's card scheme may be given beside the amount: level 2.
        public var l2: L2Data?
        /// What the payment's card scheme may be given of the order: level 3.
        public var l3: L3Data?

        /// Makes a payment by card.
        public init(
            paymentProcessorId: String, amount: SDKDecimal, currency: Currency, cardDataSource: CardDataSource
        ) {
            (self.paymentProcessorId, self.amount, self.currency) = (paymentProcessorId, amount, currency)
            self.cardDataSource = cardDataSource
        }
    }

    /// What a card's scheme may be given of a payment beside its amount: level 2.
    public struct L2Data: Hashable, Sendable {
        /// The rate of the sales tax.
        public var salesTaxRate: SDKDecimal?

        /// Begins with nothing said.
        public init() {}
    }

    /// What a card's scheme may be given of a payment's order: level 3.
    public struct L3Data: Hashable, Sendable {
        /// The number of the merchant's invoice.
        public var invoiceNumber: String?
        /// The number of the customer's order.
        public var purchaseOrder: String?
        /// What the shipping costs.
        public var shippingCharges: SDKDecimal?
        /// The customs duty.
        public var dutyCharges: SDKDecimal?
        /// What was bought.
        public var products: [TransactionProduct]?

        /// Begins an order of which nothing is said.
        public init() {}
    }

    /// Something that was bought in a payment.
    public struct TransactionProduct: Hashable, Sendable {
        /// The product's name.
        public var name: String?
        /// The product's code.
        public var code: String?
        /// The price of one.
        public var unitPrice: SDKDecimal?
        /// The unit that the quantity counts.
        public var measurementUnit: String?
        /// How much was bought.
        public var quantity: SDKDecimal?
        /// The product's tax.
        public var taxAmount: SDKDecimal?
        /// The rate of the product's reduction.
        public var discountRate: SDKDecimal?
        /// The product in words.
        public var description: String?
        /// The unit that the quantity counts, as a number.
        public var measurementUnitId: Int32?

        /// Begins a product of which nothing is said.
        public init() {}
    }

    /// What a sale or an authorization came to.
    public struct CardTransactionResponse: Hashable, Sendable {
        /// The transaction's identifier.
        public var transactionId: String?
        /// When the transaction was made, in milliseconds since 1970.
        public var transactionDateTime: Int64?
        /// What was done in the transaction; of the document alone, and maybe newer than the interface.
        public var operationType: OperationType?
        /// What was done in the transaction, as a word.
        public var transactionType: TransactionType?
        /// The transaction's authorization code.
        public var authCode: String?
        /// The state of the transaction.
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
        /// The state of the transaction.
        public var status: TransactionStatus?
        /// What was done in the transaction; of the document alone, and maybe newer than the interface.
        public var operationType: OperationType?
        /// What was done in the transaction, as a word.
        public var transactionType: TransactionType?
        /// What the processor said of the transaction.
        public var details: TransactionResponseDetailsDto?
        /// What the receipt of the transaction shows.
        public var transactionReceipt: TransactionReceiptDto?
        /// The transaction's authorization code.
        public var authCode: String?
        /// The processor's result in words.
        public var responseDescription: String?
        /// What came of comparing the customer's address.
        public var avsResponse: AvsResponseDto?

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
        public var amount: TransactionReceiptAmountDto?
        /// The transaction's currency.
        public var currency: Currency?
        /// The identifier of the transaction's processor.
        public var processorId: String?
        /// The name of the transaction's processor.
        public var processor: String?
        /// What was done in the transaction, as a number.
        public var operationType: OperationType?
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
        /// The state of the transaction.
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

    /// What the processor says of a transaction's card.
    public struct CardDetailsDto: Hashable, Sendable {
        /// The transaction's authorization code.
        public var authCode: String?
        /// The merchant's number at the acquirer.
        public var mid: String?
        /// The terminal's number at the acquirer.
        public var tid: String?
        /// Whether the card is one of credit or of debit, as a number.
        public var cardCreditDebitTypeId: Int32?
        /// Whether the card is one of credit or of debit.
        public var cardCreditDebitType: String?
        /// How the card was processed, as a number.
        public var processCreditDebitTypeId: Int32?
        /// How the card was processed: as credit or as debit.
        public var processCreditDebitType: String?
        /// The acquirer's retrieval reference number of the transaction.
        public var rrn: String?
        /// The card's scheme, as a number.
        public var cardTypeId: Int32?
        /// The card's scheme.
        public var cardType: String?

        /// Begins a card of which nothing is known.
        public init() {}
    }

    /// What the processor says of a bank debit.
    public struct ElectronicCheckDetails: Hashable, Sendable {
        /// The number of the customer's account.
        public var customerAccountNumber: Secret?
        /// The number of the customer's bank.
        public var customerRoutingNumber: Secret?
        /// Whose account it is.
        public var accountHolderType: String?
        /// Whose account it is, as a number.
        public var accountHolderTypeId: Int32?
        /// What kind of account it is.
        public var accountType: String?
        /// What kind of account it is, as a number.
        public var accountTypeId: Int32?
        /// The account holder's tax number.
        public var taxId: Secret?

        /// Begins a bank debit of which nothing is known.
        public init() {}
    }

    /// What came of comparing the customer's address.
    public struct AvsResponseDto: Hashable, Sendable {
        /// What follows from the comparison, as a number.
        public var actionId: AvsAction?
        /// What follows from the comparison.
        public var action: String?
        /// The processor's code of the comparison.
        public var responseCode: String?
        /// To which group that code belongs, as a number.
        public var groupId: AvsCodeGroupType?
        /// To which group that code belongs.
        public var group: String?
        /// Whether the customer's address passed, as a number.
        public var resultId: AvsResponseResult?
        /// Whether the customer's address passed.
        public var result: String?
        /// What the processor's code means.
        public var codeDescription: String?

        /// Begins a comparison of which nothing is known.
        public init() {}
    }

    /// The data of a card's chip.
    public struct EmvTagsDto: Hashable, Sendable {
        /// The cryptogram of the card's chip.
        public var ac: Secret?
        /// What the reader found in checking the card.
        public var tvr: String?
        /// What the reader did to the transaction.
        public var tsi: String?
        /// The card's application.
        public var aid: String?
        /// What the card calls its application.
        public var applicationLabel: String?
        /// All tags of the card's chip.
        public var rawTags: [RawTag]?

        /// Begins a chip of which nothing is known.
        public init() {}

        /// A tag of a card's chip.
        public struct RawTag: Hashable, Sendable {
            /// The tag's number.
            public let tag: String
            /// The tag's data.
            public var value: Secret?

            /// Makes a tag of a card's chip.
            public init(tag: String, value: Secret? = nil) { (self.tag, self.value) = (tag, value) }
        }
    }

    /// What the processor TSYS says of a transaction's card.
    public struct TsysCardDetailsDto: Hashable, Sendable {
        /// The transaction's authorization code.
        public var authCode: String?
        /// The merchant's number at the processor.
        public var mid: String?
        /// The terminal's number at the processor.
        public var tid: String?

        /// Begins a card of which nothing is known.
        public init() {}
    }
}
