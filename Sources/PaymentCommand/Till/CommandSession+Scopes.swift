internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentJournal
internal import PaymentPostgres

extension CommandSession {
    /// Every attempt of the journal, of every scope; a client reads those of its own scope alone.
    ///
    /// - Throws: `journal`, nothing moved, if one of them can't be read: a part of the journal is no journal.
    func everyAttempt() async throws -> [AttemptFacts] {
        if journal is MemoryJournal { return try await Self.everyAttempt(of: journal) }
        let options = try await JournalFileOption.database(call)
        let path = try JournalFileOption.place(call, configuration)
        let read = Promise<Result<[AttemptFacts], PaymentError>>()
        // Reading blocks, so it has a thread of its own.
        let isStarted = OwnThread.start {
            do {
                let source: any JournalSource = try options.map { try PostgresSource($0) } ?? SQLiteSource(path ?? "")
                defer { source.end() }
                try source.begin(isMove: false)
                var (attempts, place) = ([AttemptFacts](), JournalPlace.start)
                while let (pieces, next) = try source.pieces(.attempts, after: place) {
                    for case .attempt(_, let entries, _, _) in pieces {
                        attempts.append(try JournalPiece.facts(entries))
                    }
                    place = next
                }
                read.fulfil(.success(attempts))
            } catch {
                let words = (error as? JournalCopyFailure)?.words ?? "\(error)"
                let detail = "The journal can't be read (\(words)). Run `payctl journal check`."
                read.fulfil(.failure(.nothingMoved(.journal, detail)))
            }
        }
        guard isStarted else { throw PaymentError.nothingMoved(.journal, "The system has no thread left. Try again.") }
        return try await read.value().get()
    }

    /// Every attempt of a journal in memory, which only this process knows, in the one scope that it has.
    static func everyAttempt(of journal: any Journal) async throws -> [AttemptFacts] {
        var (attempts, cursor) = ([AttemptFacts](), JournalCursor?.none)
        repeat {
            let page = try await journal.page(.origins, scope: "", after: cursor, limit: ListQuery.limitMax)
            for origin in page.rows { attempts += try await journal.family(origin.intent.key) }
            cursor = page.next
        } while cursor != nil
        return attempts
    }

    /// Attempts of the journal that belong to other scopes than the one that a command line uses.
    func attemptsOfOtherScopes() async throws -> [AttemptRecord] {
        try await everyAttempt().filter { !$0.intent.scope.isEmpty }.map(AttemptRecord.init)
    }
}

extension [AttemptRecord] {
    /// Their scopes, in order.
    var scopes: [String] { Set(map(\.intent.scope)).sorted() }
}
