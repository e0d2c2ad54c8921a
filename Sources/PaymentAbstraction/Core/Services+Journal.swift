internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

extension Services {
    /// How often an entry is written again under its id when it is not known whether it was written.
    private static let writesMax = 3

    /// This moment, as entries carry it.
    var instant: Attempt.Instant { Attempt.Instant(wall: clock.now, uptime: clock.uptime, boot: clock.boot) }

    /// An id that no other write of any process has.
    func freshWriteID() -> WriteID {
        WriteID("\(writePrefix)\(writeCount.withLock { $0 += 1; return $0 })")
    }

    /// Writes an entry, after everything about its payment that is pending.
    ///
    /// An entry of unknown fate is written again under its id, three times, and then becomes pending.
    ///
    /// - Parameter lost: What is written in its place if it is pending and the journal does not have the attempt any more.
    func write(
        _ entry: JournalEntry, of payment: PaymentID, ifLost lost: JournalEntry? = nil
    ) async throws(JournalFailure) -> JournalAnswer {
        if !pending.isEmpty { try await flush(payment) }
        let id = freshWriteID()
        var (tries, isDoubtful) = (0, false)
        while true {
            tries += 1
            do {
                let answer = try await offer(entry, id)
                if pending.isDue(at: clock.uptime) { await writePending() }
                return answer
            } catch {
                switch error {
                case .writeUnconfirmed: isDoubtful = true
                // Why a repeat is refused says nothing about the first try.
                case .notWritten where isDoubtful: break
                case .notWritten, .unwritable, .unreadable, .pruned: throw error
                }
                if tries < Self.writesMax { continue }
                pending.add(entry, id, of: payment, ifLost: lost)
                if case .notWritten(let why) = error { throw .writeUnconfirmed(why) }
                throw error
            }
        }
    }

    /// Writes a message; which payment it is about is resolved in the transaction.
    func write(_ notice: JournalEntry) async throws(JournalFailure) -> JournalAnswer {
        try await offer(notice, freshWriteID())
    }

    /// Offers an entry to the journal once, and shows what it raised. An outcome is never lost for its content.
    func offer(_ entry: JournalEntry, _ id: WriteID) async throws(JournalFailure) -> JournalAnswer {
        do {
            let answer = try await journal.write(entry, id, at: instant)
            raise(answer.alerts)
            return answer
        } catch {
            guard case .unwritable = error, let plain = entry.withoutNames, plain != entry else { throw error }
            return try await offer(plain, freshWriteID())
        }
    }

    /// Writes what is known and must not be lost; what the journal can't take now is written later. Nil then.
    ///
    /// - Parameter lost: What is written in its place if the journal turns out not to have the attempt any more.
    func record(
        _ entry: JournalEntry, of payment: PaymentID, ifLost lost: JournalEntry? = nil
    ) async -> JournalAnswer? {
        do { return try await write(entry, of: payment, ifLost: lost) } catch {
            if case .notWritten = error { pending.add(entry, freshWriteID(), of: payment, ifLost: lost) }
            return nil
        }
    }

    private func flush(_ payment: PaymentID) async throws(JournalFailure) {
        do { try await pending.flush(payment, self) } catch {
            // Nothing of the new entry was offered.
            if case .writeUnconfirmed(let why) = error { throw .notWritten(why) }
            throw error
        }
    }

    /// Tries once more to write what is pending; says whether less is pending now.
    @discardableResult
    func writePending() async -> Bool {
        let before = pending.count
        if before == 0 { return false }
        try? await pending.flushAll(self)
        return pending.count < before
    }

    /// Writes what is pending.
    func finish() async throws(PaymentError) {
        do { try await pending.flushAll(self) } catch {
            throw failed(error, nil, .unknown)
        }
    }

    /// Shows a person what the rules raised.
    private func raise(_ alerts: [JournalAlert]) {
        for alert in alerts {
            let (kind, attempt, attributes) = alert.event
            events.emit(
                kind, at: clock.now, payment: nil, attempt: attempt, provider: nil, attributes: attributes)
        }
    }

    /// One journal call; what it throws becomes a `PaymentError`, and the caller says what that means for the money.
    func reading<Value: Sendable>(
        _ attempt: AttemptID?, _ outcome: PaymentError.Outcome = .notExecuted,
        _ body: (any Journal) async throws(JournalFailure) -> Value
    ) async throws(PaymentError) -> Value {
        do { return try await body(journal) } catch { throw failed(error, attempt, outcome) }
    }

