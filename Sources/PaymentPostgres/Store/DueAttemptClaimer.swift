internal import PaymentJournalKit
internal import PaymentModel

/// Takes attempts to which a lookup is owed by moving their next lookup forward: in one transaction, so that no other process
/// takes them. It waits for no lock.
struct DueAttemptClaimer {
    let line: PostgresConnection
    let isAlive: @Sendable (String) -> Bool

    /// One row of `open` that is due.
    private struct Due {
        let (attempt, payment): (String, Int64)
        let (looks, next): (Int64, Int64)
        let marks: JournalClock.Marks
    }

    /// One row of which something is written.
    private struct Taken {
        let due: Due
        var held: Attempt?
        /// Whether it is looked up now; else it only gets this boot's mark.
        var isLooked = true
    }

    /// How many rows are read at once at least: those of attempts whose process lives are passed over.
    private static let rowsMin = 64

    func take(_ terms: DueTerms, at now: Attempt.Instant) throws -> JournalPage {
        let limit = terms.limit
        let check = try RestoreCheck.call(line)
        let fitness = RestoreCheck(try line.exchange([PostgresCall(.begin), check])[1])
        // What is due here is due where the journal continues.
        if fitness.refusal == .moved { throw PostgresStoreError.moved }
        var page = JournalPage()
        var taken: [Taken] = []
        var last: Due?
        while limit > 0 {
            let due = try rows(after: last, max(limit, Self.rowsMin), now)
            let payments = try payments(of: due)
            for one in due where page.attempts.count + page.unreadable.count < limit {
                guard let row = payments[one.payment] else { continue }
                guard let held = try? row.get() else {
                    if let id = row.id { page.unreadable.append(PaymentID(id)) }
                    taken.append(Taken(due: one))
                    continue
                }
                guard let attempt = held.attempts.first(where: { $0.intent.attempt.text == one.attempt }) else {
                    throw PostgresStoreError.unreadable(row.id)
                }
                guard terms.wants(attempt) else {
                    // Of an account that is not configured any more, a person decides: for that this boot has to have
                    // seen it.
                    if attempt.isOpen, one.marks[now.boot] == nil {
                        taken.append(Taken(due: one, held: attempt, isLooked: false))
                    }
                    continue
                }
                if attempt.isOpen, let run = attempt.newest, run.end == nil, isAlive(run.owner),
                    run.generation == fitness.generation
                {
                    continue
                }
                page.attempts.append(attempt)
                taken.append(Taken(due: one, held: attempt))
            }
            last = due.last
            if due.count < max(limit, Self.rowsMin) || page.attempts.count + page.unreadable.count >= limit { break }
        }
        guard !taken.isEmpty else {
            _ = try line.exchange([PostgresCall(.rollback)])
            return page
        }
        try putOff(taken, now)
        return page
    }

    private func rows(after last: Due?, _ limit: Int, _ now: Attempt.Instant) throws -> [Due] {
        let rows = try line.exchange([
            PostgresCall(
                .takeDue,
                [
                    .integer(now.wall), .integer(last?.next ?? .min), .text(last?.attempt ?? ""),
                    .integer(Int64(limit)),
                ])
        ])[0]
        return (0..<rows.count).map { row in
            Due(
                attempt: rows.text(row, 0), payment: rows.integer(row, 1), looks: rows.integer(row, 2),
                next: rows.integer(row, 3), marks: rows.isNull(row, 4) ? [:] : LookCodec.marks(rows.bytes(row, 4)))
        }
    }

    private func payments(of due: [Due]) throws -> [Int64: HeldPayment.Row] {
        guard !due.isEmpty else { return [:] }
        let rows = try line.exchange([PostgresCall(.byNumber, [.integers(due.map(\.payment))])])[0]
        return Dictionary(HeldPayment.rows(rows).map { ($0.number, $0) }) { first, _ in first }
    }

    /// Moves the next lookups forward, and leaves this boot's mark at those that are open.
    private func putOff(_ taken: [Taken], _ now: Attempt.Instant) throws {
        let rows = taken.map { one -> (marks: [UInt8], looks: Int64, next: Int64) in
            var (marks, looks) = (one.due.marks, one.due.looks)
            if one.held?.isOpen == true { looks = JournalClock.mark(&marks, after: looks, at: now) }
            let bytes = LookCodec.bytes(marks)
            guard one.isLooked else { return (bytes, one.due.looks, one.due.next) }
            return (bytes, looks.addingSaturating(1), JournalRules.nextLookup(after: Int(clamping: looks), at: now))
        }
        _ = try line.exchange([
            PostgresCall(
                .putOff,
                [
                    .texts(taken.map(\.due.attempt)), .integers(rows.map(\.looks)), .integers(rows.map(\.next)),
                    .byteStrings(rows.map(\.marks)),
                ]),
            PostgresCall(.commit),
        ])
    }
}
