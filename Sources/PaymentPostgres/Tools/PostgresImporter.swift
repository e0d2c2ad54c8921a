internal import PaymentAbstraction

/// Writes payments that come from elsewhere, in one transaction.
struct PostgresImporter {
    let line: PostgresLine
    let now: JournalInstant

    /// How many are asked for together.
    private static let batchMax = 100

    /// Writes them all; gives the place of the first duplicate, before anything is written.
    func adopt(_ payments: [ImportedPayment]) throws -> Int? {
        // Whoever writes anything reads these first, and has them until it is written: so nobody is in between.
        _ = try line.exchange([
            PostgresCall(.patient), PostgresCall(.begin), PostgresCall(.lockEntries), PostgresCall(.lockTables),
        ])
        if let duplicate = try duplicate(of: payments) {
            _ = try line.exchange([PostgresCall(.rollback)])
            return duplicate
        }
        for batch in pieces(of: payments) { try write(batch) }
        for batch in pieces(of: payments) { try name(batch) }
        _ = try line.exchange([PostgresCall(.commit)])
        return nil
    }

    private func pieces(of payments: [ImportedPayment]) -> [ArraySlice<ImportedPayment>] {
        stride(from: 0, to: payments.count, by: Self.batchMax).map { start in
            payments[start..<min(start + Self.batchMax, payments.count)]
        }
    }

    private func names(_ payments: ArraySlice<ImportedPayment>) -> (values: [PostgresValue], places: [Int]) {
        let all = zip(payments.indices, payments).flatMap { place, payment in
            payment.names.map { (place, FactCodec.text(payment.provider), $0) }
        }
        return ([.texts(all.map(\.1)), .texts(all.map(\.2))], all.map(\.0))
    }

    private func duplicate(of payments: [ImportedPayment]) throws -> Int? {
        var found: Set<Int> = []
        for batch in pieces(of: payments) {
            let keys: [PostgresValue] = [
                .texts(batch.map(\.intent.scope)), .texts(batch.map(\.intent.attempt.text)),
            ]
            let (names, places) = names(batch)
            let rows = try line.exchange([
                PostgresCall(.isKnown, keys), PostgresCall(.isNamed, names),
            ])
            found.formUnion(rows[0].integers.map { batch.startIndex + Int($0) - 1 })
            found.formUnion(rows[1].integers.map { places[Int($0) - 1] })
        }
        var (attempts, taken): (Set<AttemptKey>, Set<[String]>) = ([], [])
        for (place, payment) in payments.enumerated() {
            let names = payment.names.map { [FactCodec.text(payment.provider), $0] }
            if !attempts.insert(payment.intent.key).inserted || names.contains(where: { taken.contains($0) }) {
                found.insert(place)
            }
            taken.formUnion(names)
        }
        return found.min()
    }

    private static func write(of payment: ImportedPayment) -> String {
        "import-\(payment.intent.scope)-\(payment.intent.attempt)"
    }

    private func write(_ payments: ArraySlice<ImportedPayment>) throws {
        var rows = BatchRows()
        var places = try line.exchange([PostgresCall(.places, [.integer(Int64(payments.count * 2))])])[0].integers[...]
        func append(_ facts: [JournalFact], _ id: String) throws {
            guard let after = AttemptFacts(facts), let seq = places.popFirst() else { throw FactCodec.Unreadable() }
            rows.append(facts, after, to: nil, at: seq, WriteID(id), isAnswer: true, now)
        }
        for payment in payments {
            let id = Self.write(of: payment)
            try append(payment.facts(at: now), id)
            if let refund = try payment.refund(at: now) { try append(refund, id + "-refunded") }
        }
        try file(payments, &rows)
        _ = try line.exchange(rows.calls)
    }

    /// Puts kept notices from before the import's time into the timeline.
    private func file(_ payments: ArraySlice<ImportedPayment>, _ rows: inout BatchRows) throws {
        let (names, places) = names(payments)
        let found = try line.exchange([PostgresCall(.notices, names)])[0]
        for row in 0..<found.count {
            let payment = payments[places[Int(found.integer(row, 0)) - 1]]
            guard let notice = try? FactCodec.notice(found.bytes(row, 2)), let time = notice.word.providerTime,
                time <= payment.holdsUntil
            else { continue }
            rows.file(found.integer(row, 1))
            rows.append([payment.filed(notice, at: now)], scope: payment.intent.scope)
        }
    }

    /// Names go by the rules, which apply what waits for them.
    private func name(_ payments: ArraySlice<ImportedPayment>) throws {
        let writer = BatchWriter(commitFault: nil, acknowledged: Acknowledged())
        let jobs = payments.map { payment in
            let entry = JournalEntry(payment.intent.key, [.names(payment.provider, payment.names)])
            return EntryJob(
                entry: entry, reads: JournalRules.reads(entry), id: WriteID(Self.write(of: payment) + "-names"),
                instant: now, locked: [payment.intent.key], keys: [], isDoubtful: false, finish: { _ in })
        }
        let calls = try writer.calls(line, jobs)
        if !calls.isEmpty { _ = try line.exchange(calls) }
    }
}

extension PostgresStatement {
    static let lockEntries = PostgresStatement("lock_entries", "LOCK TABLE entry IN ACCESS EXCLUSIVE MODE")
    static let isKnown = PostgresStatement(
        "is_known",
        """
        SELECT k.place FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k(scope, value, place) \
        WHERE EXISTS (SELECT 1 FROM attempt a WHERE a.scope = k.scope AND a.id = k.value) \
        OR EXISTS (SELECT 1 FROM forgotten g WHERE g.scope = k.scope AND g.id = k.value)
        """)
    static let isNamed = PostgresStatement(
        "is_named",
        """
        SELECT k.place FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k(account, value, place) \
        WHERE EXISTS (SELECT 1 FROM name n WHERE n.account = k.account AND n.value = k.value)
        """)
}
