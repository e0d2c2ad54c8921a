internal import PaymentBase
internal import PaymentDriverKit

// How the client carries out what a driver calls through its contexts.

/// One provider's calls that move no money, on behalf of a run or of none.
struct ProviderCalls: Sendable {
    let provider: ProviderRuntime
    let services: Services
    var run: AttemptRun?
    var scrub = SecretScrubber([])
}

extension ProviderCalls: ReaderCalls {
    var now: Int64 { services.clock.now }
    var reader: (any CardReader)? { services.reader }

    func installation() async throws(PaymentError) -> Installation { try await services.installation() }

    func number() async throws(PaymentError) -> Int64 { try await services.number(run?.outcome ?? .notExecuted) }

    func hiding(_ secrets: [Secret]) -> any QueryCalls {
        var copy = self
        copy.scrub = scrub.hiding(secrets)
        run?.hide(secrets)
        return copy
    }

    func exchange<Reply>(_ send: (Transmission) async throws -> Reply) async throws(PaymentError) -> Reply {
        if services.observer == nil || RequestInFlight.current?.observation != nil {
            return try await provider.query(for: run, scrub, services, send)
        }
        return try await services.observed(.query, nil, provider.id, provider.driver.secrets) {
            () async throws(PaymentError) in
            try await provider.query(for: run, scrub, services, send)
        }
    }

    func ask<Asked: Question>(_ asked: Asked) async -> Asked.Answer? {
        guard let question = provider.scrub(asked) else { return nil }
        return await services.ask(question, attempt: nil, payment: nil, provider: provider.id)
    }

    /// A token that lapses within the margin, by this machine's clock, is used until the reader says that it did.
    func staysReady(until instant: Int64?) {
        let least = now.addingSaturating(ReaderQueue.renewalMarginMilliseconds)
        provider.readerQueue?.lasts(until: instant.flatMap { $0 > least ? $0 : nil })
    }

    var sink: @Sendable (ReaderEvent) -> Void {
        { [weak readerQueue = provider.readerQueue] event in _ = readerQueue?.heard(event) }
    }

    var announce: @Sendable (PaymentEvent.Kind, [String: String]) -> Void {
        { [weak readerQueue = provider.readerQueue, services] kind, attributes in
            readerQueue?.tell(kind, services, attributes)
        }
    }

    func wrapped(_ error: any Error) -> PaymentError {
        PaymentError(wrapping: error, .notExecuted, nil, provider.driver)
    }
}

extension AttemptRun: RunCalls {
    var providerID: ProviderID { provider.id }
    var clock: any PaymentClock { services.clock }
    var executor: (any TaskExecutor)? { services.executor }
    var answers: QuestionHandlers { services.answers }
    var query: any QueryCalls { ProviderCalls(provider: provider, services: services, run: self) }
    var firstSubmittedAt: Int64? { state.withLock { $0.log.attempt?.requests.first?.openedAt.wall } }
    var mayHaveArrivedBefore: Bool { state.withLock { $0.mayHaveArrivedBefore } }

    /// What follows an answer is sent only for a caller that waits. So a question ends with its last caller, and so does the wait
    /// for a customer who pays elsewhere; a part that is offered goes back then.
    func ask<Asked: Question>(_ asked: Asked) async -> Asked.Answer? {
        // Not what the customer has answered before, which may stand in a question by right.
        guard let question = provider.scrub(asked) else {
            emit(.unanswered, ["question": "\(Asked.self)"])
            return nil
        }
        let ask: @Sendable () async -> Asked.Answer? = { [self] in
            await services.ask(
                question, attempt: attempt, payment: intent.paymentID, provider: provider.id,
                emit: { [self] kind, attributes in emit(kind, attributes) })
        }
        let isPageOrPart = Asked.self == PaymentLink.self || Asked.self == PartialApprovalOffer.self
        // What is answered inside a call that is open leaves with that call. As long as nothing can have moved, the last caller
        // stops the whole run.
        let isBetweenRequests = !hasOpenRequest && outcome == .unknown
        guard isPageOrPart || isBetweenRequests else { return await ask() }
        let asking = Task(executorPreference: executor) { await ask() }
        state.withLock { $0.endQuestion = { asking.cancel() } }
        endQuestionUnlessAwaited()
        defer { state.withLock { $0.endQuestion = nil } }
        return await withTaskCancellationHandler {
            await asking.value
        } onCancel: {
            asking.cancel()
        }
    }

    func note(_ name: String) -> String? { state.withLock { $0.log.note(name) } }

    func emit(_ kind: PaymentEvent.Kind, _ attributes: [String: String] = [:]) {
        emit(kind, attributes, isWritten: false)
    }

    func wake() { news(nil) }

    func returnsMoney() { state.withLock { $0.returnsMoney = true } }
}

extension Services: SessionCalls {
    var now: Int64 { clock.now }

    func installation() async throws(PaymentError) -> Installation {
        do { return try await installations.installation(executor) } catch {
            throw PaymentError.notExecuted(
                .configuration, "the installation's names could not be read or kept; check the store that was given")
        }
    }
}
