internal import PaymentAbstraction
internal import PaymentBase

extension PaymentResult {
    /// What became of it, in one word.
    var word: String {
        switch self {
        case .approved: "approved"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .pending: "pending"
        }
    }

    /// Everything that a program may want to know; always the same members.
    func json(_ attempt: AttemptID) -> JSON {
        var members: JSONObject = [
            "status": .string(word), "attempt": .string(attempt.text), "payment": .null, "operation": .null,
            "provider": .null, "reference": .null, "requested": .null, "approved": .null, "amounts": .null,
            "card": .null, "saved": .null, "references": [:], "decline": .null, "cancelledBy": .null,
        ]
        switch self {
        case .approved(let payment): payment.write(&members)
        case .declined(let decline):
            members["references"] = decline.references.json
            members["card"] = decline.card?.json ?? .null
            members["decline"] = decline.json
        case .cancelled(let cancellation):
            members["references"] = cancellation.references.json
            members["cancelledBy"] = .string(cancellation.by.rawValue)
        case .pending(let pending): members["references"] = pending.references.json
        }
        return .object(members)
    }

    /// What people read.
    func lines(_ attempt: AttemptID, _ paint: Paint) -> [String] {
        switch self {
        case .approved(let payment): return payment.lines(paint)
        case .declined(let decline):
            return [
                "\(paint.bad("declined")): \(decline.reason) (the provider says \(decline.provider))",
                "attempt    \(attempt)",
            ]
        case .cancelled(let cancellation):
            return ["\(paint.bad("cancelled")) by \(cancellation.by.rawValue)", "attempt    \(attempt)"]
        case .pending:
            return [
                "\(paint.doubt("pending")): it was received and is decided later",
                "attempt    \(attempt)", "ask        payctl status --attempt \(attempt)",
            ]
        }
    }
}

extension Decline {
    var json: JSON {
        [
            "reason": .string(reason.rawValue), "code": .string(provider.code), "message": .string(provider.message),
        ]
    }
}

extension Payment {
    func write(_ members: inout JSONObject) {
        members["payment"] = .string(id.attempt.text)
        members["operation"] = .string(operation.rawValue)
        members["provider"] = .string(provider.id.rawValue)
        members["reference"] = .string(reference)
        (members["requested"], members["approved"]) = (requested.json, approved.json)
        (members["amounts"], members["references"]) = (amounts.json, references.json)
        members["card"] = card?.json ?? .null
        members["saved"] = .text(saved?.id.rawValue)
        members["isRecorded"] = .bool(isRecorded)
    }

    func lines(_ paint: Paint) -> [String] {
        let part = isPartial ? " of \(requested): only a part" : ""
        var lines = ["\(paint.good("approved")): \(operation.rawValue) of \(approved)\(part)", "payment    \(id)"]
        if attempt != id.attempt { lines.append("attempt    \(attempt)") }
        lines += ["provider   \(provider.id)", "reference  \(reference)", "amounts    \(amounts.words)"]
        if let card { lines.append("card       \(card.words)") }
        if let saved { lines.append("saved      \(saved.id.rawValue)") }
        if isDryRun { lines.append("nothing real happened: it was a dry run") }
        if isOffline { lines.append("taken offline: it is still to be forwarded") }
        if !isRecorded { lines.append(paint.doubt("the journal does not hold it yet: run payctl recover")) }
        return lines
    }
}
