internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

/// How a run ends: what the driver said or threw, what is written, and what the callers get. The answer is always computed from
/// the attempt that the journal returns, never from the last request.
extension AttemptRun {
    /// The whole life of the run; never throws, always says what is known.
    func work(_ body: Body) async -> Answer {
        let span = observation?.begin(.operation)
        emit(.begun, ["operation": intent.operation.rawValue, "amount": "\(intent.amount)"])
        let answer = await answer(to: body)
        state.withLock { $0.run.finish() }
        leaveTerminal()
        if let span { observation?.end(span, answer) }
        return answer
    }

    private func answer(to body: Body) async -> Answer {
        let verdict: Verdict
        do {
            let said = try await body(PaymentContext(self))
            // Only now is everything known that went out on the way.
            verdict = scrub(said)
        } catch {
            return await ended(by: error)
        }
        return await decided(verdict)
    }

    private var looker: Looker { Looker(provider: provider, services: services, run: self) }

    // MARK: - The driver threw

    private func ended(by error: any Error) async -> Answer {
        let (isFenced, wasOpened, mayHaveMoved, stopCode) = state.withLock {
            ($0.log.isFenced, $0.log.wasOpened, $0.run.mayHaveMoved, $0.stopCode)
        }
        if isFenced { return await fromRecord(error) }
        guard wasOpened else { return await unopened(error) }
        var failure = PaymentError(
            wrapping: error, mayHaveMoved ? .unknown : .notExecuted, attempt, provider.driver, scrub: scrub)
        if let stopCode { failure.diagnosis = failure.ended(as: stopCode) }
        if !mayHaveMoved {
            if let stopCode {
                failure = PaymentError(
                    stopCode, outcome: .notExecuted, attempt: attempt, detail: failure.detail,
                    diagnosis: failure.diagnosis)
            }
        }
        let movesOn = stopCode == nil && allowsNext(after: failure) && call?.leavesOpen(self) == true
        if movesOn {
            emit(.repeated, ["code": failure.code.rawValue])
        } else if !mayHaveMoved {
            emit(.failed, ["code": failure.code.rawValue])
        }
        let finish = state.withLock { state in
            // An answered request about which the driver could not say anything may have been executed.
            if mayHaveMoved, state.log.isOpen { state.log.ended(.lost) }
            if movesOn { state.failure = failure }
            return state.log.finish(nil, endsRun: !movesOn)
        }
        guard let attempt = await record(finish) else {
            // What moved nothing needs no record yet; it is written as soon as the journal takes it. What a copy of an
            // executed request is refused with proves nothing.
            return .failure(finish.copyRefusal == nil ? failure : asDoubt(failure))
        }
        switch attempt.state {
        case .approved, .declined, .reversed, .pending: return await result(attempt, else: failure)
        case .notExecuted: return .failure(mayHaveMoved ? neverArrived(failure) : failure)
        case .running where movesOn: return .failure(failure)
        case .running, .inDoubt:
            let doubt = asDoubt(failure)
            state.withLock { $0.doubt = doubt }
            return await lookedUp(doubt)
        }
    }

    /// Ends the run that it left open, since no other provider is asked.
    func end() async {
        if let failure = state.withLock({ $0.failure }) { emit(.failed, ["code": failure.code.rawValue]) }
        _ = await record(state.withLock { $0.log.finish(nil) })
    }

