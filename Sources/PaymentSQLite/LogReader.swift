internal import PaymentBase
internal import PaymentJournalKit
internal import PaymentModel

/// Reads the log, one payment at a time. Every other table only says where to look: what it leads to is compared with the log.
struct LogReader {
    let connection: SQLiteConnection

    /// A payment as its log has it.
    struct Payment {
        let number: Int64
        var attempts: [Attempt] = []
        var entry = 0
        /// The row that was written under the id that was looked for.
        var written: (content: Int64, answer: StoredAnswer)?

        var id: PaymentID? { attempts.first.map(\.intent.paymentID) }
        func attempt(_ id: AttemptID) -> Attempt? { attempts.first { $0.intent.attempt == id } }
    }

    // MARK: - Payments

    /// The number of the payment that has an attempt; nil if there is none.
    ///
    /// What isn't found begins, so it is looked for in a second place: a damaged index must not let a payment be made again.
    /// Of what follows a payment the second place is the payment's own log.
    func number(of attempt: AttemptID) throws -> Int64? {
        if let number = try number("SELECT payment FROM id WHERE id = ?1", attempt) { return number }
        guard try number("SELECT payment FROM origin WHERE id = ?1", attempt) == nil else {
            throw SQLiteStoreError.damagedIndex(attempt)
        }
        return nil
    }

    private func number(_ sql: String, _ attempt: AttemptID) throws -> Int64? {
        try connection.rows(sql, [.text(attempt.text)], doing: "looking for an attempt") { $0.integer(0) }.first
    }

    /// The payment that has an attempt.
    func payment(of attempt: AttemptID) throws -> Payment? {
        guard let number = try number(of: attempt) else { return nil }
        let found = try payment(number)
        guard found.attempt(attempt) != nil else { throw SQLiteStoreError.damagedIndex(attempt) }
        return found
    }

    /// A payment by its number, and which of its rows was written under an id.
    func payment(_ number: Int64, writtenUnder write: String? = nil) throws -> Payment {
        let log = try log(number, withWaiting: false)
        guard log.isWhole, let histories = try? EventCodec.histories(log.entries.map(\.events)) else {
            throw try unreadable(number)
        }
        var found = Payment(number: number, attempts: histories.map(\.attempt), entry: log.entries.count)
        if let write, let entry = log.entries.last(where: { $0.write == write }) {
            found.written = (entry.content, try StoredAnswer.read(entry.answer))
        }
        guard try hasAll(found.attempts, number) else { throw try unreadable(number) }
        return found
    }

    /// Whether a log has all attempts of a payment: one whose last entries are missing still has the ids of all.
    private func hasAll(_ attempts: [Attempt], _ number: Int64) throws -> Bool {
        let ids = try connection.rows(
            "SELECT id FROM id WHERE payment = ?1", [.integer(number)], doing: "reading a payment"
        ) { $0.text(0) ?? "" }
        return Set(ids) == Set(attempts.map(\.intent.attempt.text))
    }

    /// Names a payment that can't be read by the attempt that started it, whichever attempt was asked for.
    private func unreadable(_ number: Int64) throws -> SQLiteStoreError {
        let id = try connection.rows(
            "SELECT id FROM origin WHERE payment = ?1", [.integer(number)], doing: "reading a payment"
        ) { $0.text(0) ?? "" }
        return .unreadable(id.first.flatMap { try? AttemptID($0) })
    }

    /// A payment's log as it is stored; one of which a row is missing or holds other bits than were written is marked.
    func log(_ number: Int64, _ id: String = "", withWaiting: Bool) throws -> StoredLog {
        var log = StoredLog(number: number, id: id)
        _ = try connection.rows(
            "SELECT payment, number, write, content, at, events, answer, timeline, sum FROM entry WHERE payment = ?1 "
                + "ORDER BY number", [.integer(number)], doing: "reading a payment"
        ) { row in
            // Of the columns as they are: what reads them takes a text for bytes, and null for none.
            let sum = RowSum.of(row.values(0...7))
            let entry = StoredLog.Entry(
                write: row.text(2) ?? "", content: row.integer(3), at: row.integer(4), events: row.bytes(5) ?? [],
                answer: row.bytes(6) ?? [], timeline: row.bytes(7) ?? [])
            log.entries.append(entry)
            log.isWhole = log.isWhole && row.integer(8) == sum && row.integer(1) == Int64(log.entries.count)
        }
        for (_, body) in try withWaiting ? waiting(number) : [] {
            log.isWhole = log.isWhole && body != nil
            log.waiting.append(body ?? [])
        }
        return log
    }

