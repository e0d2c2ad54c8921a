public import PaymentAbstraction
internal import PaymentBase

/// A journal in one SQLite file: durable when a call returns, shared by several processes.
///
/// One thread writes, and whatever has come in the meantime is written together: all of it durable by one commit, and
/// one refusal fails no other. Another thread reads. What ``JournalRules`` decides is appended and nothing is
/// overwritten but what is computed from it.
public final class SQLiteJournal: Journal, NumberSource {
    /// How many calls are written together at most.
    static let batchMax = 512

    private let writer: JournalThread<JournalKeeper>
    private let reader: JournalThread<SQLiteConnection>
    private let waits = ChangeWaits<AttemptKey>()
    /// What is written to by everybody who shares the file.
    private let log: String

    /// Opens a file; makes it, mode 0600, when there is none. One of the first edition is brought to the present one, and
    /// kept as it was beside it (`.edition-1`).
    ///
    /// - Throws: `journal`, nothing moved, saying what is wrong with the file and what to do.
    public static func open(path: String) async throws(PaymentError) -> SQLiteJournal {
        try await open(path: path, OpeningOptions())
    }

    /// Opens a file in another way than the usual one.
    package static func open(
        path: String, _ options: OpeningOptions
    ) async throws(PaymentError) -> SQLiteJournal {
        if !options.isReadOnly { JournalFile.prepare(path) }
        let writing = Promise<Result<Bool, PaymentError>>()
        let writer = JournalThread(
            make: { try Self.keeper(path, options) }, work: { Self.write($0, $1) }, free: { $0.end() },
            opened: { writing.fulfil(Self.answer($0, path)) })
        _ = try await writing.value().get()
        let reading = Promise<Result<Bool, PaymentError>>()
        let reader = JournalThread(
            make: { try Self.connect(path, isReadOnly: true, options) }, work: { Self.read($0, $1) },
            free: { $0.close() }, opened: { reading.fulfil(Self.answer($0, path)) })
        _ = try await reading.value().get()
        return SQLiteJournal(writer, reader, log: path + "-wal")
    }

