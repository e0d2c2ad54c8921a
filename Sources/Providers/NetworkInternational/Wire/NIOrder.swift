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

    /// Reads an answer; nil when what proves anything is missing.
    init?(_ json: JSON?) {
        guard let json, let reference = json["reference"]?.string, let action = json["action"]?.string,
            let state = json["captureStatus"]?.string, let movements = json["capturesNRefunds"]?.array
        else { return nil }
        (self.reference, self.action, self.state) = (reference, action, state)
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
        self.movements = NIMovement.inOrder(movements.map { NIMovement(event: $0) })
        events = json["_embedded"]?["events"]?.array ?? []
    }

    var captures: [NIMovement] { movements.filter(\.isCapture) }
    var refunds: [NIMovement] { movements.filter(\.isRefund) }

    /// What the issuer said last, where the log of events has it.
    var result: (code: String, message: String)? {
        let payload = events.last { $0["payload"]?["resultCode"]?.string != nil }?["payload"]
        return payload?["resultCode"]?.string.map { ($0, payload?["resultMessage"]?.string ?? "") }
    }
}
