package import PaymentJournalKit
public import PaymentProviderKit

/// A journal in a PostgreSQL database: durable when a call returns, shared by many machines.
///
/// Two threads write, each with a connection; what has come in the meantime is written together, by one commit. Another
/// thread reads. Of two processes that would decide about the same payment, on whatever machine, one waits for the other by
/// locks of the database. What ``JournalRules`` decides is appended, and nothing is overwritten but what is computed from it.
///
/// ```swift
/// let store = try await JournalStore.postgres(.init(connection: Secret("host=db1,db2 dbname=shop user=till")))
/// let client = PaymentClient(providers, ClientOptions(journal: store))
/// ```
public final class PostgresJournal: Sendable {
    private let writing: WorkQueue<WriteWork>
    private let reading: WorkQueue<ReadWork>
    private let writers: [ConnectionThread<WriteWork>]
    private let readers: [ConnectionThread<ReadWork>]
    private let watch: LeaseHeartbeat
    /// The name of this process in the journal, and which other processes are alive.
    package let processes: any ProcessRegistry
    /// Which schema it uses.
    package let place: String
    private let waits: ChangeWaits<Int64>
    private let keys: LockKey
    private let acknowledged: LastAcknowledgedWrite
    /// Writes of which it is not known whether they were made.
    private let doubts = Locked(Set<WriteID>())
    /// The payments of attempts that were written here lately; an attempt never gets another one.
    private let homes = Locked([AttemptID: PaymentID]())
    private static let homesMax = 10_000

    /// What is doubtful about the database, in words for a person.
    public let warnings: [String]

    /// How often an entry is offered again that other entries were in the way of.
    private static let offersMax = 20

    /// Makes the tables of a journal if there are none.
    ///
    /// - Returns: The number of the format that was there before; nil for none.
    /// - Throws: `journal`, nothing moved, saying why not: a journal of another format is left as it is.
    @discardableResult
    public static func prepare(_ options: Options) async throws(PaymentError) -> Int64? {
        try await onThread(options) { opening throws(PostgresOpenError) in try PostgresMaking(link: opening.link).run()
        }
    }

