internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

/// One attempt while it runs, in a task of the client's own; callers only wait for it.
///
/// One lock guards three values: who waits, what is to be written, and what the driver may do. Nothing is awaited between the
/// step that decides to send and the state *sending*.
final class AttemptRun: Sendable {
    typealias Answer = Result<PaymentResult, PaymentError>
    typealias Body = @Sendable (PaymentContext) async throws -> Verdict

    /// How long a stopped run may take to end before others may use what it holds, in milliseconds.
    static let stopGraceMilliseconds: Int64 = 5_000
    /// How many events one attempt keeps for the timeline.
    static let eventsMax = 1_000
    /// How long an access lasts at least when a card is about to be read, beyond its margin, in milliseconds.
    static let readMilliseconds: Int64 = 5 * 60_000

    struct State {
        var callers = Callers<Answer>()
        var log: RequestLog
        var run = RunState()
        var task: Task<Void, Never>?
        var release: (@Sendable () -> Void)?
        var sleeper: Promise<Bool>?
        var hasNews = false
        /// Ends the question that is asked now.
        var endQuestion: (@Sendable () -> Void)?
        /// Why the run was stopped before anything could have moved.
        var stopCode: PaymentError.Code?
        /// What failed, while the provider is asked what became of it.
        var doubt: PaymentError?
        /// Why the next provider is asked.
        var failure: PaymentError?
        /// Everything secret that went out, to be taken out of whatever comes back.
        var scrub: SecretScrubber
        var events: [PaymentEvent] = []
        /// Requests of which a byte may have left; with any of them no other provider is tried.
        var sentCount = 0
        var hasRead = false
        /// Whether a person was asked, or a card was read: the operation is not begun over then.
        var wasAsked = false
        /// What it is called at the terminal of the provider's that is kept for it; nil if none is.
        var atTerminal: Int?
        /// What it is called at the reader whose cards it has read.
        var reads: [Int] = []
        /// Whether what is sent returns what was taken.
        var returnsMoney = false

        /// Whether a request may be sent: a caller waits, or the customer gets money back.
        var maySend: Bool { callers.isAwaited || returnsMoney }

        /// Whether a request before the one under way may have reached the provider.
        var mayHaveArrivedBefore: Bool {
            guard let attempt = log.attempt else { return false }
            return attempt.requests.contains { request in
                if request.number == log.lastRequest { return false }
                return !request.wasNotExecuted
            }
        }
    }

    let intent: Attempt.Intent
    let provider: ProviderRuntime
    let services: Services
    let state: Locked<State>
    /// Whether no other process can know the attempt's id.
    let isAlone: Bool
    /// The call that may ask the next provider if this one can't be reached.
    weak let call: LeadingCall?
    /// The next run of the call that began this one; nil once that call is over.
    let following = Promise<AttemptRun?>()
    /// The request to the provider that the run waits for.
    private let inFlight: RequestInFlight

    init(
        _ begin: Begin, _ provider: ProviderRuntime, _ services: Services, secrets: [Secret], people: [Secret] = [],
        isAlone: Bool = false, mayMoveOn call: LeadingCall? = nil
    ) {
        (intent, self.provider, self.services, self.isAlone) = (begin.intent, provider, services, isAlone)
        self.call = call
        let known = SecretScrubber(provider.needles.set(of: provider.driver.secrets))
        let scrub = known.hiding(secrets).hiding(people: people)
        let state = Locked(State(log: RequestLog(begin, owner: services.owner), scrub: scrub))
        self.state = state
        inFlight =
            services.observer == nil
            ? RequestInFlight()
            : RequestInFlight(
                services.observation(of: begin.intent, provider.id, scrub: { state.withLock { $0.scrub } }))
    }

    /// The spans of the run; nil where no observer is set.
    var observation: Observation? { inFlight.observation }

    var attempt: AttemptID { intent.attempt }

    /// Takes the secrets out of a text.
    var scrub: SecretScrubber { state.withLock { $0.scrub } }

