internal import PaymentBase
internal import PaymentJournalKit
internal import PaymentModel

/// Writes entries in batches: two exchanges with the server for a whole batch, and one commit.
struct BatchWriter: Sendable {
    typealias Progress = ConnectionThread<WriteWork>.Progress

    /// Asked before each commit whether it shall fail in a test.
    var commitFault: (@Sendable () -> CommitFault?)?
    /// Remembers what was acknowledged.
    let acknowledged: LastAcknowledgedWrite
    let keys: LockKey
    let isAlive: @Sendable (String) -> Bool

    /// How often an entry is tried that others were in the way of.
    private static let triesMax = 5

    /// One entry, what was loaded for it, and what came of it.
    private struct Piece {
        let job: EntryJob
        var outcome: Result<EntryJob.Written, EntryFailure>?
        var hasWritten = false
        /// The last entry that it wrote.
        var last: LastAcknowledgedWrite.Entry?
    }

    /// Does what a thread has taken.
    func write(_ line: PostgresConnection, _ works: [WriteWork]) -> Progress {
        var jobs: [EntryJob] = []
        for work in works {
            switch work {
            case .entry(let job): jobs.append(job)
            case .alone(let job): return job.play(line) ? .done : .lost([work])
            }
        }
        return write(line, jobs)
    }

    private func write(_ line: PostgresConnection, _ jobs: [EntryJob]) -> Progress {
        var tries = 0
        while true {
            tries += 1
            do {
                let (pieces, calls) = try decide(line, jobs)
                return commit(line, pieces, calls) ?? apart(line, jobs)
            } catch {
                guard case .refused = error, (try? line.exchange([PostgresCall(.rollback)])) != nil else {
                    return .lost(jobs.map { .entry($0) })
                }
                if jobs.count > 1 { return apart(line, jobs) }
                if error.isPassing, tries < Self.triesMax { continue }
                for job in jobs { job.fail(.notWritten(error.words)) }
                return .done
            }
        }
    }

    /// Writes each entry alone: one of them was refused by the server, and with it all.
    private func apart(_ line: PostgresConnection, _ jobs: [EntryJob]) -> Progress {
        for (index, job) in jobs.enumerated() {
            if case .lost(let left) = write(line, [job]) {
                return .lost(left + jobs[(index + 1)...].map { .entry($0) })
            }
        }
        return .done
    }

    /// Makes a batch durable and answers all callers; nil when it was refused and nothing of it is written.
    private func commit(_ line: PostgresConnection, _ pieces: [Piece], _ calls: [PostgresCall]) -> Progress? {
        let fault = calls.isEmpty ? nil : commitFault?()
        _ = line.takeWarnings()
        let failure: PostgresFailure?
        do {
            if fault == .lost { throw PostgresFailure.lost("the test loses this commit") }
            let rows = try line.exchange(calls + [PostgresCall(.commit)])
            if fault == .unconfirmed { throw PostgresFailure.lost("the test hides this commit") }
            // The server warns when its wait for the standby was ended: then only its own disk has it.
            let warnings = line.takeWarnings()
            if !warnings.isEmpty, !calls.isEmpty { throw PostgresFailure.lost(warnings.joined(separator: "; ")) }
            failure = rows.last?.tag == "COMMIT" ? nil : .lost("the server did not commit")
        } catch let error as PostgresFailure { failure = error } catch { failure = .lost("\(type(of: error))") }
        switch failure {
        case nil:
            if let last = pieces.last(where: { $0.last != nil })?.last { acknowledged.note(last) }
            for piece in pieces { if let outcome = piece.outcome { piece.job.finish(outcome) } }
            return .done
        case .refused?:
            guard (try? line.exchange([PostgresCall(.rollback)])) != nil else {
                return .lost(pieces.map { .entry($0.job) })
            }
            if pieces.count > 1 { return nil }
            for piece in pieces { piece.job.fail(.notWritten(failure?.words ?? "")) }
            return .done
        case .lost(let words)?:
            // What wrote nothing can be asked again; of the rest it is not known whether it was written.
            for piece in pieces where piece.hasWritten {
                piece.job.finish(.failure(.journal(.writeUnconfirmed(words))))
            }
            return .lost(pieces.filter { !$0.hasWritten }.map { .entry($0.job) })
        }
    }

    // MARK: - Deciding

    private func decide(_ line: PostgresConnection, _ jobs: [EntryJob]) throws(PostgresFailure) -> (
        [Piece], [PostgresCall]
    ) {
        var load = BatchLoad(jobs, keys, at: try line.serverNumber())
        try load.take(try line.exchange(load.calls), isAlive: isAlive)
        var rows = BatchRows()
        var pieces: [Piece] = []
        var changed: Set<Int64> = []
        for (index, job) in jobs.enumerated() {
            var piece = Piece(job: job)
            do {
                // An entry before it in the batch has changed what was loaded for this one.
                if !changed.isDisjoint(with: load.loaded[index].numbers) { throw EntryFailure.again(JournalReads()) }
                let before = rows.count
                let written = try decide(job, index, &load, &rows)
                piece.outcome = .success(written)
                piece.hasWritten = rows.count != before
                if piece.hasWritten {
                    changed.formUnion(load.loaded[index].numbers)
                    piece.last = written.payment.flatMap { rows.lastEntry(of: $0) }
                    piece.last?.generation = load.loaded[index].slice.generation
                }
            } catch let failure as EntryFailure {
                piece.outcome = .failure(failure)
            } catch let failure as PostgresStoreError {
                piece.outcome = .failure(.journal(failure.meaning))
            } catch {
                piece.outcome = .failure(.journal(.unreadable(job.entry.command.attempt.map { PaymentID($0) })))
            }
            pieces.append(piece)
        }
        return (pieces, rows.calls)
    }

