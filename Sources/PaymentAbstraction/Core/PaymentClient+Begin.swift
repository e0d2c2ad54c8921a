internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

extension PaymentClient {
    /// Which provider does a piece of work, and what it is.
    struct Work: Sendable {
        let provider: ProviderRuntime
        var secrets: [Secret] = []
        /// What the request says of people, so that a provider's words hold none of it.
        var people: [Secret] = []
        /// What is asked for, if that follows from what is left of the payment now; nil for what the call asks for.
        var intent: Attempt.Intent?
        /// The version of the payment that the work starts from; nil for what starts a payment.
        var paymentVersion: Int?
        /// Whether the journal's rules are asked before the work, so that no card is read and nothing is asked in vain.
        var isPreviewed = false
        /// Whether the call asks no other provider after it.
        var isLast = true
        let body: AttemptRun.Body
    }

    /// How often work on a payment is begun over although nothing of the payment changed.
    private static let changesMax = 3

    /// Begins, replays, joins or recovers. The work runs in a task that no caller can cancel once money may move.
    ///
    /// The journal is asked first: what is recorded is answered from there, before a provider is chosen or looked at.
    ///
    /// - Parameters:
    ///   - isFresh: Whether the attempt's id was drawn for this call, so that nothing can be recorded of it.
    ///   - given: The call of the application, if it does more than this; it ends itself then.
    func perform(
        _ intent: Attempt.Intent, isFresh: Bool = false, until end: Int64, in given: LeadingCall? = nil,
        _ work: () async throws(PaymentError) -> Work
    ) async throws(PaymentError) -> PaymentResult {
        let call = given ?? LeadingCall()
        defer { if given == nil { finish(call, of: intent.attempt) } }
        if let run = underWay(intent.attempt, besides: call) { return try await join(run, intent, end) }
        // What was done under an id that was given is not known where it can't be read.
        if !isFresh, let own = try await services.attempt(intent.attempt, .unknown, follows: false), !call.waits(own) {
            guard own.intent.isSame(as: intent) else { throw .conflict(own) }
            // What it turned out to be may be over another amount: only its own content is compared.
            let held = own.absorbedBy == nil ? own : try await services.attempt(intent.attempt) ?? own
            if let result = try await replay(held, end) { return result }
        }
        var (count, seen) = (0, Int?.none)
        while true {
            count += 1
            let next = try await work()
            // Each change that is seen is another operation's progress: only those in which nothing is seen are counted.
            if let version = next.paymentVersion, version != seen { (count, seen) = (1, version) }
            do { return try await runOnce(intent, isFresh, end, call, next) } catch {
                guard count < Self.changesMax else { throw error }
                // The payment changed between reading it and writing the request: read it again, then begin over.
                if error.isChange, services.clock.uptime < end { continue }
                guard await isCleared(error, until: end) else { throw error }
            }
        }
    }

    private func runOnce(
        _ intent: Attempt.Intent, _ isFresh: Bool, _ end: Int64, _ call: LeadingCall, _ work: Work
    ) async throws(PaymentError) -> PaymentResult {
        var intent = work.intent ?? intent
        let capabilities = work.provider.capabilities
        (intent.requestedBy, intent.reader, intent.metadata) = (notes.requestedBy, notes.reader, notes.metadata)
        intent.isLastCapture = intent.operation == .capture && capabilities.captureRule == .single
        intent.releasesRest = intent.operation == .void && capabilities.voidRule == .uncaptured
        var begin = Begin(intent, work.provider.identity, paymentVersion: work.paymentVersion)
        let plan = work.provider.driver.lookupPlan(for: intent.operation)
        (begin.canLookUp, begin.showsTotalsOnly) = (plan != nil, plan?.comparesTotals ?? false)
        (begin.holdLifetime, begin.follows) = (capabilities.holdLifetime, call.open?.number)
        try await refuseWhileInDoubt(intent)
        if work.isPreviewed { try await preview(begin) }
        let fresh = AttemptRun(
            begin, work.provider, services, secrets: work.secrets, people: work.people, isAlone: isFresh,
            mayMoveOn: work.isLast ? nil : call)
        let (attempt, payment) = (intent.attempt, intent.paymentID)
        // The run must find that it is awaited, however fast its task begins.
        let joined = fresh.join()
        if let earlier = register(fresh, by: call) { return try await join(earlier, intent, end) }
        let inProcess = services.journal.processes.runs
        inProcess?.begin(attempt)
        fresh.start(work.body) { [lanes] in
            await lanes.enter(payment)
        } whenOver: { [running] in
            running.withLock { if $0[attempt] === fresh { $0[attempt] = nil } }
            inProcess?.end(attempt)
        } whenDone: { [lanes] isEntered in
            if isEntered { lanes.leave(payment) }
        }
        do { return try await fresh.answer(joined, until: end) } catch {
            var failure = error
            failure.allowsFallback = fresh.allowsNext(after: error)
            throw failure
        }
    }