    /// The journal's own time.
    func time(
        _ attempt: AttemptID?, _ outcome: PaymentError.Outcome = .notExecuted
    ) async throws(PaymentError) -> Attempt.Instant {
        try await reading(attempt, outcome) { journal throws(JournalFailure) in try await journal.time(instant) }
    }

    /// An error about a call that never reached the journal names no attempt: another process may have moved its money.
    func failed(_ failure: JournalFailure, _ attempt: AttemptID?, _ outcome: PaymentError.Outcome) -> PaymentError {
        if case .pruned(let id) = failure {
            var error = PaymentError(.conflict, outcome: .unknown, attempt: id, detail: failure.words)
            error.isPruned = true
            return error
        }
        let outcome = failure.hidesOutcome ? .unknown : outcome
        return PaymentError(
            .journal, outcome: outcome, attempt: outcome == .notExecuted ? nil : attempt,
            detail: "The journal failed (\(failure.words)). Repair it before you try again.",
            diagnosis: FailureDiagnosis(.journal, host: journal.place, failure.cause, reason: failure.words))
    }

    /// One attempt as the journal has it, or the one that absorbed it.
    func attempt(
        _ id: AttemptID, _ outcome: PaymentError.Outcome = .notExecuted, follows: Bool = true
    ) async throws(PaymentError) -> Attempt? {
        let found = try await reading(id, outcome) { journal throws(JournalFailure) in
            try await journal.attempts(.attempt(id), after: nil, limit: 1)
        }
        guard let attempt = found.attempts.first, attempt.intent.scope == scope else { return nil }
        guard follows, let other = attempt.absorbedBy else { return attempt }
        // It was there: that it is gone says nothing about its money.
        guard let same = try await self.attempt(other, outcome) else { throw failed(.pruned(id), id, .unknown) }
        return same
    }

    /// The attempt of another payment that has one of the provider's names; nil if none has, or if that can't be read.
    func holder(
        of names: [String], _ account: ProviderIdentity, besides intent: Attempt.Intent
    ) async -> AttemptID? {
        for name in names {
            let found = try? await journal.attempts(.named(ProviderName(account, name)), after: nil, limit: 4)
            let other = found?.attempts.first { $0.intent.paymentID != intent.paymentID }
            if let other { return other.intent.attempt }
        }
        return nil
    }

    /// A payment with everything that followed; nil if there is none in this scope.
    ///
    /// - Parameter attempt: The attempt that an error is about, if that is not the one that started the payment.
    func payment(
        _ id: PaymentID, _ outcome: PaymentError.Outcome = .notExecuted, for attempt: AttemptID? = nil
    ) async throws(PaymentError) -> StoredPayment? {
        let stored = try await reading(attempt ?? id.attempt, outcome) { journal throws(JournalFailure) in
            try await journal.payment(id)
        }
        guard let stored, stored.attempts.first(where: \.intent.isOrigin)?.intent.scope == scope else { return nil }
        return stored
    }

    /// Why a run is ended by another client than its own.
    func takeOver(_ run: Attempt.Run, _ attempt: AttemptID) -> TakeOver {
        guard run.owner == owner, let runs = journal.processes.runs, !runs.contains(attempt) else { return .died }
        return .abandoned(by: owner)
    }

    /// Whether another process works on an attempt now. Of a run that was begun before the journal was restored or
    /// moved none does, whatever its owner is called.
    func isElsewhere(_ attempt: Attempt) async -> Bool {
        guard let run = attempt.newest, run.end == nil, run.owner != owner, journal.processes.isAlive(run.owner) else {
            return false
        }
        guard let generation = try? await generation.current() else { return true }
        return run.generation == generation.description
    }
}

extension JournalEntry {
    /// The same without names, notes and references, so that an outcome can be written whatever its content is; nil for
    /// an entry that need not be written.
    fileprivate var withoutNames: JournalEntry? {
        guard case .finish(var finish) = command else { return nil }
        finish.closing?.names = []
        (finish.notes, finish.verdict) = ([:], finish.verdict?.withoutReferences)
        return JournalEntry(.finish(finish))
    }
}

extension Verdict {
    fileprivate var withoutReferences: Verdict {
        switch self {
        case .approved, .declined: under([:])
        case .cancelled(let cancellation):
            .cancelled(Cancellation(cause: cancellation.cause, wasReversed: cancellation.wasReversed))
        case .pending(let pending): .pending(Pending(shouldPoll: pending.shouldPoll))
        }
    }
}