    /// Opens a journal that is there.
    ///
    /// - Throws: `journal`, nothing moved: why the database can't be one, and what to do.
    public static func open(_ options: Options) async throws(PaymentError) -> PostgresJournal {
        let (opening, doubts) = try await onThread(options) { opening throws(PostgresOpenError) in
            (opening, try opening.examine())
        }
        let owner = options.owner ?? TimeOrderedID.make(now: SystemClock().now, random: SystemRandom())
        guard let journal = PostgresJournal(opening.link, owner, options, doubts) else { throw failed(.noThread) }
        let entered = Promise<PostgresFailure?>()
        let isStarted = journal.watch.start(
            opened: { entered.fulfill($0) }, look: { [weak journal] in journal?.lookForAll() })
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
        let acknowledged = LastAcknowledgedWrite()
        let watch = LeaseHeartbeat(
            owner: owner, isReader: options.isReader, link, keys, waits,
            leaseMilliseconds: max(1, options.lease.wholeMilliseconds), acknowledged, options.clock)
        let processes = options.processes ?? watch
        let writer = BatchWriter(
            commitFault: options.commitFault, acknowledged: acknowledged, keys: keys, isAlive: { processes.isAlive($0) }
        )
        writers = (0..<max(1, options.writersCount)).compactMap { _ in
            ConnectionThread.start(
                writing, link, greet: { line throws(PostgresFailure) in try acknowledged.check(line) }
            ) { writer.write($0, $1) }
        }
        self.acknowledged = acknowledged
        readers = (0..<1).compactMap { _ in ConnectionThread.start(reading, link) { ReadWork.answer($0, $1) } }
        (self.writing, self.reading, self.keys, self.waits) = (writing, reading, keys, waits)
        warnings = doubts
        place = "schema \(link.schema)"
        (self.watch, self.processes) = (watch, processes)
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

    /// Looks once more which processes are gone; the journal itself looks several times in a lease.
    public func refreshOwners() async { await watch.refresh() }

    // MARK: - Threads

    /// With which the server makes locks of payments' numbers.
    var seed: Int64 { keys.seed }

    func alone<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws(JournalFailure) -> Value {
        let answer = Promise<Result<Value, JournalFailure>>()
        let job = ConnectionJob(
            run: { line in
                let value = try body(line)
                return { answer.fulfill(.success(value)) }
            }, failed: { answer.fulfill(.failure($0)) })
        guard writing.post(.alone(job)) else { throw .notWritten(Self.closed) }
        return try await answer.value().get()
    }

    /// Asks one question.
    func ask<Value: Sendable>(
        _ statement: PostgresStatement, _ values: [PostgresValue],
        _ read: @escaping @Sendable (PostgresRows) throws -> Value
    ) async throws(JournalFailure) -> Value {
        try await ask([PostgresCall(statement, values)]) { rows in
            guard let rows = rows.first else { throw PostgresStoreError.damagedRow }
            return try read(rows)
        }
    }

    /// Asks questions together.
    private func ask<Value: Sendable>(
        _ calls: [PostgresCall], _ read: @escaping @Sendable (ArraySlice<PostgresRows>) throws -> Value
    ) async throws(JournalFailure) -> Value {
        let answer = Promise<Result<Value, JournalFailure>>()
        let work = ReadWork(
            calls: calls,
            take: { rows in
                let value = try read(rows)
                return { answer.fulfill(.success(value)) }
            }, failed: { answer.fulfill(.failure($0)) })
        guard reading.post(work) else { throw .notWritten(Self.closed) }
        return try await answer.value().get()
    }

    // MARK: - Opening

    private static let closed = "the journal is closed"
    /// Up to how far two clocks are taken for one.
    private static let offsetMilliseconds: Int64 = 500
    /// How often an entry is asked about again with more names.
    private static let previewsMax = 4

    private static func failed(_ failure: PostgresOpenError) -> PaymentError {
        PaymentError.notExecuted(.journal, "the journal can't be opened: \(failure.words)")
    }

    /// Does something that blocks on a thread of its own.
    static func onThread<Value: Sendable>(
        _ options: Options, _ body: @escaping @Sendable (PostgresOpening) throws(PostgresOpenError) -> Value
    ) async throws(PaymentError) -> Value {
        let done = Promise<Result<Value, PostgresOpenError>>()
        let isStarted = DedicatedThread.start {
            do throws(PostgresOpenError) { done.fulfill(.success(try body(try PostgresOpening(options)))) } catch {
                done.fulfill(.failure(error))
            }
        }
        guard isStarted else { throw failed(.noThread) }
        do { return try await done.value().get() } catch { throw failed(error) }
    }
}

extension PostgresJournal: Journal {
    // MARK: - Writing

    package func write(
        _ entry: JournalEntry, _ id: WriteID, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        if entry.asksForMore, let words = watch.reasonToWait {
            let isDoubtful = doubts.withLock { $0.contains(id) }
            throw isDoubtful ? JournalFailure.writeUnconfirmed(words) : JournalFailure.notWritten(words)
        }
        var (reads, instant) = (JournalRules.reads(entry), shared(instant))
        for _ in 0..<Self.offersMax {
            let answer = Promise<Result<EntryJob.Written, EntryFailure>>()
            let job = EntryJob(
                entry, reads, id, at: instant, keys, payments: homes(of: reads),
                isDoubtful: doubts.withLock { $0.contains(id) }, finish: { answer.fulfill($0) })
            guard writing.post(.entry(job)) else { throw .notWritten(Self.closed) }
            switch await answer.value() {
            case .success(let written):
                doubts.withLock { _ = $0.remove(id) }
                remember(written.answer.attempt)
                if let payment = written.payment { watch.hasChanged(payment) }
                return written.answer
            case .failure(.journal(let failure)):
                if case .writeUnconfirmed = failure { doubts.withLock { _ = $0.insert(id) } }
                throw failure
            case .failure(.again(let more)): reads.add(more)
            }
        }
        throw .notWritten(PostgresStoreError.busyWords)
    }

    private func homes(of reads: JournalReads) -> Set<PaymentID> {
        homes.withLock { homes in reads.payments.union(reads.attempts.compactMap { homes[$0] }) }
    }

    private func remember(_ attempt: Attempt?) {
        guard let intent = attempt?.intent else { return }
        homes.withLock { homes in
            if homes.count >= Self.homesMax { homes = [:] }
            homes[intent.attempt] = intent.paymentID
        }
    }

