internal import PaymentBase

extension JournalMaintenance {
    /// Gives every attempt with its events, then the steps of its payment's timeline, then every message that waits for a
    /// name, as one line of JSON each, without holding them all in memory.
    ///
    /// - Parameter line: Takes one line, without its line break; what it throws ends the export.
    /// - Throws: What `line` throws; `JournalFailure.unreadable` at a payment that can't be read.
    package func export(_ line: (String) async throws -> Void) async throws {
        try await forEachLog { log in
            guard let attempts = try? log.attempts(), let events = try? log.events(), let timeline = try? log.timeline()
            else {
                throw JournalFailure.unreadable((try? AttemptID(log.id)).map { PaymentID($0) })
            }
            for attempt in attempts { try await line(ExportedLine.text(attempt, events[attempt.intent.attempt] ?? [])) }
            let scope = attempts[0].intent.scope
            for step in timeline { try await line(ExportedLine.text(step, scope: scope)) }
        }
        try await forEachWaitingNotice { waiting in
            guard let notice = waiting.notice else { throw JournalFailure.unreadable(nil) }
            try await line(ExportedLine.text(notice))
        }
    }
}

/// Attempts, events and messages as lines of JSON, for other programs.
enum ExportedLine {
    static func text(_ attempt: Attempt, _ events: [Attempt.Event]) -> String {
        let intent = attempt.intent
        var object: JSONObject = [
            "type": "attempt", "attempt": .string(intent.attempt.text),
            "payment": .string(intent.paymentID.attempt.text), "operation": .string(intent.operation.rawValue),
            "minorUnits": .number(JSONNumber(intent.amount.minorUnits)),
            "currency": .string(intent.amount.currency.code),
        ]
        object["reference"] = intent.reference.map { .string($0) }
        if !intent.part.isEmpty { object["part"] = .string(intent.part) }
        if !intent.scope.isEmpty { object["scope"] = .string(intent.scope) }
        object["source"] = intent.source.map { .string($0.rawValue) }
        object["last4"] = intent.last4.map { .string($0) }
        if let account = attempt.holders.first ?? attempt.newest?.account {
            object["provider"] = .string(account.id.rawValue)
            object["adapter"] = .string(account.adapter)
            object["environment"] = .string(account.environment)
            object["merchant"] = .string(account.merchant)
        }
        object["state"] = .string(attempt.state.rawValue)
        if let absorbed = attempt.absorbedBy { object["absorbedBy"] = .string(absorbed.text) }
        object["events"] = .array(events.map { EventCodec.json($0) })
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }

    static func text(_ step: PaymentEvent, scope: String) -> String {
        var object = EventCodec.json(step)
        object["type"] = "event"
        if !scope.isEmpty { object["scope"] = .string(scope) }
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }

    static func text(_ notice: Notice) -> String {
        var object: JSONObject = ["type": "notice"]
        object["notice"] = EventCodec.json(notice)
        return String(decoding: JSON.object(object).bytes(), as: UTF8.self)
    }
}
