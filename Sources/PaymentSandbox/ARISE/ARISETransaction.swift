internal import PaymentBase

/// One transaction as the simulated ARISE keeps it; amounts are cents, rates are percent times ten thousand.
struct ARISETransaction: Sendable {
    var id = ""
    /// The number of the operation: 1 authorisation, 2 sale, 5 refund, 7 refund without reference, 11 and 16 for ACH.
    var type: Int64 = 0
    /// The word for where it stands.
    var status = ""
    /// The reference that the request carried.
    var reference = ""
    /// What the books call it.
    var label = ""
    var createdAt: Int64 = 0
    var price = ARISEPrice()
    /// What an authorisation held at first.
    var authorized: Int64 = 0
    var refunded: Int64 = 0
    /// Refunds that were accepted and are not decided.
    var refundPending: Int64 = 0
    var last4 = ""
    var pan = ""
    var brand = ""
    /// The number of the way in which the card came.
    var dataSource: Int64 = 0
    var processor = ""
    /// The batch that it was settled in; empty before.
    var batch = ""
    /// The transaction that a refund takes from.
    var parent = ""
    /// Who made it: 2 for the API, 9 for Tap to Pay.
    var channel: Int64 = 2
    var creator = ""
    var customer = ""
    var code = "00"
    /// What waits for a decision: `sale`, `authorize`, `capture`, `refund`; empty for nothing.
    var waiting = ""
    var waitingAmount: Int64 = 0
    var waitingLabel = ""
    /// A tip that was added after the money moved, and moves with the batch.
    var lateTip: Int64 = 0
    var avs = ""

    var isBank: Bool { type == 11 || type == 16 || type == 12 }
    /// Whether it holds money and has charged none.
    var isHeld: Bool { status == "Authorized" || type == 1 && status == "PartiallyAuthorized" }
    /// What is left to be given back.
    var remaining: Int64 { price.total - refunded }

    static var texts: [(String, WritableKeyPath<Self, String>)] {
        [
            ("id", \.id), ("status", \.status), ("reference", \.reference), ("label", \.label), ("last4", \.last4),
            ("pan", \.pan), ("brand", \.brand), ("processor", \.processor), ("batch", \.batch), ("parent", \.parent),
            ("creator", \.creator), ("customer", \.customer), ("code", \.code), ("waiting", \.waiting),
            ("waitingLabel", \.waitingLabel), ("avs", \.avs),
        ]
    }

    static var numbers: [(String, WritableKeyPath<Self, Int64>)] {
        [
            ("type", \.type), ("createdAt", \.createdAt), ("authorized", \.authorized), ("refunded", \.refunded),
            ("refundPending", \.refundPending), ("dataSource", \.dataSource), ("channel", \.channel),
            ("waitingAmount", \.waitingAmount), ("lateTip", \.lateTip), ("base", \.price.base), ("off", \.price.off),
            ("offRate", \.price.offRate), ("cashDiscount", \.price.cashDiscount),
            ("cashDiscountRate", \.price.cashDiscountRate), ("surcharge", \.price.surcharge),
            ("surchargeRate", \.price.surchargeRate), ("tip", \.price.tip), ("tipRate", \.price.tipRate),
        ]
    }

    var json: JSON {
        var object: JSONObject = [:]
        for (name, path) in Self.texts { object[name] = .string(self[keyPath: path]) }
        for (name, path) in Self.numbers { object[name] = .number(JSONNumber(self[keyPath: path])) }
        return .object(object)
    }

    init() {}

    init?(_ json: JSON) {
        for (name, path) in Self.texts {
            guard let value = json[name]?.string else { return nil }
            self[keyPath: path] = value
        }
        for (name, path) in Self.numbers {
            guard let value = json[name]?.int64 else { return nil }
            self[keyPath: path] = value
        }
    }
}
