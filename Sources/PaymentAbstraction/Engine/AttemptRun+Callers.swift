internal import PaymentBase

/// The caller's side: who begins it, who waits for it, and who leaves.
extension AttemptRun {
    /// Does the work in its turn; `whenOver` is called before anybody hears of the end, and `whenDone` once, when all
    /// have heard or when it can't do anything any more: it says whether the turn was got.
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
                tell(.failure(left(state.withLock { $0.stopCode } ?? .cancelled, .nothingMoved)))
                return
            }
            let isLate = progress.withLock { progress in
                progress.isEntered = true
                return progress.isDone
            }
            // The turn came after everybody had left it for good.
            if isLate { whenDone(true) }
            let answer = await CurrentAttempt.$id.withValue(attempt.text) { await work(body) }
            whenOver()
            // Told first: whoever comes next on the payment finds that its caller has heard.
            tell(answer, then: release)
        }
        state.withLock { $0.task = task }
    }

    /// Waits for the answer; whoever leaves after the mark gets *unknown* at once, and the work goes on.
    ///
    /// - Parameter asCaller: Whether he is one who wants the money moved; then it is written down that he was told.
    func answer(until end: Int64, asCaller: Bool = true) async throws(PaymentError) -> PaymentResult {
        let waiter = Waiter(isCaller: asCaller)
        let number: Int? = state.withLock { state in
            if let answer = state.answer {
                waiter.answer.fulfil(answer)
                return nil
            }
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = waiter
            if asCaller { _ = state.flow.handle(.callerCame) }
            return state.nextWaiter
        }
        let answer = await answer(to: waiter, number, until: end)
        if asCaller, case .success(let result) = answer { services.told(result, intent) }
        if let number { hasHeard(number) }
        return try answer.get()
    }

    private func answer(to waiter: Waiter, _ number: Int?, until end: Int64) async -> Answer {
        guard let number else { return await waiter.answer.value() }
        let deadline = services.deadlines.add(end) { [self] in leave(number, .timedOut) }
        defer { services.deadlines.remove(deadline) }
        return await withTaskCancellationHandler {
            await waiter.answer.value()
        } onCancel: {
            leave(number, .cancelled)
        }
    }

    private func leave(_ number: Int, _ code: PaymentError.Code) {
        let leaving: Leaving? = state.withLock { state in
            guard let waiter = state.waiters[number] else { return nil }
            let isLast = waiter.isCaller && state.waiters.values.filter(\.isCaller).count == 1
            let action = isLast ? state.flow.handle(.callerLeft) : .letGo
            if action == .stopWork { state.stopCode = code } else { state.waiters[number] = nil }
            return Leaving(waiter: waiter, action: action, task: state.task)
        }
        guard let leaving else { return }
        if leaving.action == .stopWork {
            leaving.task?.cancel()
            releaseAfterGrace(leaving.waiter.answer, code)
        } else {
            let known = leaving.action == .nothing ? outcome : .unknown
            leaving.waiter.answer.fulfil(.failure(left(code, known)))
        }
    }

    private struct Leaving {
        let waiter: Waiter
        let action: AttemptFlow.Action
        let task: Task<Void, Never>?
    }

    /// A reader that doesn't hear the cancellation must not hold its caller: nothing can be sent any more.
    private func releaseAfterGrace(_ waiter: Promise<Answer>, _ code: PaymentError.Code) {
        let end = services.clock.now + Self.stopGraceMilliseconds
        Task(executorPreference: services.executor) { [services, self] in
            try await services.clock.sleep(until: end)
            waiter.fulfil(.failure(left(code, .nothingMoved)))
            // It hangs in something that heeds no cancellation, and sends nothing any more: others may go on.
            state.withLock { $0.release }?()
        }
    }

    private func left(_ code: PaymentError.Code, _ outcome: PaymentError.Outcome) -> PaymentError {
        let detail = outcome == .unknown ? "the attempt is open; ask for its status" : "nothing was sent"
        return PaymentError(code, outcome: outcome, attempt: attempt, detail: detail)
    }

    /// Hands the answer to everybody who waits for it; does the rest when all of them have heard it.
    func tell(_ answer: Answer, then release: (@Sendable () -> Void)? = nil) {
        let (waiters, isHeard) = state.withLock { state in
            if state.answer == nil { state.answer = answer }
            defer { state.waiters = [:] }
            let left = Set(state.waiters.keys).subtracting(state.gone)
            if let release, !left.isEmpty { state.unheard = (left, release) }
            // Who came first is told first.
            return (state.waiters.sorted { $0.key < $1.key }.map(\.value), left.isEmpty)
        }
        for waiter in waiters { waiter.answer.fulfil(answer) }
        if isHeard { release?() }
    }

    /// Somebody goes away with his answer; the last one who was handed the end lets go what the attempt held.
    private func hasHeard(_ number: Int) {
        let release = state.withLock { state in
            state.gone.insert(number)
            guard state.unheard?.waiters.remove(number) != nil, state.unheard?.waiters.isEmpty == true else {
                return nil as (@Sendable () -> Void)?
            }
            defer { state.unheard = nil }
            return state.unheard?.release
        }
        release?()
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