    private func decide(
        _ job: EntryJob, _ index: Int, _ load: inout BatchLoad, _ rows: inout BatchRows
    ) throws -> EntryJob.Written {
        let loaded = load.loaded[index]
        // A message that comes again is refused as well: its provider sends it to the place that is used now. A write of this
        // process gets its first answer, since it was made.
        if case .notice = job.entry.command, loaded.refusal == .moved { throw PostgresStoreError.moved }
        if let known = loaded.answered {
            rows.mustFollow = true
            return EntryJob.Written(answer: try Self.answer(job, known.payment, known.row))
        }
        if loaded.isKept {
            rows.mustFollow = true
            return EntryJob.Written(answer: .kept)
        }
        let decision = try load.decide(index)
        guard job.reads.holds(decision.needs) else { throw EntryFailure.again(decision.needs) }
        var written = EntryJob.Written(answer: decision.answer)
        var new: (id: PaymentID, number: Int64)?
        if let payment = decision.payment {
            let held = loaded.payments[payment]
            guard let number = held?.number ?? load.takePlace() else {
                throw PostgresStoreError.unreadable(payment.attempt)
            }
            if held == nil { new = (payment, number) }
            _ = rows.append(decision, job, to: held, at: number)
            written.payment = payment
        }
        if !decision.isEmpty { rows.takeMessages(decision, loaded, at: job.instant) { load.takePlace() } }
        rows.takeLooks(decision, job.entry.command, loaded, at: job.instant) { payment in
            loaded.payments[payment]?.number ?? (new?.id == payment ? new?.number : nil)
        }
        return written
    }

    /// The answer that a write has had before, with the attempt as it is now.
    private static func answer(_ job: EntryJob, _ held: HeldPayment, _ row: LogRow) throws -> JournalAnswer {
        guard row.content == job.content else {
            return .refused(.notWritten("The write id belongs to another entry."), nil)
        }
        let stored = try StoredAnswer.read(row.answer)
        guard let answer = stored.answer(among: held.attempts) else {
            throw PostgresStoreError.unreadable(stored.attempt)
        }
        return answer
    }
}

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
    /// Distinguishes two commands under one write id, within the process that made the id.
    let content: Int64
    /// The steps of its timeline as they are stored.
    let timeline: [UInt8]
    let instant: Attempt.Instant
    /// What is locked at the server.
    let locks: [Int64]
    /// What nothing else of this process has in the meantime.
    let keys: [Int64]
    /// Whether it was tried before, and it is not known what came of that.
    let isDoubtful: Bool
    let postedAt = DedicatedThread.monotonicNow
    let finish: @Sendable (Result<Written, EntryFailure>) -> Void

    init(
        _ entry: JournalEntry, _ reads: JournalReads, _ id: WriteID, at instant: Attempt.Instant, _ keys: LockKey,
        payments: Set<PaymentID>, isDoubtful: Bool, finish: @escaping @Sendable (Result<Written, EntryFailure>) -> Void
    ) {
        (self.entry, self.reads, self.instant, self.isDoubtful, self.finish) = (
            entry, reads, instant, isDoubtful, finish
        )
        asks = EntryAsks(reads)
        (write, content) = (Array(entry.key(id).utf8), entry.content)
        timeline = entry.timeline.isEmpty ? [] : EventCodec.bytes(entry.timeline)
        locks = keys.all(entry, reads)
        self.keys = locks + payments.map { keys.payment($0) }
    }
}

/// What an entry looks for, as the server finds it.
struct EntryAsks: Sendable {
    let attempts: [AttemptID]
    let names: [(name: ProviderName, hash: Int64)]
    /// Names of which it is asked whether a payment had them that was pruned.
    let pruned: [(name: ProviderName, hash: Int64)]
    let reference: Int64?
    let account: Int64?
    /// Under which messages wait that may count now.
    let notices: [Int64]

    init(_ reads: JournalReads) {
        attempts = Array(reads.attempts.union(reads.payments.map(\.attempt)))
        names = reads.names.map { ($0, RowHash.of($0)) }
        pruned = names + reads.pruned.map { ($0, RowHash.of($0)) }
        reference = reads.reference.map { RowHash.of($0) }
        account = reads.matches.map { RowHash.of($0) }
        notices = names.map(\.hash) + reads.attempts.map { RowHash.of($0) }
    }
}

/// Why an entry wasn't written: for the caller, or because it is tried again, with more to read or after another entry
/// of its payment.
enum EntryFailure: Error {
    case journal(JournalFailure)
    case again(JournalReads)
}

extension Notice {
    /// By which the journal knows the message.
    var message: [UInt8] { Array(key.utf8) }
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
    /// Reports that it wasn't written; where it was tried before, that says nothing about that try.
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
    /// Reports that it failed.
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
