internal import PaymentBase

/// The one loop that repeats a request for money, and the step that lets its bytes leave.
extension AttemptRun {
    /// How often one request is tried.
    static let triesMax = 3
    /// How long to wait before the first repeat, in milliseconds; doubled for each further one.
    static let repeatWaitMilliseconds: Int64 = 250

    /// What is recorded with a request.
    struct Recorded {
        var notes: [String: String] = [:]
        var names: [String] = []
        var canLookUp = true
    }

    /// Sends a request: again only what was provably not executed, what carries an idempotency key, and once with a renewed
    /// access.
    ///
    /// - Parameters:
    ///   - prepare: What is recorded with the request; nothing has left while it runs.
    ///   - transmit: Sends the request and reads the reply.
    func send<Reply>(
        _ effect: RequestEffect, _ cards: Attempt.Request.Cards, names: (Reply) -> [String],
        asksForMore: (Reply) -> Bool,
        prepare: (Transmission) async throws -> Recorded,
        transmit: (Transmission) async throws -> Reply
    ) async throws(PaymentError) -> Reply {
        let count = state.withLock { $0.log.countSend() }
        let key = effect == .idempotent ? "\(count)" : nil
        var (number, hasRenewed, wasLost) = (1, false, false)
        while true {
            let current: (access: AccessToken, generation: Int)
            do { current = try await provider.access?.current(services) ?? (.none, 0) } catch { throw wrapped(error) }
            _ = hiding(current.access)
            let attempt = Transmission(number: number, access: current.access)
            let recorded: Recorded
            do { recorded = try await prepare(attempt) } catch { throw wrapped(error) }
            // What limits the bytes runs from before the opening is written.
            let opened = RequestTimer(services.clock)
            try await open(cards, key, recorded)
            let failure: any Error
            do {
                let reply = try await RequestTimer.$current.withValue(opened) { try await transmit(attempt) }
                ended(asksForMore(reply) && !wasLost ? .refused : .answered, provider.fitting(names(reply)))
                return reply
            } catch { failure = error }
            let fault = provider.driver.classify(failure)
            let isRefusedAccess = fault.code == .authentication && !hasRenewed && provider.access != nil
            // The next request gets another access than the one that was refused.
            if isRefusedAccess { provider.access?.refused(current.generation) }
            let ending = Attempt.Request.Ending(fault.delivery)
            wasLost = wasLost || ending == .lost
            if ending == .notSent { state.withLock { $0.sentCount = max(0, $0.sentCount - 1) } }
            // Once a request may have been executed, a refusal of a later one under its key proves nothing about it.
            ended(ending, [], copyRefusal: copyRefusal(failure, fault))
            let isProven = ending != .lost && !wasLost
            let isHarmless = key != nil && wasLost && !(failure is CancellationError)
            let mayRepeat = fault.isRetryable && fault.code != .authentication && isProven
            let renews = isRefusedAccess && (isProven || key != nil)
            guard renews || (isHarmless || mayRepeat) && number < Self.triesMax, effect != .visible, !Task.isCancelled
            else {
                throw PaymentError(wrapping: failure, outcome, nil, provider.driver, scrub: scrub)
            }
            if renews {
                hasRenewed = true
            } else {
                let wait = fault.retryAfterMilliseconds ?? Self.repeatWaitMilliseconds << Int64(number - 1)
                try? await services.clock.sleep(until: services.clock.now + wait)
            }
            number += 1
            emit(.repeated, ["try": String(number)])
        }
    }

    /// What a reply says that a copy of an executed request gets as well.
    private func copyRefusal(_ failure: any Error, _ fault: RequestFailure) -> Finish.CopyRefusal? {
        if (failure as? PaymentError)?.excludesCopy == true { return nil }
        let isFollowUp = intent.payment != nil
        switch fault.code {
        case .conflict: return isFollowUp ? .nothingLeft : .alreadyThere
        case .amountTooHigh, .invalidRequest, .notFound: return isFollowUp ? .nothingLeft : nil
        default: return nil
        }
    }

    private func ended(
        _ ending: Attempt.Request.Ending, _ names: [String], copyRefusal: Finish.CopyRefusal? = nil
    ) {
        state.withLock { state in
            state.log.ended(ending, names: names, copyRefusal: copyRefusal)
            state.run.ended(ending, isAwaited: state.callers.isAwaited)
        }
    }

    /// Writes the opening of a request, and looks again under the lock before the first byte: the decision that a caller waits
    /// and the state *sending* are one step.
    private func open(
        _ cards: Attempt.Request.Cards, _ key: String?, _ recorded: Recorded
    ) async throws(PaymentError) {
        let mayOpen = state.withLock { $0.run.open(isAwaited: $0.callers.isAwaited) }
        guard mayOpen else { throw nothingIsSent() }
        for value in recorded.notes.values where scrub.isSecret(value) {
            notSent()
            throw PaymentError(
                .invalidRequest, outcome: outcome, attempt: attempt, detail: "A note holds a secret of the request.")
        }
        let capabilities = provider.capabilities
        let request = state.withLock { state in
            state.log.open { open in
                (open.cards, open.key, open.keyLifetime) = (cards, key, capabilities.keyLifetime)
                (open.sendLimit, open.transit) = (capabilities.sendLimit, capabilities.transit)
                (open.notes, open.names) = (recorded.notes, provider.fitting(recorded.names))
                if !recorded.canLookUp { open.begin?.canLookUp = false }
                guard cards == .several else { return }
                (open.mayBeOffline, open.forwardsWithin) = (capabilities.approvesOffline, capabilities.forwardsWithin)
            }
        }
        let answer: JournalAnswer
        do {
            answer = try await services.write(
                JournalEntry(.request(request), timeline: takeEvents()), of: intent.paymentID)
        } catch {
            notSent()
            throw services.failed(error, attempt, outcome)
        }
        let result = state.withLock { state -> RequestLog.Opened in
            let opened = state.log.opened(answer)
            guard case .mine = opened, state.callers.isAwaited else { return opened }
            state.run.send()
            state.sentCount += 1
            return opened
        }
        switch result {
        case .mine:
            if state.withLock({ $0.run.isSending && $0.run.mayHaveMoved }) { return emit(.submitted) }
            // All callers left while the opening was being written.
            state.withLock { state in
                state.log.ended(.notSent)
                state.run.notSent(isAwaited: state.callers.isAwaited)
            }
            throw nothingIsSent()
        case .known, .fenced:
            notSent()
            throw fenced(answer.attempt)
        case .refused(let refusal):
            notSent()
            throw await services.refused(refusal, intent)
        }
    }

    private func notSent() { state.withLock { $0.run.notSent(isAwaited: $0.callers.isAwaited) } }

    private func nothingIsSent() -> PaymentError {
        let code = state.withLock { $0.stopCode } ?? .cancelled
        return PaymentError(code, outcome: outcome, attempt: attempt, detail: "Nothing more is sent.")
    }

    private func fenced(_ held: Attempt?) -> PaymentError {
        PaymentError(
            .inDoubt, outcome: held?.outcome ?? .unknown, attempt: attempt, retry: .afterStatusCheck,
            detail: "Another process works on this attempt or has decided it. Ask for its status.")
    }
}

extension Attempt.Request.Ending {
    init(_ delivery: Delivery) {
        switch delivery {
        case .notSent: self = .notSent
        case .refused: self = .refused
        case .maybeSent: self = .lost
        }
    }
}
