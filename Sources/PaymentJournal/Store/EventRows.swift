internal import PaymentAbstraction
internal import PaymentBase

/// A row does not hold what was written into it.
struct DamagedRow: Error {}

/// Two ways to the same rows don't lead to the same.
struct DamagedIndex: Error {}

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
        guard row.integer(7) == RowSum.of(row.values(0...6)) else { throw DamagedRow() }
        guard let kind = row.text(5), let attributes = row.text(6) else { throw VerdictCodec.Unreadable() }
        return PaymentEvent(
            PaymentEvent.Kind(rawValue: kind), sequence: Int(row.integer(1)), at: row.integer(2), payment: payment,
            attempt: try row.text(3).map { try AttemptID($0) },
            provider: row.text(4).map { ProviderID(rawValue: $0) },
            attributes: VerdictCodec.references(try JSONReader().read(Array(attributes.utf8))))
    }
}