    package func add(_ events: [PaymentEvent], to payment: PaymentID) async throws(JournalFailure) {
        guard !events.isEmpty else { return }
        let body = EventCodec.bytes(events)
        // Done again after a connection was lost, it may be there.
        let isAgain = Locked(false)
        let seed = seed
        try await alone { line in
            let again = isAgain.withLock { isAgain in
                defer { isAgain = true }
                return isAgain
            }
            // An entry that is under way takes along the steps that it has read: none comes in between.
            _ = try line.exchange([
                PostgresCall(
                    .lockPayments, [.texts([payment.attempt.text]), .integers([]), .integer(seed)]),
                PostgresCall(
                    .insertWaiting,
                    [.text(payment.attempt.text), .integer(RowSum.of(.bytes(body))), .bytes(body), .flag(again)]),
            ])
        }
    }

    package func takeDue(_ terms: DueTerms, at instant: Attempt.Instant) async throws(JournalFailure) -> JournalPage {
        let (instant, processes) = (shared(instant), processes)
        return try await alone { line in
            try DueAttemptClaimer(line: line, isAlive: { processes.isAlive($0) }).take(terms, at: instant)
        }
    }

    package func generation() async throws(JournalFailure) -> JournalGeneration {
        try await alone { line in
            let rows = try line.exchange([PostgresCall(.generation)])[0]
            return JournalGeneration(UInt64(truncatingIfNeeded: rows.count > 0 ? rows.integer(0, 0) : 0))
        }
    }

    /// Takes numbers out: one counter for all that share the database.
    package func draw(_ count: Int64) async throws(JournalFailure) -> Int64 {
        guard count > 0 else { throw .notWritten("so many numbers can't be taken out: \(count)") }
        // It begins nothing any more, and has to say so where its health is asked for.
        if watch.isBuried, let words = watch.reasonToWait { throw .notWritten(words) }
        let first = try await alone { line -> Int64? in
            let values: [PostgresValue] = [.integer(count), .integer(try line.serverNumber())]
            let rows = try line.exchange([PostgresCall(.draw, values)])[0]
            if rows.count > 0 { return rows.integer(0, 0) }
            if let refusal = RestoreCheck(try line.exchange([try RestoreCheck.call(line)])[0]).refusal { throw refusal }
            return nil
        }
        guard let first else { throw .notWritten("there are not so many numbers left") }
        acknowledged.drew(upTo: first + count)
        return first
    }

    // MARK: - Reading

    package func preview(
        _ entry: JournalEntry, at instant: Attempt.Instant
    ) async throws(JournalFailure) -> JournalAnswer {
        let (instant, keys, processes) = (shared(instant), keys, processes)
        var reads = JournalRules.reads(entry)
        for _ in 0..<Self.previewsMax {
            let job = EntryJob(
                entry, reads, WriteID(""), at: instant, keys, payments: [], isDoubtful: false, finish: { _ in })
            let decision = try await ask(BatchLoad([job], keys).calls) { rows in
                var load = BatchLoad([job], keys)
                try load.take(rows, isAlive: { processes.isAlive($0) })
                return try load.decide(0)
            }
            if reads.holds(decision.needs) { return decision.answer }
            reads.add(decision.needs)
        }
        throw .notWritten("the messages that wait lead to too many payments")
    }

    package func attempts(
        _ query: JournalQuery, after cursor: JournalCursor?, limit: Int
    ) async throws(JournalFailure) -> JournalPage {
        guard limit > 0 else { return JournalPage() }
        let (after, count) = (cursor?.number, PostgresValue.integer(Int64(limit)))
        switch query {
        case .attempt(let id):
            return JournalPage(try await held(id)?.attempt(id).map { [$0] } ?? [])
        case .named(let name):
            return try await ask(.byName, [.integer(RowHash.of(name))]) { rows in
                JournalPage(try HeldPayment.rows(rows).flatMap { try $0.get().attempts.filter { $0.has(name) } })
            }
        case .origins(let scope):
            let values: [PostgresValue] = [.integer(after ?? .max), count] + (scope.map { [.text($0)] } ?? [])
            return try await ask(scope == nil ? .origins : .originsOfScope, values) { rows in
                JournalPage(HeldPayment.rows(rows), limit) { $0.intent.isOrigin }
            }
        case .open(let scope):
            let values: [PostgresValue] = [.integer(after ?? 0), count] + (scope.map { [.text($0)] } ?? [])
            return try await ask(scope == nil ? .open : .openOfScope, values) { rows in
                JournalPage(HeldPayment.rows(rows), limit) { $0.isOpen }
            }
        case .reference(let scope, let text):
            let normalized = ReferenceText.normalized(text)
            let hashes = [false, true].map { RowHash.of(scope, isRefund: $0, normalized) }
            return try await ask(.underReference, [.integer(after ?? 0), count, .integers(hashes)]) { rows in
                let found = HeldPayment.rows(rows)
                for row in found { _ = try row.get() }
                return JournalPage(found, limit) {
                    $0.intent.isOrigin && $0.intent.scope == scope && $0.intent.reference == normalized
                }
            }
        }
    }

