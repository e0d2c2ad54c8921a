internal import PaymentBase
internal import PaymentCore
internal import PaymentHTTPServer
internal import PaymentModel

/// Carries attempts: the service is their caller, and requests only wait for them. Each id runs in one task at most.
final class AttemptCarrier: Sendable {
    /// How a carried attempt ended.
    enum Ending: Sendable {
        /// The client gave a result; the journal has it unless it could not be written yet.
        case result(isReplay: Bool, isRecorded: Bool)
        /// It was recorded before, and is not decided.
        case open
        /// The client threw.
        case failed(PaymentError)
        /// It was refused before the client was asked.
        case refused(Problem)
    }

    /// One attempt under way.
    final class Carried: Sendable {
        let shop: String
        let key: String
        let work: MoneyWork
        /// The waiting calls.
        let waiters = Waiters()
        fileprivate let task = Locked<Task<Void, Never>?>(nil)
        private let state = Locked(State())

        private struct State: Sendable {
            var ending: Ending?
            var hasBegun = false
            var prompt: String?
            var reader: UsedReader?
        }

        fileprivate init(shop: String, key: String, work: MoneyWork) {
            (self.shop, self.key, self.work) = (shop, key, work)
        }

        /// Leaves as its caller. The client stops the attempt if nothing was sent yet.
        func cancel() { task.withLock { $0 }?.cancel() }

        /// How it ended; nil while it runs.
        var ending: Ending? { state.withLock { $0.ending } }

        /// What the customer is asked to do at the reader; nil if nothing was said yet.
        var prompt: String? { state.withLock { $0.prompt } }

        /// The reader that takes the card: another one than at first if the routing continued with the next provider.
        var reader: UsedReader? { state.withLock { $0.reader } ?? work.reader }

        /// What a provider's reader asks the customer to do.
        func show(_ prompt: String, at provider: ProviderID?, _ client: PaymentClient) {
            let isElsewhere = work.intent.source == .reader && provider.map { $0.rawValue != reader?.name } ?? false
            let other = isElsewhere ? provider.flatMap { UsedReader(of: $0, client) } : nil
            state.withLock { state in
                state.prompt = prompt
                if let other { state.reader = other }
            }
        }

        /// Whether it is a new attempt, and no repeat of a recorded one.
        fileprivate(set) var hasBegun: Bool {
            get { state.withLock { $0.hasBegun } }
            set { state.withLock { $0.hasBegun = newValue } }
        }

        /// Whether it was ended before anything was executed.
        var wasCancelled: Bool {
            guard case .failed(let error)? = ending else { return false }
            return error.code == .cancelled && error.outcome == .notExecuted
        }

        fileprivate func end(_ ending: Ending) {
            state.withLock { $0.ending = ending }
            waiters.end()
        }
    }

    /// An id under which nothing begins for a while: it ended, or was cancelled, without a record.
    struct Blocked: Sendable {
        let shop: String
        let error: PaymentError
        /// What was asked for; nil if it was cancelled before that was known.
        let intent: Attempt.Intent?
        /// By the clock that no person sets.
        let until: Int64
    }

    private struct State: Sendable {
        var carried: [AttemptID: Carried] = [:]
        var blocked: [AttemptID: Blocked] = [:]
        var isStopping = false
        var idle: [Promise<Bool>] = []
    }

    /// For how long an id that ended without a record begins nothing, in milliseconds.
    static let blockedMilliseconds: Int64 = 600_000
    /// How many such ids are kept.
    static let blockedMax = 4_096
    /// How many attempts that one key began may be under way.
    static let carriedMax = 64
    /// How many attempts that one shop began may be under way.
    static let carriedPerShopMax = 2_048

    private let clock: any PaymentClock
    private let executor: (any TaskExecutor)?
    /// Of how many attempts it is kept why the last look could not tell.
    private static let doubtsMax = 10_000
    private let doubts = Locked([AttemptID: String]())
    private let state = Locked(State())
    /// Asks the provider about a recorded attempt, at most once in a while; the core sets it.
    let look = Locked<(@Sendable (AttemptID, ServiceShop) -> Waiters?)?>(nil)
    /// Keeps an attempt from a reader at which another one is being cancelled.
    let readers = ReaderGate()

