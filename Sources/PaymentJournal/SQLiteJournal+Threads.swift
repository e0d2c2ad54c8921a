internal import PaymentAbstraction

extension SQLiteJournal {
    /// Opens a connection on the thread that will own it.
    static func connect(_ path: String, isReadOnly: Bool, _ options: OpeningOptions) throws -> SQLiteConnection {
        if JournalFile.isStump(path) { throw OpeningFailure.damaged("the file") }
        let connection = try SQLiteConnection(
            path: path, isReadOnly: isReadOnly, busyMilliseconds: options.busyMilliseconds)
        do {
            try connection.execute("PRAGMA cell_size_check = ON", doing: "opening")
            if !isReadOnly {
                connection.keepLog(true)
                try checkLog(connection, path)
                // Asked for twice: the first call makes the change, the second proves it.
                try connection.execute("PRAGMA journal_mode = WAL", doing: "opening")
                try connection.execute("PRAGMA synchronous = FULL", doing: "opening")
                try connection.execute("PRAGMA foreign_keys = ON", doing: "opening")
                guard try connection.number("PRAGMA synchronous", doing: "opening") == 2 else {
                    throw OpeningFailure.setting("synchronous = FULL")
                }
                if let pages = options.pagesMax {
                    try connection.execute("PRAGMA max_page_count = \(pages)", doing: "opening")
                }
                try Migrations.run(connection)
                try checkPages(connection, upTo: options.checkedPagesMax)
                connection.keepLog(false)
            }
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    /// Refuses a log that has lost durable commits, before anything is written over it.
    private static func checkLog(_ connection: SQLiteConnection, _ path: String) throws {
        try connection.execute("BEGIN IMMEDIATE", doing: "opening")
        let isBroken = LogCheck.isBroken(path + "-wal")
        try connection.execute("ROLLBACK", doing: "opening")
        if isBroken { throw OpeningFailure.damaged("the log beside the file") }
    }

    /// Refuses a file whose pages or indexes don't fit together. A large one is left to a check that somebody asks for;
    /// there, what money hangs on is looked up in two ways (``AttemptReader/known(_:)``).
    private static func checkPages(_ connection: SQLiteConnection, upTo pagesMax: Int64) throws {
        guard try connection.number("PRAGMA page_count", doing: "opening") <= pagesMax else { return }
        let words = try connection.firstText("PRAGMA integrity_check(1)", doing: "opening")
        if words != "ok" { throw OpeningFailure.damaged("the file") }
    }

    /// Writes what has come: one transaction for a batch.
    static func write(_ connection: SQLiteConnection, _ jobs: [JournalThread<SQLiteConnection>.Job]) {
        var rest = jobs[...]
        while !rest.isEmpty {
            let batch = rest.prefix(batchMax)
            rest = rest.dropFirst(batchMax)
            writeTogether(connection, Array(batch))
        }
    }

    /// Writes a batch without savepoints, which cost a good part of the writing: what is refused is mostly refused
    /// before anything of it was written.
    private static func writeTogether(
        _ connection: SQLiteConnection, _ batch: [JournalThread<SQLiteConnection>.Job]
    ) {
        do { try connection.run("BEGIN IMMEDIATE", doing: "beginning to write") } catch {
            return batch.forEach { $0.fail(error) }
        }
        var ends: [@Sendable () -> Void] = []
        ends.reserveCapacity(batch.count)
        for job in batch {
            let written = connection.changedTotal
            do { ends.append(try job.run(connection)) } catch {
                guard connection.isInTransaction, connection.changedTotal == written else {
                    return writeApart(connection, batch)
                }
                ends.append { job.fail(error) }
            }
        }
        finish(connection, batch, ends)
    }

    /// Writes a batch again from its beginning, each piece in a savepoint of its own: one of them failed half done.
    private static func writeApart(
        _ connection: SQLiteConnection, _ batch: [JournalThread<SQLiteConnection>.Job]
    ) {
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
                let end = try job.run(connection)
                try connection.run("RELEASE piece", doing: "writing")
                ends.append(end)
            } catch {
                // Where SQLite ended the whole transaction, nothing of the batch is written.
                guard undo(connection) else { return batch.forEach { $0.fail(error) } }
                ends.append { job.fail(error) }
            }
        }
        finish(connection, batch, ends)
    }

    /// Makes a batch durable and tells everybody.
    private static func finish(
        _ connection: SQLiteConnection, _ batch: [JournalThread<SQLiteConnection>.Job], _ ends: [@Sendable () -> Void]
    ) {
        do { try connection.run("COMMIT", doing: "making it durable") } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK", doing: "undoing") }
            return batch.forEach { $0.fail(error) }
        }
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

    /// Answers questions one by one.
    static func read(_ connection: SQLiteConnection, _ jobs: [JournalThread<SQLiteConnection>.Job]) {
        for job in jobs {
            do { try job.run(connection)() } catch { job.fail(error) }
        }
    }
}