    /// Remembers what else must not come back.
    func hide(_ secrets: [Secret]) { state.withLock { $0.scrub = $0.scrub.hiding(secrets) } }

    /// Remembers an access that goes out.
    func hiding(_ access: AccessToken) -> SecretScrubber {
        let set = provider.needles.set(of: access.secrets)
        return state.withLock { state in
            state.scrub = state.scrub.hiding(set)
            return state.scrub
        }
    }

    /// What is known about the money now.
    var outcome: PaymentError.Outcome { state.withLock { $0.run.mayHaveMoved } ? .unknown : .notExecuted }
    /// Whether a caller waits that wants the money moved.
    var isAwaited: Bool { state.withLock { $0.callers.isAwaited } }
    /// Whether a request that may move money has no reply yet.
    var hasOpenRequest: Bool { state.withLock { $0.log.isOpen } }
    /// Whether what it sends returns what it has taken.
    var isReturning: Bool { state.withLock { $0.returnsMoney } }
    /// Whether the next provider may be tried after a failure: nothing was sent or read.
    func allowsNext(after error: PaymentError) -> Bool {
        let isAboutReaching = error.code.isAboutReaching || error.code == .unsupported
        guard error.outcome == .notExecuted, isAboutReaching else { return false }
        return state.withLock { $0.sentCount == 0 && !$0.hasRead }
    }

    /// Its number in the journal; nil if it wrote nothing.
    var number: Int? { state.withLock { $0.log.run } }

    /// Whether a record shows it as left open for the next run.
    func isLeftOpen(in held: Attempt) -> Bool {
        var next = Begin(intent, provider.identity)
        next.follows = number
        return next.follows(held, of: services.owner)
    }

    /// Whether the journal has the end of a run, as far as is known here.
    func knowsEnd(of number: Int) -> Bool {
        state.withLock { $0.log.attempt?.runs.first { $0.number == number }?.end != nil }
    }

    // MARK: - Callers

    /// Does the work in its turn. `whenOver` is called before any caller gets the answer, and `whenDone` once, when the run
    /// holds nothing any more: it says whether the turn came.
    func start(
        _ body: @escaping Body, turn: @escaping @Sendable () async -> Bool, whenOver: @escaping @Sendable () -> Void,
        whenDone: @escaping @Sendable (_ isEntered: Bool) -> Void
    ) {
        let progress = Locked((isEntered: false, isDone: false))
        let release: @Sendable () -> Void = {
            let before = progress.withLock { progress in
                defer { progress.isDone = true }
                return progress
            }
            if before.isDone { return }
            whenOver()
            whenDone(before.isEntered)
        }
        state.withLock { $0.release = release }
        let task = Task(executorPreference: services.executor) { [self] in
            // What it holds would hold the run for ever.
            defer { state.withLock { $0.release = nil } }
            guard await turn() else {
                release()
                return give(.failure(left(state.withLock { $0.stopCode } ?? .cancelled, .notExecuted).namingNone))
            }
            let isLate = progress.withLock { progress in
                progress.isEntered = true
                return progress.isDone
            }
            // The turn came after all callers had left for good.
            if isLate { whenDone(true) }
            let answer = await CurrentAttempt.$id.withValue(attempt.text) {
                await RequestInFlight.$current.withValue(inFlight) { await work(body) }
            }
            release()
            give(answer)
        }
        state.withLock { $0.task = task }
    }

    /// One caller more. The one that starts the run joins first, so that the run finds that it is awaited.
    ///
    /// - Parameter wantsMoney: Whether the caller wants the money moved; one that only asks keeps nothing alive.
    func join(wantsMoney: Bool = true) -> Callers<Answer>.Joined {
        state.withLock { $0.callers.join(wantsMoney: wantsMoney) }
    }