    init(clock: any PaymentClock, executor: (any TaskExecutor)?) { (self.clock, self.executor) = (clock, executor) }

    /// Joins the attempt that runs under an id, or begins to carry it.
    func carry(_ id: AttemptID, _ shop: ServiceShop, key: String, _ work: MoneyWork) -> (Carried, isNew: Bool) {
        let fresh = Carried(shop: shop.name, key: key, work: work)
        let running: Carried? = state.withLock { state in
            if let running = state.carried[id] { return running }
            state.carried[id] = fresh
            return nil
        }
        if let running { return (running, false) }
        let task = Task(executorPreference: executor) { [self] in
            let ending = await spend(id, shop, fresh, await run(id, shop, fresh))
            finish(id, fresh, ending)
        }
        fresh.task.withLock { $0 = task }
        return (fresh, true)
    }

    /// How many attempts are under way.
    var count: Int { state.withLock { $0.carried.count } }

    /// What runs under an id in this process.
    func running(_ id: AttemptID) -> Carried? { state.withLock { $0.carried[id] } }

    /// The other attempts that may use a reader now.
    func others(at reader: String, besides id: AttemptID) -> [AttemptID] {
        state.withLock { state in
            state.carried.filter { $0.key != id && $0.value.hasBegun && $0.value.reader?.name == reader }.map(\.key)
        }
    }

    /// What runs in a shop and may use a reader.
    func using(_ reader: String, in shop: String) -> [(id: AttemptID, carried: Carried)] {
        state.withLock { state in
            state.carried.filter {
                $0.value.shop == shop && $0.value.hasBegun && $0.value.reader?.name == reader
            }.map { ($0.key, $0.value) }
        }
    }

    /// Why nothing begins under an id; nil if something may.
    func blocked(_ id: AttemptID) -> Blocked? {
        let now = clock.uptime
        return state.withLock { $0.blocked[id] }.flatMap { $0.until > now ? $0 : nil }
    }

    /// Lets nothing begin under an id for a while; says whether it could begin before. What was asked for replaces that it was
    /// not known.
    @discardableResult
    func block(_ id: AttemptID, _ shop: String, _ error: PaymentError, intent: Attempt.Intent? = nil) -> Bool {
        let now = clock.uptime
        return state.withLock { state in
            if intent == nil, let held = state.blocked[id], held.until > now { return false }
            if state.blocked.count >= Self.blockedMax {
                state.blocked = state.blocked.filter { $0.value.until > now }
            }
            // No shop takes over an id for which another one read that nothing was executed.
            if let held = state.blocked[id], held.shop != shop, held.until > now { return false }
            if state.blocked.count >= Self.blockedMax, let oldest = Self.oldest(of: state.blocked) {
                state.blocked[oldest] = nil
            }
            state.blocked[id] = Blocked(
                shop: shop, error: error, intent: intent, until: now + Self.blockedMilliseconds)
            return true
        }
    }

    /// Lets something begin under an id again.
    func unblock(_ id: AttemptID) { state.withLock { $0.blocked[id] = nil } }

    /// The oldest id of the shop that has the most: no shop drives out what another one has read.
    private static func oldest(of blocked: [AttemptID: Blocked]) -> AttemptID? {
        let counts = Dictionary(blocked.values.map { ($0.shop, 1) }, uniquingKeysWith: +)
        let most = counts.max { $0.value < $1.value }?.key
        return blocked.filter { $0.value.shop == most }.min { $0.value.until < $1.value.until }?.key
    }

    // MARK: - Stop

    /// Whether the service stops.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Begins nothing more.
    func beginStop() { state.withLock { $0.isStopping = true } }

    /// Waits until no attempt runs, at most for so long; says whether that came.
    func idle(within milliseconds: Int64) async -> Bool {
        let promise = Promise<Bool>()
        let isIdle = state.withLock { state in
            if !state.carried.isEmpty { state.idle.append(promise) }
            return state.carried.isEmpty
        }
        if isIdle { return true }
        let end = clock.now + milliseconds
        let timer = Task(executorPreference: executor) { [clock] in
            try await clock.sleep(until: end)
            promise.fulfill(false)
        }
        defer { timer.cancel() }
        return await promise.value()
    }

