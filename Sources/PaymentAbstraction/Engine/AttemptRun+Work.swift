internal import PaymentBase

extension AttemptRun {
    /// The whole life of the attempt; never throws, always says what is known.
    func work(_ body: Body) async -> Answer {
        emit(.begun, ["operation": intent.operation.rawValue, "amount": "\(intent.amount)"])
        let answer = await outcome(of: body)
        state.withLock { _ = $0.flow.handle(.ended) }
        leaveTerminal()
        await writeTimeline()
        return answer
    }

    /// The terminal is free for others, if it was kept for this one.
    func leaveTerminal() {
        let isKept = state.withLock { state in
            defer { state.isAtTerminal = false }
            return state.isAtTerminal
        }
        if isKept { provider.readerQueue?.leave() }
    }

    private func outcome(of body: Body) async -> Answer {
        let recovery = Recovery(provider: provider, services: services, run: self)
        do {
            let verdict: Verdict
            do {
                let said = try await body(PaymentContext(run: self))
                // Only now is everything known that went out on the way.
                verdict = scrub(said)
            } catch {
                return try await ended(by: error, recovery)
            }
            return try await decided(verdict, recovery)
        } catch { return .failure(error) }
    }

    /// The driver gave up: with doubt the client looks for itself, without it the attempt is closed as not moved.
    private func ended(by error: any Error, _ recovery: Recovery) async throws(PaymentError) -> Answer {
        guard state.withLock({ $0.facts }) != nil else { return .failure(unbegun(error)) }
        let known = outcome
        var failure = PaymentError(wrapping: error, known, attempt, provider.driver, scrub: scrub)
        if state.withLock({ $0.isFenced }) { return try await fenced(failure, recovery) }
        if known == .unknown {
            _ = await record([.end(round: nil, .owner)])
            return try await lookedUp(recovery, failure)
        }
        if try await isHiding(recovery, failure) {
            failure = PaymentError(
                failure.code, outcome: .unknown, attempt: attempt, provider: failure.provider, detail: failure.detail)
            state.withLock { $0.send?.proof = .lost }
            _ = await record([.end(round: nil, .owner)])
            return try await lookedUp(recovery, failure)
        }
        if let code = state.withLock({ $0.stopCode }) {
            failure = PaymentError(code, outcome: .nothingMoved, attempt: attempt, detail: failure.detail)
        }
        emit(.failed, ["code": failure.code.rawValue])
        guard let answer = await record([.end(round: nil, .owner)]), let facts = answer.facts else {
            // What moved nothing needs no record yet; it is written as soon as the journal takes it. Until then another
            // process may have taken the attempt over, so that only this call is spoken of.
            return .failure(failure.namingNone)
        }
        let held = AttemptRecord(facts)
        switch held.state {
        case .concluded: return .success(try await services.result(held))
        case .notMoved: return .failure(failure)
        case .inDoubt: return try await lookedUp(recovery, failure)
        // This run is over, so that another process has begun one.
        case .begun, .submitted: return try await fenced(failure, recovery)
        }
    }

    /// Nothing of it was ever written. An error that names another attempt, which it met, says so; of its own it names
    /// none: another process may have moved its money.
    private func unbegun(_ error: any Error) -> PaymentError {
        if let code = state.withLock({ $0.stopCode }) {
            return PaymentError(code, outcome: .nothingMoved, detail: "nothing was sent")
        }
        if let failure = error as? PaymentError, failure.attempt != nil {
            return failure.attempt == attempt && failure.outcome == .nothingMoved ? failure.namingNone : failure
        }
        return PaymentError(wrapping: error, .nothingMoved, nil, provider.driver, scrub: scrub)
    }

    /// Whoever was fenced out answers from the record, never from its own run.
    private func fenced(_ failure: PaymentError, _ recovery: Recovery) async throws(PaymentError) -> Answer {
        _ = await record([])
        guard let facts = state.withLock({ $0.facts }) else { return .failure(failure) }
        let held = AttemptRecord(facts)
        switch held.state {
        case .concluded: return .success(try await services.result(held))
        case .notMoved: return .failure(neverArrived(failure))
        case .begun, .submitted, .inDoubt:
            let unknown = PaymentError(
                .inDoubt, outcome: .unknown, attempt: attempt, provider: failure.provider, detail: failure.detail)
            let mayLook = held.facts.isEnded && held.provider == provider.identity
            return mayLook ? try await lookedUp(recovery, unknown) : .failure(unknown)
        }
    }

