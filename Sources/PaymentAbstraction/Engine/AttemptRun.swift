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

    struct State {
        var flow = AttemptFlow()
        var waiters: [Int: Promise<Answer>] = [:]
        var nextWaiter = 0
        var answer: Answer?
        var task: Task<Void, Never>?
        var sleeper: Promise<Bool>?
        var hasNews = false
        var stopCode: PaymentError.Code?
        var notes: [String: String]
        /// Everything secret that went out, to be taken out of whatever comes back.
        var scrub: Scrubber
        var events: [PaymentEvent] = []
        /// Exchanges of which a byte may have left us; with any of them no other provider is tried.
        var sentCount = 0
        var hasRead = false
        /// Whether a terminal of the provider's is kept for it.
        var isAtTerminal = false
    }

    let record: AttemptRecord
    let provider: OpenProvider
    let services: Services
    let sequencesWritten: Int
    let state: Locked<State>

    init(_ record: AttemptRecord, _ provider: OpenProvider, _ services: Services, secrets: [Secret], sequences: Int) {
        (self.record, self.provider, self.services) = (record, provider, services)
        sequencesWritten = sequences
        let scrub = Scrubber(secrets + provider.driver.secrets)
        state = Locked(State(notes: record.notes, scrub: scrub))
    }

    /// Takes the secrets out of a text.
    var scrub: Scrubber { state.withLock { $0.scrub } }

    /// Remembers what else must not come back.
    func hide(_ secrets: [Secret]) { state.withLock { $0.scrub = $0.scrub.hiding(secrets) } }

    /// Remembers an access that goes out.
    func hiding(_ access: ProviderAccess) -> Scrubber {
        hide(access.secrets)
        return scrub
    }

    /// What is known about the money now.
    var outcome: PaymentError.Outcome { state.withLock { $0.flow.inDoubt } ? .unknown : .nothingMoved }

    /// Whether anything was sent or read.
    var hasActed: Bool { state.withLock { $0.sentCount > 0 || $0.hasRead } }

    // MARK: - The caller's side

    func start(_ body: @escaping Body, whenDone: @escaping @Sendable () -> Void) {
        let task = Task(executorPreference: services.executor) { [self] in
            let answer = await CurrentAttempt.$id.withValue(record.intent.attempt.text) { await work(body) }
            whenDone()
            tell(answer)
        }
        state.withLock { $0.task = task }
    }

    /// Waits for the answer; whoever leaves after the mark gets *unknown* at once, and the work goes on.
    func answer(within milliseconds: Int64) async throws(PaymentError) -> PaymentResult {
        let waiter = Promise<Answer>()
        let number: Int? = state.withLock { state in
            if let answer = state.answer {
                waiter.fulfil(answer)
                return nil
            }
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = waiter
            return state.nextWaiter
        }
        guard let number else { return try await waiter.value().get() }
        let end = services.clock.now + milliseconds
        let timer = Task(executorPreference: services.executor) { [services, self] in
            try await services.clock.sleep(until: end)
            leave(number, .timedOut)
        }
        defer { timer.cancel() }
        let answer = await withTaskCancellationHandler {
            await waiter.value()
        } onCancel: {
            leave(number, .cancelled)
        }
        return try answer.get()
    }

    private func leave(_ number: Int, _ code: PaymentError.Code) {
        let leaving: Leaving? = state.withLock { state in
            guard let waiter = state.waiters[number] else { return nil }
            let action = state.waiters.count == 1 ? state.flow.handle(.callerLeft) : .letGo
            if action == .stopWork { state.stopCode = code } else { state.waiters[number] = nil }
            return Leaving(waiter: waiter, action: action, task: state.task)
        }
        guard let leaving else { return }
        if leaving.action == .stopWork {
            leaving.task?.cancel()
            releaseAfterGrace(leaving.waiter, code)
        } else {
            let known = leaving.action == .nothing ? outcome : .unknown
            leaving.waiter.fulfil(.failure(left(code, known)))
        }
    }

    private struct Leaving {
        let waiter: Promise<Answer>
        let action: AttemptFlow.Action
        let task: Task<Void, Never>?
    }

    /// A reader that doesn't hear the cancellation must not hold its caller: nothing can be sent any more.
    private func releaseAfterGrace(_ waiter: Promise<Answer>, _ code: PaymentError.Code) {
        let end = services.clock.now + Self.stopGraceMilliseconds
        Task(executorPreference: services.executor) { [services, self] in
            try await services.clock.sleep(until: end)
            waiter.fulfil(.failure(left(code, .nothingMoved)))
        }
    }

    private func left(_ code: PaymentError.Code, _ outcome: PaymentError.Outcome) -> PaymentError {
        let detail = outcome == .unknown ? "the work goes on; ask for the attempt's status" : "nothing was sent"
        return PaymentError(code, outcome: outcome, attempt: record.intent.attempt, detail: detail)
    }

    func tell(_ answer: Answer) {
        let waiters = state.withLock { state in
            if state.answer == nil { state.answer = answer }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.fulfil(answer) }
    }

    /// Wakes the driver early; with a result, those who wait get it now.
    func news(_ result: PaymentResult?) {
        if let result { tell(.success(result)) }
        let sleeper = state.withLock { state in
            state.hasNews = true
            return state.sleeper
        }
        sleeper?.fulfil(true)
    }
}

