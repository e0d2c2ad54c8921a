internal import PaymentAbstraction

/// Removes whole payments, a few in one transaction, so that others don't wait for long.
struct PostgresPruner {
    let line: PostgresLine
    let keys: LockKey
    let instant: Int64
    let terms: PruneTerms

    /// How many payments are looked at together.
    private static let originsMax: Int64 = 100

    func prune() throws -> PostgresPruning {
        var (pruned, last) = (PostgresPruning(), Int64.min)
        while true {
            let rows = try line.exchange([PostgresCall(.pruneOrigins, [.integer(last), .integer(Self.originsMax)])])[0]
            guard rows.count > 0 else { break }
            last = rows.integer(rows.count - 1, 0)
            let origins = (0..<rows.count).compactMap { row in
                (try? AttemptID(rows.original(row, 2))).map { AttemptKey($0, scope: rows.original(row, 1)) }
            }
            // Looked at first without a lock: nothing of most is old enough.
            let old = try forgettable(origins)
            if !old.isEmpty { try remove(old.map(\.origin), &pruned) }
        }
        let rows = try line.exchange([
            PostgresCall(.pruneNotices, [.integer(instant)]), PostgresCall(.pruneAnswers, [.integer(instant)]),
        ])
        pruned.notices = Int(rows[0].integer(0, 0))
        return pruned
    }

    /// A payment that may go, with its attempts.
    private struct Family {
        let origin: AttemptKey
        let held: [HeldAttempt]
    }

    /// Those that may go; what can't be read stays.
    private func forgettable(_ origins: [AttemptKey]) throws -> [Family] {
        let values: [PostgresValue] = [.texts(origins.map(\.scope)), .texts(origins.map(\.attempt.text))]
        let rows = try line.exchange([PostgresCall(.family, values), PostgresCall(.newestEvents, values)])
        let newest = Dictionary(
            (0..<rows[1].count).map { (rows[1].integer($0, 0), rows[1].integer($0, 1)) },
            uniquingKeysWith: { first, _ in first })
        let families = Dictionary(grouping: HeldAttempt.rows(rows[0]), by: \.place)
        return origins.enumerated().compactMap { place, origin in
            let found = families[place] ?? []
            let held = found.compactMap { try? $0.outcome.get() }
            let facts = held.map(\.facts)
            guard held.count == found.count, facts.contains(where: \.intent.isOrigin),
                terms.mayForget(facts, newestEvent: newest[Int64(place + 1)] ?? 0)
            else { return nil }
            return Family(origin: origin, held: held)
        }
    }

    private func remove(_ origins: [AttemptKey], _ pruned: inout PostgresPruning) throws {
        // Who follows a payment has its lock, and who writes to an attempt has that one's.
        let locked = Set(origins.map { keys.family($0) } + origins.map { keys.attempt($0) }).sorted()
        _ = try line.exchange([PostgresCall(.begin), PostgresCall(.lock, [.integers(locked)])])
        let families = try forgettable(origins)
        let all = families.flatMap(\.held)
        guard !all.isEmpty else {
            _ = try line.exchange([PostgresCall(.rollback)])
            return
        }
        let stones = try line.exchange([PostgresCall(.places, [.integer(Int64(all.count))])])[0].integers
        let names = zip(all, stones).flatMap { held, stone in
            Set(held.facts.names).map { (account: FactCodec.text($0.provider), $0.value, held.seq, stone) }
        }
        let intents = all.map(\.facts.intent)
        let seqs = PostgresValue.integers(all.map(\.seq))
        let rows = try line.exchange([
            PostgresCall(
                .insertForgotten,
                [.integers(stones), .texts(intents.map(\.scope)), .texts(intents.map(\.attempt.text))]),
            PostgresCall(
                .pruneNames,
                [
                    .texts(names.map(\.account)), .texts(names.map(\.1)), .integers(names.map(\.2)),
                    .integers(names.map { -$0.3 }),
                ]),
            PostgresCall(.pruneEntries, [seqs]), PostgresCall(.deleteLive, [seqs]),
            PostgresCall(.pruneAttempts, [seqs]),
            PostgresCall(
                .pruneEvents,
                [.texts(families.map(\.origin.scope)), .texts(families.map(\.origin.attempt.text))]),
            PostgresCall(.commit),
        ])
        pruned.payments += families.count
        pruned.attempts += all.count
        pruned.events += Int(rows[5].integer(0, 0))
    }
}

extension PostgresStatement {
    static let pruneOrigins = PostgresStatement(
        "prune_origins",
        """
        SELECT seq, scope, id FROM attempt WHERE is_origin AND seq > $1::bigint ORDER BY seq LIMIT $2::bigint
        """)
    static let newestEvents = PostgresStatement(
        "newest_events",
        """
        SELECT k.place, coalesce((SELECT max(e.at) FROM event e WHERE e.scope = k.scope AND e.payment = k.value), 0) \
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k(scope, value, place)
        """)
    static let pruneNames = PostgresStatement(
        "prune_names",
        """
        UPDATE name SET attempt = n.stone FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) \
        AS n(account, value, attempt, stone) \
        WHERE name.account = n.account AND name.value = n.value AND name.attempt = n.attempt
        """)
    static let pruneEntries = PostgresStatement(
        "prune_entries", "DELETE FROM entry WHERE attempt = ANY ($1::bigint[])")
    static let pruneAttempts = PostgresStatement(
        "prune_attempts", "DELETE FROM attempt WHERE seq = ANY ($1::bigint[])")
    static let pruneEvents = PostgresStatement(
        "prune_events",
        """
        WITH gone AS (DELETE FROM event USING unnest($1::text[], $2::text[]) AS k(scope, value) \
        WHERE event.scope = k.scope AND event.payment = k.value RETURNING 1) SELECT count(*) FROM gone
        """)
    static let pruneNotices = PostgresStatement(
        "prune_notices",
        "WITH gone AS (DELETE FROM notice WHERE at < $1::bigint RETURNING 1) SELECT count(*) FROM gone")
    static let pruneAnswers = PostgresStatement("prune_answers", "DELETE FROM answer WHERE at < $1::bigint")
}
