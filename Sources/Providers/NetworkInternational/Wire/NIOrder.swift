internal import PaymentBase

/// Everything that the provider says about one order.
struct NIOrder {
    /// One card that paid.
    struct Card {
        let payment: String?
        let scheme: String?
        let maskedNumber: String?
        let expiry: String?
        let holder: String?
    }

    let reference: String
    let action: String
    let status: String
    /// Whether a word says the state of the payment in it, rather than its amounts alone.
    let hasWord: Bool
    /// The state of the payment in it.
    let state: String
    let amount: NIAmount?
    let at: Int64?
    let channel: String?
    let outlet: String?
    let outletName: String?
    let terminal: String?
    let device: JSON?
    let cards: [Card]
    /// The five running amounts, by name.
    let info: [String: NIAmount]
    let movements: [NIMovement]
    let events: [JSON]

    /// Reads an answer; nil when what proves anything is missing, or when it names an amount that no order has.
    init?(_ json: JSON?) {
        guard let json, let reference = json["reference"]?.string, let action = json["action"]?.string,
            json["captureStatus"] != nil || json["paymentInfo"] != nil
        else { return nil }
        // While there was no movement, the list may be missing.
        let list = json["capturesNRefunds"]
        guard list == nil || list == .null || list?.array != nil else { return nil }
        let movements = list?.array ?? []
        (self.reference, self.action) = (reference, action)
        (status, amount) = (json["status"]?.string ?? "", NIAmount(json["amount"]))
        at = json["createDateTime"]?.string.flatMap { Timestamp($0)?.milliseconds }
        (channel, outlet, outletName) = (
            json["channel"]?.string, json["outletId"]?.string, json["outletName"]?.string
        )
        (terminal, device) = (json["tid"]?.string, json["device"])
        cards = (json["paymentCards"]?.array ?? []).map { card in
            Card(
                payment: card["paymentReference"]?.string, scheme: card["cardScheme"]?.string,
                maskedNumber: card["maskedPanNumber"]?.string, expiry: card["expiry"]?.string,
                holder: card["cardholderName"]?.string)
        }
        var info: [String: NIAmount] = [:]
        for member in json["paymentInfo"]?.object?.members ?? [] { info[member.key] = NIAmount(member.value) }
        self.info = info
        hasWord = json["captureStatus"]?.string?.isEmpty == false
        state = Self.state(json["captureStatus"]?.string ?? "", action, info)
        self.movements = NIMovement.inOrder(movements.map { NIMovement(event: $0) })
        events = json["_embedded"]?["events"]?.array ?? []
        // The net amount is only shown, and may be below zero.
        let amounts = [amount] + info.filter { $0.key != "net" }.map(\.value) + self.movements.map(\.amount)
        guard amounts.allSatisfy({ $0?.isBelievable ?? true }) else { return nil }
    }

    /// Words that say nothing of what the amounts don't say, and that stand where documents leave the state open.
    private static let vague: Set<String> = ["", "NOT_CAPTURED", "FULLY_CAPTURED"]

    /// The state of the payment: by its word, else by what was held, charged and given back. Where nothing is held or
    /// charged any more, a word of before counts for nothing.
    private static func state(_ word: String, _ action: String, _ info: [String: NIAmount]) -> String {
        guard let authorised = info["authorised"]?.value, let captured = info["captured"]?.value,
            let refunded = info["refunded"]?.value
        else { return word }
        let isDone = ["AUTHORISED", "PARTIALLY_CAPTURED", "CAPTURED", "PURCHASED"].contains(word)
        if isDone, authorised == 0, captured == 0, refunded == 0 { return "REVERSED" }
        guard vague.contains(word) else { return word }
        let pending = info["pending"]?.value ?? 0
        return switch (captured > 0, refunded > 0) {
        case (true, true): refunded >= captured ? "REFUNDED" : "PARTIALLY_REFUNDED"
        case (true, false): action == "PURCHASE" ? "PURCHASED" : pending > 0 ? "PARTIALLY_CAPTURED" : "CAPTURED"
        case (false, _): action == "AUTH" && authorised > 0 ? "AUTHORISED" : word
        }
    }

    /// Whether nothing is held and nothing was charged: once there was something, it is undone.
    var isUndone: Bool {
        ["REVERSED", "CANCELLED", "CANCELED"].contains(state)
            || info["authorised"]?.value == 0 && info["captured"]?.value == 0 && info["pending"]?.value ?? 0 == 0
    }

    /// What was charged and given back so far.
    var totals: (captured: Int64, refunded: Int64)? {
        info["captured"].flatMap { captured in info["refunded"].map { (captured.value, $0.value) } }
    }

    /// What a movement of ours has changed against another look at the order, where exactly one thing has: its kind
    /// and how much; nil where nothing has.
    func change(since before: (captured: Int64, refunded: Int64)) -> (kind: String, units: Int64)? {
        guard let captured = info["captured"]?.value, let refunded = info["refunded"]?.value else { return nil }
        let charged = captured.subtractingReportingOverflow(before.captured)
        let back = refunded.subtractingReportingOverflow(before.refunded)
        // The earlier look may have noted amounts that no order has; they show no capture and no refund.
        if charged.overflow || back.overflow { return ("both", 0) }
        switch (charged.partialValue, back.partialValue) {
        case (0, 0): return nil
        case (let units, 0): return ("capture", units)
        case (0, let units): return ("refund", units)
        case (_, _): return ("both", 0)
        }
    }

    var captures: [NIMovement] { movements.filter(\.isCapture) }
    var refunds: [NIMovement] { movements.filter(\.isRefund) }

    /// What the issuer said last, where the log of events has it.
    var result: (code: String, message: String)? {
        let payload = events.last { $0["payload"]?["resultCode"]?.string != nil }?["payload"]
        return payload?["resultCode"]?.string.map { ($0, payload?["resultMessage"]?.string ?? "") }
    }
}
