internal import PaymentBase
package import PaymentJournalKit
public import PaymentModel
internal import PaymentSystem

/// A journal in one SQLite file: durable when a call returns, shared by several processes.
///
/// One thread writes, and all that has come in the meantime is written together: all of it durable by one commit, and
/// one refusal fails no other. Another thread reads. What ``JournalRules`` decides is appended and nothing is
/// overwritten but what is computed from it.
public final class SQLiteJournal: Sendable {
    /// How many calls are written together at most.
    static let batchMax = 512

    private let writer: JournalThread<WriterConnection>
    private let reader: JournalThread<SQLiteConnection>
    private let waits = ChangeWaits<PaymentID>()
    /// Who else may use the file, and how their writing is noticed.
    private let host: any JournalHost
    /// What is written to by every process that shares the file.
    private let log: String
    /// The file.
    package let place: String

    /// Opens a file; makes it, mode 0600, when there is none.
    ///
    /// - Throws: `journal`, nothing moved, saying what is wrong with the file and what to do.
    package static func open(
        path: String, host: any JournalHost, _ options: OpeningOptions = OpeningOptions()
    ) async throws(PaymentError) -> SQLiteJournal {
        var options = options
        options.claim = host.claim
        let opening = options
        if !opening.isReadOnly { JournalFile.prepare(path) }
        let writing = Promise<Result<Bool, PaymentError>>()
        let writer = JournalThread(
            make: { try Self.keeper(path, opening) }, work: { Self.write($0, $1) }, free: { $0.end() },
            opened: { writing.fulfill(Self.answer($0, path)) })
        _ = try await writing.value().get()
        let reading = Promise<Result<Bool, PaymentError>>()
        let reader = JournalThread(
            make: { try Self.connect(path, isReadOnly: true, opening) }, work: { Self.read($0, $1) },
            free: { $0.close() }, opened: { reading.fulfill(Self.answer($0, path)) })
        _ = try await reading.value().get()
        return SQLiteJournal(writer, reader, host, path: path)
    }

    /// Takes a journal as it is that was restored from a copy, after a person has compared it with the provider: it
    /// takes new attempts again, and numbers continue in a new generation, far from those that may have been drawn
    /// since.
    ///
    /// - Returns: Whether it had been restored at all.
    /// - Throws: `journal`, nothing moved, when the file can't be used.
    @discardableResult
    public static func acceptRestored(path: String) async throws(PaymentError) -> Bool {
        try await acceptRestored(path: path, anyway: false)
    }

    /// The same, also where nothing shows it: the file was set back together with its mark, as a snapshot of a folder or of
    /// a machine is.
    @discardableResult
    package static func acceptRestored(path: String, anyway: Bool) async throws(PaymentError) -> Bool {
        #if os(Linux) && !APPLE_CHECK
        if anyway {
            // A process that has the file open goes by what it read before. On Apple's systems one process has it.
            do { try SQLiteTarget.refuseUse(path, "declared restored") } catch {
                let words = (error as? JournalCopyFailure)?.words ?? "\(type(of: error))"
                throw PaymentError.notExecuted(.journal, words)
            }
        }
        #endif
        let options = OpeningOptions()
        let journal = try await open(path: path, host: SoleProcess("accept-restored", claim: nil), options)
        let answer: Result<Bool, JournalFailure>
        do {
            answer = .success(
                try await journal.keeping { keeper in
                    defer { keeper.hasAccepted() }
                    return try keeper.accept(at: options.now, anyway: anyway)
                })
        } catch { answer = .failure(error) }
        await journal.close()
        do { return try answer.get() } catch {
            throw PaymentError.notExecuted(.journal, "the journal \(path) could not be accepted: \(error)")
        }
    }

    private init(
        _ writer: JournalThread<WriterConnection>, _ reader: JournalThread<SQLiteConnection>,
        _ host: any JournalHost, path: String
    ) { (self.writer, self.reader, self.host, log, place) = (writer, reader, host, path + "-wal", path) }

    /// This process's name in the journal, and which other processes are alive.
    package var processes: any ProcessRegistry { host.processes }

