internal import PaymentBase

/// One attempt while it runs, in a task of the client's own; callers only wait for it.
final class AttemptRun: Sendable {
    typealias Answer = Result<PaymentResult, PaymentError>
    typealias Body = @Sendable (PaymentContext) async throws -> Verdict

    /// How long a stopped run may take to end before its waiter is released, in milliseconds.
    static let stopGraceMilliseconds: Int64 = 5_000
    /// How many events one attempt keeps for the timeline.
    static let eventsMax = 1_000

    /// How long an access lasts at least when a card is about to be read, beyond its margin, in milliseconds.
    static let readMilliseconds: Int64 = 5 * 60_000

    /// Somebody who waits for the answer.
    struct Waiter {
        /// Whether he wants the money moved; whoever only asks keeps nothing going.
        let isCaller: Bool
        let answer = Promise<Answer>()
    }

    struct State {
        var flow = AttemptFlow()
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        /// Those who were handed the end and have not heard it yet, and what is let go when all have.
        var unheard: (waiters: Set<Int>, release: @Sendable () -> Void)?
        /// Those who went away with an answer.
        var gone: Set<Int> = []
        var answer: Answer?
        var task: Task<Void, Never>?
        var release: (@Sendable () -> Void)?
        var sleeper: Promise<Bool>?
        var hasNews = false
        var stopCode: PaymentError.Code?
        /// The attempt as the journal last showed it; nil while nothing was written.
        var facts: AttemptFacts?
        /// The round that this run has begun; nil while nothing was written.
        var round: Int?
        /// The send that is under way or whose end is still to be written, and how it ended.
        var send: (number: Int, proof: AttemptFacts.Close.Proof?)?
        /// Whether somebody else has decided the attempt or taken it over.
        var isFenced = false
        /// Everything secret that went out, to be taken out of whatever comes back.
        var scrub: Scrubber
        var events: [PaymentEvent] = []
        /// Exchanges of which a byte may have left us; with any of them no other provider is tried.
        var sentCount = 0
        var exchangeCount = 0
        var hasRead = false
        /// Whether a terminal of the provider's is kept for it.
        var isAtTerminal = false
    }

    let intent: AttemptIntent
    let provider: OpenProvider
    let services: Services
    let terms: AdmissionTerms
    let sequencesWritten: Int
    /// Removes the doubt of what stands in the way, if that can be done; says whether anything changed.
    let clear: @Sendable (JournalRefusal) async throws -> Bool
    let state: Locked<State>

    init(
        _ intent: AttemptIntent, _ provider: OpenProvider, _ services: Services, secrets: [Secret], sequences: Int,
        after: Set<AttemptID>, clear: @escaping @Sendable (JournalRefusal) async throws -> Bool
    ) {
        (self.intent, self.provider, self.services) = (intent, provider, services)
        (sequencesWritten, self.clear) = (sequences, clear)
        let capabilities = provider.capabilities
        var terms = AdmissionTerms(provider.identity, captures: capabilities.captures, owner: services.owner)
        terms.after = after
        terms.showsTotalsOnly = provider.driver.lookupPlan(for: intent.operation).isByDifference
        self.terms = terms
        let known = Scrubber(provider.needles.set(of: provider.driver.secrets))
        state = Locked(State(scrub: known.hiding(secrets)))
    }

    /// Our name for what is being done.
    var attempt: AttemptID { intent.attempt }

    /// Takes the secrets out of a text.
    var scrub: Scrubber { state.withLock { $0.scrub } }

    /// Remembers what else must not come back.
    func hide(_ secrets: [Secret]) { state.withLock { $0.scrub = $0.scrub.hiding(secrets) } }

    /// Remembers an access that goes out.
    func hiding(_ access: ProviderAccess) -> Scrubber {
        let set = provider.needles.set(of: access.secrets)
        return state.withLock { state in
            state.scrub = state.scrub.hiding(set)
            return state.scrub
        }
    }

    /// What is known about the money now.
    var outcome: PaymentError.Outcome { state.withLock { $0.flow.inDoubt } ? .unknown : .nothingMoved }

    /// Whether somebody waits for its answer.
    var isAwaited: Bool { state.withLock { $0.waiters.values.contains(where: \.isCaller) } }

    /// Whether a request that may move money has no reply yet.
    var hasOpenSend: Bool { state.withLock { $0.send.map { $0.proof == nil } ?? false } }

    /// Whether anything was sent or read.
    var hasActed: Bool { state.withLock { $0.sentCount > 0 || $0.hasRead } }
}

extension AttemptRun: ExchangeParty {
    // MARK: - The driver's side

    func freshKey() -> String? {
        state.withLock { state in
            state.exchangeCount += 1
            return "\(state.exchangeCount)"
        }
    }

    func willSend(_ effect: Effect, key: String?) async throws(PaymentError) {
        guard effect.isAboutMoney else {
            try await beginOnce()
            state.withLock { $0.sentCount += 1 }
            return
        }
        guard state.withLock({ $0.flow.handle(.wantsSend) }) == .open else {
            let code = state.withLock { $0.stopCode } ?? .cancelled
            throw PaymentError(code, outcome: outcome, attempt: attempt, detail: "nothing more is sent")
        }
        do { try await open(effect == .keyed ? key : nil) } catch {
            state.withLock { _ = $0.flow.handle(.openFailed) }
            throw error
        }
        state.withLock { state in
            _ = state.flow.handle(.opened)
            state.sentCount += 1
        }
    }

