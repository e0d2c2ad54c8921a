internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

/// What the application gave, shared by everything that a client does.
package final class Services: Sendable {
    let journal: any Journal
    let clock: any PaymentClock
    let random: any RandomSource
    let reader: (any CardReader)?
    let answers: QuestionHandlers
    let executor: (any TaskExecutor)?
    let observer: (any PaymentObserver)?
    let tokens: any TokenStore
    let scope: String
    let deadline: Duration
    package let events: EventHub
    let installations: InstallationCache
    let numbers: UniqueNumbers
    let generation: GenerationKeeper
    let deadlines: DeadlineTimer
    /// Entries of which it is not known whether they were written.
    let pending = PendingWrites()
    /// Looks that messages owe.
    let looks = OwedLooks()
    /// What every write id of this client begins with, and no other client's, of any process.
    let writePrefix = TimeOrderedID.make(now: SystemClock().now, random: SystemRandom()) + "-"
    let writeCount = Locked(0)

    init(_ given: ClientOptions) {
        journal = given.journal.journal
        (clock, random) = (given.clock, given.random)
        (reader, answers, executor) = (given.reader, given.answers, given.executor)
        (tokens, scope, observer) = (given.tokens, given.scope, given.observer)
        deadline = given.deadline
        events = EventHub(given.observer)
        deadlines = DeadlineTimer(given.clock, given.executor)
        installations = InstallationCache(given.installations, given.random, given.clock)
        numbers = UniqueNumbers(given.journal.journal)
        generation = GenerationKeeper(given.journal.journal)
    }

    /// The name of this process in the journal.
    var owner: String { journal.processes.own }
}

extension Services {
    /// How often an entry is written again under its id when it is not known whether it was written.
    private static let writesMax = 3

    /// This moment, as entries carry it.
    var instant: JournalInstant { JournalInstant(wall: clock.now, uptime: clock.uptime, boot: clock.boot) }

    /// An id that no other write of any process has.
    func freshWriteID() -> WriteID {
        WriteID("\(writePrefix)\(writeCount.withLock { $0 += 1; return $0 })")
    }

