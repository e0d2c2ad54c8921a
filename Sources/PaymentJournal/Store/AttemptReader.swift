internal import PaymentAbstraction

/// Reads attempts and timelines through one connection.
struct AttemptReader {
    let connection: SQLiteConnection

    /// How many open attempts are read at once at most.
    static let openMax = 10_000

    func records(_ query: JournalQuery) throws -> [AttemptRecord] {
        switch query {
        case .attempt(let attempt): return try rows("id = ?1", [.text(attempt.text)]).map(\.record)
        case .payment(let payment): return try family(payment)
        case .open: return try rows("is_unsettled = 1 ORDER BY seq LIMIT \(Self.openMax)", []).map(\.record)
        case .holding(let provider, let values): return try holding(provider, values)
        case .page(let after, let limit): return try page(after, limit)
        case .reference(let reference):
            return try rows("is_origin = 1 AND reference = ?1 ORDER BY seq", [.text(reference)]).map(\.record)
        }
    }

    func family(_ payment: PaymentID) throws -> [AttemptRecord] {
        try rows("payment = ?1 ORDER BY seq", [.text(payment.attempt.text)]).map(\.record)
    }

    func row(_ attempt: AttemptID) throws -> (seq: Int64, record: AttemptRecord)? {
        try rows("id = ?1", [.text(attempt.text)]).first
    }

    /// What is known before an intent may begin: its own attempt, and the family of its payment.
    ///
    /// Each is found in two ways that no single index serves, since an index with a broken page hides rows without a
    /// word, and what is hidden would be done again: an origin by its id and as the head of its payment's family, a
    /// follow-up by its id and in the family, and the family by the count that the origin's row keeps of it.
    func known(_ intent: AttemptIntent) throws -> (
        existing: (seq: Int64, record: AttemptRecord)?, family: [AttemptRecord]
    ) {
        let existing = try row(intent.attempt)
        let origin = intent.isOrigin ? existing : try row(intent.paymentID.attempt)
        let family = try family(intent.paymentID)
        // The same id under another payment is a conflict, and not in this family.
        if existing.map({ $0.record.intent.paymentID == intent.paymentID }) ?? true {
            guard family.first(where: { $0.intent.attempt == intent.attempt }) == existing?.record else {
                throw DamagedIndex()
            }
        }
        let isHead = origin.map { $0.record.intent.isOrigin } ?? false
        guard family.first(where: \.intent.isOrigin) == (isHead ? origin?.record : nil) else { throw DamagedIndex() }
        let count = try isHead ? origin.map { try followers($0.seq) + 1 } ?? 0 : 0
        guard family.count == count else { throw DamagedIndex() }
        return (existing, intent.isOrigin ? [] : family)
    }

    /// Whether an origin has nothing before it: what ``known(_:)`` and ``unsettled(reference:)`` ask, in one question,
    /// since it is so for nearly every sale.
    func isNew(_ intent: AttemptIntent) throws -> Bool {
        guard intent.isOrigin else { return false }
        let sql = """
            SELECT EXISTS (SELECT 1 FROM attempt WHERE id = ?1) OR EXISTS (SELECT 1 FROM attempt WHERE payment = ?1) \
            OR EXISTS (SELECT 1 FROM attempt WHERE is_origin = 1 AND reference = ?2 AND is_unsettled = 1)
            """
        let statement = try connection.prepared(sql, doing: "reading attempts")
        defer { statement.reset() }
        try statement.bind([.text(intent.attempt.text), .text(intent.reference)])
        return try statement.step() && statement.integer(0) == 0
    }

    /// How many attempts followed an origin, by its own row.
    func followers(_ seq: Int64) throws -> Int {
        let statement = try connection.prepared(
            "SELECT followers FROM attempt WHERE seq = ?1", doing: "reading attempts")
        defer { statement.reset() }
        try statement.bind([.integer(seq)])
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    /// Origins under a reference that are not decided.
    func unsettled(reference: String) throws -> [AttemptRecord] {
        let condition = "is_origin = 1 AND reference = ?1 AND is_unsettled = 1 ORDER BY seq"
        return try rows(condition, [.text(reference)]).map(\.record)
    }

    private func page(_ after: AttemptID?, _ limit: Int) throws -> [AttemptRecord] {
        let count = SQLiteValue.integer(Int64(max(0, limit)))
        guard let after else { return try rows("is_origin = 1 ORDER BY seq DESC LIMIT ?1", [count]).map(\.record) }
        let condition = "is_origin = 1 AND seq < (SELECT seq FROM attempt WHERE id = ?2) ORDER BY seq DESC LIMIT ?1"
        return try rows(condition, [count, .text(after.text)]).map(\.record)
    }

    /// Attempts of a provider that hold one of these values.
    func holding(_ provider: ProviderIdentity, _ values: [String]) throws -> [AttemptRecord] {
        var found: [Int64: AttemptRecord] = [:]
        for value in Set(values) {
            let condition = "seq IN (SELECT attempt FROM handle WHERE value = ?1)"
            for row in try rows(condition, [.text(value)]) where row.record.provider == provider {
                found[row.seq] = row.record
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    func timeline(of payment: PaymentID) throws -> [PaymentEvent] {
        let sql = """
            SELECT payment, sequence, at, attempt, provider, kind, attributes, sum FROM event WHERE payment = ?1 \
            ORDER BY sequence, at, seq
            """
        let statement = try connection.prepared(sql, doing: "reading a timeline")
        defer { statement.reset() }
        try statement.bind([.text(payment.attempt.text)])
        var events: [PaymentEvent] = []
        while try statement.step() { events.append(try EventRows.event(statement, payment)) }
        return events
    }

    private static let selection = "SELECT seq, \(AttemptRows.columns), sum FROM attempt WHERE "

    private func rows(
        _ condition: String, _ values: [SQLiteValue]
    ) throws -> [(seq: Int64, record: AttemptRecord)] {
        let statement = try connection.prepared(Self.selection + condition, doing: "reading attempts")
        defer { statement.reset() }
        try statement.bind(values)
        var rows: [(seq: Int64, record: AttemptRecord)] = []
        while try statement.step() { rows.append(try AttemptRows.record(statement)) }
        return rows
    }
}