    // MARK: - Doubts

    /// Keeps why the last look at an attempt could not tell; nil forgets it.
    func note(_ error: PaymentError?, of id: AttemptID) {
        doubts.withLock { doubts in
            if doubts.count >= Self.doubtsMax { doubts = [:] }
            doubts[id] = error?.detail
        }
    }

    /// Why the last look at an attempt could not tell, if this process looked.
    func doubt(of id: AttemptID) -> String? { doubts.withLock { $0[id] } }

    // MARK: - One attempt

    private func finish(_ id: AttemptID, _ carried: Carried, _ ending: Ending) {
        if case .failed(let error) = ending { note(error.outcome == .unknown ? error : nil, of: id) }
        if case .failed(let error) = ending, error.outcome == .notExecuted, Problem.Code(error.code).status == 402,
            blocked(id)?.intent == nil
        {
            // The caller reads that it was not executed; a copy of its request must not execute it after that.
            block(id, carried.shop, error, intent: carried.work.intent)
        }
        let idle = state.withLock { state in
            state.carried[id] = nil
            guard state.carried.isEmpty else { return [Promise<Bool>]() }
            defer { state.idle = [] }
            return state.idle
        }
        carried.end(ending)
        for promise in idle { promise.fulfill(true) }
    }

    private func run(_ id: AttemptID, _ shop: ServiceShop, _ carried: Carried) async -> Ending {
        do throws(PaymentError) {
            guard let held = try await shop.client.attempt(id) else { return try await begin(id, shop, carried) }
            if held.intent.scope != shop.scope { return .refused(.keyReused(nil)) }
            if held.isSpentUnasked { return .failed(Self.cancelled(id)) }
            // What was absorbed is compared and answered by the client; it begins nothing.
            guard held.intent.attempt == id else { return try await replay(shop, carried) }
            guard carried.work.isSame(held.intent) else { return .refused(.keyReused(held)) }
            return try await known(held, shop, carried)
        } catch {
            return .failed(error)
        }
    }

    /// Why nothing begins under an id that was cancelled before its request came.
    static func cancelled(_ id: AttemptID) -> PaymentError {
        PaymentError(.cancelled, outcome: .notExecuted, attempt: id, detail: "It was cancelled before it began.")
    }

    /// What ended without a record and is answered *not executed* is spent in the journal, so that a copy of its request
    /// executes nothing after a restart either. If another process has begun the id since, its record is the answer.
    private func spend(_ id: AttemptID, _ shop: ServiceShop, _ carried: Carried, _ ending: Ending) async -> Ending {
        guard case .failed(let error) = ending, error.outcome == .notExecuted, Problem.Code(error.code).status == 402
        else { return ending }
        do throws(PaymentError) {
            let known = try await shop.client.attempt(id)
            let held: Attempt
            if let known {
                held = known
            } else {
                let cause: Cancellation.Cause = error.code == .timedOut ? .timeout : .merchant
                held = try await shop.client.spend(id, for: carried.work.intent, cause: cause)
            }
            // Another shop has the id: what became of its attempt is not shown.
            guard held.intent.scope == shop.scope else { return .refused(.keyReused(nil)) }
            if held.isOpen { return .open }
            return held.state == .approved ? .result(isReplay: true, isRecorded: true) : ending
        } catch {
            if error.isPruned || Problem.mayBeLost(error) != nil { return .failed(error) }
            // The next process would execute it: what can't be kept is not said to be decided.
            return .refused(Problem(error))
        }
    }