    /// A payment without a reference that is typed again is charged again, but not while it is not known what became of the
    /// last one of its amount.
    private func refuseWhileInDoubt(_ intent: Attempt.Intent) async throws(PaymentError) {
        guard intent.isOrigin, intent.reference == nil, intent.operation.paysOnce, !intent.isDryRun else { return }
        var cursor: JournalCursor?
        repeat {
            let (scope, after) = (services.scope, cursor)
            let page = try await services.reading(intent.attempt) { journal throws(JournalFailure) in
                try await journal.attempts(.open(scope: scope), after: after, limit: ListQuery.limitMax)
            }
            // What is open and can't be read may be the last one.
            if let hidden = page.unreadable.first {
                throw services.failed(.unreadable(hidden), hidden.attempt, .unknown)
            }
            var same: Attempt?
            for other in page.attempts {
                guard other.intent.reference == nil, other.intent.operation.paysOnce, other.intent.isOrigin,
                    other.intent.amount == intent.amount, other.intent.attempt != intent.attempt
                else { continue }
                guard await isAbandoned(other) else { continue }
                same = other
                break
            }
            if let same {
                let id = same.intent.attempt
                var error = PaymentError.notExecuted(
                    .inDoubt,
                    "It is not known yet whether the last \(intent.operation.rawValue) of \(intent.amount) without a reference was "
                        + "executed (attempt \(id)). Ask for its status, or decide with `resolve`.")
                // It is not looked up and passed over here: that it was executed is news for the person who types it again.
                error.attempt = id
                throw error
            }
            cursor = page.next
        } while cursor != nil
    }

    /// Whether an attempt may begin, asked before anything is done for it; false if the journal has its result.
    ///
    /// - Throws: What stands in its way. What is open is looked up once.
    func mayBegin(
        _ intent: Attempt.Intent, at provider: ProviderRuntime, until end: Int64
    ) async throws(PaymentError) -> Bool {
        if let held = try await services.attempt(intent.attempt), held.state != .notExecuted { return false }
        while true {
            do throws(PaymentError) {
                try await refuseWhileInDoubt(intent)
                try await preview(Begin(intent, provider.identity))
                return true
            } catch { guard await isCleared(error, until: end) else { throw error } }
        }
    }

    /// Whether no caller is left who waits for an open attempt's outcome: then what is typed again may be the same once more.
    private func isAbandoned(_ attempt: Attempt) async -> Bool {
        guard attempt.state == .running else { return true }
        if let run = running.withLock({ $0[attempt.intent.attempt] }) { return !run.isAwaited }
        if isLed(attempt.intent.attempt) { return false }
        return await !services.isElsewhere(attempt)
    }

    /// Asks the journal whether an attempt may begin; the transaction that opens the first request decides.
    func preview(_ begin: Begin) async throws(PaymentError) {
        let entry = JournalEntry(.request(OpenRequest(begin, owner: services.owner, sendLimit: nil)))
        let answer = try await services.reading(begin.intent.attempt) { journal throws(JournalFailure) in
            try await journal.preview(entry, at: services.instant)
        }
        if case .refused(let refusal, _) = answer { throw await services.refused(refusal, begin.intent) }
    }

    /// Something open stands in the way: it is looked up once, for no longer than the caller waits; says whether that changed
    /// anything.
    private func isCleared(_ error: PaymentError, until end: Int64) async -> Bool {
        guard !error.blocking.isEmpty, !Task.isCancelled else { return false }
        var hasChanged = await services.writePending()
        for id in error.blocking where !isUnderWay(id) {
            guard !Task.isCancelled, services.clock.uptime < end, let before = try? await services.attempt(id) else {
                continue
            }
            let looked = try? await services.bounded(until: end, id) { [self] () async throws(PaymentError) in
                try await recover(id)
            }
            if let after = looked?.attempt, after.state != before.state { hasChanged = true }
        }
        return hasChanged
    }

    private func join(_ run: AttemptRun, _ intent: Attempt.Intent, _ end: Int64) async throws(PaymentError)
        -> PaymentResult
    {
        if run.intent.isSame(as: intent) { return try await answer(of: run, until: end) }
        throw PaymentError(
            .conflict, outcome: .unknown, attempt: intent.attempt, retry: .never,
            detail:
                "Attempt id \(intent.attempt) is in use for \(run.intent.operation.withArticle) of \(run.intent.amount). "
                + "Use a new id for a different request.")
    }

    /// The result of what was begun before; nil if it is proven that nothing was executed, so that it may run again.
    private func replay(_ held: Attempt, _ end: Int64) async throws(PaymentError) -> PaymentResult? {
        let id = held.intent.attempt
        var (attempt, reason): (Attempt, String?) = (held, nil)
        var failure: PaymentError?
        if attempt.state == .running || attempt.state == .inDoubt || attempt.mayReturnPart {
            let looked = try await services.bounded(until: end, id) { [self] () async throws(PaymentError) in
                try await waitElsewhere(held)
                return try await recover(id)
            }
            (attempt, reason, failure) = (looked.attempt ?? attempt, looked.reason, looked.failure)
        }
        switch attempt.state {
        case .approved where attempt.mayReturnPart: throw PaymentError.stillOpen(attempt, reason, after: failure)
        case .approved, .declined, .reversed, .pending: return try await services.result(attempt)
        case .notExecuted: return nil
        case .running, .inDoubt: throw PaymentError.stillOpen(attempt, reason, after: failure)
        }
    }

    /// Another process works on the attempt: waits until more is written about it, or that process is dead.
    private func waitElsewhere(_ held: Attempt) async throws(PaymentError) {
        let id = held.intent.attempt
        while !Task.isCancelled {
            guard let stored = try await services.payment(held.intent.paymentID, .unknown),
                let attempt = stored.attempts.first(where: { $0.intent.attempt == id }),
                await services.isElsewhere(attempt), let owner = attempt.newest?.owner
            else { return }
            try await services.changed(id, after: stored.entry, orGone: owner)
        }
    }
}

extension PaymentError.Code {
    /// Whether it says that the provider was not reached at all.
    var isAboutReaching: Bool { self == .network || self == .providerUnavailable || self == .rateLimited }
}
