internal import PaymentAbstraction
internal import PaymentBase

/// One entry on its way to the database.
struct EntryJob: Sendable {
    /// What came of an entry, and which attempts have more facts now.
    struct Written: Sendable {
        let answer: JournalAnswer
        var changed: [AttemptKey] = []
    }

    let entry: JournalEntry
    let reads: JournalReads
    let id: WriteID
    let instant: JournalInstant
    /// Attempts that may change.
    let locked: Set<AttemptKey>
    let keys: [Int64]
    /// Whether it was tried before and nobody knows what came of that.
    let isDoubtful: Bool
    let postedAt = OwnThread.monotonicNow
    let finish: @Sendable (Result<Written, EntryFailure>) -> Void
}

/// Why an entry wasn't written: for the caller, or because it has to be asked about more than was thought.
enum EntryFailure: Error {
    case journal(JournalFailure)
    case outdated
}

/// What writing threads do.
enum WriteWork: QueuedWork {
    case entry(EntryJob)
    case alone(LineJob)

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
            finish(.failure(.journal(.fateUnknown(words))))
        } else {
            finish(.failure(.journal(failure)))
        }
    }
}

/// Something done with a connection by itself; doing it twice does no harm.
struct LineJob: QueuedWork {
    /// Does it, and says how to tell of it.
    let run: @Sendable (PostgresLine) throws -> @Sendable () -> Void
    /// Tells that it failed.
    let failed: @Sendable (JournalFailure) -> Void
    let postedAt = OwnThread.monotonicNow

    var keys: [Int64] { [] }
    var isAlone: Bool { true }
    func fail(_ failure: JournalFailure) { failed(failure) }

    /// Does it; false when the connection is lost and it has to be done again.
    func play(_ line: PostgresLine) -> Bool {
        do { try run(line)() } catch let failure as PostgresFailure {
            guard case .refused = failure, (try? line.exchange([PostgresCall(.rollback)])) != nil else { return false }
            fail(.notWritten(failure.words))
        } catch let failure as StoreFailure {
            _ = try? line.exchange([PostgresCall(.rollback)])
            fail(failure.meaning)
        } catch { fail(.notWritten("\(type(of: error))")) }
        return true
    }
}