    private func begin(_ id: AttemptID, _ shop: ServiceShop, _ carried: Carried) async throws(PaymentError) -> Ending {
        if let blocked = blocked(id) {
            let isSame = blocked.intent.map { carried.work.isSame($0) } ?? true
            return blocked.shop == shop.name && isSame ? .failed(blocked.error) : .refused(.keyReused(nil))
        }
        if let refusal = admit(carried) { return .refused(refusal) }
        if let reader = carried.work.reader { await readers.pass(reader.name) }
        let begun = clock.now
        if let refusal = carried.work.obstacle ?? carried.work.check?.refusal(at: begun) { return .refused(refusal) }
        let result: PaymentResult
        var notes = AttemptNotes(carried.work.intent)
        notes.staysAtReader = carried.work.staysAtReader
        notes.returnedMost = carried.work.check?.returnedMost
        let client = shop.client.keeping(notes)
        do throws(PaymentError) { result = try await carried.work.perform(client) } catch {
            if error.outcome == .notExecuted { carried.work.check?.release(begunAt: begun) }
            throw error
        }
        switch result {
        case .declined, .cancelled: carried.work.check?.release(begunAt: begun)
        case .approved, .pending: break
        }
        return .result(isReplay: false, isRecorded: result.payment?.isRecorded ?? true)
    }

    /// Lets a new attempt begin, or says why it may not. A repeat of a recorded one is not counted and never refused here.
    private func admit(_ carried: Carried) -> Problem? {
        let (isStopping, ofKey, ofShop) = state.withLock { state in
            let begun = state.carried.values.filter(\.hasBegun)
            let counts = (
                state.isStopping, begun.count { $0.key == carried.key }, begun.count { $0.shop == carried.shop }
            )
            if !counts.0, counts.1 < Self.carriedMax, counts.2 < Self.carriedPerShopMax { carried.hasBegun = true }
            return counts
        }
        if isStopping {
            var problem = Problem(
                .stopping, "The service stops. Send the same request with the same key again.",
                outcome: .notExecuted, retry: .safe)
            problem.headers = [.init("Retry-After", "5")]
            return problem
        }
        guard ofKey >= Self.carriedMax || ofShop >= Self.carriedPerShopMax else { return nil }
        let whose =
            ofKey >= Self.carriedMax ? "\(Self.carriedMax) attempts of this key" : "Too many attempts of this shop"
        var problem = Problem(
            .tooManyRequests, "\(whose) are under way. Wait until one has ended.", outcome: .notExecuted, retry: .safe)
        problem.headers = [.init("Retry-After", "1")]
        return problem
    }

    /// The id is recorded with what can be seen of the same content. A recorded id begins no further run here.
    private func known(
        _ held: Attempt, _ shop: ServiceShop, _ carried: Carried
    ) async throws(PaymentError) -> Ending {
        var now = held
        if now.isOpen, let look = look.withLock({ $0 })?(held.intent.attempt, shop) {
            // However often a client repeats its request, the provider is asked no more often than by `lookup`.
            await look.ended()
            now = try await shop.client.attempt(held.intent.attempt) ?? now
        }
        switch now.state {
        case .approved, .declined, .reversed: return try await replay(shop, carried)
        case .notExecuted:
            // The client would run it again: only the rest of its content is compared.
            do throws(PaymentError) { try await carried.work.compare?(shop.client) } catch {
                if error.isReuse(of: held.intent.attempt) { throw error }
            }
            return .result(isReplay: true, isRecorded: true)
        case .running, .inDoubt, .pending: return .open
        }
    }

    private func replay(_ shop: ServiceShop, _ carried: Carried) async throws(PaymentError) -> Ending {
        let result = try await carried.work.perform(shop.client)
        return .result(isReplay: true, isRecorded: result.payment?.isRecorded ?? true)
    }
}

extension PaymentError {
    /// Whether it says that the id was used for something else.
    func isReuse(of id: AttemptID) -> Bool { code == .conflict && attempt == id && state != nil }
}

extension Problem {
    /// The id was used for other content; another shop's use is not shown.
    static func keyReused(_ held: Attempt?) -> Problem {
        let advice =
            held?.isImported == true
            ? "An import brought it: take the money under no other key before a person has compared both."
            : "Use a new one for a different request."
        var problem = Problem(
            .keyReused, "The Idempotency-Key was used for another request. \(advice)", outcome: held?.outcome,
            retry: .never)
        problem.other = held.map(Other.init)
        return problem
    }
}

extension Problem.Other {
    init(_ held: Attempt) {
        self.init(
            attempt: held.intent.attempt, status: AttemptView(held).status, amount: held.moved ?? held.intent.amount,
            createdAt: held.runs.first?.begunAt.wall)
    }
}
