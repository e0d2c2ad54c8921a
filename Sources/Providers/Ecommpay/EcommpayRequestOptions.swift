public import PaymentProviderKit

/// What an application knows about a payment that only this provider asks for; asked before a session is opened.
public struct EcommpayRequestOptions: Question {
    /// What is known.
    public struct Answer: Hashable, Sendable {
        /// Times and amounts of later charges. They are refused before anything is sent: ecommpay would charge on its own.
        public var recurrence: EcommpayRecurrence?
        /// What helps the card's bank to recognise its customer.
        public var risk: EcommpayRisk?
        /// The method that this session begins with; nil for the configured one.
        public var forcedMethod: String?
        /// The two letters of this customer's region; nil for the configured ones.
        public var region: String?
        /// Whether this session leaves saved instruments out; nil for what is configured.
        public var hidesSaved: Bool?

        /// Makes an answer that says nothing.
        public init() {}
    }

    public static let timeout: Duration = .seconds(1 * 60)
    public static func secrets(in answer: Answer) -> [Secret] {
        (answer.risk?.values ?? [:]).values.map { Secret($0.value) }.filter { $0.exposeBytes().count > 3 }
    }

    /// Which attempt it is about.
    public let attempt: AttemptID
    /// What is about to be done.
    public let operation: PaymentOperation
    /// The amount; zero where a card is only checked.
    public let amount: Money

    init(_ attempt: AttemptID, _ operation: PaymentOperation, _ amount: Money) {
        (self.attempt, self.operation, self.amount) = (attempt, operation, amount)
    }
}

/// What helps the card's bank to recognise its customer, so that fewer have to be asked; by the provider's own names.
///
/// ```swift
/// var risk = try EcommpayRisk(["account.purchase_number": "12", "payment.challenge_indicator": "02"])
/// risk.giftCards = .init(1, Money(minorUnits: 2_500, .eur))
/// ```
public struct EcommpayRisk: Hashable, Sendable {
    /// Gift cards that are bought with the payment.
    public struct GiftCards: Hashable, Sendable {
        /// How many there are.
        public let count: Int
        /// What they are worth together.
        public let amount: Money

        /// Makes a number of gift cards with their amount together.
        public init(_ count: Int, _ amount: Money) { (self.count, self.amount) = (count, amount) }
    }

    /// The values, by name.
    public let values: [String: PersonalData]
    /// The values as they are written, by name.
    private let written: [String: JSON]
    /// Gift cards that are bought with it.
    public var giftCards: GiftCards?

    /// Every name that the provider knows; a point is between a group and its member.
    public static let names: Set<String> = {
        let groups: [(String, String)] = [
            ("", "address_match home_phone work_phone billing_region_code"),
            (
                "account.",
                """
                additional age_indicator date change_indicator change_date pass_change_indicator pass_change_date \
                purchase_number provision_attempts activity_day activity_year payment_age_indicator payment_age \
                suspicious_activity auth_method auth_time auth_data
                """
            ),
            (
                "shipping.",
                """
                type delivery_time delivery_email address_usage_indicator address_usage city country address postal \
                region_code name_indicator
                """
            ),
            ("mpi_result.", "acs_operation_id authentication_flow authentication_timestamp"),
            ("payment.", "reorder preorder_purchase preorder_date challenge_indicator challenge_window"),
        ]
        return Set(groups.flatMap { group, names in names.split(separator: " ").map { group + $0 } })
    }()

    /// Keeps values.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the provider knows no such name, or a value is not of the kind that
    ///   the name has.
    public init(_ values: [String: PersonalData]) throws(PaymentError) {
        if let unknown = values.keys.sorted().first(where: { !Self.names.contains($0) }) {
            throw PaymentError.notExecuted(.invalidRequest, "the provider knows no risk data named \(unknown)")
        }
        written = try values.mapValues(named: EcommpayMember.json)
        self.values = values
    }

