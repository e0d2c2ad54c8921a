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
    public struct TransactionAmountDto: Hashable, Sendable {
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
        /// Whether the card's price was used for the payment.
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
