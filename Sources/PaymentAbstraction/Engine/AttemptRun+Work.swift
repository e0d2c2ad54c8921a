internal import PaymentBase

extension AttemptRun {
    /// The whole life of the attempt after its intent was written; never throws, always says what is known.
    func work(_ body: Body) async -> Answer {
        emit(.begun, ["operation": record.intent.operation.rawValue, "amount": "\(record.intent.amount)"])
        let answer = await outcome(of: body)
        state.withLock { _ = $0.flow.handle(.ended) }
        if state.withLock({ $0.isAtTerminal }) { provider.readerQueue?.leave() }
        await writeTimeline()
        return answer
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
        } catch { return .failure(error.naming(record.intent.attempt)) }
    }

    /// The driver gave up: with doubt the client looks for itself, without it the attempt is closed as not moved.
    private func ended(by error: any Error, _ recovery: Recovery) async throws(PaymentError) -> Answer {
        let known = outcome
        var failure = PaymentError(
            wrapping: error, known, record.intent.attempt, provider.driver, scrub: scrub)
        if known == .unknown { return try await lookedUp(recovery, failure) }
        if try await isHiding(recovery, failure) {
            failure = PaymentError(
                failure.code, outcome: .unknown, attempt: record.intent.attempt, provider: failure.provider,
                detail: failure.detail)
            return try await lookedUp(recovery, failure)
        }
        if let code = state.withLock({ $0.stopCode }) {
            failure = PaymentError(code, outcome: .nothingMoved, attempt: record.intent.attempt, detail: failure.detail)
        }
        emit(.failed, ["code": failure.code.rawValue])
        return await close(.notMoved, failure)
    }

    /// How providers refuse what they have done already.
    private static let refusalsOfDone: Set<PaymentError.Code> = [.exceeds, .conflict, .invalidRequest, .notFound]

    /// Whether a refusal hides that the attempt was done: that nothing is left for it, or that there is one already, is
    /// also the answer to a request that came twice on its way.
    private func isHiding(_ recovery: Recovery, _ failure: PaymentError) async throws(PaymentError) -> Bool {
        let isSubmitted = state.withLock { $0.flow.isSubmitted }
        let isFollowUp = record.intent.payment != nil
        let codes: Set<PaymentError.Code> = isFollowUp ? Self.refusalsOfDone : [.conflict]
        guard isSubmitted, codes.contains(failure.code) else { return false }
        let plan = provider.driver.lookupPlan(for: record.intent.operation)
        let end = services.clock.now + plan.giveUpAfterMilliseconds
        while true {
            emit(.lookedUp)
            if let isDone = try await recovery.showsDone(record.intent.attempt) { return isDone }
            if services.clock.now + plan.everyMilliseconds > end || Task.isCancelled { return true }
            _ = await pause(until: services.clock.now + plan.everyMilliseconds)
        }
    }

    private func decided(_ verdict: Verdict, _ recovery: Recovery) async throws(PaymentError) -> Answer {
        let isSubmitted = state.withLock { $0.flow.isSubmitted }
        if case .approved(let approval) = verdict, !isSubmitted, !approval.isDryRun {
            let failure = PaymentError(
                .providerFailed, outcome: .nothingMoved, attempt: record.intent.attempt,
                detail: "the adapter reports an approval without having asked for one")
            return await close(.notMoved, failure)
        }
        switch Proof.of(verdict, record, claim: nil) {
        case .verdict(let verdict, _):
            return await conclude(verdict)
        case .mismatch(let detail):
            let failure = PaymentError(
                .mismatch, outcome: .unknown, attempt: record.intent.attempt, detail: detail)
            return try await lookedUp(recovery, failure)
        case .nothing, .something, .notMoved:
            emit(.waiting)
            if !verdict.references.isEmpty { await keep(verdict.references) }
            let failure = PaymentError(
                .inDoubt, outcome: .unknown, attempt: record.intent.attempt,
                detail: "accepted, and no final answer came in time; ask for the attempt's status")
            return try await lookedUp(recovery, failure)
        }
    }

    /// What a provider called an unfinished operation is what finds it again.
    private func keep(_ references: PaymentReferences) async {
        for (name, value) in references.sorted(by: { $0.key < $1.key }) { try? await remember(name, value) }
    }

    /// Writes the outcome; when the journal can't take it, the caller still gets it, marked as not recorded.
    private func conclude(_ verdict: Verdict) async -> Answer {
        let attempt = record.intent.attempt
        let conclusion = Conclusion(.concluded(verdict.recordable), by: .reply, at: services.clock.now)
        emit(.of(verdict), verdict.eventAttributes)
        do {
            let held = try await services.writing(attempt, .unknown) { [record] journal in
                try await journal.conclude(attempt, round: record.round, conclusion)
            }
            guard case .concluded(let recorded) = held.state else {
                return .failure(
                    PaymentError(.conflict, outcome: .unknown, attempt: attempt, detail: "the outcome was not taken"))
            }
            if recorded != verdict.recordable, OutcomeFlow.Phase(recorded) != OutcomeFlow.Phase(verdict) {
                emit(.contradiction, ["recorded": "\(OutcomeFlow.Phase(recorded))"])
                return .success(try await services.result(held))
            }
            return .success(try await services.result(held, fresh: verdict))
        } catch {
            services.unwritten.add(.init(attempt: attempt, round: record.round, conclusion: conclusion))
            emit(.notRecorded)
            return .success(services.unrecorded(verdict, record))
        }
    }

    /// Ends the attempt without a verdict; one that was recorded meanwhile wins.
    private func close(_ end: AttemptRecord.State, _ failure: PaymentError) async -> Answer {
        let attempt = record.intent.attempt
        let conclusion = Conclusion(end, by: .reply, at: services.clock.now)
        do {
            let held = try await services.writing(attempt, failure.outcome) { [record] journal in
                try await journal.conclude(attempt, round: record.round, conclusion)
            }
            if held.round == record.round || held.intent == record.intent, case .concluded = held.state {
                return .success(try await services.result(held))
            }
        } catch {
            // What moved nothing needs no record; what is in doubt is already written as submitted.
            services.unwritten.add(.init(attempt: attempt, round: record.round, conclusion: conclusion))
        }
        return .failure(failure.naming(attempt))
    }

    /// Asks again and again as the driver's plan says; gives up as *unknown*.
    private func lookedUp(_ recovery: Recovery, _ failure: PaymentError) async throws(PaymentError) -> Answer {
        let plan = provider.driver.lookupPlan(for: record.intent.operation)
        let end = services.clock.now + plan.giveUpAfterMilliseconds
        while true {
            emit(.lookedUp)
            let held = try? await recovery.look(record.intent.attempt)
            switch held?.state {
            case .concluded(let verdict):
                emit(.of(verdict), verdict.eventAttributes)
                if let held, let result = try? await services.result(held) { return .success(result) }
            case .notMoved:
                emit(.failed, ["code": PaymentError.Code.neverArrived.rawValue])
                return .failure(
                    PaymentError(
                        .neverArrived, outcome: .nothingMoved, attempt: record.intent.attempt,
                        provider: failure.provider, detail: "the provider never got it; it may be tried again"))
            case .begun, .submitted, .inDoubt, nil: break
            }
            if services.clock.now + plan.everyMilliseconds > end || Task.isCancelled { break }
            _ = await pause(until: services.clock.now + plan.everyMilliseconds)
        }
        emit(.inDoubt)
        return await close(.inDoubt, failure)
    }

    private func writeTimeline() async {
        let events = state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
        try? await services.journal.append(events)
    }
}

extension PaymentError {
    /// The same, with the attempt that it belongs to.
    func naming(_ attempt: AttemptID) -> PaymentError {
        var copy = self
        if copy.attempt == nil { copy.attempt = attempt }
        return copy
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
