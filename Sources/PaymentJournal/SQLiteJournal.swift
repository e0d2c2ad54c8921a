public import PaymentAbstraction
internal import PaymentBase

/// A journal in one SQLite file: durable when a call returns, shared by several processes.
///
/// One thread writes, and whatever has come in the meantime is written together: each call in a savepoint of its own,
/// so that one conflict doesn't fail the others, and all of them durable by one commit. Another thread reads.
public final class SQLiteJournal: Journal, NumberSource {
    /// How many calls are written together at most.
    static let batchMax = 512

    private let writer: JournalThread<SQLiteConnection>
    private let reader: JournalThread<SQLiteConnection>

    /// Opens a file; makes it, mode 0600, when there is none.
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
            make: { try Self.connect(path, isReadOnly: options.isReadOnly, options) }, work: { Self.write($0, $1) },
            free: { $0.close() }, opened: { writing.fulfil(Self.answer($0, path)) })
        _ = try await writing.value().get()
        let reading = Promise<Result<Bool, PaymentError>>()
        let reader = JournalThread(
            make: { try Self.connect(path, isReadOnly: true, options) }, work: { Self.read($0, $1) },
            free: { $0.close() }, opened: { reading.fulfil(Self.answer($0, path)) })
        _ = try await reading.value().get()
        return SQLiteJournal(writer, reader)
    }

    private init(_ writer: JournalThread<SQLiteConnection>, _ reader: JournalThread<SQLiteConnection>) {
        (self.writer, self.reader) = (writer, reader)
    }

    /// Writes what is queued and closes the file.
    public func close() async {
        reader.close()
        await reader.waitForEnd()
        writer.close()
        await writer.waitForEnd()
    }

    // MARK: - Calls

    public func begin(_ intent: AttemptIntent, _ terms: AdmissionTerms, at instant: Int64) async throws -> Beginning {
        try await call(writer) { try AttemptWriter($0).begin(intent, terms, at: instant) }
    }

    public func mark(_ attempt: AttemptID, round: Int, _ mark: Mark) async throws {
        try await call(writer) { try AttemptWriter($0).mark(attempt, round: round, mark) }
    }

    public func conclude(
        _ attempt: AttemptID, round: Int, _ conclusion: Conclusion
    ) async throws -> AttemptRecord {
        try await call(writer) { try AttemptWriter($0).conclude(attempt, round: round, conclusion) }
    }

    public func append(_ events: [PaymentEvent]) async throws {
        try await call(writer) { try AttemptWriter($0).append(events) }
    }

    public func records(_ query: JournalQuery) async throws -> [AttemptRecord] {
        try await call(reader) { try AttemptReader(connection: $0).records(query) }
    }

    public func timeline(of payment: PaymentID) async throws -> [PaymentEvent] {
        try await call(reader) { try AttemptReader(connection: $0).timeline(of: payment) }
    }

    /// Takes numbers out: one counter for everybody who shares the file.
    public func draw(_ count: Int64) async throws -> Int64 {
        try await writing { try AttemptWriter($0).draw(count) }
    }

    /// Writes finished records together, unchecked: for filling a journal that is to be measured.
    package func fill(_ records: [AttemptRecord]) async throws {
        try await writing { connection in
            let writer = AttemptWriter(connection)
            for record in records { try writer.adopt(record) }
        }
    }

    /// Does something with the connection that reads.
    func reading<Value: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value
    {
        try await call(reader, body)
    }

    /// Does something with the connection that writes, as one piece of a batch.
    func writing<Value: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value
    {
        try await call(writer, body)
    }

    /// Queues one call and waits until it is durable.
    private func call<Value: Sendable>(
        _ thread: JournalThread<SQLiteConnection>, _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        let answer = Promise<Result<Value, JournalFailure>>()
        let isQueued = thread.post(
            .init(
                run: { connection in
                    let made = try body(connection)
                    return { answer.fulfil(.success(made)) }
                }, fail: { error in answer.fulfil(.failure(Self.failure(error))) }))
        guard isQueued else { throw JournalFailure.store("the journal is closed") }
        return try await answer.value().get()
    }

    static func failure(_ error: any Error) -> JournalFailure {
        switch error {
        case let failure as JournalFailure: failure
        case let failure as SQLiteFailure: .store(failure.words)
        case let failure as OpeningFailure: .store(failure.words)
        case is VerdictCodec.Unreadable: .store("a row can't be read; run a check of the journal")
        case is DamagedRow: .store("a row is damaged; restore the file from a copy, and keep this one")
        case is DamagedIndex:
            .store("an index is damaged; run a check of the journal, and restore the file from a copy")
        default: .store("\(type(of: error))")
        }
    }

    private static func answer(_ error: (any Error)?, _ path: String) -> Result<Bool, PaymentError> {
        guard let error else { return .success(true) }
        guard case .store(let words) = failure(error) else { return .success(true) }
        return .failure(
            PaymentError.nothingMoved(.journal, "the journal \(path) can't be opened: \(words)"))
    }
}
