internal import PaymentAbstraction
internal import PaymentBase

/// Attempts and events as lines of JSON, for other programs.
enum JournalLine {
    static func text(_ record: AttemptRecord) -> String {
        let intent = record.intent
        var object: JSONObject = [
            "type": "attempt", "attempt": .string(intent.attempt.text),
            "payment": .string(intent.paymentID.attempt.text), "operation": .string(intent.operation.rawValue),
            "minorUnits": .number(JSONNumber(intent.amount.minorUnits)),
            "currency": .string(intent.amount.currency.code), "reference": .string(intent.reference),
        ]
        object["source"] = intent.source.map { .string($0.rawValue) }
        object["last4"] = intent.last4.map { .string($0) }
        object["provider"] = .string(record.provider.id.rawValue)
        object["adapter"] = .string(record.provider.adapter)
        object["environment"] = .string(record.provider.environment)
        object["merchant"] = .string(record.provider.merchant)
        object["round"] = .number(JSONNumber(Int64(record.round)))
        object["state"] = .string(AttemptRows.word(record.state))
        object["begunAt"] = .number(JSONNumber(record.begunAt))
        object["submittedAt"] = record.submittedAt.map { .number(JSONNumber($0)) }
        object["eventAt"] = record.eventAt.map { .number(JSONNumber($0)) }
        object["evidence"] = record.evidence.map { .string($0.rawValue) }
        object["claim"] = record.claim.map { .string($0) }
        if !record.notes.isEmpty { object["notes"] = VerdictCodec.json(record.notes) }
        object["verdict"] = record.verdict.map { VerdictCodec.json($0) }
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }

    static func text(_ event: PaymentEvent) -> String {
        var object: JSONObject = ["type": "event", "kind": .string(event.kind.rawValue)]
        object["payment"] = event.payment.map { .string($0.attempt.text) }
        object["attempt"] = event.attempt.map { .string($0.text) }
        object["provider"] = event.provider.map { .string($0.rawValue) }
        object["sequence"] = .number(JSONNumber(Int64(event.sequence)))
        object["at"] = .number(JSONNumber(event.at))
        object["attributes"] = VerdictCodec.json(event.attributes)
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }
}
