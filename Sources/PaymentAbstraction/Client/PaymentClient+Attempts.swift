internal import PaymentBase

extension PaymentClient {
    /// Who does a piece of work, and what it is.
    struct Work: Sendable {
        let provider: OpenProvider
        var secrets: [Secret] = []
        /// Attempts of which the caller says that he knows what they moved.
        var after: Set<AttemptID> = []
        let body: AttemptRun.Body
    }

    /// Begins, replays, joins or recovers; the work runs in a task that no caller can cancel once money may move.
    ///
    /// The journal is asked first: what is recorded is answered from there, before a provider is chosen or looked at.
    ///
    /// - Parameter isFresh: Whether the attempt's id was drawn for this call, so that nothing can be recorded of it.
    func perform(
        _ intent: AttemptIntent, isFresh: Bool = false, within limit: Duration?,
        _ work: () throws(PaymentError) -> Work
    ) async throws(PaymentError) -> PaymentResult {
        let milliseconds = try Deadline(limit, otherwise: services.deadline).milliseconds
        let end = services.clock.now + milliseconds
        if let run = running.withLock({ $0[intent.attempt] }) { return try await join(run, intent, end) }
        if !isFresh, let record = try await services.attempt(intent.attempt) {
            guard record.intent.isSame(as: intent) else { throw PaymentError.conflict(record) }
            if let result = try await replay(record, end) { return result }
        }
        let work = try work()
        let fresh = AttemptRun(
            intent, work.provider, services, secrets: work.secrets,
            sequences: intent.isOrigin ? 0 : await services.lastSequence(intent.paymentID), after: work.after,
            clear: { [self] refusal in try await clear(refusal) })
        let earlier: AttemptRun? = running.withLock { running in
            if let earlier = running[intent.attempt] { return earlier }
            running[intent.attempt] = fresh
            return nil
        }
        if let earlier { return try await join(earlier, intent, end) }
        fresh.start(work.body) { [lanes] in
            await lanes.enter(intent.paymentID)
        } whenOver: { [running] in
            running.withLock { if $0[intent.attempt] === fresh { $0[intent.attempt] = nil } }
        } whenDone: { [lanes] isEntered in
            if isEntered { lanes.leave(intent.paymentID) }
        }
        do { return try await fresh.answer(until: end) } catch {
            var failure = error
            let isSafe = error.outcome == .nothingMoved && !fresh.hasActed
            failure.allowsFallback = isSafe && (error.code.isAboutReaching || error.code == .unsupported)
            throw failure
        }
    }

    private func told(_ result: PaymentResult, _ intent: AttemptIntent) -> PaymentResult {
        services.told(result, intent)
        return result
    }

    private func join(_ run: AttemptRun, _ intent: AttemptIntent, _ end: Int64) async throws(PaymentError)
        -> PaymentResult
    {
        if run.intent == intent { return try await run.answer(until: end) }
        throw PaymentError(
            .conflict, outcome: .unknown, attempt: intent.attempt, retry: .never,
            detail: "the attempt id is in use for \(run.intent.operation.withArticle) of \(run.intent.amount); use "
                + "a fresh one for something else")
    }

    /// The result of what was begun before; nil when it is proven that nothing moved, so that it may be begun again.
    private func replay(_ record: AttemptRecord, _ end: Int64) async throws(PaymentError) -> PaymentResult? {
        let attempt = record.intent.attempt
        var held = record
        var reason: String?
        if held.isOpen {
            let looked = try await services.bounded(until: end, attempt) { [self] () async throws(PaymentError) in
                try await waitElsewhere(record)
                return try await recover(attempt)
            }
            (held, reason) = (looked.record, looked.reason)
        }
        switch held.state {
        case .concluded: return told(try await services.result(held), held.intent)
        case .notMoved: return nil
        case .begun, .submitted, .inDoubt: throw PaymentError.stillOpen(held, reason)
        }
    }

    /// An attempt that another process works on: waits for more to be written about it, or for the end of that process.
    private func waitElsewhere(_ record: AttemptRecord) async throws(PaymentError) {
        var held = record
        while services.isElsewhere(held), !Task.isCancelled {
            let known = held.facts
            try await services.reading(known.intent.attempt, .unknown) { journal throws(JournalFailure) in
                try await journal.changed(known, or: services.owners, services.clock)
            }
            guard let now = try await services.attempt(known.intent.attempt, .unknown) else { return }
            held = now
        }
    }

    /// Recovers what stands in the way, if it is not under way; says whether that changed anything.
    private func clear(_ refusal: JournalRefusal) async throws(PaymentError) -> Bool {
        let blockers: [AttemptID]
        switch refusal {
        case .blocked(let by): blockers = by.filter(\.isUndecided).map(\.intent.attempt)
        case .exceeds(_, let open): blockers = open
        case .notAllowed, .noSuchPayment, .otherProvider, .mayBeLost, .noProof, .fenced, .unansweredSend:
            return false
        }
        var hasChanged = false
        for attempt in blockers where !isUnderWay(attempt) {
            guard let before = try await services.attempt(attempt) else { continue }
            guard let after = try? await recover(attempt).record else { continue }
            if after != before { hasChanged = true }
        }
        return hasChanged
    }

    /// One lookup of an attempt that nobody works on; how it stands afterwards.
    @discardableResult
    func recover(_ attempt: AttemptID, isHinted: Bool = false) async throws(PaymentError) -> Recovery.Looked {
        guard await recovering.enter(attempt) else {
            throw PaymentError(
                .cancelled, outcome: .unknown, attempt: attempt, detail: "cancelled while somebody else looked")
        }
        defer { recovering.leave(attempt) }
        guard let record = try await services.attempt(attempt, .unknown) else {
            // What another process is about to begin isn't written yet: nothing is said about money.
            throw PaymentError.unknown(.notFound, "there is no attempt \(attempt) in this journal")
        }
        if isUnderWay(attempt) || services.isElsewhere(record) { return .init(record: record) }
        var held = record
        if !held.facts.isEnded {
            // Whoever ran it is gone: nothing more of it can be opened.
            var entry = JournalEntry(record.intent.key, [.end(round: record.round, .takeOver)])
            entry.announces = true
            let answer = try await services.write(entry, .unknown)
            held = answer.facts.map(AttemptRecord.init) ?? held
        }
        let needsLook = held.facts.isOpen || held.facts.isOfflineStill || isHinted && held.mayTurn
        guard needsLook else { return .init(record: held) }
        let recovery: Recovery
        do { recovery = Recovery(provider: try open(held.provider), services: services) } catch {
            return .init(record: held, reason: error.detail, failure: error)
        }
        return try await recovery.look(attempt, isHinted: isHinted)
    }
}

extension PaymentError.Code {
    /// Whether it says that the provider was not reached at all.
    var isAboutReaching: Bool { self == .network || self == .unavailable || self == .rateLimited }
}