    /// Writes what is queued and closes the file.
    public func close() async {
        waits.close()
        reader.close()
        await reader.waitForEnd()
        writer.close()
        await writer.waitForEnd()
    }

    /// Why it begins nothing now, in words; nil where it does.
    package func refusal() async throws(JournalFailure) -> String? {
        try await keeping { keeper in
            do { try keeper.refuseIfRestored() } catch let failure as SQLiteStoreError { return failure.words }
            return nil
        }
    }

    /// Whether a restore may have lost something, and no person has closed the gap.
    package func hasGap() async throws(JournalFailure) -> Bool {
        try await reading { try LogReader(connection: $0).counter("gap") != 0 }
    }

    // MARK: - Threads

    /// Does something with the connection that reads.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(JournalFailure) -> Value { try await call(reader, body, { _ in }, \.ofReading) }

    /// Does something with what the writing thread owns, as one piece of a batch.
    func keeping<Value: Sendable>(
        _ body: @escaping @Sendable (WriterConnection) throws -> Value
    ) async throws(JournalFailure) -> Value { try await call(writer, body, { _ in }, \.ofWriting) }

    /// Queues one call and waits until it is durable.
    private func call<Owned, Value: Sendable>(
        _ thread: JournalThread<Owned>, _ body: @escaping @Sendable (Owned) throws -> Value,
        _ then: @escaping @Sendable (Value) -> Void, _ meaning: @escaping @Sendable (SQLiteStoreError) -> JournalFailure
    ) async throws(JournalFailure) -> Value {
        let answer = Promise<Result<Value, JournalFailure>>()
        let isQueued = thread.post(
            .init(
                run: { owned in
                    let made = try body(owned)
                    return {
                        then(made)
                        answer.fulfill(.success(made))
                    }
                }, fail: { error in answer.fulfill(.failure(Self.failure(error, meaning))) }))
        guard isQueued else { throw .notWritten("the journal is closed") }
        return try await answer.value().get()
    }

    private static func failure(_ error: any Error, _ meaning: (SQLiteStoreError) -> JournalFailure) -> JournalFailure {
        switch error {
        case let failure as JournalFailure: failure
        case let failure as SQLiteStoreError: meaning(failure)
        case let failure as SQLiteFailure: .notWritten(failure.words)
        case let failure as SQLiteOpenError: .notWritten(failure.words)
        default: .notWritten("\(type(of: error))")
        }
    }

    private static func answer(_ error: (any Error)?, _ path: String) -> Result<Bool, PaymentError> {
        guard let error else { return .success(true) }
        let words =
            switch failure(error, \.ofWriting) {
            case .notWritten(let words), .writeUnconfirmed(let words): words
            case .unwritable, .unreadable, .pruned: "what it holds can't be read"
            }
        return .failure(
            PaymentError(
                .journal, outcome: .notExecuted, detail: "the journal \(path) can't be opened: \(words)",
                diagnosis: FailureDiagnosis(
                    .journal, host: path, JournalTrouble(words)?.cause ?? .journalUnusable)))
    }
}