    /// Steps that wait for the next entry of a payment, row by row; nil where a row holds other bits than were written.
    func waiting(_ number: Int64) throws -> [(seq: Int64, body: [UInt8]?)] {
        try connection.rows(
            "SELECT seq, payment, body, sum FROM waiting WHERE payment = ?1 ORDER BY seq", [.integer(number)],
            doing: "reading a timeline"
        ) { row in
            let isWhole = row.integer(3) == RowSum.of(row.values(0...2))
            return (row.integer(0), isWhole ? row.bytes(2) ?? [] : nil)
        }
    }

    /// A payment's timeline, with the steps that wait for its next entry.
    func timeline(_ payment: PaymentID) throws -> [PaymentEvent] {
        guard let number = try number(of: payment.attempt) else { return [] }
        let log = try log(number, withWaiting: true)
        guard let attempts = try? log.attempts(), try hasAll(attempts, number), let steps = try? log.timeline() else {
            throw try unreadable(number)
        }
        return steps
    }

    // MARK: - Names

    /// The numbers of payments that may have a name; one below zero was forgotten.
    func numbers(with name: ProviderName) throws -> [Int64] {
        try connection.rows(
            "SELECT payment FROM name WHERE hash = ?1 ORDER BY payment", [.integer(RowHash.of(name))],
            doing: "looking for a name"
        ) { $0.integer(0) }
    }

    /// The numbers of the payments of which rows of candidates are kept at an account.
    func numbersOfCandidates(at account: ProviderIdentity) throws -> [Int64] {
        try connection.rows(
            "SELECT DISTINCT payment FROM open WHERE account = ?1 AND is_candidate = 1",
            [.integer(RowHash.of(account))], doing: "looking for candidates"
        ) { $0.integer(0) }
    }

