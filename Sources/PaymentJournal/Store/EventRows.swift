internal import PaymentAbstraction
internal import PaymentBase

/// Events as rows and back.
enum EventRows {
    static func values(_ event: PaymentEvent, _ payment: PaymentID) -> [SQLiteValue] {
        [
            .text(payment.attempt.text), .integer(Int64(event.sequence)), .integer(event.at),
            .text(orNull: event.attempt?.text), .text(orNull: event.provider?.rawValue), .text(event.kind.rawValue),
            .text(String(decoding: VerdictCodec.json(event.attributes).bytes(), as: UTF8.self)),
        ]
    }

    static func event(_ row: SQLiteStatement, _ payment: PaymentID) throws -> PaymentEvent {
        guard let kind = row.text(4), let attributes = row.text(5) else { throw VerdictCodec.Unreadable() }
        return PaymentEvent(
            PaymentEvent.Kind(rawValue: kind), sequence: Int(row.integer(0)), at: row.integer(1), payment: payment,
            attempt: try row.text(2).map { try AttemptID($0) },
            provider: row.text(3).map { ProviderID(rawValue: $0) },
            attributes: VerdictCodec.references(try? JSONReader().read(Array(attributes.utf8))))
    }
}