    package func payment(_ id: PaymentID) async throws(JournalFailure) -> StoredPayment? {
        guard let found = try await held(id.attempt), found.id == id else { return nil }
        return StoredPayment(found.attempts, entry: found.entry)
    }

    private func held(_ id: AttemptID) async throws(JournalFailure) -> HeldPayment? {
        try await ask(.byID, [.text(id.text)]) { try HeldPayment.rows($0).first?.get() }
    }

    /// Rows get their places when the feed is read, one reader at a time and after they were committed: a row that is committed
    /// late comes late, and is not passed over. After a move, and where none has read for long, there are very many: each
    /// transaction places some of them, and entries are written in between.
    package func feed(after position: FeedPosition?, limit: Int) async throws(JournalFailure) -> FeedPage? {
        while true {
            let read = try await placed(after: position, limit: limit)
            if read.isWhole { return read.page }
        }
    }

    /// Gives places to some rows; what is read then is whole once all of them have places.
    private func placed(
        after position: FeedPosition?, limit: Int
    ) async throws(JournalFailure) -> (page: FeedPage?, isWhole: Bool) {
        let seed = keys.seed
        return try await alone { line -> (page: FeedPage?, isWhole: Bool) in
            let values: [PostgresValue] = [
                .integer(position?.row ?? .max), .integer(position == nil ? 0 : Int64(max(0, limit))),
            ]
            let rows = try line.exchange([
                PostgresCall(.begin), PostgresCall(.lockFeed, [.integer(seed)]), PostgresCall(.placesAll),
                PostgresCall(.placeFeed), PostgresCall(.cleanFeed, [.integer(FeedPage.keptMilliseconds)]),
                PostgresCall(.feedRange), PostgresCall(.feed, values), PostgresCall(.feedName), PostgresCall(.commit),
            ])
            guard rows[2].flag(0, 0) else { return (nil, false) }
            let (found, name) = (rows[6], JournalGeneration(UInt64(truncatingIfNeeded: rows[7].integer(0, 0))))
            let range = FeedRange(name.description, first: rows[5].integer(0, 0), last: rows[5].integer(0, 1))
            guard let position else { return (FeedPage(at: range.end), true) }
            guard range.holds(position) else { return (nil, true) }
            var page = FeedPage(at: position)
            for row in 0..<found.count {
                // What can't be read is passed over.
                let events = (try? EventCodec.events(found.bytes(row, 2))) ?? []
                let (place, scope) = (found.integer(row, 0), found.text(row, 1))
                guard page.add(row: place, events, scope: scope, limit: limit) else { break }
            }
            if found.count < limit, page.items.count < limit { page.skip(to: range.end) }
            return (page, true)
        }
    }

    package func changeDeliveries<Value: Sendable>(
        _ body: @escaping @Sendable (inout any DeliveryRows) throws -> Value
    ) async throws(JournalFailure) -> Value {
        let seed = keys.seed
        return try await alone { line in try PostgresDeliveries.transaction(line, seed: seed, body) }
    }

    package func timeline(_ payment: PaymentID) async throws(JournalFailure) -> [PaymentEvent] {
        guard let found = try await held(payment.attempt) else { return [] }
        var steps: [PaymentEvent] = []
        for body in found.log.map(\.timeline) + found.waiting.map(\.body) where !body.isEmpty {
            guard let events = try? EventCodec.events(body) else { throw .unreadable(found.id) }
            steps += events
        }
        return steps
    }

    // MARK: - Time and changes