    /// Waits for the answer. A caller that leaves once a request may have left gets *unknown* at once, and the work continues.
    func answer(_ joined: Callers<Answer>.Joined, until end: Int64) async throws(PaymentError) -> PaymentResult {
        let (number, caller) = joined
        if let answer = caller.answer.result { return try answer.get() }
        let deadline = services.deadlines.add(end) { [self] in leave(number, .timedOut) }
        defer { services.deadlines.remove(deadline) }
        let answer = await withTaskCancellationHandler {
            await caller.answer.value()
        } onCancel: {
            leave(number, .cancelled)
        }
        return try answer.get()
    }

    /// A caller gives up. If it was the last that wants the money, and no request may have left, this very step stops the
    /// run; only then the caller gets *nothing moved*.
    private func leave(_ number: Int, _ code: PaymentError.Code) {
        let left: (caller: Callers<Answer>.Caller, isStopped: Bool, outcome: PaymentError.Outcome)? = state.withLock {
            state in
            switch state.callers.leave(number) {
            case .gone: return nil
            case .others(let caller): return (caller, false, .unknown)
            case .last(let caller):
                guard state.run.canStop else { return (caller, false, .unknown) }
                state.run.stop()
                state.stopCode = code
                return (caller, true, .notExecuted)
            }
        }
        guard let left else { return }
        // A caller that comes back in a moment finds the question still there.
        if !isAwaited { afterGrace { [self] in endQuestionUnlessAwaited() } }
        let failure = self.left(code, left.outcome)
        guard left.isStopped else {
            left.caller.answer.fulfill(.failure(failure))
            return
        }
        state.withLock { $0.task }?.cancel()
        // Another process may have sold under the same id since: then its record is the answer.
        Task(executorPreference: services.executor) { [self] in
            left.caller.answer.fulfill(await elsewhere(false, failure).answer ?? .failure(failure))
        }
        // A reader that ignores the cancellation must not hold others up, and a slow journal not the caller: nothing can be sent
        // any more.
        afterGrace { [self] in
            // The journal did not say in time what another process did.
            left.caller.answer.fulfill(.failure(isAlone ? failure : asDoubt(failure)))
            state.withLock { $0.release }?()
        }
    }

    private func afterGrace(_ body: @escaping @Sendable () -> Void) {
        let end = services.clock.now + Self.stopGraceMilliseconds
        Task(executorPreference: services.executor) { [services] in
            try await services.clock.sleep(until: end)
            body()
        }
    }

    /// Ends the question that is asked, if no caller waits for what comes of it.
    func endQuestionUnlessAwaited() {
        state.withLock { $0.callers.isAwaited ? nil : $0.endQuestion }?()
    }

    private func left(_ code: PaymentError.Code, _ outcome: PaymentError.Outcome) -> PaymentError {
        guard outcome == .unknown else {
            return PaymentError(
                code, outcome: outcome, attempt: attempt, detail: "Nothing was sent.",
                diagnosis: code == .timedOut ? inFlight.timedOut : nil)
        }
        let doubt = state.withLock { $0.doubt }
        let before = doubt.map { " What failed before: \($0.detail)" } ?? ""
        return PaymentError(
            code, outcome: outcome, attempt: attempt, provider: doubt?.provider,
            detail: "The attempt is open. Ask for its status.\(before)",
            diagnosis: code == .timedOut ? inFlight.timedOut ?? doubt?.diagnosis : doubt?.diagnosis)
    }

    /// Gives the answer to every caller that waits.
    private func give(_ answer: Answer) {
        for caller in state.withLock({ $0.callers.finish(answer) }) { caller.answer.fulfill(answer) }
    }

    /// Wakes the driver early; with a result, waiting callers get it now.
    func news(_ result: PaymentResult?) {
        if let result {
            give(.success(result))
            endQuestionUnlessAwaited()
            // What a terminal has done it does not do longer, however long its reply takes.
            leaveTerminal()
        }
        let sleeper = state.withLock { state in
            state.hasNews = true
            return state.sleeper
        }
        sleeper?.fulfill(true)
    }

    // MARK: - What a context offers

