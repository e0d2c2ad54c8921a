/// One transaction as the simulated ARISE keeps it; amounts are cents, rates are percent times ten thousand.
struct ARISETransaction: Recorded {
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
    /// How the card came, for the books alone.
    var entry = ""
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
    var avs = ""

    var isBank: Bool { type == 11 || type == 16 || type == 12 }
    /// Whether it holds money and has charged none.
    var isHeld: Bool { status == "Authorized" || type == 1 && status == "PartiallyAuthorized" }
    /// What is left to be given back.
    var remaining: Int64 { price.total - refunded }

    var recordName: String { id }
    /// By its label and by that of what waits on it, by its batch, and by who made it in which way.
    var otherNames: [String] {
        var names = ["creator \(creator)", "channel \(channel)", "label \(label)"]
        if !batch.isEmpty { names.append("batch \(batch)") }
        if !waitingLabel.isEmpty, waitingLabel != label { names.append("label \(waitingLabel)") }
        return names
    }
    /// When what it holds lapses.
    var dueAt: Int64? { isHeld ? createdAt + ARISESimulator.holdMilliseconds : nil }

    static let members: [PersistedField<Self>] = [
        .init("id", \.id), .init("status", \.status), .init("reference", \.reference), .init("label", \.label),
        .init("entry", \.entry, isNew: true),
        .init("last4", \.last4), .init("pan", \.pan), .init("brand", \.brand), .init("processor", \.processor),
        .init("batch", \.batch), .init("parent", \.parent), .init("creator", \.creator),
        .init("customer", \.customer), .init("code", \.code), .init("waiting", \.waiting),
        .init("waitingLabel", \.waitingLabel), .init("avs", \.avs), .init("type", \.type),
        .init("createdAt", \.createdAt), .init("authorized", \.authorized), .init("refunded", \.refunded),
        .init("refundPending", \.refundPending), .init("dataSource", \.dataSource), .init("channel", \.channel),
        .init("waitingAmount", \.waitingAmount), .init("base", \.price.base),
        .init("off", \.price.off), .init("offRate", \.price.offRate), .init("cashDiscount", \.price.cashDiscount),
        .init("cashDiscountRate", \.price.cashDiscountRate), .init("surcharge", \.price.surcharge),
        .init("surchargeRate", \.price.surchargeRate), .init("tip", \.price.tip), .init("tipRate", \.price.tipRate),
    ]
}
