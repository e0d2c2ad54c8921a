internal import PaymentAbstraction

/// Writes entries in batches: two exchanges with the server for a whole batch, and one commit.
struct BatchWriter: Sendable {
    typealias Progress = LineThread<WriteWork>.Progress

    /// Asked before each commit whether it shall fail in a test.
    var commitFault: (@Sendable () -> CommitFault?)?
    /// Remembers what was acknowledged.
    let acknowledged: Acknowledged

    /// How often an entry is tried that others were in the way of.
    private static let triesMax = 5

    /// One entry, what was loaded for it, and what came of it.
    private struct Piece {
        let job: EntryJob
        var outcome: Result<EntryJob.Written, EntryFailure>?
        var hasWritten = false
        /// The last entry that it wrote.
        var last: Acknowledged.Entry?
    }

    /// Does what a thread has taken.
    func write(_ line: PostgresLine, _ works: [WriteWork]) -> Progress {
        var jobs: [EntryJob] = []
        for work in works {
            switch work {
            case .entry(let job): jobs.append(job)
            case .alone(let job): return job.play(line) ? .done : .lost([work])
            }
        }
        return write(line, jobs)
    }

    private func write(_ line: PostgresLine, _ jobs: [EntryJob]) -> Progress {
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

    /// Writes each entry by itself: one of them was refused by the server, and with it all.
    private func apart(_ line: PostgresLine, _ jobs: [EntryJob]) -> Progress {
        for (index, job) in jobs.enumerated() {
            if case .lost(let left) = write(line, [job]) {
                return .lost(left + jobs[(index + 1)...].map { .entry($0) })
            }
        }
        return .done
    }

    /// Makes a batch durable and tells everybody; nil when it was refused and nothing of it is written.
    private func commit(_ line: PostgresLine, _ pieces: [Piece], _ calls: [PostgresCall]) -> Progress? {
        let fault = calls.isEmpty ? nil : commitFault?()
        _ = line.takeWarnings()
        let failure: PostgresFailure?
        do {
            if fault == .lost { throw PostgresFailure.lost("the test loses this commit") }
            let rows = try line.exchange(calls + [PostgresCall(.commit)])
            if fault == .unheard { throw PostgresFailure.lost("the test hides this commit") }
            // The server warns when somebody has ended its wait for the standby: then only its own disk has it.
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
            // What wrote nothing can be asked again; of the rest nobody knows.
            for piece in pieces where piece.hasWritten { piece.job.finish(.failure(.journal(.fateUnknown(words)))) }
            return .lost(pieces.filter { !$0.hasWritten }.map { .entry($0.job) })
        }
    }

    // MARK: - Deciding

    /// What has to be sent for entries that are decided within a transaction.
    func calls(_ line: PostgresLine, _ jobs: [EntryJob]) throws -> [PostgresCall] {
        let (pieces, calls) = try decide(line, jobs, begins: false)
        for case .failure(.journal(let failure)) in pieces.compactMap(\.outcome) { throw failure }
        return calls
    }

    private func decide(
        _ line: PostgresLine, _ jobs: [EntryJob], begins: Bool = true
    ) throws(PostgresFailure) -> ([Piece], [PostgresCall]) {
        var load = try BatchLoad(line, jobs, begins: begins)
        var rows = BatchRows()
        var pieces: [Piece] = []
        for (index, job) in jobs.enumerated() {
            var piece = Piece(job: job)
            do {
                let before = rows.count
                piece.outcome = .success(try decide(line, job, index, &load, &rows))
                piece.hasWritten = rows.count != before
                if piece.hasWritten, case .success(let written)? = piece.outcome, let key = written.changed.last {
                    piece.last = rows.lastEntry(of: key)
                }
            } catch let failure as StoreFailure {
                piece.outcome = .failure(failure == .outdated ? .outdated : .journal(failure.meaning))
            } catch let failure as PostgresFailure { throw failure } catch {
                piece.outcome = .failure(.journal(.unreadable(job.reads.attempt)))
            }
            pieces.append(piece)
        }
        return (pieces, rows.calls)
    }

    private func decide(
        _ line: PostgresLine, _ job: EntryJob, _ index: Int, _ load: inout BatchLoad, _ rows: inout BatchRows
    ) throws -> EntryJob.Written {
        let loaded = load.loaded[index]
        if let known = loaded.answered {
            rows.mustFollow = true
            return EntryJob.Written(answer: try answer(line, known))
        }
        if let failure = loaded.failure ?? loaded.refusal { throw failure }
        if let key = job.reads.attempt, loaded.isForgotten { throw StoreFailure.forgotten(key) }
        if case .holder = job.entry.subject, loaded.hasForgottenName, loaded.rows.isEmpty {
            return EntryJob.Written(answer: .refused(.noProof("what it names was forgotten"), nil))
        }
        let now = job.instant
        let decision = JournalRules.decide(job.entry, loaded.slice, at: now)
        var events: [PaymentEvent] = []
        if decision.mayRaise(job.entry) {
            events = try job.entry.events(beside: decision, at: now) { try Self.timeline(line, $0) }
        }
        guard decision.changes.allSatisfy({ job.locked.contains($0.after.intent.key) }) else {
            throw StoreFailure.outdated
        }
        var written = EntryJob.Written(answer: decision.answer)
        for change in decision.changes {
            let key = change.after.intent.key
            let held = loaded.rows[key]
            guard held != nil || change.isNew, let seq = held?.seq ?? load.takePlace() else {
                throw StoreFailure.unreadable(key)
            }
            let isOwn = change == decision.changes.last && decision.isPlain
            rows.append(change.facts, change.after, to: held, at: seq, job.id, isAnswer: isOwn, now)
            written.changed.append(key)
        }
        if let kept = decision.keeps { rows.keep(kept, now) }
        for (seq, notice) in loaded.kept where decision.files(notice) { rows.file(seq) }
        rows.append(events, scope: decision.answer.facts?.intent.scope ?? job.entry.key?.scope ?? "")
        let hasWritten = !decision.changes.isEmpty || decision.keeps != nil || !events.isEmpty
        if !decision.isPlain, hasWritten { rows.remember(decision.answer, job.id, now) }
        return written
    }

    /// The answer that a write has had before, with the attempts that it names as they stand now.
    private func answer(_ line: PostgresLine, _ known: (seq: Int64?, body: [UInt8]?)) throws -> JournalAnswer {
        if let body = known.body {
            return try FactCodec.answer(body) { key in
                let call = PostgresCall(.byKey, [.texts([key.scope]), .texts([key.attempt.text])])
                return try HeldAttempt.rows(line.exchange([call])[0]).first?.outcome.get().facts
            }
        }
        let found = try line.exchange([PostgresCall(.bySeq, [.integers([known.seq ?? 0])])])
        guard let row = HeldAttempt.rows(found[0]).first else { throw StoreFailure.unreadable(nil) }
        return .accepted(try row.outcome.get().facts)
    }

    static func timeline(_ line: PostgresLine, _ origin: AttemptKey) throws -> [PaymentEvent] {
        let call = PostgresCall(.timeline, [.text(origin.scope), .text(origin.attempt.text)])
        return try events(line.exchange([call])[0], origin)
    }

    /// The events of a timeline in order; those of one place come in the order in which they were written.
    static func events(_ rows: PostgresRows, _ origin: AttemptKey) throws -> [PaymentEvent] {
        var events: [PaymentEvent] = []
        for row in 0..<rows.count {
            do { events += try FactCodec.events(rows.bytes(row, 0)) } catch { throw StoreFailure.unreadable(origin) }
        }
        return events.enumerated()
            .sorted {
                ($0.element.sequence, $0.element.at, $0.offset) < ($1.element.sequence, $1.element.at, $1.offset)
            }
            .map(\.element)
    }
}

/// How a commit fails in a test: before it was made, or after it.
package enum CommitFault: String, Sendable, CaseIterable { case lost, unheard }

extension JournalDecision {
    /// Whether the answer says no more than that the last change was written.
    var isPlain: Bool {
        guard case .accepted(let facts) = answer, let last = changes.last else { return false }
        return facts.intent.key == last.after.intent.key
    }

    /// Whether there may be something for a timeline.
    fileprivate func mayRaise(_ entry: JournalEntry) -> Bool { !events.isEmpty || !entry.events.isEmpty }

    /// Whether a notice was applied: of those under a name, the ones about this kind of operation.
    fileprivate func files(_ notice: KeptNotice) -> Bool {
        guard applied.contains(notice.name), let after = changes.last?.after else { return false }
        return notice.operations.isEmpty || notice.operations.contains(after.intent.operation)
    }
}