    func note(_ name: String, _ value: String) throws(PaymentError) {
        guard !scrub.isSecret(value) else {
            throw PaymentError(
                .invalidRequest, outcome: outcome, attempt: intent.attempt,
                detail: "The note \(name) holds a secret of the request and is not kept.")
        }
        state.withLock { $0.log.note(name, value) }
    }

    func emit(_ kind: PaymentEvent.Kind, _ attributes: [String: String] = [:], isWritten: Bool) {
        let clean = attributes.mapValues { Masking.cardNumbers(in: scrub($0)) }
        let event = services.events.emit(
            kind, at: services.clock.now, payment: intent.paymentID, attempt: intent.attempt, provider: provider.id,
            attributes: clean)
        if isWritten { return }
        state.withLock { state in
            if state.events.count < Self.eventsMax { state.events.append(event) }
        }
    }

    func takeEvents() -> [PaymentEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Steps that no entry took along: they wait for the next one.
    func keepEvents(_ events: [PaymentEvent]) { state.withLock { $0.events.insert(contentsOf: events, at: 0) } }

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
            sleeper.fulfill(false)
        }
        defer { timer.cancel() }
        let isWoken = await sleeper.value(orWhenCancelled: false)
        state.withLock { state in
            state.sleeper = nil
            if isWoken { state.hasNews = false }
        }
        return isWoken
    }

    func read(_ request: CardReadRequest) async throws(PaymentError) -> CardReadResult {
        // What lapses while the card is read would have to be renewed in the middle of the payment.
        do { _ = try await provider.access?.current(services, lasting: Self.readMilliseconds) } catch {
            throw wrapped(error)
        }
        let body: @Sendable (any CardReader) async throws -> CardReadResult = { [self] reader in
            state.withLock { ($0.hasRead, $0.wasAsked) = (true, true) }
            emit(.readyForCard)
            return try await reader.read(request)
        }
        let read: CardReadResult
        do {
            if let readerQueue = provider.readerQueue {
                let calls = ProviderCalls(provider: provider, services: services)
                let (sale, card) = try await readerQueue.read(
                    calls, { [self] event in emit(.reader(event), event.attributes) }, body)
                state.withLock { $0.reads.append(sale) }
                read = card
            } else {
                guard let reader = services.reader else { throw ReaderContext.noReader }
                read = try await body(reader)
            }
        } catch { throw wrapped(error) }
        hide(read)
        emit(.cardRead)
        return read
    }

    func atTerminal<Reply>(_ body: () async throws -> Reply) async throws -> Reply {
        guard let readerQueue = provider.readerQueue else { return try await body() }
        let sale = try await readerQueue.occupy(ProviderCalls(provider: provider, services: services))
        state.withLock { $0.atTerminal = sale }
        emit(.readyForCard)
        return try await body()
    }

    /// The terminal is free for others, if it was kept for this attempt, and no card that it has read is on its way any more.
    func leaveTerminal() {
        let sales: [Int] = state.withLock { state in
            defer { state.reads = [] }
            return state.reads + [state.atTerminal.take()].compactMap { $0 }
        }
        for sale in sales { provider.readerQueue?.leave(sale) }
    }

    func readPIN(token: Secret, after read: CardReadResult) async throws(PaymentError) -> CardReadResult {
        emit(.pinRequested)
        let entered: CardReadResult
        do {
            guard let reader = services.reader else { throw ReaderContext.noReader }
            if let readerQueue = provider.readerQueue {
                entered = try await readerQueue.capture(services) {
                    try await reader.readPIN(token: token, after: read)
                }
            } else {
                entered = try await reader.readPIN(token: token, after: read)
            }
        } catch { throw wrapped(error) }
        hide(entered)
        emit(.pinEntered)
        return entered
    }

    /// What a card gave is a secret; a short piece of it may be anywhere by chance.
    private func hide(_ read: CardReadResult) {
        hide(
            [read.paymentCardData, read.generalCardData].filter {
                $0.expose().utf8.count >= SecretScrubber.anywhereCharactersMin
            })
    }

    func wrapped(_ error: any Error) -> PaymentError {
        PaymentError(wrapping: error, outcome, intent.attempt, provider.driver, scrub: scrub)
    }
}

