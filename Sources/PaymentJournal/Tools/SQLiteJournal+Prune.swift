internal import PaymentAbstraction

extension SQLiteJournal {
    /// How many payments are looked at in one transaction, so that others don't wait for long.
    private static let prunedAtOnceMax = 200

    /// Removes payments whose every attempt is decided and older than a moment, with their events and handles.
    ///
    /// What is removed can't be refunded through this software any more, and its attempt ids are forgotten.
    ///
    /// An authorisation of which anything may still be held (what was neither captured nor voided) is kept however old
    /// it is, unless you say how long a hold can live: only the provider knows when one lapses, and the journal must
    /// not guess. The rest after a capture in part counts as held, too, since some providers keep it.
    ///
    /// - Parameters:
    ///   - instant: In milliseconds since 1970; nothing begun or heard of at or after it is touched.
    ///   - holdMilliseconds: How long a hold lives at most at any of your providers; one of which nothing was heard for
    ///     so long before `instant` has lapsed. Nil keeps every hold.
    public func prune(before instant: Int64, holdMilliseconds: Int64? = nil) async throws -> JournalPruning {
        var (payments, attempts, events, last) = (0, 0, 0, Int64(0))
        while true {
            let step = try await writing { [last] in try Self.prune($0, before: instant, holdMilliseconds, after: last)
            }
            guard let end = step.last else {
                return JournalPruning(payments: payments, attempts: attempts, events: events)
            }
            last = end
            payments += step.payments
            attempts += step.attempts
            events += step.events
        }
    }

    private struct Step {
        var last: Int64?
        var (payments, attempts, events) = (0, 0, 0)
    }

    private static func prune(
        _ connection: SQLiteConnection, before instant: Int64, _ holdMilliseconds: Int64?, after last: Int64
    ) throws -> Step {
        let origins = try connection.prepared(
            """
            SELECT seq, payment FROM attempt WHERE is_origin = 1 AND seq > ?1 ORDER BY seq LIMIT \(prunedAtOnceMax)
            """, doing: "pruning")
        try origins.bind([.integer(last)])
        var found: [(seq: Int64, payment: String)] = []
        while try origins.step() { found.append((origins.integer(0), origins.text(1) ?? "")) }
        origins.reset()
        var step = Step()
        step.last = found.last?.seq
        for (_, payment) in found {
            let family = try AttemptReader(connection: connection).family(try PaymentID(payment))
            let newest = try max(
                newestEvent(connection, payment),
                family.map { max($0.begunAt, $0.submittedAt ?? 0, $0.eventAt ?? 0) }.max() ?? .max)
            guard newest < instant, !family.contains(where: \.isUndecided) else { continue }
            if mayHold(family), !hasLapsed(newest, before: instant, holdMilliseconds) { continue }
            step.events += try remove(connection, "DELETE FROM event WHERE payment = ?1", payment)
            let own = "SELECT seq FROM attempt WHERE payment = ?1"
            _ = try remove(connection, "DELETE FROM handle WHERE attempt IN (\(own))", payment)
            step.attempts += try remove(connection, "DELETE FROM attempt WHERE payment = ?1", payment)
            step.payments += 1
        }
        return step
    }

    /// Whether anything of the payment may still be set aside for the merchant.
    private static func mayHold(_ family: [AttemptRecord]) -> Bool {
        guard let flow = PaymentFlow(family, captures: .several) else { return true }
        return !flow.amounts.capturable.isZero
    }

    private static func hasLapsed(_ newest: Int64, before instant: Int64, _ holdMilliseconds: Int64?) -> Bool {
        guard let holdMilliseconds, holdMilliseconds >= 0 else { return false }
        let (end, overflow) = newest.addingReportingOverflow(holdMilliseconds)
        return !overflow && end < instant
    }

    private static func newestEvent(_ connection: SQLiteConnection, _ payment: String) throws -> Int64 {
        let sql = "SELECT coalesce(max(at), 0) FROM event WHERE payment = ?1"
        let statement = try connection.prepared(sql, doing: "pruning")
        defer { statement.reset() }
        try statement.bind([.text(payment)])
        return try statement.step() ? statement.integer(0) : 0
    }

    private static func remove(_ connection: SQLiteConnection, _ sql: String, _ payment: String) throws -> Int {
        let statement = try connection.prepared(sql, doing: "pruning")
        try statement.bind([.text(payment)])
        try statement.run()
        return connection.changedCount
    }
}
