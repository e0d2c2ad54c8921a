internal import PaymentAbstraction
internal import PaymentBase

extension AttemptRecord.State {
    /// Where it stands, in one word.
    var word: String {
        switch self {
        case .begun: "begun"
        case .submitted: "submitted"
        case .inDoubt: "inDoubt"
        case .notMoved: "notMoved"
        case .concluded(.approved): "approved"
        case .concluded(.declined): "declined"
        case .concluded(.cancelled): "cancelled"
        case .concluded(.pending): "pending"
        }
    }
}

extension PaymentRecord {
    /// Where it stands as a whole, in one word: what was undone or given back is not told as approved.
    var word: String {
        guard case .concluded(.approved) = state else { return state.word }
        if amounts.isVoided { return "voided" }
        if amounts.refunded.minorUnits > 0 {
            return amounts.refunded.minorUnits >= amounts.captured.minorUnits ? "refunded" : "partlyRefunded"
        }
        return state.word
    }

    /// What the journal knows of it, with what it came from.
    var json: JSON {
        guard let origin = attempts.first(where: \.intent.isOrigin), let known = origin.json.object else { return [:] }
        var object = known
        object["status"] = .string(word)
        return .object(object)
    }
}

extension AttemptRecord {
    /// Where it stands, in one word.
    var word: String { state.word }

    /// Everything that the journal knows of it and may be shown.
    var json: JSON {
        var decline = JSON.null
        if case .concluded(.declined(let declined)) = state { decline = declined.json }
        return [
            "attempt": .string(intent.attempt.text), "payment": .string(intent.paymentID.attempt.text),
            "operation": .string(intent.operation.rawValue), "status": .string(word), "amount": intent.amount.json,
            "approved": approval?.amount.json ?? .null, "reference": .string(intent.reference),
            "provider": .string(provider.id.rawValue), "environment": .string(provider.environment),
            "merchant": .string(provider.merchant), "source": .text(intent.source?.rawValue),
            "last4": .text(approval?.card?.last4 ?? intent.last4), "begunAt": .string(begunAt.time),
            "evidence": .text(evidence?.rawValue), "because": .text(notes["resolved"]),
            "references": verdict?.references.json ?? [:], "decline": decline,
        ]
    }

    /// The word in a colour that says how serious it is.
    func painted(_ paint: Paint) -> String {
        switch state {
        case .concluded(.approved): paint.good(word)
        case .concluded(.declined), .concluded(.cancelled), .notMoved: paint.bad(word)
        case .begun, .submitted, .inDoubt, .concluded(.pending): paint.doubt(word)
        }
    }
}

extension Int64 {
    /// A moment in milliseconds since 1970, as people and programs read it.
    var time: String { Timestamp(milliseconds: self)?.text() ?? "\(self)" }
}