    func answered(_ effect: Effect) {
        guard effect.isAboutMoney else { return }
        state.withLock { state in
            _ = state.flow.handle(.answered)
            state.send?.proof = .answered
        }
    }

    func leavesNoTrace(after milliseconds: Int64) async -> Bool {
        let plan = provider.driver.lookupPlan(for: intent.operation)
        guard let quiet = plan.quietTime, quiet <= plan.giveUpAfterMilliseconds else { return false }
        let (start, least) = (services.instant, max(milliseconds, quiet))
        // News wakes early, and a clock may be set: neither makes shorter how long a list may lag.
        while isAwaited, !Task.isCancelled {
            let passed = start.passed(until: services.instant)
            if passed >= least { break }
            _ = await pause(until: services.clock.now + (least - passed))
        }
        guard isAwaited, !Task.isCancelled else { return false }
        emit(.lookedUp)
        return await Recovery(provider: provider, services: services, run: self).leavesNoTrace(attempt)
    }

    func failed(_ effect: Effect, _ fault: Fault) -> PaymentError.Outcome {
        state.withLock { state in
            if fault.delivery == .notSent { state.sentCount = max(0, state.sentCount - 1) }
            if effect.isAboutMoney {
                _ = state.flow.handle(.failed(fault.delivery))
                state.send?.proof = .init(fault.delivery)
            }
            return state.flow.inDoubt ? .unknown : .nothingMoved
        }
    }

    func repeats(_ number: Int) { emit(.repeated, ["try": String(number)]) }

    func read(_ request: CardRequest) async throws(PaymentError) -> CardRead {
        // What lapses while the card is read would have to be renewed in the middle of the payment.
        do { _ = try await provider.access?.current(services, lasting: Self.readMilliseconds) } catch {
            throw wrapped(error)
        }
        try await beginOnce()
        emit(.readyForCard)
        let body: @Sendable (any CardReader) async throws -> CardRead = { [state] reader in
            state.withLock { $0.hasRead = true }
            return try await reader.read(request)
        }
        let read: CardRead
        do {
            if let readerQueue = provider.readerQueue {
                let context = ReaderContext(provider: provider, services: services)
                read = try await readerQueue.read(
                    context, { [self] event in emit(.reader(event), event.attributes) }, body)
            } else {
                guard let reader = services.reader else { throw ReaderContext.noReader }
                read = try await body(reader)
            }
        } catch { throw wrapped(error) }
        emit(.cardRead)
        return read
    }

    func atTerminal<Reply>(_ body: () async throws -> Reply) async throws -> Reply {
        try await beginOnce()
        guard let readerQueue = provider.readerQueue else { return try await body() }
        let context = ReaderContext(provider: provider, services: services)
        return try await readerQueue.occupy(context) {
            state.withLock { $0.isAtTerminal = true }
            emit(.readyForCard)
            return try await body()
        }
    }

    func readPIN(token: Secret, after read: CardRead) async throws(PaymentError) -> CardRead {
        emit(.pinRequested)
        let entered: CardRead
        do {
            guard let reader = services.reader else { throw ReaderContext.noReader }
            entered = try await reader.readPIN(token: token, after: read)
        } catch { throw wrapped(error) }
        emit(.pinEntered)
        return entered
    }

    private func wrapped(_ error: any Error) -> PaymentError {
        PaymentError(wrapping: error, outcome, intent.attempt, provider.driver, scrub: scrub)
    }

    func remember(_ name: String, _ value: String) async throws(PaymentError) {
        guard !scrub.isSecret(value) else {
            throw PaymentError(
                .invalidRequest, outcome: outcome, attempt: intent.attempt,
                detail: "the note \(name) holds a secret of the request and is not kept")
        }
        try await beginOnce()
        let answer = try await services.write(entry([.note(name: name, value: value)]), of: intent.origin, outcome)
        heard(answer)
        guard case .refused = answer else { return }
        state.withLock { $0.isFenced = true }
        throw PaymentError(
            .conflict, outcome: outcome, attempt: attempt, retry: .afterStatusCheck,
            detail: "another process has taken this attempt over; ask for its status")
    }

    func isCalled(_ name: String) async throws(PaymentError) {
        try await beginOnce()
        heard(try await services.write(entry([.names(provider.identity, [name])]), of: intent.origin, outcome))
    }

    func note(_ name: String) -> String? {
        state.withLock { $0.facts }?.notes.last { $0.name == name }?.value
    }

    func emit(_ kind: PaymentEvent.Kind, _ attributes: [String: String] = [:]) {
        let clean = attributes.mapValues { Masking.cardNumbers(in: scrub($0)) }
        let event = services.events.emit(
            kind, at: services.clock.now, payment: intent.paymentID, attempt: intent.attempt,
            provider: provider.id, attributes: clean, written: sequencesWritten)
        state.withLock { state in
            if state.events.count < Self.eventsMax { state.events.append(event) }
        }
    }

    func pause(until instant: Int64) async -> Bool {
        let sleeper = Promise<Bool>()
        let isEarly = state.withLock { state in
            state.sleeper = sleeper
            defer { state.hasNews = false }
            return state.hasNews
        }
        if isEarly { return true }
        let timer = Task(executorPreference: services.executor) { [services] in
            try? await services.clock.sleep(until: instant)
            sleeper.fulfil(false)
        }
        defer { timer.cancel() }
        let isWoken = await withTaskCancellationHandler {
            await sleeper.value()
        } onCancel: {
            sleeper.fulfil(false)
        }
        state.withLock { state in
            state.sleeper = nil
            if isWoken { state.hasNews = false }
        }
        return isWoken
    }
}