    private func neverArrived(_ failure: PaymentError) -> PaymentError {
        PaymentError(
            .neverArrived, outcome: .nothingMoved, attempt: attempt, provider: failure.provider,
            detail: "the provider never got it; it may be tried again")
    }

    /// How providers refuse what they have done already.
    private static let refusalsOfDone: Set<PaymentError.Code> = [.exceeds, .conflict, .invalidRequest, .notFound]

    /// Whether a refusal hides that the attempt was done: that nothing is left for it, or that there is one already, is
    /// also the answer to a request that came twice on its way.
    private func isHiding(_ recovery: Recovery, _ failure: PaymentError) async throws(PaymentError) -> Bool {
        let codes: Set<PaymentError.Code> = intent.payment != nil ? Self.refusalsOfDone : [.conflict]
        guard state.withLock({ $0.send != nil }), codes.contains(failure.code) else { return false }
        let plan = provider.driver.lookupPlan(for: intent.operation)
        let end = services.clock.now + plan.giveUpAfterMilliseconds
        while true {
            emit(.lookedUp)
            if let isDone = try await recovery.showsDone(attempt) { return isDone }
            if services.clock.now + plan.everyMilliseconds > end || Task.isCancelled { return true }
            _ = await pause(until: services.clock.now + plan.everyMilliseconds)
        }
    }

    private func decided(_ verdict: Verdict, _ recovery: Recovery) async throws(PaymentError) -> Answer {
        let send = state.withLock { $0.send?.number }
        if case .approved(let approval) = verdict, send == nil, !approval.isDryRun {
            let failure = PaymentError(
                .providerFailed, outcome: .nothingMoved, attempt: attempt,
                detail: "the adapter reports an approval without having asked for one")
            if state.withLock({ $0.facts != nil }) { _ = await record([.end(round: nil, .owner)]) }
            return .failure(failure)
        }
        if case .pending(let pending) = verdict, pending.lookAgain {
            emit(.waiting)
            _ = await record(called(verdict) + kept(verdict) + [.end(round: nil, .owner)])
            let failure = PaymentError(
                .inDoubt, outcome: .unknown, attempt: attempt,
                detail: "accepted, and no final answer came in time; ask for the attempt's status")
            return try await lookedUp(recovery, failure)
        }
        if verdict.isOfTwin, send != nil {
            // It is also the answer to a request whose twin was carried out: it says nothing about this attempt's money.
            state.withLock { $0.send?.proof = .lost }
            _ = await record([.end(round: nil, .owner)])
            let failure = PaymentError(
                .conflict, outcome: .unknown, attempt: attempt,
                detail: "the provider says that it has this already; ask for the attempt's status")
            return try await lookedUp(recovery, failure)
        }
        return try await conclude(verdict, send, recovery)
    }

    /// What the provider calls it, of that what names one operation alone.
    private func called(_ verdict: Verdict) -> [JournalEntry.Part] {
        let names = provider.names(in: verdict)
        return names.isEmpty ? [] : [.names(provider.identity, names)]
    }

    /// What a provider called an unfinished operation is what finds it again.
    private func kept(_ verdict: Verdict) -> [JournalEntry.Part] {
        verdict.references.sorted { $0.key < $1.key }.map { .note(name: $0.key, value: $0.value) }
    }