extension AttemptRun: ExchangeParty {
    // MARK: - The driver's side

    func willSend(_ effect: Effect) async throws(PaymentError) {
        if !effect.isAboutMoney {
            state.withLock { $0.sentCount += 1 }
            return
        }
        switch state.withLock({ $0.flow.handle(.moneyExchange) }) {
        case .writeMark: try await writeMark()
        case .refuse:
            let code = state.withLock { $0.stopCode } ?? .cancelled
            throw PaymentError(code, outcome: outcome, attempt: record.intent.attempt, detail: "nothing more is sent")
        case .send, .stopWork, .letGo, .nothing: break
        }
        state.withLock { $0.sentCount += 1 }
    }

    private func writeMark() async throws(PaymentError) {
        let attempt = record.intent.attempt
        do {
            try await services.writing(attempt) { [record, services] journal in
                try await journal.mark(attempt, round: record.round, .submitted(at: services.clock.now))
            }
        } catch {
            state.withLock { _ = $0.flow.handle(.markFailed) }
            throw error
        }
        state.withLock { _ = $0.flow.handle(.marked) }
        emit(.submitted)
    }

    func failed(_ effect: Effect, _ fault: Fault) -> PaymentError.Outcome {
        state.withLock { state in
            if fault.delivery == .notSent { state.sentCount = max(0, state.sentCount - 1) }
            if effect.isAboutMoney { _ = state.flow.handle(.exchangeFailed(fault.delivery)) }
            return state.flow.inDoubt ? .unknown : .nothingMoved
        }
    }

    func repeats(_ number: Int) { emit(.repeated, ["try": String(number)]) }

    func read(_ request: CardRequest) async throws(PaymentError) -> CardRead {
        // What lapses while the card is read would have to be renewed in the middle of the payment.
        do { _ = try await provider.access?.current(services, lasting: Self.readMilliseconds) } catch {
            throw wrapped(error)
        }
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
        PaymentError(wrapping: error, outcome, record.intent.attempt, provider.driver, scrub: scrub)
    }

    func remember(_ name: String, _ value: String) async throws(PaymentError) {
        guard !scrub.isSecret(value) else {
            throw PaymentError(
                .invalidRequest, outcome: outcome, attempt: record.intent.attempt,
                detail: "the note \(name) holds a secret of the request and is not kept")
        }
        let attempt = record.intent.attempt
        try await services.writing(attempt, outcome) { [record] journal in
            try await journal.mark(attempt, round: record.round, .note(name: name, value: value))
        }
        state.withLock { $0.notes[name] = value }
    }

    func note(_ name: String) -> String? { state.withLock { $0.notes[name] } }

    func emit(_ kind: PaymentEvent.Kind, _ attributes: [String: String] = [:]) {
        let clean = attributes.mapValues { Masking.cardNumbers(in: scrub($0)) }
        let event = services.events.emit(
            kind, at: services.clock.now, payment: record.intent.paymentID, attempt: record.intent.attempt,
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