    /// Messages that wait for one of the names or ids.
    func notices(_ hashes: Set<Int64>) throws -> [(seq: Int64, notice: Notice)] {
        var found: [Int64: Notice] = [:]
        for hash in hashes {
            let rows = try connection.rows(
                "SELECT n.seq, n.message, n.at, n.body, n.sum FROM notice_name w JOIN notice n ON n.seq = w.notice "
                    + "WHERE w.hash = ?1", [.integer(hash)], doing: "looking for notices"
            ) { row -> (seq: Int64, notice: Notice) in
                guard row.integer(4) == RowSum.of(row.values(0...3)),
                    let notice = try? EventCodec.notice(row.bytes(3) ?? [])
                else { throw SQLiteStoreError.damagedRow }
                return (row.integer(0), notice)
            }
            for row in rows { found[row.seq] = row.notice }
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: - The whole journal

    func counter(_ name: String) throws -> Int64 {
        try connection.number("SELECT value FROM counter WHERE name = ?1", [.text(name)], doing: "reading the counters")
    }

    /// Before which moment payments were decided that were forgotten; 0 where none was.
    func pruned() throws -> Int64 {
        // A file of an earlier time has no such row.
        try connection.number(
            "SELECT coalesce(max(value), 0) FROM counter WHERE name = 'pruned'", doing: "reading the counters")
    }

    /// The name of the journal's present generation.
    func generation() throws -> JournalGeneration {
        JournalGeneration(UInt64(truncatingIfNeeded: try counter("generation-name")))
    }

    // MARK: - The feed

    /// The feed's name: the rows of a copy have numbers of their own, so that it is not the generation's alone.
    private func feedName() throws -> JournalGeneration {
        let own = try connection.number(
            "SELECT coalesce((SELECT value FROM counter WHERE name = 'feed-name'), 0)", doing: "reading the counters")
        return JournalGeneration(try generation().bits ^ UInt64(truncatingIfNeeded: own))
    }

    func feed(after position: FeedPosition?, limit: Int) throws -> FeedPage? {
        let ends = try connection.rows(
            "SELECT coalesce(min(seq), 0), coalesce(max(seq), 0) FROM feed", [], doing: "reading the feed"
        ) { (first: $0.integer(0), last: $0.integer(1)) }
        let range = FeedRange(try feedName().description, first: ends.first?.first ?? 0, last: ends.first?.last ?? 0)
        guard let position else { return FeedPage(at: range.end) }
        guard range.holds(position) else { return nil }
        // What was pruned since, or can't be read, is passed over.
        let rows = try connection.rows(
            "SELECT e.payment, e.number, e.write, e.content, e.at, e.events, e.answer, e.timeline, e.sum, f.seq, o.scope "
                + "FROM feed f JOIN entry e ON e.payment = f.payment AND e.number = f.number "
                + "LEFT JOIN origin o ON o.payment = f.payment WHERE f.seq >= ?1 ORDER BY f.seq LIMIT ?2",
            [.integer(position.row), .integer(Int64(max(0, limit)))], doing: "reading the feed"
        ) { row in
            let isWhole = row.integer(8) == RowSum.of(row.values(0...7))
            let events = isWhole ? try? EventCodec.events(row.bytes(7) ?? []) : nil
            return (seq: row.integer(9), events: events ?? [], scope: row.text(10) ?? "")
        }
        var page = FeedPage(at: position)
        for row in rows {
            guard page.add(row: row.seq, row.events, scope: row.scope, limit: limit) else { break }
        }
        if rows.count < limit, page.items.count < limit { page.skip(to: range.end) }
        return page
    }

    // MARK: - Pages

    func page(_ query: JournalQuery, after cursor: JournalCursor?, limit: Int) throws -> JournalPage {
        guard limit > 0 else { return JournalPage() }
        switch query {
        case .attempt(let id):
            return JournalPage(try payment(of: id)?.attempt(id).map { [$0] } ?? [])
        case .named(let name):
            var page = JournalPage()
            for number in try numbers(with: name) where number > 0 {
                page.attempts += try payment(number).attempts.filter { $0.has(name) }
            }
            return page
        case .origins(let scope):
            return try page(
                scope == nil
                    ? "SELECT payment FROM origin WHERE is_dry_run = 0 AND payment < ?1 ORDER BY payment DESC LIMIT ?2"
                    : "SELECT payment FROM origin WHERE is_dry_run = 0 AND scope = ?3 AND payment < ?1 "
                        + "ORDER BY payment DESC LIMIT ?2",
                from: cursor?.number ?? .max, limit, scope.map { [.text($0)] } ?? []
            ) { $0.intent.isOrigin }
        case .reference(let scope, let text):
            let normalized = ReferenceText.normalized(text)
            return try page(
                "SELECT DISTINCT payment FROM reference WHERE hash IN (?3, ?4) AND payment > ?1 ORDER BY payment LIMIT ?2",
                from: cursor?.number ?? 0, limit,
                [false, true].map { .integer(RowHash.of(scope, isRefund: $0, normalized)) }, listsUnreadable: false
            ) { $0.intent.isOrigin && $0.intent.scope == scope && $0.intent.reference == normalized }
        case .open(let scope):
            return try page(
                scope == nil
                    ? "SELECT DISTINCT payment FROM open WHERE is_open = 1 AND payment > ?1 ORDER BY payment LIMIT ?2"
                    : "SELECT DISTINCT payment FROM open WHERE is_open = 1 AND scope = ?3 AND payment > ?1 "
                        + "ORDER BY payment LIMIT ?2",
                from: cursor?.number ?? 0, limit, scope.map { [.text($0)] } ?? []
            ) { $0.isOpen && (scope == nil || $0.intent.scope == scope) }
        }
    }

    private func page(
        _ sql: String, from number: Int64, _ limit: Int, _ values: [SQLiteValue], listsUnreadable: Bool = true,
        _ isWanted: (Attempt) -> Bool
    ) throws -> JournalPage {
        let numbers = try connection.rows(
            sql, [.integer(number), .integer(Int64(limit))] + values, doing: "reading a page"
        ) { $0.integer(0) }
        var page = JournalPage()
        for number in numbers {
            do { page.attempts += try payment(number).attempts.filter(isWanted) } catch SQLiteStoreError.unreadable(
                let id) where listsUnreadable
            {
                if let id { page.unreadable.append(PaymentID(id)) }
            }
        }
        if numbers.count == limit { page.next = numbers.last.map { JournalCursor($0) } }
        return page
    }
}

extension StoredLog.Entry {
    /// What its row holds beside the sum over it.
    func values(_ payment: Int64, _ number: Int64) -> [SQLiteValue] {
        [
            .integer(payment), .integer(number), .text(write), .integer(content), .integer(at), .bytes(events),
            .bytes(answer), .bytes(timeline),
        ]
    }
}

/// The checksum that is in each row.
enum RowSum {
    static func of(_ values: [SQLiteValue]) -> Int64 {
        var sum = RowChecksum()
        for value in values {
            switch value {
            case .null: sum.addNull()
            case .integer(let number): sum.add(integer: number)
            case .text(let text): sum.add(text: text)
            case .bytes(let bytes): sum.add(bytes: bytes)
            }
        }
        return sum.value
    }
}
