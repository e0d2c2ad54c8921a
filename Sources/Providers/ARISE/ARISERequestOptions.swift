public import PaymentProviderKit

/// What an application knows about a charge that only ARISE asks for; asked before anything is sent.
///
/// The lines of level 3 (`products`) are left out: no public page says what they have in them.
public struct ARISERequestOptions: Question {
    /// What is known.
    public struct Answer: Hashable, Sendable {
        /// ARISE's numbers for a place, beside the words in an address.
        public struct Place: Hashable, Sendable {
            /// The number of the state.
            public var state: Int32?
            /// The number of the country.
            public var country: Int32?

            /// Makes a place that says nothing.
            public init() {}
        }

        /// The place of the billing address.
        public var billing = Place()
        /// The place of the shipping address.
        public var shipping = Place()
        /// Whether the customer gets text messages; nil leaves it to ARISE.
        public var sendsMessages: Bool?
        /// Level 2: the sales tax in per cent, as `8.25`.
        public var salesTaxPercent: String?
        /// Level 3: the number of the invoice.
        public var invoiceNumber: String?
        /// Level 3: the number of the customer's order.
        public var purchaseOrder: String?
        /// Level 3: what shipping costs.
        public var shippingCharges: Money?
        /// Level 3: what customs cost.
        public var dutyCharges: Money?
        /// The processor of this payment, by ARISE's id; nil for the configured one.
        public var processor: String?
        /// Whether the customer begins the payment; nil leaves it to ARISE.
        public var isCustomerInitiated: Bool?

        /// Makes an answer that says nothing.
        public init() {}
    }

    public static let timeout: Duration = .seconds(1 * 60)

    /// Which attempt it is about.
    public let attempt: AttemptID
    /// What is about to be done.
    public let operation: PaymentOperation
    /// The amount.
    public let amount: Money
}

extension ARISEMapping {
    /// Adds what only ARISE asks for.
    static func add(
        _ extras: ARISERequestOptions.Answer, _ currency: Currency, to body: inout JSONObject
    ) throws(PaymentError) {
        func place(_ place: ARISERequestOptions.Answer.Place, _ name: String) {
            extend(name, with: [("stateId", number(place.state)), ("countryId", number(place.country))], &body)
        }
        place(extras.billing, "billingAddress")
        place(extras.shipping, "shippingAddress")
        if let processor = extras.processor { body["paymentProcessorId"] = .string(processor) }
        if let begins = extras.isCustomerInitiated { body["customerInitiatedTransaction"] = .bool(begins) }
        extend("contactInfo", with: [("smsNotification", extras.sendsMessages.map { .bool($0) })], &body)
        var rate: JSON?
        if let text = extras.salesTaxPercent { rate = try percent(text) }
        extend("l2", with: [("salesTaxRate", rate)], &body)
        for charges in [extras.shippingCharges, extras.dutyCharges] {
            guard charges?.currency ?? currency == currency else {
                throw PaymentError.notExecuted(.invalidRequest, "charges are in the currency of the payment")
            }
        }
        extend(
            "l3",
            with: [
                ("invoiceNumber", extras.invoiceNumber.map { .string($0) }),
                ("purchaseOrder", extras.purchaseOrder.map { .string($0) }),
                ("shippingCharges", extras.shippingCharges.map { json($0) }),
                ("dutyCharges", extras.dutyCharges.map { json($0) }),
            ], &body)
    }

    private static func number(_ value: Int32?) -> JSON? { value.map { .number(JSONNumber(Int64($0))) } }

    /// Adds members to an object in the body; leaves it out where there are none.
    private static func extend(_ name: String, with members: [(String, JSON?)], _ body: inout JSONObject) {
        var object = body[name]?.object ?? JSONObject()
        for case (let member, let value?) in members { object[member] = value }
        if !object.isEmpty { body[name] = .object(object) }
    }
}