    /// Nothing was sent. A tap that was cancelled or failed leaves a record, and the same id may tap again; of anything else
    /// nothing is written. An error that names another attempt, which it met, says so.
    private func unopened(_ error: any Error) async -> Answer {
        let (stopCode, isTap) = state.withLock { ($0.stopCode, $0.hasRead && $0.log.sendCount == 0) }
        var failure: PaymentError
        if let stopCode {
            let found = PaymentError(wrapping: error, .notExecuted, nil, provider.driver, scrub: scrub)
            failure = PaymentError(
                stopCode, outcome: .notExecuted, detail: "Nothing was sent.", diagnosis: found.ended(as: stopCode))
        } else if let own = error as? PaymentError {
            failure = own.attempt == attempt && own.outcome == .notExecuted ? own.namingNone : own
        } else {
            failure = PaymentError(wrapping: error, .notExecuted, nil, provider.driver, scrub: scrub)
        }
        guard failure.outcome == .notExecuted else {
            if isTap {
                emit(.failed, ["code": failure.code.rawValue])
                _ = await record(state.withLock { $0.log.finish(nil) })
            }
            return .failure(failure)
        }
        // A read that the reader ended is a result, as where a terminal has the request before it has a card.
        if isTap, stopCode == nil, failure.code == .cancelled {
            let cancellation = Cancellation(cause: .reader, provider: failure.provider)
            emit(.cancelled, Verdict.cancelled(cancellation).eventAttributes)
            return await elsewhere(isTap, failure).answer ?? .success(.cancelled(cancellation))
        }
        if isTap { emit(.failed, ["code": failure.code.rawValue]) }
        let found = await elsewhere(isTap, failure)
        if let answer = found.answer { return answer }
        if isTap, found.held?.state == .notExecuted, failure.attempt == nil { failure.attempt = attempt }
        return .failure(failure)
    }

    /// What another process did under the same id while this run sent nothing: then its record is the answer, so that no caller
    /// sells again what was sold. Where it can't be read, that is not known.
    func elsewhere(_ isWritten: Bool, _ failure: PaymentError) async -> (held: Attempt?, answer: Answer?) {
        let held: Attempt?
        if isWritten {
            held = await record(state.withLock { $0.log.finish(nil) })
        } else {
            do { held = try await services.attempt(attempt, .unknown) } catch {
                return (nil, .failure(isAlone ? failure : asDoubt(failure)))
            }
        }
        // Another payment's record says nothing about this one.
        guard let held, held.intent.isSame(as: intent), held.state != .notExecuted,
            !state.withLock({ $0.log.follows(held) })
        else { return (held, nil) }
        return (held, held.isOpen ? .failure(asDoubt(failure)) : await result(held, else: asDoubt(failure)))
    }

    func asDoubt(_ failure: PaymentError) -> PaymentError {
        PaymentError(
            failure.code, outcome: .unknown, attempt: attempt, provider: failure.provider, detail: failure.detail,
            diagnosis: failure.diagnosis)
    }

    /// A run that was fenced answers from the record, never from itself.
    private func fromRecord(_ error: any Error) async -> Answer {
        let wasOpened = state.withLock { $0.log.wasOpened }
        if wasOpened { _ = await record(state.withLock { $0.log.finish(nil) }) }
        let failure = PaymentError(wrapping: error, .unknown, attempt, provider.driver, scrub: scrub)
        guard let held = try? await services.attempt(attempt, .unknown) else { return .failure(failure) }
        switch held.state {
        case .approved, .declined, .reversed, .pending: return await result(held, else: failure)
        case .notExecuted: return .failure(neverArrived(failure))
        case .running, .inDoubt:
            // Another name of the account may know nothing of what this one sent.
            let mayLook = held.isEnded && held.newest?.account.isExactly(provider.identity) == true
            return mayLook ? await lookedUp(asDoubt(failure)) : .failure(asDoubt(failure))
        }
    }

    /// A card refused on its own, and the journal holds neither a request nor the refusal. Another process may sell under the same
    /// id at this moment, so that the refusal is no final answer: this call moved nothing, and the id may be tried again.
    private func unkept(_ verdict: Verdict) -> PaymentError {
        var message: ProviderMessage?
        if case .declined(let decline) = verdict { message = decline.provider }
        return PaymentError(
            .journal, outcome: .notExecuted, attempt: attempt, provider: message,
            detail: "The card was refused before anything was sent, and the journal could not keep that. Try again.")
    }

    /// The provider shows nothing of it, and that counts. If the provider answered, why it refused stays the code: a till with a
    /// wrong key doesn't read that it should try again.
    private func neverArrived(_ failure: PaymentError) -> PaymentError {
        let isAnswer = Self.answers.contains(failure.code)
        // What a journal or a check refused has a sentence of its own; a provider's words say why it refused.
        let detail =
            failure.code == .amountTooHigh
            ? failure.detail
            : failure.provider == nil && !isAnswer
                ? "The provider never got the request. It may be tried again."
                : "The provider answered with an error and shows nothing of the request. Once the reason is gone, try again."
        return PaymentError(
            isAnswer ? failure.code : .notReceived, outcome: .notExecuted, attempt: attempt, provider: failure.provider,
            detail: detail, diagnosis: failure.diagnosis)
    }