    /// The values as the provider reads them.
    var json: JSON {
        var (customer, payment) = (JSONObject(), JSONObject())
        for (name, value) in written.sorted(by: { $0.key < $1.key }) {
            let parts = name.split(separator: ".").map { String($0) }
            if parts.count == 1 {
                customer[name] = value
            } else if parts[0] == "payment" {
                payment[parts[1]] = value
            } else {
                var group = customer[parts[0]]?.object ?? JSONObject()
                group[parts[1]] = value
                customer[parts[0]] = .object(group)
            }
        }
        if let giftCards {
            payment["gift_card"] = EcommpayMapping.json(giftCards.amount)
                .adding("count", EcommpayMapping.number(Int64(giftCards.count)))
        }
        return ["customer": .object(customer), "payment": .object(payment)]
    }

    /// The values as a Payment Page reads them: each group is a parameter of its own, the Base64 of its JSON.
    var page: [(String, JSON)] {
        var customer = json["customer"]?.object ?? [:]
        let payment = json["payment"]?.object ?? [:]
        var parameters: [(String, JSON)] = customer["billing_region_code"].map { [("billing_region_code", $0)] } ?? []
        if !payment.isEmpty { parameters.append(Self.parameter("payment_merchant_risk", "payment", payment)) }
        for group in ["shipping", "mpi_result"] {
            guard let member = customer[group] else { continue }
            parameters.append(Self.parameter("customer_\(group)", "customer", [group: member]))
        }
        for name in ["billing_region_code", "shipping", "mpi_result"] { customer[name] = nil }
        // A truth at the Gate is a letter here.
        if let matches = customer["address_match"]?.bool { customer["address_match"] = matches ? "Y" : "N" }
        if !customer.isEmpty { parameters.append(Self.parameter("customer_account_info", "customer", customer)) }
        return parameters
    }

    private static func parameter(_ name: String, _ group: String, _ members: JSONObject) -> (String, JSON) {
        (name, .string(Base64.standard.encode(JSON.object([group: .object(members)]).bytes())))
    }
}

/// The members of a customer and of risk data that are no texts, as the provider publishes them.
enum EcommpayMember {
    private enum Kind {
        case truth
        case whole(max: Int64)
    }

    private static let kinds: [String: Kind] = [
        "account_save": .truth, "address_match": .truth, "java_enabled": .truth, "js_enabled": .truth, "save": .truth,
        "color_depth": .whole(max: 64), "ssn": .whole(max: 999_999_999_999),
        "account.activity_day": .whole(max: 999), "account.activity_year": .whole(max: 999),
        "account.provision_attempts": .whole(max: 999), "account.purchase_number": .whole(max: 9_999),
    ]

    /// A value as it is written under a name; a point is between a group and its member.
    ///
    /// - Throws: `invalidRequest`, nothing moved, when the value is not of the kind that the name has. The value itself is not
    ///   named, since it is a person's.
    static func json(_ value: PersonalData, named name: String) throws(PaymentError) -> JSON {
        switch kinds[name] {
        case nil: return .string(value.value)
        case .truth:
            guard ["true", "false"].contains(value.value) else {
                throw EcommpayMapping.refused("\(name) must be true or false.")
            }
            return .bool(value.value == "true")
        case .whole(let max):
            guard let number = Int64(value.value), (0...max).contains(number) else {
                throw EcommpayMapping.refused("\(name) must be a whole number from 0 to \(max).")
            }
            return EcommpayMapping.number(number)
        }
    }
}

extension [String: PersonalData] {
    /// Each value as a function of it and its name.
    fileprivate func mapValues(
        named convert: (PersonalData, String) throws(PaymentError) -> JSON
    ) throws(PaymentError) -> [String: JSON] {
        var converted: [String: JSON] = [:]
        for (name, value) in self { converted[name] = try convert(value, name) }
        return converted
    }
}