extension SQLiteJournal: Journal {
    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        let isAlive = isAlive
        let written = try await call(
            writer,
            { keeper in
                if entry.asksForMore { try keeper.refuseIfRestored() } else { try keeper.refuseIfMoved() }
                return try LogWriter(keeper.connection, isAlive: isAlive).write(entry, id, at: instant)
            }, { [waits] written in if let payment = written.payment { waits.wake([payment]) } }, \.ofWriting)
        return written.answer
    }

    package func preview(
        _ entry: JournalEntry, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        let isAlive = isAlive
        return try await reading { try LogWriter($0, isAlive: isAlive).preview(entry, at: instant) }
    }

    package func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try await reading { try LogReader(connection: $0).page(query, after: cursor, limit: limit) }
    }

    package func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        try await reading { connection in
            guard let found = try LogReader(connection: connection).payment(of: id.attempt), found.id == id else {
                return nil
            }
            return StoredPayment(found.attempts, entry: found.entry)
        }
    }

    package func takeDue(_ terms: DueTerms, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage {
        let isAlive = isAlive
        return try await keeping { keeper in
            try keeper.refuseIfMoved()
            return try LogWriter(keeper.connection, isAlive: isAlive).takeDue(terms, at: instant, isAlive: isAlive)
        }
    }

    package func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        try await reading { try LogReader(connection: $0).timeline(payment) }
    }

    package func feed(after position: FeedPosition?, limit: Int) async throws(JournalFailure) -> FeedPage? {
        try await reading { try LogReader(connection: $0).feed(after: position, limit: limit) }
    }

    package func changeDeliveries<Value: Sendable>(
        _ body: @escaping @Sendable (inout any DeliveryRows) throws -> Value
    ) async throws(JournalFailure) -> Value {
        try await keeping { keeper in
            try keeper.refuseIfMoved()
            var rows: any DeliveryRows = SQLiteDeliveries(connection: keeper.connection)
            return try body(&rows)
        }
    }

    package func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        let isAlive = isAlive
        try await keeping { try LogWriter($0.connection, isAlive: isAlive).add(events, to: payment) }
    }

    /// This machine's: all processes that share the file share the machine.
    package func time(_ ours: Attempt.Instant) async throws(JournalFailure) -> Attempt.Instant { ours }

    package func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        let payment = try await reading { try LogReader(connection: $0).payment(of: attempt)?.id }
        guard let payment else { return }
        let watching: ChangeWaits<PaymentID>.Watching = { [host, log, weak self] in
            host.watch(log: log) { [weak self] in self?.lookForAll() }
        }
        try await waits.wait(for: payment, after: entry, payment, watching: watching) { () throws(JournalFailure) in
            try await self.payment(payment)?.entry ?? 0
        }
    }

    package func generation() async throws(JournalFailure) -> JournalGeneration {
        try await reading { try LogReader(connection: $0).generation() }
    }

    /// Takes numbers out: one counter for all processes that share the file.
    package func draw(_ count: Int64) async throws(JournalFailure) -> Int64 { try await keeping { try $0.draw(count) } }

    /// Another process may have written: all who wait for a payment that has changed are woken.
    private func lookForAll() {
        let waiting = waits.all
        _ = reader.post(
            .init(
                run: { connection in
                    let reader = LogReader(connection: connection)
                    // What can't be read any more has changed, too; a waiting caller sees it at its next read.
                    let changed = waiting.filter { (try? reader.payment(of: $0.payment.attempt)?.entry) != $0.entry }
                    return { for waiter in changed { waiter.wake() } }
                }, fail: { _ in }))
    }

    private var isAlive: @Sendable (String) -> Bool { { [processes = host.processes] in processes.isAlive($0) } }
}

extension SQLiteJournal {
    /// How much of the file a connection keeps in memory at most: the upper pages of a million payments' trees.
    private static let cacheKibibytes = 16_384