    /// Errors that only a provider that got the request gives.
    private static let answers: Set<PaymentError.Code> = [.amountTooHigh, .authentication, .permission, .rateLimited]

    // MARK: - The driver gave a verdict

    private func decided(_ verdict: Verdict) async -> Answer {
        let wasOpened = state.withLock { $0.log.wasOpened }
        switch verdict {
        case .cancelled(let cancellation) where !wasOpened:
            // The same id may be tried again: nothing was asked of the provider.
            emit(.cancelled, verdict.eventAttributes)
            let failure = PaymentError(.cancelled, outcome: .notExecuted, detail: "Nothing was sent.")
            return await elsewhere(true, failure).answer ?? .success(.cancelled(cancellation))
        case .pending(let pending) where pending.shouldPoll:
            emit(.waiting)
            let notes = pending.references
            let finish = state.withLock { state in
                for (name, value) in notes.sorted(by: { $0.key < $1.key }) { state.log.note(name, value) }
                return state.log.finish(nil, names: provider.names(in: verdict))
            }
            let failure = PaymentError(
                .inDoubt, outcome: .unknown, attempt: attempt,
                detail: "It was accepted, and no final answer came in time. Ask for the attempt's status.")
            guard await record(finish) != nil else { return .failure(failure) }
            return await lookedUp(failure)
        case .approved, .declined, .cancelled, .pending: break
        }
        emit(.of(verdict), verdict.eventAttributes)
        let finish = state.withLock { $0.log.finish(verdict.recordable, names: provider.names(in: verdict)) }
        return await concluded(verdict, finish, wasOpened: wasOpened)
    }

    /// Writes the outcome. If the journal can't take it, the caller still gets it, marked as not recorded.
    private func concluded(_ verdict: Verdict, _ finish: Finish, wasOpened: Bool) async -> Answer {
        guard let written = await writeAgainIfLost(finish) else {
            emit(.notRecorded)
            if !wasOpened, !verdict.isApproval { return .failure(unkept(verdict)) }
            let known = state.withLock { $0.log.attempt } ?? Attempt(intent)
            if let why = JournalRules.refusal(of: finish, known, owner: services.owner, at: services.instant) {
                return .failure(
                    PaymentError(
                        why == .ofCopy ? .conflict : .mismatch, outcome: .unknown, attempt: self.attempt,
                        detail: why.words))
            }
            if let other = await services.holder(of: provider.names(in: verdict), provider.identity, besides: intent) {
                return .failure(
                    PaymentError(
                        .mismatch, outcome: .unknown, attempt: self.attempt,
                        detail: JournalRefusal.claimed(by: other).words))
            }
            return .success(await services.unrecorded(verdict, known, provider.identity))
        }
        if case .refused(let why, _) = written {
            let failure = await services.refused(why, intent)
            // Of a request that was sent no refusal says that nothing was executed.
            return .failure(finish.begin == nil ? asDoubt(failure) : failure)
        }
        guard let attempt = written.attempt else {
            return .failure(
                PaymentError(.conflict, outcome: .unknown, attempt: self.attempt, detail: "The outcome was not taken."))
        }
        if let why = written.receipt?.refusal, !attempt.isDecided || verdict.isApproval != (attempt.state == .approved)
        {
            let failure = PaymentError(
                why == .ofCopy ? .conflict : .mismatch, outcome: .unknown, attempt: self.attempt, detail: why.words)
            return attempt.isOpen ? await lookedUp(failure) : await result(attempt, else: failure)
        }
        var held = attempt
        if verdict.isOverAnother(intent.amount) { held = await looker.verified(held) }
        let isSame = held.verdict == verdict.recordable
        let isAlone = isSame && written.receipt?.isAlone == true
        // A message may have said that the part was taken which is on its way back.
        let isAnswer = isSame || verdict.isPending && isReturning
        return await result(
            held, else: asDoubt(PaymentError(.inDoubt, outcome: .unknown)), fresh: isAnswer ? verdict : nil,
            isAlone: isAlone)
    }

