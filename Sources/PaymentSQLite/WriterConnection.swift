internal import PaymentJournalKit
internal import PaymentModel
internal import PaymentSystem

/// What the thread that writes owns: the connection, and what is known of the journal outside of it.
final class WriterConnection {
    let connection: SQLiteConnection
    private let path: String
    private let fault: (@Sendable () -> CommitFault?)?
    private let descriptor: Int32
    /// By what this opening has claimed the file; nil where several processes share it.
    private let claim: Int64?
    /// How far the journal has come with the last commit of any process that this one saw.
    private var known = HighWaterMarkFile(commit: 0, number: 1, generation: 0)
    /// Whether it was restored from a copy and no person has accepted that.
    private(set) var isRestored = false
    /// Whether the log may hold the end of a commit that failed, or rows that were erased.
    private var hasStrayLog = false
    /// Whether the log holds the end of a commit that failed: then it is worth a wait to begin it again.
    private var waitsForLog = false

    init(_ connection: SQLiteConnection, _ path: String, _ options: OpeningOptions) throws {
        (self.connection, self.path, fault) = (connection, path, options.commitFault)
        claim = options.isReadOnly ? nil : options.claim
        // The mark first: it is written after the commit that it speaks of.
        let outside = HighWaterMarkFile.read(path)
        descriptor = options.isReadOnly ? -1 : HighWaterMarkFile.open(path)
        known = try inside()
        isRestored = try outside.map { $0.isAhead(of: known) } ?? !isEmpty()
        if outside == nil, !isRestored, descriptor >= 0 {
            known.write(descriptor)
            fsync(descriptor)
        }
        if let claim { try take(claim) }
    }

    /// Claims the file: a process that had it before records no request from now on.
    private func take(_ claim: Int64) throws {
        try connection.execute("BEGIN IMMEDIATE", doing: "claiming the journal")
        do {
            try connection.run(
                "INSERT INTO counter (name, value) VALUES ('claim', ?1) ON CONFLICT (name) DO UPDATE SET value = ?1",
                [.integer(claim)], doing: "claiming the journal")
            try countCommit()
            try connection.run("COMMIT", doing: "claiming the journal")
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK", doing: "undoing") }
            throw error
        }
        markOutside()
    }

    /// Frees everything; it is of no further use.
    func end() {
        if descriptor >= 0 { close(descriptor) }
        connection.close()
    }

    // MARK: - How far it has come

    private func inside() throws -> HighWaterMarkFile {
        let marks = try connection.rows(
            """
            SELECT (SELECT value FROM counter WHERE name = 'commit'), (SELECT value FROM counter WHERE name = 'number'), \
            (SELECT value FROM counter WHERE name = 'generation')
            """, [], doing: "reading the counters"
        ) { HighWaterMarkFile(commit: $0.integer(0), number: $0.integer(1), generation: $0.integer(2)) }
        return marks.first ?? HighWaterMarkFile(commit: 0, number: 0, generation: 0)
    }

    private func isEmpty() throws -> Bool {
        let held = try connection.number(
            "SELECT EXISTS (SELECT 1 FROM entry) OR EXISTS (SELECT 1 FROM forgotten) OR EXISTS (SELECT 1 FROM notice)",
            doing: "reading the counters")
        return try held == 0 && inside().commit == 0
    }

    /// Counts a commit that is about to be made.
    ///
    /// A journal that was restored counts none: it would catch up with its mark, and look as if a person had accepted
    /// it.
    func countCommit() throws {
        if isRestored { return }
        try connection.run(
            "UPDATE counter SET value = value + 1 WHERE name = 'commit'", doing: "counting the commits")
        known = try inside()
    }

    /// Writes outside what the commit that was just made has come to.
    func markOutside() {
        guard descriptor >= 0, !isRestored else { return }
        known.write(descriptor)
    }

    /// Refuses everything once the journal continues elsewhere: what is written here would be in no journal that is used, and
    /// its sender would not come again. What is due here is due there as well.
    func refuseIfMoved() throws { if try hasMoved() { throw SQLiteStoreError.moved } }

