extension ARISEPhoneSDK {
    /// How a transaction came to be made.
    public struct CreateMethodId: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// By a person in the merchant's portal.
        public static let portal = Self(rawValue: 1)
        /// By a program that calls the platform for a transaction.
        public static let apiToken = Self(rawValue: 2)
        /// At a card terminal.
        public static let terminal = Self(rawValue: 3)
        /// By paying an invoice.
        public static let invoice = Self(rawValue: 4)
        /// By a quick payment.
        public static let quickPayment = Self(rawValue: 5)
        /// By a payment form in a web page.
        public static let webComponent = Self(rawValue: 6)
        /// By the schedule of repeated payments.
        public static let subscription = Self(rawValue: 7)
        /// In the merchant's mobile application.
        public static let mobileApp = Self(rawValue: 8)
        /// By tapping a card on a phone.
        public static let tapToPay = Self(rawValue: 9)
    }

    /// The currency of a transaction, as a number.
    public struct Currency: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The dollar of the United States, the only currency that is listed.
        public static let usd = Self(rawValue: 1)
    }

    /// How a merchant passes the cost of card payments on.
    public struct ZeroCostProcessingOption: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The merchant bears the cost of card payments.
        public static let noZeroCost = Self(rawValue: 1)
        /// By a discount on cash payments.
        public static let cashDiscount = Self(rawValue: 2)
        /// By a price for cards and one for cash payments.
        public static let dualPricing = Self(rawValue: 3)
        /// By a surcharge on card payments.
        public static let surcharge = Self(rawValue: 4)
    }

    /// What is done in a transaction, as a number.
    public struct OperationType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// An authorization hold.
        public static let authorization = Self(rawValue: 1)
        /// A sale.
        public static let sale = Self(rawValue: 2)
        /// A capture of an authorization.
        public static let capture = Self(rawValue: 3)
        /// A void before the settlement.
        public static let void = Self(rawValue: 4)
        /// A refund after the settlement.
        public static let refund = Self(rawValue: 5)
    }

    /// What a transaction is paid with.
    public struct PaymentMethodType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A card.
        public static let card = Self(rawValue: 1)
        /// A bank account, by electronic check.
        public static let electronicCheck = Self(rawValue: 2)
        /// Cash, paid by hand.
        public static let cash = Self(rawValue: 3)
    }

    /// The kind of bank account behind a payment.
    public struct AccountType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A checking account.
        public static let checking = Self(rawValue: 1)
        /// A savings account.
        public static let savings = Self(rawValue: 2)
    }

    /// Whose bank account is behind a payment.
    public struct AccountHolderType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A company's account.
        public static let business = Self(rawValue: 1)
        /// A person's account.
        public static let personal = Self(rawValue: 2)
    }

    /// Where a transaction's card is kept as a token.
    public struct CardTokenType: SDKIntegerCode {
        /// The number as the SDK has it.
        public let rawValue: Int
        /// Takes the number as the SDK has it.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// At the merchant's own system.
        public static let local = Self(rawValue: 1)
        /// At the card's network.
        public static let network = Self(rawValue: 2)
    }
}
