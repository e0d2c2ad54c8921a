internal import PaymentAbstraction
internal import PaymentBase

/// Attempts as rows and back.
enum AttemptRows {
    /// The columns, in the order in which they are read and written.
    static let columns = """
        id, payment, is_origin, operation, minor_units, currency, reference, source, last4, provider, adapter, \
        environment, merchant, round, state, is_unsettled, begun_at, submitted_at, event_at, evidence, claim, owner, \
        verdict, notes
        """
    /// How many columns there are, the checksum behind them not counted.
    static let columnCount = 24

    static func values(_ record: AttemptRecord) -> [SQLiteValue] {
        let intent = record.intent
        return [
            .text(intent.attempt.text), .text(intent.paymentID.attempt.text), .integer(intent.isOrigin ? 1 : 0),
            .text(intent.operation.rawValue), .integer(intent.amount.minorUnits), .text(intent.amount.currency.code),
            .text(intent.reference), .text(orNull: intent.source?.rawValue), .text(orNull: intent.last4),
            .text(record.provider.id.rawValue), .text(record.provider.adapter), .text(record.provider.environment),
            .text(record.provider.merchant),
        ] + stateValues(record)
    }

    /// The part of a row that changes.
    static func stateValues(_ record: AttemptRecord) -> [SQLiteValue] {
        [
            .integer(Int64(record.round)), .text(word(record.state)), .integer(record.isUndecided ? 1 : 0),
            .integer(record.begunAt), .integer(orNull: record.submittedAt), .integer(orNull: record.eventAt),
            .text(orNull: record.evidence?.rawValue), .text(orNull: record.claim), .text(record.owner),
            .text(orNull: record.verdict.map { VerdictCodec.text($0) }),
            .text(String(decoding: VerdictCodec.json(record.notes).bytes(), as: UTF8.self)),
        ]
    }

    static func word(_ state: AttemptRecord.State) -> String {
        switch state {
        case .begun: "begun"
        case .submitted: "submitted"
        case .inDoubt: "inDoubt"
        case .notMoved: "notMoved"
        case .concluded: "concluded"
        }
    }

    /// Reads a row whose first column is the sequence number.
    static func record(_ row: SQLiteStatement) throws -> (seq: Int64, record: AttemptRecord) {
        guard row.integer(25) == RowSum.of(row.values(1...columnCount)) else { throw DamagedRow() }
        guard let id = row.text(1), let payment = row.text(2),
            let operation = row.text(4).flatMap(PaymentOperation.init),
            let currency = row.text(6).flatMap({ Currency.known($0) }), let reference = row.text(7),
            let provider = row.text(10), let adapter = row.text(11), let environment = row.text(12),
            let merchant = row.text(13), let state = row.text(15), let owner = row.text(22), let notes = row.text(24)
        else { throw VerdictCodec.Unreadable() }
        let isOrigin = row.integer(3) == 1
        let intent = AttemptIntent(
            try AttemptID(id), operation, Money(minorUnits: row.integer(5), currency), reference: reference,
            payment: isOrigin ? nil : try PaymentID(payment), source: try known(row.text(8)), last4: row.text(9))
        let identity = ProviderIdentity(
            ProviderID(rawValue: provider), adapter: adapter, environment: environment, merchant: merchant)
        var record = AttemptRecord(
            intent, identity, round: Int(row.integer(14)), at: row.integer(17), owner: owner)
        record.state = try self.state(state, row.text(23))
        record.submittedAt = row.optionalInteger(18)
        record.eventAt = row.optionalInteger(19)
        record.evidence = try known(row.text(20))
        record.claim = row.text(21)
        record.notes = VerdictCodec.references(try JSONReader().read(Array(notes.utf8)))
        return (row.integer(0), record)
    }

    /// One of our own words; one that we don't know must not pass for none.
    private static func known<Known: RawRepresentable<String>>(_ word: String?) throws -> Known? {
        guard let word else { return nil }
        guard let known = Known(rawValue: word) else { throw VerdictCodec.Unreadable() }
        return known
    }

    private static func state(_ word: String, _ verdict: String?) throws -> AttemptRecord.State {
        switch word {
        case "begun": return .begun
        case "submitted": return .submitted
        case "inDoubt": return .inDoubt
        case "notMoved": return .notMoved
        case "concluded":
            guard let verdict else { throw VerdictCodec.Unreadable() }
            return .concluded(try VerdictCodec.verdict(verdict))
        default: throw VerdictCodec.Unreadable()
        }
    }
}
