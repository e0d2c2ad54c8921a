extension ARISEPhoneSDK {
    /// Something that the merchant's credentials may do at the platform.
    public struct ApiPermission: SDKTextCode {
        /// The word as the SDK has it.
        public let rawValue: String
        /// Takes the word as the SDK has it.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Begin a payment at a card terminal.
        public static let posStartTransaction = Self(rawValue: "posStartTransaction")
        /// List the transactions of card terminals.
        public static let posGetTransactions = Self(rawValue: "posGetTransactions")
        /// Read a transaction of a card terminal.
        public static let posGetTransactionDetails = Self(rawValue: "posGetTransactionDetails")
        /// Cancel a transaction of a card terminal.
        public static let posCancelTransaction = Self(rawValue: "posCancelTransaction")
        /// Print a receipt at a card terminal.
        public static let posPrintReceipt = Self(rawValue: "posPrintReceipt")
        /// List the card terminals.
        public static let getTerminalList = Self(rawValue: "getTerminalList")
        /// Read a card terminal's data.
        public static let getTerminalInformation = Self(rawValue: "getTerminalInformation")
        /// Authorize a card in a shop of the web.
        public static let ecommerceAuth = Self(rawValue: "ecommerceAuth")
        /// Make a sale in a shop of the web.
        public static let ecommerceSale = Self(rawValue: "ecommerceSale")
        /// Capture an authorization of a shop of the web.
        public static let ecommerceCapture = Self(rawValue: "ecommerceCapture")
        /// Void a transaction of a shop of the web.
        public static let ecommerceVoid = Self(rawValue: "ecommerceVoid")
        /// Refund a transaction of a shop of the web.
        public static let ecommerceRefund = Self(rawValue: "ecommerceRefund")
        /// Refund a card without an earlier transaction.
        public static let ecommerceRefundWithoutReference = Self(rawValue: "ecommerceRefundWithoutReference")
        /// Debit a bank account.
        public static let achDebit = Self(rawValue: "achDebit")
        /// Credit a bank account.
        public static let achCredit = Self(rawValue: "achCredit")
        /// Cancel a bank debit.
        public static let achVoid = Self(rawValue: "achVoid")
        /// Hold a bank debit back.
        public static let achHold = Self(rawValue: "achHold")
        /// Let a held bank debit go.
        public static let achUnhold = Self(rawValue: "achUnhold")
        /// List transactions.
        public static let listTransactions = Self(rawValue: "listTransactions")
        /// Read a transaction's details.
        public static let getTransactionDetails = Self(rawValue: "getTransactionDetails")
        /// Work out a transaction's amount.
        public static let calculateTransactionAmount = Self(rawValue: "calculateTransactionAmount")
        /// Change a transaction's tip.
        public static let submitTipAdjustment = Self(rawValue: "submitTipAdjustment")
        /// List the batches for the settlement.
        public static let getSettlementBatches = Self(rawValue: "getSettlementBatches")
        /// Send a batch to the settlement.
        public static let submitBatchForSettlement = Self(rawValue: "submitBatchForSettlement")
        /// Send a receipt to a customer's telephone.
        public static let sendReceiptBySms = Self(rawValue: "sendReceiptBySms")
        /// List the customers.
        public static let listCustomers = Self(rawValue: "listCustomers")
        /// Read a customer's data.
        public static let getCustomerDetails = Self(rawValue: "getCustomerDetails")
        /// Change the customers' data.
        public static let manageCustomers = Self(rawValue: "manageCustomers")
        /// Make invoices.
        public static let hostedInvoices = Self(rawValue: "hostedInvoices")
        /// Make quick payments.
        public static let hostedQuickPayment = Self(rawValue: "hostedQuickPayment")
        /// Make subscriptions, which pay again and again.
        public static let hostedSubscriptions = Self(rawValue: "hostedSubscriptions")
        /// Use payment forms in web pages.
        public static let hostedWebComponents = Self(rawValue: "hostedWebComponents")
        /// Take payments in a WooCommerce shop.
        public static let hostedWooCommerce = Self(rawValue: "hostedWooCommerce")
        /// Take cards on a phone, which this SDK's payments need.
        public static let featureTapToPayOnMobile = Self(rawValue: "featureTapToPayOnMobile")
        /// Ask whether the platform is there.
        public static let generalPing = Self(rawValue: "generalPing")
        /// Ask for the platform's status.
        public static let generalStatus = Self(rawValue: "generalStatus")
        /// Read the merchant's configuration.
        public static let generalConfigurations = Self(rawValue: "generalConfigurations")
    }

    /// What the merchant's credentials may do.
    public struct ApiPermissionsResponse: Hashable, Sendable {
        /// The permissions that are switched on for the merchant.
        public var permissions: [ApiPermission]

        /// Makes the answer about a merchant's permissions.
        public init(permissions: [ApiPermission]) { self.permissions = permissions }
    }
}