    /// The server's: all machines that share it have one clock.
    package func time(_ ours: Attempt.Instant) async throws(JournalFailure) -> Attempt.Instant { shared(ours) }

    /// A moment by the clock that all machines share; where ours is nearly the same, it is left alone.
    private func shared(_ ours: Attempt.Instant) -> Attempt.Instant {
        let offset = watch.offset
        guard offset.magnitude > Self.offsetMilliseconds.magnitude else { return ours }
        return Attempt.Instant(wall: ours.wall.addingSaturating(offset), uptime: ours.uptime, boot: ours.boot)
    }

    package func changed(_ attempt: AttemptID, after entry: Int) async throws(JournalFailure) {
        guard let payment = try await last([attempt]).first?.payment else { return }
        try await waits.wait(for: payment, after: entry, keys.payment(payment)) { () throws(JournalFailure) in
            try await last([payment.attempt]).first?.entry ?? 0
        }
    }

    private func last(_ ids: [AttemptID]) async throws(JournalFailure) -> [Last] {
        try await ask(.lastEntry, [.texts(ids.map(\.text))]) { Last.all($0) }
    }

    /// Signs may be lost: all callers that wait for what has changed are woken.
    private func lookForAll() {
        let waiting = waits.all
        guard !waiting.isEmpty else { return }
        let work = ReadWork(
            calls: [PostgresCall(.lastEntry, [.texts(waiting.map(\.payment.attempt.text))])],
            take: { rows in
                let found = rows.first.map { Last.all($0) } ?? []
                let same = Set(found.filter { $0.entry == waiting[$0.place].entry }.map(\.place))
                return { for (place, waiter) in waiting.enumerated() where !same.contains(place) { waiter.wake() } }
            }, failed: { _ in })
        _ = reading.post(work)
    }

    /// The number of a payment's last entry.
    private struct Last {
        let place: Int
        let payment: PaymentID
        let entry: Int

        static func all(_ rows: PostgresRows) -> [Last] {
            (0..<rows.count).compactMap { row in
                guard let id = try? AttemptID(rows.text(row, 1)) else { return nil }
                return Last(
                    place: Int(rows.integer(row, 0)) - 1, payment: PaymentID(id), entry: Int(rows.integer(row, 2)))
            }
        }
    }
}

extension JournalPage {
    /// What can be read and is wanted, what can't be read, and where the next page begins.
    fileprivate init(_ rows: [HeldPayment.Row], _ limit: Int, _ isWanted: (Attempt) -> Bool) {
        self.init()
        for row in rows {
            switch row.outcome {
            case .success(let held): attempts += held.attempts.filter(isWanted)
            case .failure: unreadable += row.id.map { [PaymentID($0)] } ?? []
            }
        }
        if rows.count == limit { next = rows.last.map { JournalCursor($0.number) } }
    }
}

extension PostgresJournal {
    /// Where a journal is, and how it is used.
    public struct Options: Sendable {
        /// What libpq calls a connection string, as `host=db1,db2 dbname=shop user=till`; with several hosts, the one that
        /// can be written to is found. It may hold a password, and is shown nowhere. It alone decides where the password
        /// goes and how it is protected: no environment variable of libpq's does, and `service` is refused.
        public var connection: Secret
        /// The schema in which the tables are, of small letters, digits and underscores.
        public var schema = "payments"
        /// What it takes for an acknowledged write to be safe.
        public var durability = JournalConfiguration.Durability.standby
        /// For how long a process that gives no sign is taken to be alive. It opens no send itself after half of it.
        public var lease = Duration.seconds(15)
        /// The name of this process in the journal, of letters, digits and hyphens, that none ever had; nil for one that is
        /// made.
        public var owner: String?
        /// How long a call waits for a database that can't be reached.
        public var outageTimeout = Duration.seconds(10)

        /// Whether this process only reads: it begins nothing, and leaves no row among the processes.
        package var isReader = false
        /// How a commit fails in a test.
        package var commitFault: (@Sendable () -> CommitFault?)?
        /// By which this process knows how long it gave no sign of life.
        package var clock: any PaymentClock = SystemClock()
        /// Which processes are alive, in a test that has its own; nil for what the database says.
        package var processes: (any ProcessRegistry)?
        /// How many connections write.
        package var writersCount = 2

        /// Uses the journal of a database.
        public init(connection: Secret) { self.connection = connection }
    }
}