    /// Opens a connection on the thread that will own it.
    static func connect(_ path: String, isReadOnly: Bool, _ options: OpeningOptions) throws -> SQLiteConnection {
        // SQLite would wait for a process that writes into a pipe.
        let isFile = !JournalFile.isThere(path) || RegularFile.isFile(path)
        // Without a name it would be a file that SQLite removes when it is closed.
        guard isFile, !path.isEmpty else { throw SQLiteOpenError.notRegular }
        if JournalFile.isStump(path) { throw SQLiteOpenError.damaged("the file") }
        guard isReadOnly || JournalFile.names(path) <= 1 else { throw SQLiteOpenError.otherNames }
        // Opening may change the file.
        let isYounger = JournalFile.isYoungerThanItsLog(path)
        let connection = try SQLiteConnection(
            path: path, isReadOnly: isReadOnly, isUnchanging: options.isUnchanging,
            busyMilliseconds: options.busyMilliseconds)
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
                // Darwin's fsync leaves the disk's own memory out. Other systems have no such setting and pass over it.
                try connection.execute("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON", doing: "opening")
                guard try connection.number("PRAGMA synchronous", doing: "opening") == 2 else {
                    throw SQLiteOpenError.setting("synchronous = FULL")
                }
                // What is erased is overwritten; not every build of SQLite does so unasked.
                try connection.execute("PRAGMA secure_delete = ON", doing: "opening")
                guard try connection.number("PRAGMA secure_delete", doing: "opening") == 1 else {
                    throw SQLiteOpenError.setting("secure_delete = ON")
                }
                if let pages = options.pagesMax {
                    try connection.execute("PRAGMA max_page_count = \(pages)", doing: "opening")
                }
                try Schema.prepare(connection)
                try checkPages(connection, upTo: isYounger ? Self.youngPagesMax : options.checkedPagesMax)
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

    /// Up to how many pages a file that is younger than its log is looked at as a whole: 256 MiB take some seconds.
    private static let youngPagesMax: Int64 = 65_536

    /// Refuses a file whose pages or indexes don't fit together. A large one is left to a check that a person asks for;
    /// there, what money hangs on is looked up in two ways.
    private static func checkPages(_ connection: SQLiteConnection, upTo pagesMax: Int64) throws {
        guard try connection.number("PRAGMA page_count", doing: "opening") <= pagesMax else { return }
        let words = try connection.firstText("PRAGMA integrity_check(1)", doing: "opening")
        if words != "ok" { throw SQLiteOpenError.damaged("the file") }
        // Of a small file also every row that is computed from the logs: a bit of it leads a message or a reference astray, and
        // the pages still fit together. A larger file's rows are left to the check of a person.
        guard try connection.number("PRAGMA page_count", doing: "opening") <= comparedPagesMax else { return }
        // Other processes may write in the meantime: all of it is read as it is at one moment.
        try connection.execute("BEGIN", doing: "opening")
        defer { try? connection.execute("ROLLBACK", doing: "opening") }
        let walk = LogWalk(connection: connection)
        var last: Int64 = 0
        while case let logs = try walk.logs(after: last, 200), let end = logs.last?.number {
            if logs.contains(where: { !$0.mismatches.isEmpty }) { throw SQLiteOpenError.damaged("the file") }
            last = end
        }
    }

    /// Up to how many pages the rows of a file are compared with its logs when it is opened: half a megabyte takes less than a
    /// tenth of a second.
    private static let comparedPagesMax: Int64 = 128

    /// Writes what has come: one transaction for a batch.
    static func write(_ keeper: WriterConnection, _ jobs: [JournalThread<WriterConnection>.Job]) {
        var rest = jobs[...]
        while !rest.isEmpty {
            let batch = rest.prefix(batchMax)
            rest = rest.dropFirst(batchMax)
            keeper.restartLog()
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

    /// Makes a batch durable and answers all callers. What fails before the commit is certainly not written; of a
    /// commit that fails it is not known.
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

    /// Answers questions one by one, each from one state of the file: what others write in the meantime would else be
    /// half seen.
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

/// The file before SQLite sees it.
enum JournalFile {
    /// Makes an empty file that only its owner may read and write, when there is none; what fails here fails again,
    /// with words, when the file is opened.
    static func prepare(_ path: String) {
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether there is a file.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0
    }

    /// How many names a file has; none where there is none.
    static func names(_ path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_nlink) : 0
    }

    /// Whether a file was changed, moved or written after its log was, as a copy is that was put back beside an old log:
    /// what the two show together is then looked at as a whole. A file that has just taken in its log looks the same.
    static func isYoungerThanItsLog(_ path: String) -> Bool {
        var (file, log) = (stat(), stat())
        guard unsafe stat(path, &file) == 0, unsafe stat(path + "-wal", &log) == 0, log.st_size > 0 else {
            return false
        }
        #if canImport(Darwin)
        let (changed, written) = (file.st_ctimespec, log.st_mtimespec)
        #else
        let (changed, written) = (file.st_ctim, log.st_mtim)
        #endif
        return (changed.tv_sec, changed.tv_nsec) > (written.tv_sec, written.tv_nsec)
    }

    /// The smallest file that SQLite has ever written.
    private static let bytesMin = 512

    /// Whether it has a beginning and no more; SQLite would take it for an empty one and begin again.
    ///
    /// It is not opened for that: a process that closes any descriptor of a file gives up all POSIX locks that its
    /// process has on it, SQLite's among them. Another process that closes the file would then take itself for the last
    /// one, and remove the log that this one still writes to.
    static func isStump(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return (1..<bytesMin).contains(Int(status.st_size))
    }
}