    /// Writes the outcome; when the journal can't take it, the caller still gets it, marked as not recorded.
    private func conclude(_ verdict: Verdict, _ send: Int?, _ recovery: Recovery) async throws(PaymentError) -> Answer {
        var word = AttemptFacts.Word(.reply, .verdict(verdict.recordable), at: services.instant)
        word.send = send
        emit(.of(verdict), verdict.eventAttributes)
        guard let answer = await record(called(verdict) + [.end(round: nil, .owner), .word(word)]) else {
            emit(.notRecorded)
            return .success(services.unrecorded(verdict, unwritten(verdict)))
        }
        if case .refused(let why, let facts) = answer {
            guard facts != nil, case .noProof(let reason) = why else { return .failure(.refused(why, intent)) }
            let failure = PaymentError(.mismatch, outcome: .unknown, attempt: attempt, detail: reason)
            return try await lookedUp(recovery, failure)
        }
        guard let facts = answer.facts else {
            return .failure(
                PaymentError(.conflict, outcome: .unknown, attempt: attempt, detail: "the outcome was not taken"))
        }
        var held = AttemptRecord(facts)
        if verdict.isOverAnother(intent.amount) { held = await verified(held, recovery) }
        let isSame = held.verdict == verdict.recordable
        return .success(try await services.result(held, fresh: isSame ? verdict : nil))
    }

    /// Another amount than was asked for is seen with the provider's own eyes; a look that fails is made once more.
    private func verified(_ held: AttemptRecord, _ recovery: Recovery) async -> AttemptRecord {
        for _ in 1...2 {
            guard let looked = try? await recovery.look(attempt, verifies: true) else { continue }
            heard(.accepted(looked.record.facts))
            if looked.reason == nil { return looked.record }
        }
        return held
    }

    /// The attempt as it stands but for what the journal could not take.
    private func unwritten(_ verdict: Verdict) -> AttemptRecord {
        let round = AttemptFacts.Round(
            number: 1, provider: provider.identity, owner: services.owner, begunAt: services.instant)
        return AttemptRecord(state.withLock { $0.facts } ?? AttemptFacts(intent, round))
    }

    /// Asks again and again as the driver's plan says; gives up as *unknown*.
    private func lookedUp(_ recovery: Recovery, _ failure: PaymentError) async throws(PaymentError) -> Answer {
        let plan = provider.driver.lookupPlan(for: intent.operation)
        let end = services.clock.now + plan.giveUpAfterMilliseconds
        var reason: String?
        while true {
            emit(.lookedUp)
            let looked = try? await recovery.look(attempt)
            if let looked { heard(.accepted(looked.record.facts)) }
            reason = looked?.reason ?? reason
            switch looked?.record.state {
            case .concluded(let verdict):
                emit(.of(verdict), verdict.eventAttributes)
                if let held = looked?.record, let result = try? await services.result(held) { return .success(result) }
            case .notMoved:
                emit(.failed, ["code": PaymentError.Code.neverArrived.rawValue])
                return .failure(neverArrived(failure))
            case .begun, .submitted, .inDoubt, nil: break
            }
            if services.clock.now + plan.everyMilliseconds > end || Task.isCancelled { break }
            _ = await pause(until: services.clock.now + plan.everyMilliseconds)
        }
        // Another process may have found out while nobody answered us.
        let last = try? await services.attempt(attempt, .unknown)
        if let last, case .concluded = last.state, let result = try? await services.result(last) {
            return .success(result)
        }
        emit(.inDoubt)
        return .failure(failure.adding(reason))
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
            requiresUserAction: requiresUserAction, detail: "\(detail) (the last look: \(reason))")
    }
}

extension Verdict {
    /// Whether it says that the same was done before, which the attempt's own twin causes as well.
    var isOfTwin: Bool {
        if case .declined(let decline) = self { return decline.reason == .duplicate }
        return false
    }

    /// Whether it moved another amount than was asked for, and doesn't say why: then it is looked at once more.
    func isOverAnother(_ asked: Money) -> Bool {
        guard case .approved(let approval) = self else { return false }
        return approval.amount != asked && !approval.isPartial && !approval.isDryRun
    }
}

extension PaymentEvent.Kind {
    static func of(_ verdict: Verdict) -> Self {
        switch verdict {
        case .approved: .approved
        case .declined: .declined
        case .cancelled: .cancelled
        case .pending: .pending
        }
    }
}

extension Verdict {
    var eventAttributes: [String: String] {
        switch self {
        case .approved(let approval): ["amount": "\(approval.amount)"]
        case .declined(let decline): ["reason": decline.reason.rawValue, "code": decline.provider.code]
        case .cancelled(let cancellation): ["by": cancellation.by.rawValue]
        case .pending: [:]
        }
    }
}