    /// Takes a journal as it is that was restored from a copy, after a person has compared it with the provider: it takes
    /// new attempts again, and numbers go on in a new generation, far from those that may have been drawn since.
    ///
    /// - Returns: Whether it had been restored at all.
    /// - Throws: `journal`, nothing moved, when the file can't be used.
    @discardableResult
    public static func acceptRestored(path: String) async throws(PaymentError) -> Bool {
        let options = OpeningOptions()
        let journal = try await open(path: path, options)
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
            throw PaymentError.nothingMoved(.journal, "the journal \(path) could not be accepted: \(error)")
        }
    }

    private init(
        _ writer: JournalThread<JournalKeeper>, _ reader: JournalThread<SQLiteConnection>, log: String
    ) { (self.writer, self.reader, self.log) = (writer, reader, log) }

    /// Writes what is queued and closes the file.
    public func close() async {
        waits.close()
        reader.close()
        await reader.waitForEnd()
        writer.close()
        await writer.waitForEnd()
    }

    // MARK: - Writing

    public func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        let written = try await call(
            writer,
            { keeper in
                if entry.asksForMore { try keeper.refuseIfRestored() }
                return try EntryWriter(keeper.connection, keeper.cache).write(entry, id, at: instant)
            }, { [waits] in waits.wake(Set($0.changed)) }, \.ofWriting)
        return written.answer
    }

    public func due(scope: String, limit: Int, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        try await writing { try EntryWriter($0).takeDue(scope, limit, at: instant) }
    }

    /// Takes numbers out: one counter for everybody who shares the file.
    public func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        try await keeping { try $0.draw(count) }
    }

    /// Why it begins nothing now, in words; nil where it does.
    package func refusal() async throws(JournalFailure) -> String? {
        try await keeping { keeper in
            do { try keeper.refuseIfRestored() } catch let failure as StoreFailure { return failure.words }
            return nil
        }
    }

    /// Writes finished attempts together, unchecked: for filling a journal that is to be measured.
    package func fill(_ attempts: [[JournalFact]], at instant: JournalInstant) async throws(JournalFailure) {
        try await writing { connection in
            let writer = EntryWriter(connection)
            for facts in attempts {
                guard case .intent(let intent)? = facts.first else { continue }
                try writer.adopt(facts, WriteID("fill-\(intent.attempt)"), at: instant)
            }
        }
    }

    // MARK: - Reading

    public func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts? {
        try await reading { try FactReader(connection: $0).heldSurely(key)?.facts }
    }

    public func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts] {
        try await reading { try FactReader(connection: $0).wholeFamily(origin).map(\.facts) }
    }

    public func holders(_ name: String, of provider: ProviderIdentity) async throws(JournalFailure) -> [AttemptFacts] {
        try await reading { try FactReader(connection: $0).holders(name, provider).held.map(\.facts) }
    }

    public func page(
        _ query: JournalQuery, scope: String, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        try await reading { try FactReader(connection: $0).page(query, scope, cursor, limit) }
    }

    public func timeline(_ origin: AttemptKey) async throws(JournalFailure) -> [PaymentEvent] {
        try await reading { try FactReader(connection: $0).timeline(origin) }
    }

    /// Ours: whoever shares the file shares the machine.
    public func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant { ours }

    public func changed(_ known: AttemptFacts) async throws(JournalFailure) {
        let watching: ChangeWaits<AttemptKey>.Watching = { [log, weak self] in
            let watch = LogWatch(log: log) { [weak self] in self?.lookForAll() }
            return { watch.end() }
        }
        try await waits.wait(for: known, known.intent.key, watching: watching, facts)
    }

    /// Somebody may have written: whoever waits for what has changed is told.
    private func lookForAll() {
        let waiting = waits.all
        _ = reader.post(
            .init(
                run: { connection in
                    let reader = FactReader(connection: connection)
                    // What can't be read any more has changed, too; the one who waits will hear it when he reads.
                    let changed = waiting.filter { (try? reader.held($0.known.intent.key)?.facts) != $0.known }
                    return { for waiter in changed { waiter.wake() } }
                }, fail: { _ in }))
    }

    // MARK: - Threads

    /// Does something with the connection that reads.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(JournalFailure) -> Value { try await call(reader, body, { _ in }, \.ofReading) }

    /// Does something with the connection that writes, as one piece of a batch; whatever it changes is read again.
    func writing<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(JournalFailure) -> Value {
        try await keeping { keeper in
            keeper.cache.clear()
            return try body(keeper.connection)
        }
    }

    /// Does something with what the writing thread owns, as one piece of a batch.
    func keeping<Value: Sendable>(
        _ body: @escaping @Sendable (JournalKeeper) throws -> Value
    ) async throws(JournalFailure) -> Value { try await call(writer, body, { _ in }, \.ofWriting) }

    /// Queues one call and waits until it is durable.
    private func call<Owned, Value: Sendable>(
        _ thread: JournalThread<Owned>, _ body: @escaping @Sendable (Owned) throws -> Value,
        _ then: @escaping @Sendable (Value) -> Void, _ meaning: @escaping @Sendable (StoreFailure) -> JournalFailure
    ) async throws(JournalFailure) -> Value {
        let answer = Promise<Result<Value, JournalFailure>>()
        let isQueued = thread.post(
            .init(
                run: { owned in
                    let made = try body(owned)
                    return {
                        then(made)
                        answer.fulfil(.success(made))
                    }
                }, fail: { error in answer.fulfil(.failure(Self.failure(error, meaning))) }))
        guard isQueued else { throw .notWritten("the journal is closed") }
        return try await answer.value().get()
    }

    private static func failure(_ error: any Error, _ meaning: (StoreFailure) -> JournalFailure) -> JournalFailure {
        switch error {
        case let failure as JournalFailure: failure
        case let failure as StoreFailure: meaning(failure)
        case let failure as SQLiteFailure: .notWritten(failure.words)
        case let failure as OpeningFailure: .notWritten(failure.words)
        default: .notWritten("\(type(of: error))")
        }
    }

    private static func answer(_ error: (any Error)?, _ path: String) -> Result<Bool, PaymentError> {
        guard let error else { return .success(true) }
        let words =
            switch failure(error, \.ofWriting) {
            case .notWritten(let words), .fateUnknown(let words): words
            case .unreadable, .forgotten: "what it holds can't be read"
            }
        return .failure(
            PaymentError.nothingMoved(.journal, "the journal \(path) can't be opened: \(words)"))
    }
}

extension JournalEntry {
    /// Whether it asks that something be done that may have been done before.
    fileprivate var asksForMore: Bool {
        parts.contains { part in
            switch part {
            case .begin, .open: true
            case .byProvider, .close, .end, .word, .silence, .likeness, .names, .note: false
            }
        }
    }
}
