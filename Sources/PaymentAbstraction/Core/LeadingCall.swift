internal import PaymentBase
internal import PaymentDriverKit
internal import PaymentJournalKit

/// A call that may begin its attempt over, here or at the next provider.
///
/// One call at a time leads an attempt in a client: from its first run until it has its answer. Other calls join its runs, one
/// after the other, so that none of them takes the end of one run for the end of the attempt. Other processes read `running`: a
/// run that executed nothing stays open in the journal while its call may ask the next provider.
final class LeadingCall: Sendable {
    /// The run that it began last.
    let last = Locked(AttemptRun?.none)
    private let state = Locked((open: AttemptRun?.none, isOver: false))

    /// Leaves a run open for the next one; false if the call begins nothing more.
    func leavesOpen(_ run: AttemptRun) -> Bool {
        state.withLock { state in
            if !state.isOver { state.open = run }
            return !state.isOver
        }
    }

    /// The run that it left open.
    var open: AttemptRun? { state.withLock { $0.open } }

    /// Whether a record shows only the run that it left open.
    func waits(_ held: Attempt) -> Bool { open?.isLeftOpen(in: held) ?? false }

    /// It begins nothing more. The run that is open in the journal for the next one, if it is.
    func close() -> AttemptRun? {
        let open: AttemptRun? = state.withLock { state in
            state.isOver = true
            return state.open
        }
        guard let open, let number = open.number else { return nil }
        return last.withLock { $0 }?.knowsEnd(of: number) == true ? nil : open
    }
}

extension PaymentClient {
    /// The run of an attempt that is under way here, or the last one of a call that may begin the attempt over. Nil if that is
    /// the asking call itself.
    func underWay(_ attempt: AttemptID, besides call: LeadingCall? = nil) -> AttemptRun? {
        running.withLock { $0[attempt] } ?? led(attempt, besides: call)
    }

    /// Makes a run the one that is under way; returns another call's, if there is one.
    func register(_ fresh: AttemptRun, by call: LeadingCall) -> AttemptRun? {
        let attempt = fresh.attempt
        let (earlier, before): (AttemptRun?, AttemptRun?) = running.withLock { running in
            if let earlier = running[attempt] ?? led(attempt, besides: call) { return (earlier, nil) }
            running[attempt] = fresh
            leading.withLock { $0[attempt] = call }
            let before: AttemptRun? = call.last.withLock { last in
                defer { last = fresh }
                return last
            }
            return (nil, before)
        }
        if earlier == nil, before == nil { services.journal.processes.runs?.begin(attempt) }
        before?.following.fulfill(fresh)
        return earlier
    }

    /// A call begins nothing more: the run that it left open ends before anything is said. A journal that is slow keeps the answer
    /// only for a moment, since nothing was executed.
    func endOpenRun(of call: LeadingCall) async {
        guard let open = call.close() else { return }
        let written = Promise<Bool>()
        Task(executorPreference: services.executor) {
            await open.end()
            written.fulfill(true)
        }
        let timer = Task(executorPreference: services.executor) { [clock = services.clock] in
            try await clock.sleep(until: clock.now.addingSaturating(AttemptRun.stopGraceMilliseconds))
            written.fulfill(false)
        }
        defer { timer.cancel() }
        _ = await written.value()
    }

    /// A call has its answer, and begins nothing more.
    func finish(_ call: LeadingCall, of attempt: AttemptID) {
        leading.withLock { if $0[attempt] === call { $0[attempt] = nil } }
        let last: AttemptRun? = call.last.withLock { $0 }
        last?.following.fulfill(nil)
        if last != nil { services.journal.processes.runs?.end(attempt) }
    }

    /// Whether a call of this client may begin an attempt over.
    func isLed(_ attempt: AttemptID) -> Bool { leading.withLock { $0[attempt] != nil } }

    private func led(_ attempt: AttemptID, besides call: LeadingCall?) -> AttemptRun? {
        guard let other = leading.withLock({ $0[attempt] }), other !== call else { return nil }
        return other.last.withLock { $0 }
    }

    /// Joins a run and waits for its answer. That nothing moved is an answer only once the call that began the run is over: it
    /// may begin the attempt over, and then its next run is joined.
    ///
    /// - Parameter wantsMoney: Whether the caller wants the money moved; one that only asks keeps nothing alive.
    func answer(
        of first: AttemptRun, wantsMoney: Bool = true, until end: Int64
    ) async throws(PaymentError) -> PaymentResult {
        var run = first
        while true {
            let failure: PaymentError
            do { return try await run.answer(run.join(wantsMoney: wantsMoney), until: end) } catch { failure = error }
            // A run that was stopped has no caller that begins it over.
            guard failure.outcome == .notExecuted, !run.isStopped else { throw failure }
            guard let next = try await run.next(until: end) else {
                // The call may have its answer from another process: then the record has it.
                if let answer = await run.elsewhere(false, failure).answer { return try answer.get() }
                throw failure
            }
            run = next
        }
    }
}

extension AttemptRun {
    /// What ends the wait for the next run.
    private enum Step: Sendable {
        case next(AttemptRun?)
        case left(PaymentError.Code)
    }

    /// Whether it was stopped before anything could have moved.
    var isStopped: Bool { state.withLock { $0.run.isStopped } }

    /// The next run of the call that began this one, once there is one; nil once that call is over.
    ///
    /// - Throws: `timedOut` or `cancelled`, unknown, if the caller does not wait for that.
    func next(until end: Int64) async throws(PaymentError) -> AttemptRun? {
        if let known = following.result { return known }
        let step = Promise<Step>()
        Task(executorPreference: services.executor) { [following] in
            let run = await following.value()
            step.fulfill(.next(run))
        }
        let deadline = services.deadlines.add(end) { _ = step.fulfill(.left(.timedOut)) }
        defer { services.deadlines.remove(deadline) }
        switch await step.value(orWhenCancelled: .left(.cancelled)) {
        case .next(let run): return run
        case .left(let code):
            throw PaymentError(
                code, outcome: .unknown, attempt: attempt,
                detail: "Another call may begin the attempt over. Ask for the attempt's status.")
        }
    }
}
