internal import PaymentBase

/// A verdict as JSON and back; holds what a journal may hold and nothing else.
enum VerdictCodec {
    /// The members that a verdict of each kind has; one that is not known was written by newer software.
    private static let members: [String: Set<String>] = [
        "approved": [
            "kind", "amount", "card", "receipt", "saved", "partial", "offline", "dryRun", "executed", "references",
        ],
        "declined": ["kind", "reason", "provider", "card", "receipt", "references"],
        "cancelled": ["kind", "by", "provider", "undone", "references"],
        "pending": ["kind", "lookAgain", "provider", "references"],
    ]

    static func verdict(_ json: JSON) throws -> Verdict {
        guard let kind = json["kind"]?.string, let known = members[kind],
            json.object?.members.allSatisfy({ known.contains($0.key) }) == true
        else { throw EventCodec.DecodingError() }
        switch kind {
        case "approved": return .approved(try approval(json))
        case "declined": return .declined(try decline(json))
        case "cancelled":
            let by = Cancellation.Cause(rawValue: json["by"]?.string ?? "")
            return .cancelled(
                Cancellation(
                    cause: by, provider: message(json["provider"]), references: try references(json["references"]),
                    wasReversed: json["undone"]?.bool ?? false))
        case "pending":
            return .pending(
                Pending(
                    references: try references(json["references"]), provider: message(json["provider"]),
                    shouldPoll: json["lookAgain"]?.bool ?? false))
        default: throw EventCodec.DecodingError()
        }
    }

    static func json(_ verdict: Verdict) -> JSON {
        var object: JSONObject
        switch verdict {
        case .approved(let approval): object = json(approval)
        case .declined(let decline):
            object = ["kind": "declined", "reason": .string(decline.reason.rawValue)]
            object["provider"] = json(decline.provider)
            object["card"] = decline.card.map { .object(CardCodec.json($0)) }
            object["receipt"] = decline.receipt.map { .object(ReceiptCodec.json($0)) }
        case .cancelled(let cancellation):
            object = ["kind": "cancelled", "by": .string(cancellation.cause.rawValue)]
            object["provider"] = cancellation.provider.map { json($0) }
            if cancellation.wasReversed { object["undone"] = true }
        case .pending(let pending):
            object = ["kind": "pending", "lookAgain": .bool(pending.shouldPoll)]
            object["provider"] = pending.provider.map { json($0) }
        }
        object["references"] = json(verdict.references)
        return .object(object)
    }

    private static func json(_ approval: Approval) -> JSONObject {
        var object: JSONObject = ["kind": "approved", "amount": MoneyCodec.json(approval.amount)]
        object["card"] = approval.card.map { .object(CardCodec.json($0)) }
        object["receipt"] = approval.receipt.map { .object(ReceiptCodec.json($0)) }
        object["saved"] = approval.saved.map { .object(CardCodec.json($0)) }
        if approval.isPartial { object["partial"] = true }
        if approval.isOffline { object["offline"] = true }
        if approval.isDryRun { object["dryRun"] = true }
        object["executed"] = approval.executedAt.map { .number(JSONNumber($0)) }
        return object
    }

    private static func approval(_ json: JSON) throws -> Approval {
        var approval = Approval(try MoneyCodec.money(json["amount"]), references: try references(json["references"]))
        approval.card = json["card"].map { CardCodec.card($0) }
        approval.receipt = try json["receipt"].map { try ReceiptCodec.receipt($0) }
        approval.saved = json["saved"].map { CardCodec.saved($0) }
        approval.isPartial = json["partial"]?.bool ?? false
        approval.isOffline = json["offline"]?.bool ?? false
        approval.isDryRun = json["dryRun"]?.bool ?? false
        approval.executedAt = json["executed"]?.int64
        return approval
    }

    private static func decline(_ json: JSON) throws -> Decline {
        let said = message(json["provider"]) ?? ProviderMessage(code: "")
        var decline = Decline(
            Decline.Reason(rawValue: json["reason"]?.string ?? ""), provider: said,
            references: try references(json["references"]))
        decline.card = json["card"].map { CardCodec.card($0) }
        decline.receipt = try json["receipt"].map { try ReceiptCodec.receipt($0) }
        return decline
    }

    /// Names and values, sorted by name, so that the same always gives the same bytes.
    static func json(_ names: [String: String]) -> JSON {
        var object = JSONObject()
        for (name, value) in names.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
        return .object(object)
    }

    static func references(_ json: JSON?) throws -> [String: String] {
        var names: [String: String] = [:]
        for member in json?.object?.members ?? [] {
            guard let text = member.value.string else { throw EventCodec.DecodingError() }
            names[member.key] = text
        }
        return names
    }

    private static func json(_ message: ProviderMessage) -> JSON {
        ["code": .string(message.code), "message": .string(message.message)]
    }

    private static func message(_ json: JSON?) -> ProviderMessage? {
        json.map { ProviderMessage(code: $0["code"]?.string ?? "", message: $0["message"]?.string ?? "") }
    }
}