    /// Writes an entry, after everything about its payment that is pending.
    ///
    /// An entry of unknown fate is written again under its id, three times, and then becomes pending.
    func write(_ entry: JournalEntry, of payment: PaymentID) async throws(JournalFailure) -> JournalAnswer {
        if !pending.isEmpty { try await flush(payment) }
        let id = freshWriteID()
        var (tries, isDoubtful) = (0, false)
        while true {
            tries += 1
            do {
                let answer = try await offer(entry, id)
                if pending.isDue(at: clock.now) { await writePending() }
                return answer
            } catch {
                switch error {
                case .writeUnconfirmed: isDoubtful = true
                // Why a repeat is refused says nothing about the first try.
                case .notWritten where isDoubtful: break
                case .notWritten, .unwritable, .unreadable, .pruned: throw error
                }
                if tries < Self.writesMax { continue }
                pending.add(entry, id, of: payment)
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
        do { return try await write(entry, of: payment) } catch {
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
        if follows, let other = attempt.absorbedBy { return try await self.attempt(other, outcome) }
        return attempt
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
    func payment(
        _ id: PaymentID, _ outcome: PaymentError.Outcome = .notExecuted
    ) async throws(PaymentError) -> StoredPayment? {
        let stored = try await reading(id.attempt, outcome) { journal throws(JournalFailure) in
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
        case .approved(var approval):
            approval.references = [:]
            return .approved(approval)
        case .declined(var decline):
            decline.references = [:]
            return .declined(decline)
        case .cancelled(let cancellation):
            return .cancelled(Cancellation(cause: cancellation.cause, wasReversed: cancellation.wasReversed))
        case .pending(let pending): return .pending(Pending(shouldPoll: pending.shouldPoll))
        }
    }
}

extension Services {
    /// The application's result of a recorded outcome; `fresh` still has what a journal must not hold.
    ///
    /// - Parameter isAlone: Whether the journal has no other attempt of the payment.
    func result(
        _ attempt: Attempt, fresh: Verdict? = nil, isAlone: Bool = false
    ) async throws(PaymentError) -> PaymentResult {
        let attempts =
            isAlone ? [attempt] : try await payment(attempt.intent.paymentID, .unknown)?.attempts ?? [attempt]
        let account = attempt.holders.first ?? attempt.newest?.account
        return result(fresh ?? attempt.verdict, attempt, account, attempts, isRecorded: true)
    }

    /// The result of an outcome that the journal could not take, with the sums that it will have.
    func unrecorded(_ verdict: Verdict, _ attempt: Attempt, _ account: ProviderIdentity) async -> PaymentResult {
        var attempts: [Attempt] = []
        if let run = attempt.newest {
            var after = attempt
            after.apply(.report(.init(.verdict(verdict), .reply, run: run.number, entry: .max, at: instant)))
            let stored = attempt.intent.isOrigin ? nil : try? await payment(attempt.intent.paymentID)
            attempts = (stored?.attempts ?? []).filter { $0.intent.attempt != attempt.intent.attempt } + [after]
        }
        return result(verdict, attempt, account, attempts, isRecorded: false)
    }

    private func result(
        _ verdict: Verdict?, _ attempt: Attempt, _ account: ProviderIdentity?, _ attempts: [Attempt], isRecorded: Bool
    ) -> PaymentResult {
        switch verdict {
        case .approved(var approval):
            // What was saved there can be charged there alone.
            approval.saved?.id.provider = account?.id
            let record = PaymentRecord(attempts)
            let isKnown = record.origin != nil
            let amounts = isKnown ? record.amounts : PaymentAmounts(approval.amount, attempt.intent.operation)
            guard let account else { return .pending(Pending(shouldPoll: false)) }
            var payment = Payment(approval, attempt.intent, account, amounts)
            payment.isRecorded = isRecorded
            return .approved(payment)
        case .declined(var decline):
            decline.attempt = attempt.intent.attempt
            return .declined(decline)
        case .cancelled(let cancellation): return .cancelled(cancellation)
        case .pending(var pending):
            pending.attempt = attempt.intent.attempt
            return .pending(pending)
        case nil:
            var pending = Pending(shouldPoll: false)
            pending.attempt = attempt.intent.attempt
            return .pending(pending)
        }
    }

    /// The public error of a refusal: what blocks, with its attempt, and what to do.
    func refused(_ refusal: JournalRefusal, _ intent: Attempt.Intent) async -> PaymentError {
        switch refusal {
        case .referenceInUse(let id, let state):
            let other = try? await attempt(id)
            let amounts = try? await payment(PaymentID(id)).map { PaymentRecord($0.attempts).amounts }
            let back = amounts.flatMap { $0.chargedBack.isZero ? nil : $0.chargedBack }
            var error = PaymentError.referenceInUse(
                intent, id, state, other, chargedBack: intent.payment == nil ? back : nil)
            if state == .inDoubt || state == .pending { error.blocking = [id] }
            return error
        case .blocked(let ids):
            let names = ids.map(\.text).joined(separator: ", ")
            var error = PaymentError.notExecuted(
                .inDoubt, "An earlier attempt is still open (\(names)). Ask for its status, or decide with `resolve`.")
            error.blocking = ids
            return error
        case .exceeds(let left, let open):
            var error = PaymentError.notExecuted(.amountTooHigh, "\(intent.amount) was asked for, and \(left) is left.")
            error.blocking = open
            return error
        case .notAllowed(let why), .noProof(let why), .notWritten(let why):
            return PaymentError(.conflict, outcome: .notExecuted, retry: .never, detail: why)
        case .noSuchPayment:
            return .notExecuted(.notFound, "There is no payment \(intent.paymentID) in this journal.")
        case .noSuchAttempt:
            return .notExecuted(.notFound, "There is no attempt \(intent.attempt) in this journal.")
        case .otherAccount(let accounts):
            let names = accounts.map(\.description).joined(separator: ", ")
            return .notExecuted(
                .configuration, "The money of this payment is at \(names). It can't go through another account.")
        case .mayBeLost:
            // An id that the client drew is of an older generation: the next one is not.
            generation.forget()
            return PaymentError(
                .inDoubt, outcome: .unknown, attempt: intent.attempt, retry: .never, detail: refusal.words)
        case .changed:
            var error = PaymentError(
                .conflict, outcome: .notExecuted,
                detail: "The payment changed while the request was prepared. Read it again, then decide.")
            error.isChange = true
            return error
        case .conflict:
            if let held = try? await attempt(intent.attempt) { return .conflict(held) }
            return PaymentError(
                .conflict, outcome: .unknown, attempt: intent.attempt, retry: .never,
                detail: "Attempt id \(intent.attempt) was already used for something else. Use a new id.")
        case .fenced, .inDoubt, .claimed, .mayBe, .couldMatch, .runs, .ofCopy, .pruned:
            return PaymentError(
                .conflict, outcome: .unknown, attempt: intent.attempt, retry: .afterStatusCheck, detail: refusal.words)
        }
    }
}

extension PaymentAmounts {
    /// The amounts of a payment of which nothing but an approval is known.
    fileprivate init(_ approved: Money, _ operation: PaymentOperation) {
        self.init(approved.currency)
        switch operation {
        case .sale, .debit: (authorized, captured) = (approved, approved)
        case .authorize: authorized = approved
        case .capture, .adjust, .void, .refund, .unlinkedRefund, .tipAdjustment, .verify, .tokenize, .chargeback: break
        }
    }
}

extension Services {
    /// Asks the application and waits no longer than the question's time limit.
    func ask<Asked: Question>(
        _ question: Asked, attempt: AttemptID?, payment: PaymentID?, provider: ProviderID,
        emit: (@Sendable (PaymentEvent.Kind, [String: String]) -> Void)? = nil
    ) async -> Asked.Answer? {
        let name = ["question": "\(Asked.self)"]
        let tell: @Sendable (PaymentEvent.Kind) -> Void = { [events, clock] kind in
            if let emit { return emit(kind, name) }
            events.emit(
                kind, at: clock.now, payment: payment, attempt: attempt, provider: provider, attributes: name)
        }
        guard let handler = answers.handler(for: Asked.self) else {
            tell(.unanswered)
            return nil
        }
        tell(.asked)
        let answer = Promise<Asked.Answer?>()
        let end = clock.now + Asked.timeout.wholeMilliseconds
        let asking = Task(executorPreference: executor) {
            let given = try? await handler(question)
            answer.fulfill(given)
        }
        let timer = Task(executorPreference: executor) { [clock] in
            try await clock.sleep(until: end)
            answer.fulfill(nil)
        }
        defer {
            asking.cancel()
            timer.cancel()
        }
        let given = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.fulfill(nil)
        }
        tell(given == nil ? .unanswered : .answered)
        return given
    }
}

extension Services {
    /// Waits for a piece of work no longer than until a moment; then it is cancelled and left to itself. Work about no attempt
    /// moves no money.
    func bounded<Value: Sendable>(
        until end: Int64, _ attempt: AttemptID?, _ body: @escaping @Sendable () async throws(PaymentError) -> Value
    ) async throws(PaymentError) -> Value {
        let answer = Promise<Result<Value, PaymentError>>()
        let inFlight = RequestInFlight()
        let work = Task(executorPreference: executor) {
            await RequestInFlight.$current.withValue(inFlight) {
                do throws(PaymentError) { answer.fulfill(.success(try await body())) } catch {
                    answer.fulfill(.failure(error))
                }
            }
        }
        let timer = Task(executorPreference: executor) { [clock] in
            try await clock.sleep(until: end)
            answer.fulfill(.failure(Self.left(.timedOut, attempt, inFlight.timedOut)))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        let given = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.fulfill(.failure(Self.left(.cancelled, attempt)))
        }
        return try given.get()
    }

    private static func left(
        _ code: PaymentError.Code, _ attempt: AttemptID?, _ diagnosis: FailureDiagnosis? = nil
    ) -> PaymentError {
        guard let attempt else {
            return PaymentError(
                code, outcome: .notExecuted, detail: "The reader is not ready yet. Try it again.", diagnosis: diagnosis)
        }
        return PaymentError(
            code, outcome: .unknown, attempt: attempt, detail: "it is not known yet; ask for the attempt's status",
            diagnosis: diagnosis)
    }
}
