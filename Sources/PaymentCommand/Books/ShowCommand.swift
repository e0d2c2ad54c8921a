internal import PaymentAbstraction
internal import PaymentBase

extension Command {
    /// Everything that the journal has about a payment.
    static let show = Command(
        name: "show", summary: "shows a payment with its attempts and its timeline", example: "payctl show PAYMENT",
        takes: AcceptedArguments(operands: ["PAYMENT"], options: AcceptedArguments.Option.configured)
    ) { call in
        let id = try call.payment(0)
        return try await CommandSession.use(call, .journal) { till in
            let client = till.client
            let payment = try await client.payment(id)
            let (attempts, timeline) = (payment.attempts, try await client.timeline(of: id))
            call.say(
                payment.json(attempts, timeline), payment.lines(call.paint) + tables(attempts, timeline))
            return .fine
        }
    }

    private static func tables(_ attempts: [AttemptRecord], _ timeline: [PaymentEvent]) -> [String] {
        var table = TextTable(["attempt", "operation", "amount", "status", "known by"], right: [2])
        for record in attempts {
            table.rows.append([
                record.intent.attempt.text, record.intent.operation.rawValue, "\(record.intent.amount)", record.word,
                record.evidence?.rawValue ?? "",
            ])
        }
        var events = TextTable(["#", "when", "event", ""], right: [0])
        for event in timeline {
            let words = event.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            events.rows.append([
                "\(event.sequence)", event.at.time, event.kind.rawValue, words.joined(separator: " "),
            ])
        }
        return [""] + table.lines + [""] + events.lines
    }
}

extension PaymentRecord {
    func json(_ attempts: [AttemptRecord], _ timeline: [PaymentEvent]) -> JSON {
        [
            "payment": .string(id.attempt.text), "origin": .string(operation.rawValue), "reference": .string(reference),
            "provider": .string(provider.id.rawValue), "environment": .string(provider.environment),
            "merchant": .string(provider.merchant), "source": .text(source?.rawValue), "begunAt": .string(begunAt.time),
            "amounts": amounts.json, "card": card?.json ?? .null, "references": references.json,
            "attempts": .array(attempts.map(\.json)), "timeline": .array(timeline.map(\.json)),
        ]
    }

    func lines(_ paint: Paint) -> [String] {
        var lines = [
            "payment    \(paint.strong(id.attempt.text))", "provider   \(provider)", "reference  \(reference)",
            "amounts    \(amounts.words)", "begun      \(begunAt.time)",
        ]
        if let card { lines.append("card       \(card.words)") }
        for (key, value) in references.sorted(by: { $0.key < $1.key }) { lines.append("there      \(key) \(value)") }
        return lines
    }
}

extension PaymentEvent {
    var json: JSON {
        [
            "sequence": .integer(sequence), "at": .string(at.time), "kind": .string(kind.rawValue),
            "attempt": .text(attempt?.text), "attributes": attributes.json,
        ]
    }
}
