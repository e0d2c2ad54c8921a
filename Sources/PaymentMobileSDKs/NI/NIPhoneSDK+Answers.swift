public import PaymentBase

extension NIPhoneSDK {
    /// What a payment's call gives; of its members the document names three, and shows the rest for authorisations.
    public struct PaymentResponse: Hashable, Sendable {
        /// The payment's reference.
        public let reference: String
        /// The reference of the order that the payment belongs to.
        public let orderReference: String
        /// The payment's state; the document lists no values for a purchase.
        public let state: String
        /// When the payment changed last, as the platform writes it.
        public var updateDateTime: String?
        /// The payment's amount.
        public var amount: Amount?
        /// The merchant's outlet.
        public var outletId: String?
        /// What the acquirer said of the payment.
        public var authResponse: AuthResponse?

        /// Makes the answer to a payment.
        public init(reference: String, orderReference: String, state: String) {
            (self.reference, self.orderReference, self.state) = (reference, orderReference, state)
        }
    }

    /// An amount of a payment in minor units.
    public struct Amount: Hashable, Sendable {
        /// The amount's currency.
        public let currencyCode: String
        /// The amount in minor units.
        public let value: Int64
        /// Makes an amount.
        public init(currencyCode: String, value: Int64) { (self.currencyCode, self.value) = (currencyCode, value) }
    }

    /// What the acquirer said of a payment.
    public struct AuthResponse: Hashable, Sendable {
        /// The payment's authorization code.
        public var authorizationCode: String?
        /// Whether the payment was approved.
        public let success: Bool
        /// The acquirer's result code; `00` is an approval of the payment.
        public var resultCode: String?
        /// The acquirer's result in words.
        public var resultMessage: String?
        /// The merchant's number at the acquirer.
        public var mid: String?
        /// Makes an acquirer's word on a payment.
        public init(success: Bool) { self.success = success }
    }

    /// A page of the merchant's transactions.
    public struct GetTransactionsResponse: Hashable, Sendable {
        /// The page's transactions.
        public let items: [Transaction]
        /// Makes a page of transactions.
        public init(items: [Transaction]) { self.items = items }
    }

    /// A transaction in the merchant's list.
    public struct Transaction: Hashable, Sendable {
        /// The transaction's reference.
        public let reference: String
        /// When the transaction was made, as the platform writes it.
        public var createdDateTime: String?
        /// What the transaction did, such as `PURCHASE`.
        public var action: String?
        /// The transaction's currency.
        public var currencyCode: String?
        /// The transaction's amount in major units, unlike the amount that a payment takes.
        public var amount: SDKDecimal?
        /// How much of the transaction was refunded, in major units.
        public var refundedAmount: SDKDecimal?
        /// The transaction's status, such as `SUCCESS`.
        public var status: String?
        /// Where the transaction came from.
        public var channel: String?
        /// The name of the merchant's outlet.
        public var outletName: String?
        /// The card's scheme.
        public var cardScheme: String?
        /// The cardholder's name.
        public var cardholderName: PersonalData?
        /// The card's number, masked.
        public var cardPan: String?
        /// What happened to the transaction last.
        public var lastEvent: String?
        /// The acquirer's retrieval reference number of the transaction.
        public var rrn: String?
        /// The transaction's authorization code.
        public var authCode: String?
        /// Makes an item of the merchant's list.
        public init(reference: String) { self.reference = reference }
    }

    /// What can still be done with a payment; all else is to be asked for at the platform.
    public struct GetTransactionDetailsResponse: Hashable, Sendable {
        /// Whether the payment can be refunded.
        public let refundEnabled: Bool
        /// Whether the payment can be voided.
        public let voidEnabled: Bool
        /// Says what can still be done with a payment.
        public init(refundEnabled: Bool, voidEnabled: Bool) {
            (self.refundEnabled, self.voidEnabled) = (refundEnabled, voidEnabled)
        }
    }

    /// What a refund's call gives.
    public struct RefundTransactionResponse: Hashable, Sendable {
        /// The refund's identifier.
        public let refundId: String
        /// The refund's status, such as `SUCCESS`.
        public let status: String
        /// Makes the answer to a refund.
        public init(refundId: String, status: String) { (self.refundId, self.status) = (refundId, status) }
    }

    /// What a void's call gives.
    public struct VoidTransactionResponse: Hashable, Sendable {
        /// The void's identifier.
        public let voidId: String
        /// The void's status, such as `SUCCESS`.
        public let status: String
        /// Makes the answer to a void.
        public init(voidId: String, status: String) { (self.voidId, self.status) = (voidId, status) }
    }
}
