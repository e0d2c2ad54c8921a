internal import PaymentAbstraction
internal import PaymentBase

/// One attempt as the first edition wrote it: one row, overwritten whenever more became known.
struct FirstAttempt {
    /// Where an attempt stood.
    enum State: Hashable { case begun, submitted, inDoubt, notMoved, concluded(Verdict) }

    let intent: AttemptIntent
    let provider: ProviderIdentity
    let round: Int
    let state: State
    let begunAt: Int64
    let submittedAt: Int64?
    let eventAt: Int64?
    let evidence: AttemptFacts.Word.Source?
    let claim: String?
    let owner: String
    let notes: [String: String]

    static let columns = """
        seq, id, payment, is_origin, operation, minor_units, currency, reference, source, last4, provider, adapter, \
        environment, merchant, round, state, is_unsettled, begun_at, submitted_at, event_at, evidence, claim, owner, \
        verdict, notes, sum
        """

    /// Reads a row; throws when it holds other bits than were written, or words that nobody knows.
    init(_ row: SQLiteStatement) throws {
        guard row.integer(25) == RowSum.of(row.values(1...24)), let id = row.text(1), let payment = row.text(2),
            let operation = row.text(4).flatMap(PaymentOperation.init),
            let currency = row.text(6).flatMap({ Currency.known($0) }), let reference = row.text(7),
            let name = row.text(10), let adapter = row.text(11), let environment = row.text(12),
            let merchant = row.text(13), let state = row.text(15), let owner = row.text(22), let notes = row.text(24)
        else { throw FactCodec.Unreadable() }
        intent = AttemptIntent(
            try AttemptID(id), operation, Money(minorUnits: row.integer(5), currency), reference: reference,
            payment: row.integer(3) == 1 ? nil : try PaymentID(payment), source: try Self.known(row.text(8)),
            last4: row.text(9))
        provider = ProviderIdentity(
            ProviderID(rawValue: name), adapter: adapter, environment: environment, merchant: merchant)
        (round, begunAt) = (Int(clamping: row.integer(14)), row.integer(17))
        (submittedAt, eventAt) = (row.optionalInteger(18), row.optionalInteger(19))
        (evidence, claim, self.owner) = (try Self.known(row.text(20)), row.text(21), owner)
        self.state = try Self.state(state, row.text(23))
        self.notes = try FactCodec.names(Array(notes.utf8))
    }

    /// One of our own words; one that we don't know must not pass for none.
    private static func known<Known: RawRepresentable<String>>(_ word: String?) throws -> Known? {
        guard let word else { return nil }
        guard let known = Known(rawValue: word) else { throw FactCodec.Unreadable() }
        return known
    }

    private static func state(_ word: String, _ verdict: String?) throws -> State {
        switch word {
        case "begun": return .begun
        case "submitted": return .submitted
        case "inDoubt": return .inDoubt
        case "notMoved": return .notMoved
        case "concluded":
            guard let verdict else { throw FactCodec.Unreadable() }
            return .concluded(try FactCodec.verdict(Array(verdict.utf8)))
        default: throw FactCodec.Unreadable()
        }
    }

    /// What the provider calls it: what its verdict refers to, and the look-alike that was taken for it. Notes are no
    /// names; they were found by in the first edition, which made strangers of what belonged together.
    var names: Set<String> {
        var names: Set<String> = []
        if case .concluded(let verdict) = state { names.formUnion(verdict.references.values) }
        if let claim { names.insert(claim) }
        return names.filter { !$0.isEmpty }
    }
}
