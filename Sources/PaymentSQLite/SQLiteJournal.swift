public import PaymentAbstraction
internal import PaymentBase

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
    /// This process's name in the journal, and which other processes are alive.
    package let processes: any ProcessRegistry
    /// What is written to by everybody who shares the file.
    private let log: String

    /// Opens a file; makes it, mode 0600, when there is none.
    ///
    /// - Throws: `journal`, nothing moved, saying what is wrong with the file and what to do.
    package static func open(
        path: String, processes: any ProcessRegistry, _ options: OpeningOptions = OpeningOptions()
    ) async throws(PaymentError) -> SQLiteJournal {
        if !options.isReadOnly { JournalFile.prepare(path) }
        let writing = Promise<Result<Bool, PaymentError>>()
        let writer = JournalThread(
            make: { try Self.keeper(path, options) }, work: { Self.write($0, $1) }, free: { $0.end() },
            opened: { writing.fulfill(Self.answer($0, path)) })
        _ = try await writing.value().get()
        let reading = Promise<Result<Bool, PaymentError>>()
        let reader = JournalThread(
            make: { try Self.connect(path, isReadOnly: true, options) }, work: { Self.read($0, $1) },
            free: { $0.close() }, opened: { reading.fulfill(Self.answer($0, path)) })
        _ = try await reading.value().get()
        return SQLiteJournal(writer, reader, processes, log: path + "-wal")
    }

    /// Takes a journal as it is that was restored from a copy, after a person has compared it with the provider: it takes
    /// new attempts again, and numbers go on in a new generation, far from those that may have been drawn since.
    ///
    /// - Returns: Whether it had been restored at all.
    /// - Throws: `journal`, nothing moved, when the file can't be used.
    @discardableResult
    public static func acceptRestored(path: String) async throws(PaymentError) -> Bool {
        let options = OpeningOptions()
        let journal = try await open(path: path, processes: SingleProcess("accept-restored"), options)
        let answer: Result<Bool, JournalFailure>
        do {
            answer = .success(
                try await journal.keeping { keeper in
                    defer { keeper.hasAccepted() }
                    return try keeper.accept(at: options.now)
                })
        } catch { answer = .failure(error) }
        await journal.close()
        do { return try answer.get() } catch {
            throw PaymentError.notExecuted(.journal, "the journal \(path) could not be accepted: \(error)")
        }
    }

    private init(
        _ writer: JournalThread<WriterConnection>, _ reader: JournalThread<SQLiteConnection>,
        _ processes: any ProcessRegistry, log: String
    ) { (self.writer, self.reader, self.processes, self.log) = (writer, reader, processes, log) }

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
            PaymentError.notExecuted(.journal, "the journal \(path) can't be opened: \(words)"))
    }
}

extension SQLiteJournal: Journal {
    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        let isAlive = isAlive
        let written = try await call(
            writer,
            { keeper in
                if entry.asksForMore { try keeper.refuseIfRestored() }
                return try LogWriter(keeper.connection, isAlive: isAlive).write(entry, id, at: instant)
            }, { [waits] written in if let payment = written.payment { waits.wake([payment]) } }, \.ofWriting)
        return written.answer
    }

    package func preview(
        _ entry: JournalEntry, at instant: JournalInstant
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

    package func takeDue(_ terms: DueTerms, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        let isAlive = isAlive
        return try await keeping {
            try LogWriter($0.connection, isAlive: isAlive).takeDue(terms, at: instant, isAlive: isAlive)
        }
    }

    package func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        try await reading { try LogReader(connection: $0).timeline(payment) }
    }

    package func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        let isAlive = isAlive
        try await keeping { try LogWriter($0.connection, isAlive: isAlive).add(events, to: payment) }
    }

    /// This machine's: all processes that share the file share the machine.
    package func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant { ours }

    package func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        let payment = try await reading { try LogReader(connection: $0).payment(of: attempt)?.id }
        guard let payment else { return }
        let watching: ChangeWaits<PaymentID>.Watching = { [log, weak self] in
            let watch = WALWatcher(log: log) { [weak self] in self?.lookForAll() }
            return { watch.end() }
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
                    // What can't be read any more has changed, too; the one who waits will hear it when he reads.
                    let changed = waiting.filter { (try? reader.payment(of: $0.payment.attempt)?.entry) != $0.entry }
                    return { for waiter in changed { waiter.wake() } }
                }, fail: { _ in }))
    }

    private var isAlive: @Sendable (String) -> Bool { { [processes] in processes.isAlive($0) } }
}

extension JournalEntry {
    /// Whether it asks that something be done that may have been done before.
    fileprivate var asksForMore: Bool { if case .request = command { true } else { false } }
}
