internal import PaymentBase

/// Attempts, events and kept notices as lines of JSON, for other programs.
package enum JournalLine {
    package static func text(_ facts: AttemptFacts, _ list: [JournalFact]) -> String {
        let (record, intent) = (AttemptRecord(facts), facts.intent)
        var object: JSONObject = [
            "type": "attempt", "attempt": .string(intent.attempt.text),
            "payment": .string(intent.paymentID.attempt.text), "operation": .string(intent.operation.rawValue),
            "minorUnits": .number(JSONNumber(intent.amount.minorUnits)),
            "currency": .string(intent.amount.currency.code), "reference": .string(intent.reference),
        ]
        if !intent.scope.isEmpty { object["scope"] = .string(intent.scope) }
        object["source"] = intent.source.map { .string($0.rawValue) }
        object["last4"] = intent.last4.map { .string($0) }
        object["provider"] = .string(record.provider.id.rawValue)
        object["adapter"] = .string(record.provider.adapter)
        object["environment"] = .string(record.provider.environment)
        object["merchant"] = .string(record.provider.merchant)
        object["round"] = .number(JSONNumber(Int64(record.round)))
        object["standing"] = .string(facts.standing.rawValue)
        object["begunAt"] = .number(JSONNumber(record.begunAt))
        object["submittedAt"] = record.submittedAt.map { .number(JSONNumber($0)) }
        object["evidence"] = record.evidence.map { .string($0.rawValue) }
        object["told"] = .bool(facts.isTold)
        object["facts"] = .array(list.map { FactCodec.json($0) })
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }

    package static func text(_ event: PaymentEvent, scope: String) -> String {
        var object: JSONObject = ["type": "event"]
        if !scope.isEmpty { object["scope"] = .string(scope) }
        for member in FactCodec.json(event).members { object[member.key] = member.value }
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }

    package static func text(_ notice: KeptNotice) -> String {
        let kept = FactCodec.json(notice)
        let json: JSON = ["type": "notice", "kept": kept]
        return String(decoding: json.bytes(), as: UTF8.self)
    }
}
