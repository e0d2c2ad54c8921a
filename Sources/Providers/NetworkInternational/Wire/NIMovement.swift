internal import PaymentBase

/// One capture or refund, in the list of a capture's answer or of order details.
struct NIMovement {
    /// `FULL_CAPTURE`, `PARTIAL_REFUND` and so on; empty in a capture's answer.
    let group: String
    /// What the provider calls it: a refund by its own name, a capture by the moment when it was made.
    let name: String
    let amount: NIAmount?
    let state: String
    let at: Int64?
    /// What may follow, in the provider's word.
    let action: String?

    /// An item of `cnp:capture`.
    init(capture json: JSON) {
        (group, amount) = ("", NIAmount(json["amount"]))
        (name, state) = (json["createdTime"]?.string ?? "", json["state"]?.string ?? "")
        at = Timestamp(name)?.milliseconds
        action = nil
    }

    /// An item of `capturesNRefunds`.
    init(event json: JSON) {
        group = json["eventGroupType"]?.string ?? ""
        let time = json["timestamp"]?.string ?? ""
        name = group.hasSuffix("REFUND") ? json["payload"]?["reference"]?.string ?? "" : time
        amount = NIAmount(json["payload"]?["amount"])
        (state, action) = (json["status"]?.string ?? "", json["action"]?.string)
        at = Timestamp(time)?.milliseconds
    }

    /// The oldest first, in whatever order the provider lists them; those without a time stay where they are.
    static func inOrder(_ movements: [NIMovement]) -> [NIMovement] {
        guard movements.allSatisfy({ $0.at != nil }) else { return movements }
        return movements.enumerated().sorted { one, two in
            (one.element.at ?? 0, one.offset) < (two.element.at ?? 0, two.offset)
        }.map(\.element)
    }

    var isCapture: Bool { group.hasSuffix("CAPTURE") }
    var isRefund: Bool { group.hasSuffix("REFUND") }
}
