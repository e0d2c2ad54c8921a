public import PaymentAbstraction
internal import PaymentBase

/// A journal in a PostgreSQL database: durable when a call returns, shared by many machines.
///
/// Two threads write, each with a connection; whatever has come in the meantime is written together, by one commit.
/// Another one reads. Of two that would decide about the same, on whatever machine, one waits for the other by locks of
/// the database. What ``JournalRules`` decides is appended, and nothing is overwritten but what is computed from it.
///
/// ```swift
/// let journal = try await PostgresJournal.open(.init(connection: Secret("host=db1,db2 dbname=shop user=till")))
/// var dependencies = ClientDependencies(journal: journal)
/// (dependencies.owner, dependencies.owners) = (journal.owner, journal.owners)
/// ```
public final class PostgresJournal: Journal {
    private let writing: WorkQueue<WriteWork>
    private let reading: WorkQueue<ReadWork>
    private let writers: [LineThread<WriteWork>]
    private let readers: [LineThread<ReadWork>]
    private let watch: OwnerWatch
    private let waits: ChangeWaits<Int64>
    private let keys: LockKey
    private let acknowledged: Acknowledged
    /// Writes of which nobody knows whether they were made.
    private let doubts = Locked(Set<WriteID>())

    /// What is doubtful about the database, in words for a person.
    public let doubtful: [String]

    /// How often an entry is offered that others were in the way of.
    private static let offersMax = 20

    /// Makes the tables of a journal, or brings them to this version; nothing where they are.
    ///
    /// - Returns: The version that was there before; nil for none.
    /// - Throws: `journal`, nothing moved, saying why not.
    @discardableResult
    public static func prepare(_ options: Options) async throws(PaymentError) -> Int64? {
        try await onThread(options) { opening throws(OpeningFailure) in try PostgresMigration(link: opening.link).run()
        }
    }

    /// Opens a journal that is there.
    ///
    /// - Throws: `journal`, nothing moved: why the database can't be one, and what to do.
    public static func open(_ options: Options) async throws(PaymentError) -> PostgresJournal {
        let (opening, doubts) = try await onThread(options) { opening throws(OpeningFailure) in
            (opening, try opening.examine())
        }
        let owner = options.owner ?? TimeOrderedID.make(now: SystemClock().now, random: SystemRandom())
        guard let journal = PostgresJournal(opening.link, owner, options, doubts) else { throw failed(.noThread) }
        let entered = Promise<PostgresFailure?>()
        let isStarted = journal.watch.start(
            opened: { entered.fulfil($0) }, look: { [weak journal] in journal?.lookForAll() })
        guard isStarted else { throw failed(.noThread) }
        if let failure = await entered.value() {
            await journal.end()
            throw failed(.unreachable(failure.words))
        }
        return journal
    }

    private init?(_ link: PostgresLink, _ owner: String, _ options: Options, _ doubts: [String]) {
        let (writing, reading, keys, waits) = (
            WorkQueue<WriteWork>(), WorkQueue<ReadWork>(), LockKey(schema: link.schema), ChangeWaits<Int64>()
        )
        let acknowledged = Acknowledged()
        let writer = BatchWriter(commitFault: options.commitFault, acknowledged: acknowledged)
        writers = (0..<max(1, options.writersCount)).compactMap { _ in
            LineThread.start(
                writing, link, greet: { line throws(PostgresFailure) in try acknowledged.check(line) }
            ) { writer.write($0, $1) }
        }
        self.acknowledged = acknowledged
        readers = (0..<1).compactMap { _ in LineThread.start(reading, link) { ReadWork.answer($0, $1) } }
        (self.writing, self.reading, self.keys, self.waits) = (writing, reading, keys, waits)
        doubtful = doubts
        watch = OwnerWatch(
            owner: owner, link, keys, waits, leaseMilliseconds: max(1, options.lease.wholeMilliseconds), options.clock)
        guard !writers.isEmpty, !readers.isEmpty else {
            writing.close()
            reading.close()
            return nil
        }
    }

    deinit {
        writing.close()
        reading.close()
        watch.stop()
    }

    /// Writes what is queued, says that this process ends, and closes the connections.
    public func close() async {
        await end()
        await watch.close()
    }

    private func end() async {
        waits.close()
        reading.close()
        writing.close()
        for reader in readers { await reader.waitForEnd() }
        for writer in writers { await writer.waitForEnd() }
    }

