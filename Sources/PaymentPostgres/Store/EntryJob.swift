internal import PaymentAbstraction
internal import PaymentBase

/// One entry on its way to the database, with everything of it that needs no answer of the server's: it is made on the
/// caller's task.
struct EntryJob: Sendable {
    /// What came of an entry, and the payment that has one more entry now.
    struct Written: Sendable {
        let answer: JournalAnswer
        var payment: PaymentID?
    }

    let entry: JournalEntry
    let reads: JournalReads
    /// What it looks for.
    let asks: EntryAsks
    /// By which the log knows the write: a message by its own id, any other write by the id that its process gave it.
    let write: [UInt8]
    /// Tells two commands under one write id apart, within the process that made the id.
    let content: Int64
    /// The steps of its timeline as they are stored.
    let timeline: [UInt8]
    let instant: JournalInstant
    /// What is locked at the server.
    let locks: [Int64]
    /// What nothing else of this process has meanwhile.
    let keys: [Int64]
    /// Whether it was tried before, and it is not known what came of that.
    let isDoubtful: Bool
    let postedAt = DedicatedThread.monotonicNow
    let finish: @Sendable (Result<Written, EntryFailure>) -> Void

    init(
        _ entry: JournalEntry, _ reads: JournalReads, _ id: WriteID, at instant: JournalInstant, _ keys: LockKey,
        payments: Set<PaymentID>, isDoubtful: Bool, finish: @escaping @Sendable (Result<Written, EntryFailure>) -> Void
    ) {
        (self.entry, self.reads, self.instant, self.isDoubtful, self.finish) = (
            entry, reads, instant, isDoubtful, finish
        )
        asks = EntryAsks(reads)
        if case .notice(let notice) = entry.command {
            (write, content) = (notice.message, 0)
        } else {
            (write, content) = (Array(id.text.utf8), Int64(entry.command.hashValue))
        }
        timeline = entry.timeline.isEmpty ? [] : EventCodec.bytes(entry.timeline)
        locks = keys.all(entry, reads)
        self.keys = locks + payments.map { keys.payment($0) }
    }
}

/// What an entry looks for, as the server finds it.
struct EntryAsks: Sendable {
    let attempts: [AttemptID]
    let names: [(name: ProviderName, hash: Int64)]
    let reference: Int64?
    let account: Int64?
    /// Under which messages wait that may count now.
    let notices: [Int64]

    init(_ reads: JournalReads) {
        attempts = Array(reads.attempts.union(reads.payments.map(\.attempt)))
        names = reads.names.map { ($0, RowSum.hash($0)) }
        reference = reads.reference.map { RowSum.hash($0) }
        account = reads.matches.map { RowSum.hash($0) }
        notices = names.map(\.hash) + reads.attempts.map { RowSum.hash($0) }
    }
}

/// Why an entry wasn't written: for the caller, or because it is tried again, with more to read or after another entry of its
/// payment.
enum EntryFailure: Error {
    case journal(JournalFailure)
    case again(JournalReads)
}

extension Notice {
    /// By which the journal knows the message.
    var message: [UInt8] { Array("\(EventCodec.text(account)) \(id)".utf8) }
}

/// What writing threads do.
enum WriteWork: QueuedWork {
    case entry(EntryJob)
    case alone(ConnectionJob)

    var keys: [Int64] {
        switch self {
        case .entry(let job): job.keys
        case .alone: []
        }
    }

    var isAlone: Bool {
        switch self {
        case .entry: false
        case .alone: true
        }
    }

    var postedAt: Int64 {
        switch self {
        case .entry(let job): job.postedAt
        case .alone(let job): job.postedAt
        }
    }

    func fail(_ failure: JournalFailure) {
        switch self {
        case .entry(let job): job.fail(failure)
        case .alone(let job): job.fail(failure)
        }
    }
}

extension EntryJob {
    /// Tells that it wasn't written; where it was tried before, that says nothing about that try.
    func fail(_ failure: JournalFailure) {
        if isDoubtful, case .notWritten(let words) = failure {
            finish(.failure(.journal(.writeUnconfirmed(words))))
        } else {
            finish(.failure(.journal(failure)))
        }
    }
}

/// Something done with a connection alone; doing it twice does no harm.
struct ConnectionJob: QueuedWork {
    /// Does it, and says how to tell of it.
    let run: @Sendable (PostgresConnection) throws -> @Sendable () -> Void
    /// Tells that it failed.
    let failed: @Sendable (JournalFailure) -> Void
    let postedAt = DedicatedThread.monotonicNow

    var keys: [Int64] { [] }
    var isAlone: Bool { true }
    func fail(_ failure: JournalFailure) { failed(failure) }

    /// Does it; false when the connection is lost and it has to be done again.
    func play(_ line: PostgresConnection) -> Bool {
        do { try run(line)() } catch let failure as PostgresFailure {
            guard case .refused = failure, (try? line.exchange([PostgresCall(.rollback)])) != nil else { return false }
            fail(.notWritten(failure.words))
        } catch let failure as PostgresStoreError {
            _ = try? line.exchange([PostgresCall(.rollback)])
            fail(failure.meaning)
        } catch { fail(.notWritten("\(type(of: error))")) }
        return true
    }
}