    // MARK: - Looking

    /// Asks again and again as the driver's plan says; gives up as *unknown*.
    private func lookedUp(_ failure: PaymentError) async -> Answer {
        let looked = await looker.lookUntilDecided(attempt)
        if let attempt = looked.attempt {
            // If its state changed, the entry of a report or a message did that, and has the step.
            let isWritten = state.withLock { state in
                defer { state.log.take(attempt) }
                return state.log.attempt?.state != attempt.state
            }
            switch attempt.state {
            case .approved, .declined, .reversed, .pending:
                if let verdict = attempt.verdict { emit(.of(verdict), verdict.eventAttributes, isWritten: isWritten) }
                await writeTimeline()
                return await result(attempt, else: failure)
            case .notExecuted:
                let proven = neverArrived(failure)
                emit(.failed, ["code": proven.code.rawValue], isWritten: isWritten)
                await writeTimeline()
                return .failure(proven)
            case .running, .inDoubt: break
            }
        }
        emit(.inDoubt, isWritten: state.withLock { $0.log.attempt?.state == .inDoubt })
        await writeTimeline()
        return .failure(failure.adding(looked.reason))
    }

    // MARK: - Writing

    /// Writes the outcome; if the journal was set back to before the opening, the outcome begins the attempt once more.
    private func writeAgainIfLost(_ finish: Finish) async -> JournalAnswer? {
        let answer = await write(finish)
        guard case .refused(.noSuchAttempt, _)? = answer, finish.begin == nil else { return answer }
        return await write(state.withLock { $0.log.beginning(finish) })
    }

    private func write(_ finish: Finish) async -> JournalAnswer? {
        let entry = JournalEntry(.finish(finish), timeline: takeEvents())
        let lost = finish.begin == nil ? state.withLock { $0.log.beginning(finish) } : nil
        let span = observation?.begin(.decision)
        let answer = await services.record(
            entry, of: intent.paymentID, ifLost: lost.map { JournalEntry(.finish($0)) })
        if let span { observation?.end(span, answer) }
        if let answer { state.withLock { $0.log.finished(answer) } }
        return answer
    }

    /// Writes the end of the run; the attempt as it is now, or nil if the journal can't take it.
    private func record(_ finish: Finish) async -> Attempt? { await write(finish)?.attempt }

    /// Writes what of the timeline no other entry took along.
    private func writeTimeline() async {
        let events = takeEvents()
        if events.isEmpty { return }
        try? await services.journal.add(events, to: intent.paymentID)
    }

    private func result(
        _ attempt: Attempt, else failure: PaymentError, fresh: Verdict? = nil, isAlone: Bool = false
    ) async -> Answer {
        do { return .success(try await services.result(attempt, fresh: fresh, isAlone: isAlone)) } catch {
            return .failure(error)
        }
    }
}

extension PaymentError {
    /// The same about the call alone.
    var namingNone: PaymentError {
        var copy = self
        copy.attempt = nil
        return copy
    }

    /// The same, with the reason why the last look could not tell.
    func adding(_ reason: String?) -> PaymentError {
        guard let reason else { return self }
        return PaymentError(
            code, outcome: outcome, attempt: attempt, provider: provider, retry: retry,
            requiresUserAction: requiresUserAction, detail: "\(detail) (The last look: \(reason))",
            diagnosis: diagnosis)
    }
}

extension Verdict {
    var isApproval: Bool { if case .approved = self { true } else { false } }

    /// Whether it moved another amount than was asked for, and does not say why: then the provider is asked once more.
    func isOverAnother(_ asked: Money) -> Bool {
        guard case .approved(let approval) = self else { return false }
        return approval.amount != asked && !approval.isPartial && !approval.isDryRun
    }

    var eventAttributes: [String: String] {
        switch self {
        case .approved(let approval): ["amount": "\(approval.amount)"]
        case .declined(let decline): ["reason": decline.reason.rawValue, "code": decline.provider.code]
        case .cancelled(let cancellation): ["by": cancellation.cause.rawValue]
        case .pending: [:]
        }
    }
}