    /// Refuses what would repeat something that may have been lost, or that another opening has to decide now.
    func refuseIfRestored() throws {
        try refuseIfMoved()
        if let claim, try claimed() != claim { throw SQLiteStoreError.claimed }
        guard isRestored else { return }
        // A person may have accepted it since.
        if let outside = HighWaterMarkFile.read(path), try !outside.isAhead(of: inside()) {
            isRestored = false
            return
        }
        throw SQLiteStoreError.restored
    }

    /// Whether a person has said for good that it continues elsewhere.
    private func hasMoved() throws -> Bool {
        try connection.number(
            "SELECT value FROM counter WHERE name = 'moved'", doing: "reading the counters") != 0
    }

    private func claimed() throws -> Int64 {
        try connection.number("SELECT value FROM counter WHERE name = 'claim'", doing: "reading the counters")
    }

    /// Takes the next numbers out for good; the first of them.
    func draw(_ count: Int64) throws -> Int64 {
        guard count > 0 else { throw SQLiteStoreError.senseless("so many numbers can't be taken out: \(count)") }
        try refuseIfRestored()
        let first = try inside().number
        let (next, overflow) = first.addingReportingOverflow(count)
        guard !overflow else { throw SQLiteStoreError.senseless("there are not so many numbers left") }
        try set("number", next)
        return first
    }

    /// Takes the journal as it is after it was restored: numbers continue in a new generation, and a gap is open until
    /// a person has closed it.
    ///
    /// - Parameter anyway: Whether it is done also where nothing shows that it was restored.
    /// - Returns: Whether it was done.
    func accept(at now: Attempt.Instant, anyway: Bool) throws -> Bool {
        try refuseIfMoved()
        guard isRestored || anyway else { return false }
        let inside = try inside()
        let reached = HighWaterMarkFile.read(path)?.joined(inside) ?? inside
        guard let number = JournalNumbers.next(after: reached.number, at: now.wall) else {
            throw SQLiteStoreError.senseless("there are no numbers left")
        }
        try set("number", number)
        try set("generation", reached.generation + 1)
        let name = try connection.number("SELECT random() & 281474976710655", doing: "naming the generation")
        try set("generation-name", name)
        try set("gap", 1)
        try set("commit", reached.commit + 1)
        try set("restored", now.wall)
        return true
    }

    /// The acceptance is about to be made durable: marks are written again.
    func hasAccepted() { isRestored = false }

    private func set(_ name: String, _ value: Int64) throws {
        try connection.run(
            "UPDATE counter SET value = ?2 WHERE name = ?1", [.text(name), .integer(value)], doing: "counting")
    }

    // MARK: - A failed commit

    /// Makes a transaction durable.
    ///
    /// - Throws: `SQLiteStoreError.commit` when it is not known whether it is.
    func commit(hasWritten: Bool) throws {
        let fault = hasWritten ? fault?() : nil
        if fault == .lost { throw SQLiteStoreError.commit("the test loses this commit") }
        do { try connection.run("COMMIT", doing: "making it durable") } catch {
            // Its frames may be in the log behind those that count.
            (hasStrayLog, waitsForLog) = (true, true)
            throw hasWritten ? SQLiteStoreError.commit(error.words) : error
        }
        if fault == .unconfirmed { throw SQLiteStoreError.commit("the test hides this commit") }
    }

    /// Has the log begun again before the next batch: it holds what this one erases. No payment waits for that, however long
    /// another process reads.
    func asksForFreshLog() { hasStrayLog = true }

    /// Whether the log holds nothing that was erased or failed.
    var hasFreshLog: Bool { !hasStrayLog }

    /// Begins the log again after a commit that failed, so that nothing of it is behind what comes next and looks
    /// like damage. Where that can't be done now, it is tried again.
    func restartLog() {
        guard hasStrayLog else { return }
        let restart = { [connection] in
            (try? connection.number("PRAGMA wal_checkpoint(TRUNCATE)", doing: "beginning the log again")) == 0
        }
        let isDone = waitsForLog ? restart() : connection.withoutWaiting(restart)
        if isDone { (hasStrayLog, waitsForLog) = (false, false) }
    }
}
