internal import PaymentAbstraction

extension SQLiteJournal {
    /// How much of the file a connection keeps in memory at most: the upper pages of a million payments' trees.
    private static let cacheKibibytes = 16_384

    /// Opens a connection on the thread that will own it.
    static func connect(_ path: String, isReadOnly: Bool, _ options: OpeningOptions) throws -> SQLiteConnection {
        if JournalFile.isStump(path) { throw SQLiteOpenError.damaged("the file") }
        let connection = try SQLiteConnection(
            path: path, isReadOnly: isReadOnly, busyMilliseconds: options.busyMilliseconds)
        do {
            try connection.execute("PRAGMA cell_size_check = ON", doing: "opening")
            try connection.execute("PRAGMA cache_size = -\(cacheKibibytes)", doing: "opening")
            try connection.defend()
            if !isReadOnly {
                connection.keepLog(true)
                try Schema.examine(connection)
                try checkLog(connection, path)
                // Asked for twice: the first call makes the change, the second proves it.
                try connection.execute("PRAGMA journal_mode = WAL", doing: "opening")
                try connection.execute("PRAGMA synchronous = FULL", doing: "opening")
                guard try connection.number("PRAGMA synchronous", doing: "opening") == 2 else {
                    throw SQLiteOpenError.setting("synchronous = FULL")
                }
                if let pages = options.pagesMax {
                    try connection.execute("PRAGMA max_page_count = \(pages)", doing: "opening")
                }
                try Schema.prepare(connection)
                try checkPages(connection, upTo: options.checkedPagesMax)
                connection.keepLog(false)
            }
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    /// What the thread that writes owns.
    static func keeper(_ path: String, _ options: OpeningOptions) throws -> WriterConnection {
        let connection = try connect(path, isReadOnly: options.isReadOnly, options)
        do {
            if options.isReadOnly { try Schema.require(connection) }
            return try WriterConnection(connection, path, options)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Refuses a log that has lost durable commits, before anything is written over it.
    private static func checkLog(_ connection: SQLiteConnection, _ path: String) throws {
        try connection.execute("BEGIN IMMEDIATE", doing: "opening")
        let isBroken = WALCheck.isBroken(path + "-wal")
        try connection.execute("ROLLBACK", doing: "opening")
        if isBroken { throw SQLiteOpenError.damaged("the log beside the file") }
    }

    /// Refuses a file whose pages or indexes don't fit together. A large one is left to a check that somebody asks for;
    /// there, what money hangs on is looked up in two ways.
    private static func checkPages(_ connection: SQLiteConnection, upTo pagesMax: Int64) throws {
        guard try connection.number("PRAGMA page_count", doing: "opening") <= pagesMax else { return }
        let words = try connection.firstText("PRAGMA integrity_check(1)", doing: "opening")
        if words != "ok" { throw SQLiteOpenError.damaged("the file") }
    }

    /// Writes what has come: one transaction for a batch.
    static func write(_ keeper: WriterConnection, _ jobs: [JournalThread<WriterConnection>.Job]) {
        var rest = jobs[...]
        while !rest.isEmpty {
            let batch = rest.prefix(batchMax)
            rest = rest.dropFirst(batchMax)
            keeper.mendLog()
            writeTogether(keeper, Array(batch))
        }
    }

    /// Writes a batch without savepoints, which cost a good part of the writing: what is refused is mostly refused
    /// before anything of it was written.
    private static func writeTogether(_ keeper: WriterConnection, _ batch: [JournalThread<WriterConnection>.Job]) {
        let connection = keeper.connection
        do { try connection.run("BEGIN IMMEDIATE", doing: "beginning to write") } catch {
            return batch.forEach { $0.fail(error) }
        }
        let before = connection.changedTotal
        var ends: [@Sendable () -> Void] = []
        ends.reserveCapacity(batch.count)
        for job in batch {
            let written = connection.changedTotal
            do { ends.append(try job.run(keeper)) } catch {
                guard connection.isInTransaction, connection.changedTotal == written else {
                    return writeApart(keeper, batch)
                }
                ends.append { job.fail(error) }
            }
        }
        finish(keeper, batch, ends, hasWritten: connection.changedTotal != before)
    }

    /// Writes a batch again from its beginning, each piece in a savepoint of its own: one of them failed half done.
    private static func writeApart(_ keeper: WriterConnection, _ batch: [JournalThread<WriterConnection>.Job]) {
        let connection = keeper.connection
        do {
            if connection.isInTransaction { try connection.execute("ROLLBACK", doing: "undoing") }
            try connection.run("BEGIN IMMEDIATE", doing: "beginning to write")
        } catch {
            return batch.forEach { $0.fail(error) }
        }
        var ends: [@Sendable () -> Void] = []
        for job in batch {
            do {
                try connection.run("SAVEPOINT piece", doing: "writing")
                let end = try job.run(keeper)
                try connection.run("RELEASE piece", doing: "writing")
                ends.append(end)
            } catch {
                // Where SQLite ended the whole transaction, nothing of the batch is written.
                guard undo(connection) else { return batch.forEach { $0.fail(error) } }
                ends.append { job.fail(error) }
            }
        }
        finish(keeper, batch, ends, hasWritten: true)
    }

    /// Makes a batch durable and tells everybody. What fails before the commit is certainly not written; of a commit
    /// that fails nobody knows.
    private static func finish(
        _ keeper: WriterConnection, _ batch: [JournalThread<WriterConnection>.Job], _ ends: [@Sendable () -> Void],
        hasWritten: Bool
    ) {
        let connection = keeper.connection
        do { if hasWritten { try keeper.countCommit() } } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK", doing: "undoing") }
            return batch.forEach { $0.fail(error) }
        }
        do { try keeper.commit(hasWritten: hasWritten) } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK", doing: "undoing") }
            return batch.forEach { $0.fail(error) }
        }
        if hasWritten { keeper.markOutside() }
        for end in ends { end() }
    }

    /// Undoes one piece; false when the transaction is gone.
    private static func undo(_ connection: SQLiteConnection) -> Bool {
        guard connection.isInTransaction else { return false }
        do {
            try connection.execute("ROLLBACK TO piece; RELEASE piece", doing: "undoing")
            return true
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK", doing: "undoing") }
            return false
        }
    }

    /// Answers questions one by one, each from one state of the file: what others write meanwhile would else be half seen.
    static func read(_ connection: SQLiteConnection, _ jobs: [JournalThread<SQLiteConnection>.Job]) {
        for job in jobs {
            do {
                try connection.run("BEGIN", doing: "reading")
                let end = try job.run(connection)
                try connection.run("COMMIT", doing: "reading")
                end()
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK", doing: "reading") }
                job.fail(error)
            }
        }
    }
}
