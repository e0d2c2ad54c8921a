internal import PaymentBase

/// A thread that does queued work on something that it alone owns, as many pieces at a time as have come.
final class JournalThread<Owned>: Sendable {
    /// One piece of work and how it gets its result.
    struct Job: Sendable {
        /// Does the work, again if need be, and says how to tell of it once it is durable; what it throws fails this
        /// piece alone.
        let run: @Sendable (Owned) throws -> @Sendable () -> Void
        /// Reports that nothing of it was done, and why.
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isClosed = false
        /// Whether the thread waits for a ring.
        var sleeps = false

        /// Whether it has to be woken: once for each time that it sleeps.
        mutating func wakes() -> Bool {
            defer { sleeps = false }
            return sleeps
        }
    }

    private let state = Locked(State())
    private let bell = ThreadSignal()
    private let ended = Promise<Bool>()

    /// Starts the thread; `make` makes what it owns, `work` does a batch, `free` ends it all.
    init(
        make: @escaping @Sendable () throws -> Owned, work: @escaping @Sendable (Owned, [Job]) -> Void,
        free: @escaping @Sendable (Owned) -> Void, opened: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let loop: @Sendable () -> Void = { [state, bell, ended] in
            do {
                let owned = try make()
                opened(nil)
                while let batch = Self.next(state, bell) { work(owned, batch) }
                free(owned)
            } catch {
                opened(error)
                let left = state.withLock { state in
                    state.isClosed = true
                    defer { state.jobs = [] }
                    return state.jobs
                }
                for job in left { job.fail(error) }
            }
            ended.fulfill(true)
        }
        if !DedicatedThread.start(loop) {
            state.withLock { $0.isClosed = true }
            ended.fulfill(true)
            opened(SQLiteOpenError.noThread)
        }
    }

    deinit { close() }

    /// Waits for work; nil when there will be none.
    private static func next(_ state: Locked<State>, _ bell: ThreadSignal) -> [Job]? {
        while true {
            let (batch, isClosed) = state.withLock { state in
                defer { state.jobs = [] }
                state.sleeps = state.jobs.isEmpty && !state.isClosed
                return (state.jobs, state.isClosed)
            }
            if !batch.isEmpty { return batch }
            if isClosed { return nil }
            bell.wait()
        }
    }

    /// Queues a piece of work; says false when the thread takes none any more.
    func post(_ job: Job) -> Bool {
        let (isOpen, rings) = state.withLock { state in
            if state.isClosed { return (false, false) }
            state.jobs.append(job)
            return (true, state.wakes())
        }
        if rings { bell.ring() }
        return isOpen
    }

    /// Does what is queued, then ends.
    func close() {
        let rings = state.withLock { state in
            state.isClosed = true
            return state.wakes()
        }
        if rings { bell.ring() }
    }

    /// Returns when the thread is gone.
    func waitForEnd() async { _ = await ended.value() }
}
