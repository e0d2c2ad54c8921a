package import PaymentAbstraction
internal import PaymentBase

extension PostgresJournal {
    /// Gives every attempt with its facts, then every event, then every notice that waits for a name, as one line of
    /// JSON each; all of one moment, whoever writes meanwhile.
    package static func export(
        _ options: Options, _ line: @escaping @Sendable (String) -> Void
    ) async throws(PaymentError) {
        try await working("exported") {
            let source = try PostgresSource(options)
            defer { source.end() }
            try source.begin(isMove: false)
            for kind in [JournalPiece.Kind.attempts, .events, .notices] {
                var place = JournalPlace.start
                while let (pieces, next) = try source.pieces(kind, after: place) {
                    for piece in pieces { try lines(piece).forEach(line) }
                    place = next
                }
            }
        }
    }

    private static func lines(_ piece: JournalPiece) throws -> [String] {
        switch piece {
        case .attempt(_, let entries, _, _):
            return [JournalLine.text(try JournalPiece.facts(entries), try JournalPiece.list(entries))]
        case .event(let scope, _, _, let body):
            return try FactCodec.events(body).map { JournalLine.text($0, scope: scope) }
        case .notice(_, _, _, let body): return [JournalLine.text(try FactCodec.notice(body))]
        case .answer, .forgotten: return []
        }
    }

    /// Removes payments whose every attempt is decided and older than a moment, with their events, and notices that have
    /// waited since before it for a name that nobody got; as a file does it. It needs a role that may delete rows.
    package static func prune(
        _ options: Options, before instant: Int64, holdMilliseconds: Int64? = nil
    ) async throws(PaymentError) -> PostgresPruning {
        try await working("pruned") {
            let opening = try PostgresOpening(options)
            let line = try opening.link.connect()
            try opening.examineSchema(line)
            let pruner = PostgresPruner(
                line: line, keys: LockKey(schema: opening.link.schema), instant: instant,
                terms: PruneTerms(before: instant, holdMilliseconds: holdMilliseconds))
            return try pruner.prune()
        }
    }

    /// Adopts payments that were taken before our time, so that they can be refunded: all of the lines, or none; as a
    /// file does it. Nobody writes meanwhile. It needs the role that owns the tables.
    package static func adopt(_ options: Options, _ lines: [String]) async throws(PaymentError) -> Int {
        let payments = try ImportedPayment.all(lines)
        let clock = SystemClock()
        let now = JournalInstant(wall: clock.now, uptime: clock.uptime, boot: clock.boot)
        let duplicate = try await working("imported") {
            let opening = try PostgresOpening(options)
            let line = try opening.link.connect()
            try opening.examineSchema(line)
            return try PostgresImporter(line: line, now: now).adopt(payments)
        }
        if let duplicate {
            throw ImportedPayment.refused(duplicate, "the payment is in the journal, or on an earlier line")
        }
        return payments.count
    }

    /// Does something that blocks on a thread of its own.
    private static func working<Value: Sendable>(
        _ what: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws(PaymentError) -> Value {
        let done = Promise<Result<Value, PaymentError>>()
        let isStarted = OwnThread.start {
            do { done.fulfil(.success(try PostgresTarget.explaining(body))) } catch {
                let words = (error as? JournalCopyFailure)?.words ?? "a row can't be read; run payctl journal check"
                done.fulfil(
                    .failure(
                        PaymentError.nothingMoved(.journal, "the journal can't be \(what) (any further): \(words)")))
            }
        }
        guard isStarted else {
            throw PaymentError.nothingMoved(.journal, "the journal can't be \(what): the system has no thread left")
        }
        return try await done.value().get()
    }
}

/// What pruning a journal in a database has removed.
package struct PostgresPruning: Hashable, Sendable {
    /// How many payments are gone, with everything that followed them; their ids and names stay taken.
    package var payments = 0
    /// How many attempts those were.
    package var attempts = 0
    /// How many rows of timelines were removed with them.
    package var events = 0
    /// How many notices were removed that had waited for a name all the time.
    package var notices = 0
}