/// What the driver of a run may do now, and what may have happened to the money. A value: the run's lock guards it.
struct RunState: Sendable {
    private enum Phase { case idle, opening, sending, stopped, ended }

    private var phase = Phase.idle
    private var mayHaveMovedBefore = false
    /// Whether a request may have been executed, or was answered and the answer is not written yet.
    private(set) var mayHaveMoved = false

    /// Whether the run was stopped before anything could have moved.
    var isStopped: Bool { phase == .stopped }

    /// Whether nothing is being written or sent, so that a caller's leaving can stop the run in the same step.
    var canStop: Bool { (phase == .idle || phase == .stopped) && !mayHaveMoved }

    /// Whether a request is open.
    var isSending: Bool { phase == .opening || phase == .sending }

    mutating func stop() { if canStop { phase = .stopped } }

    /// Begins to write the opening of a request; false if nothing may be sent any more.
    mutating func open(isAwaited: Bool) -> Bool {
        guard phase == .idle, isAwaited else { return false }
        phase = .opening
        return true
    }

    /// The opening is written: the bytes may leave.
    mutating func send() { (phase, mayHaveMovedBefore, mayHaveMoved) = (.sending, mayHaveMoved, true) }

    /// The opening is not written, or written and nothing is sent.
    mutating func notSent(isAwaited: Bool) { rest(isAwaited) }

    /// The request ended.
    mutating func ended(_ ending: Attempt.Request.Ending, isAwaited: Bool) {
        switch ending {
        case .notSent, .refused: mayHaveMoved = mayHaveMovedBefore
        case .answered, .lost: mayHaveMoved = true
        }
        rest(isAwaited)
    }

    /// The driver is done.
    mutating func finish() { if phase != .stopped { phase = .ended } }

    /// Between two requests, with nothing in doubt and no caller that waits, nothing more is sent.
    private mutating func rest(_ isAwaited: Bool) { phase = isAwaited || mayHaveMoved ? .idle : .stopped }
}

/// Who waits for the answer of a run. A value: the run's lock guards it.
struct Callers<Answer: Sendable>: Sendable {
    /// One caller that waits.
    struct Caller: Sendable {
        /// Whether it wants the money moved; a caller that only asks keeps nothing alive.
        let wantsMoney: Bool
        let answer = Promise<Answer>()
    }

    /// What is left when a caller leaves.
    enum Leaving {
        /// No caller that wants the money is left.
        case last(Caller)
        case others(Caller)
        /// It has its answer already.
        case gone
    }

    /// A caller with its number among those of the run.
    typealias Joined = (number: Int, caller: Caller)

    private var waiting: [Int: Caller] = [:]
    private var lastNumber = 0
    private(set) var answer: Answer?

    /// Whether a caller waits that wants the money moved.
    var isAwaited: Bool { waiting.values.contains(where: \.wantsMoney) }

    /// Adds a caller; its answer is fulfilled at once if it is there already.
    mutating func join(wantsMoney: Bool) -> Joined {
        let caller = Caller(wantsMoney: wantsMoney)
        lastNumber += 1
        if let answer { caller.answer.fulfill(answer) } else { waiting[lastNumber] = caller }
        return (lastNumber, caller)
    }

    /// Takes a caller out that gives up.
    mutating func leave(_ number: Int) -> Leaving {
        guard let caller = waiting.removeValue(forKey: number) else { return .gone }
        return caller.wantsMoney && !isAwaited ? .last(caller) : .others(caller)
    }

    /// The callers that get the answer, in the order in which they came; only the first answer counts.
    mutating func finish(_ answer: Answer) -> [Caller] {
        if self.answer == nil { self.answer = answer }
        defer { waiting = [:] }
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }
}