    // MARK: - Owners

    /// The name of this process in the journal.
    public var owner: String { watch.owner }

    /// Tells which other processes are still there.
    public var owners: any OwnerRegistry { watch }

    /// Looks once more which processes are gone; they look by themselves several times in a lease.
    public func refreshOwners() async { await watch.refresh() }

    // MARK: - Writing

    public func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: JournalInstant
    ) async throws(JournalFailure) -> JournalAnswer {
        if entry.opensSend, let words = watch.reasonToWait { throw .notWritten(words) }
        let (reads, instant) = (JournalRules.reads(entry), shared(instant))
        for _ in 0..<Self.offersMax {
            var locked = reads.told
            if let key = reads.attempt { locked.insert(key) }
            for case .byProvider(let intent, _) in entry.parts { locked.insert(intent.key) }
            if case .holder(let provider, let name, _) = entry.subject {
                for facts in try await holders(name, of: provider) { locked.insert(facts.intent.key) }
            }
            let keys = keys.all(entry, reads, Array(locked))
            let answer = Promise<Result<EntryJob.Written, EntryFailure>>()
            let job = EntryJob(
                entry: entry, reads: reads, id: id, instant: instant, locked: locked, keys: keys,
                isDoubtful: doubts.withLock { $0.contains(id) }, finish: { answer.fulfil($0) })
            guard writing.post(.entry(job)) else { throw .notWritten(Self.closed) }
            switch await answer.value() {
            case .success(let written):
                doubts.withLock { _ = $0.remove(id) }
                watch.hasChanged(written.changed)
                return written.answer
            case .failure(.journal(let failure)):
                if case .fateUnknown = failure { doubts.withLock { _ = $0.insert(id) } }
                throw failure
            case .failure(.outdated): continue
            }
        }
        throw StoreFailure.outdated.meaning
    }

    public func due(scope: String, limit: Int, at instant: JournalInstant) async throws(JournalFailure) -> JournalPage {
        guard limit > 0 else { return JournalPage() }
        let instant = shared(instant)
        return try await alone { line in try DueTaker(line: line).take(scope, limit, at: instant) }
    }

    /// Takes numbers out: one counter for everybody who shares the database.
    public func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        guard count > 0 else { throw .notWritten("so many numbers can't be taken out: \(count)") }
        let first = try await alone { line -> Int64? in
            let values: [PostgresValue] = [.integer(count), .integer(try line.serverNumber())]
            let rows = try line.exchange([PostgresCall(.draw, values)])[0]
            if rows.count > 0 { return rows.integer(0, 0) }
            if let refusal = Fitness(try line.exchange([try Fitness.call(line)])[0]).refusal { throw refusal }
            return nil
        }
        guard let first else { throw .notWritten("there are not so many numbers left") }
        acknowledged.drew(upTo: first + count)
        return first
    }

    private func alone<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresLine) throws -> Value
    ) async throws(JournalFailure) -> Value {
        let answer = Promise<Result<Value, JournalFailure>>()
        let job = LineJob(
            run: { line in
                let value = try body(line)
                return { answer.fulfil(.success(value)) }
            }, failed: { answer.fulfil(.failure($0)) })
        guard writing.post(.alone(job)) else { throw .notWritten(Self.closed) }
        return try await answer.value().get()
    }

    // MARK: - Reading

    public func facts(_ key: AttemptKey) async throws(JournalFailure) -> AttemptFacts? {
        try await ask(.byKey, [.texts([key.scope]), .texts([key.attempt.text])]) { rows in
            try HeldAttempt.rows(rows).first?.outcome.get().facts
        }
    }

    public func family(_ origin: AttemptKey) async throws(JournalFailure) -> [AttemptFacts] {
        try await ask(.family, [.texts([origin.scope]), .texts([origin.attempt.text])]) { rows in
            try HeldAttempt.rows(rows).map { try $0.outcome.get().facts }
        }
    }

    public func holders(_ name: String, of provider: ProviderIdentity) async throws(JournalFailure) -> [AttemptFacts] {
        try await ask(.holders, [.texts([FactCodec.text(provider)]), .texts([name])]) { rows in
            try HeldAttempt.rows(rows).map { try $0.outcome.get().facts }
        }
    }

    public func page(
        _ query: JournalQuery, scope: String, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        guard limit > 0 else { return JournalPage() }
        let number = PostgresValue.integer(Int64(limit))
        let after = cursor?.number
        let (statement, values): (PostgresStatement, [PostgresValue])
        switch query {
        case .origins: (statement, values) = (.origins, [.text(scope), .integer(after ?? .max), number])
        case .reference(let text):
            (statement, values) = (.underReference, [.text(scope), .integer(after ?? .min), number, .text(text)])
        case .open: (statement, values) = (.open, [.text(scope), .integer(after ?? .min), number])
        }
        return try await ask(statement, values) { JournalPage(HeldAttempt.rows($0), limit) }
    }

    public func timeline(_ origin: AttemptKey) async throws(JournalFailure) -> [PaymentEvent] {
        try await ask(.timeline, [.text(origin.scope), .text(origin.attempt.text)]) { rows in
            try BatchWriter.events(rows, origin)
        }
    }

    /// The server's: all machines that share it have one clock.
    public func time(_ ours: JournalInstant) async throws(JournalFailure) -> JournalInstant { shared(ours) }

    /// A moment by the clock that all machines share; where ours is nearly the same, it is left alone.
    private func shared(_ ours: JournalInstant) -> JournalInstant {
        let offset = watch.offset
        guard abs(offset) > Self.offsetMilliseconds else { return ours }
        return JournalInstant(wall: ours.wall + offset, uptime: ours.uptime, boot: ours.boot)
    }

    /// Up to how far two clocks are taken for one.
    private static let offsetMilliseconds: Int64 = 500

    public func changed(_ known: AttemptFacts) async throws(JournalFailure) {
        try await waits.wait(for: known, keys.attempt(known.intent.key), facts)
    }

    /// Signs may be lost: whoever waits for what has changed is told.
    private func lookForAll() {
        let waiting = waits.all
        guard !waiting.isEmpty else { return }
        let keys = waiting.map(\.known.intent.key)
        let call = PostgresCall(.byKey, [.texts(keys.map(\.scope)), .texts(keys.map(\.attempt.text))])
        let work = ReadWork(
            calls: [call],
            take: { rows in
                // What can't be read any more has changed, too; the one who waits will hear it when he reads.
                let found = rows.first.map { HeldAttempt.rows($0) } ?? []
                let same = Set(
                    found.compactMap { row in
                        (try? row.outcome.get().facts) == waiting[row.place].known ? row.place : nil
                    })
                return {
                    for (place, waiter) in waiting.enumerated() where !same.contains(place) {
                        waiter.wake()
                    }
                }
            }, failed: { _ in })
        _ = reading.post(work)
    }

    /// Asks one question.
    func ask<Value: Sendable>(
        _ statement: PostgresStatement, _ values: [PostgresValue],
        _ read: @escaping @Sendable (PostgresRows) throws -> Value
    ) async throws(JournalFailure) -> Value {
        let answer = Promise<Result<Value, JournalFailure>>()
        let work = ReadWork(
            calls: [PostgresCall(statement, values)],
            take: { rows in
                guard let rows = rows.first else { throw StoreFailure.unreadable(nil) }
                let value = try read(rows)
                return { answer.fulfil(.success(value)) }
            }, failed: { answer.fulfil(.failure($0)) })
        guard reading.post(work) else { throw .notWritten(Self.closed) }
        return try await answer.value().get()
    }

    // MARK: - Opening

    private static let closed = "the journal is closed"

    private static func failed(_ failure: OpeningFailure) -> PaymentError {
        PaymentError.nothingMoved(.journal, "the journal can't be opened: \(failure.words)")
    }

    /// Does something that blocks on a thread of its own.
    static func onThread<Value: Sendable>(
        _ options: Options, _ body: @escaping @Sendable (PostgresOpening) throws(OpeningFailure) -> Value
    ) async throws(PaymentError) -> Value {
        let done = Promise<Result<Value, OpeningFailure>>()
        let isStarted = OwnThread.start {
            do throws(OpeningFailure) { done.fulfil(.success(try body(try PostgresOpening(options)))) } catch {
                done.fulfil(.failure(error))
            }
        }
        guard isStarted else { throw failed(.noThread) }
        do { return try await done.value().get() } catch { throw failed(error) }
    }
}

extension JournalEntry {
    /// Whether a send is opened with it.
    fileprivate var opensSend: Bool {
        parts.contains { part in
            switch part {
            case .open: true
            case .begin, .byProvider, .close, .end, .word, .silence, .likeness, .names, .note: false
            }
        }
    }
}
