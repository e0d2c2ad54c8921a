internal import PaymentBase
internal import PaymentSystem

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
    }

    private let state = Locked(State())
    private let wake = CommitSignal()
    private let ended = Promise<Bool>()

    /// Starts the thread; `make` makes what it owns, `work` does a batch, `free` ends it all.
    init(
        make: @escaping @Sendable () throws -> Owned, work: @escaping @Sendable (Owned, [Job]) -> Void,
        free: @escaping @Sendable (Owned) -> Void, opened: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let loop: @Sendable () -> Void = { [state, wake, ended] in
            do {
                let owned = try make()
                opened(nil)
                while let batch = Self.next(state, wake) { work(owned, batch) }
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
    private static func next(_ state: Locked<State>, _ wake: CommitSignal) -> [Job]? {
        while true {
            let (batch, isClosed) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isClosed)
            }
            if !batch.isEmpty { return batch }
            if isClosed { return nil }
            wake.wait()
        }
    }

    /// Queues a piece of work; says false when the thread takes none any more.
    func post(_ job: Job) -> Bool {
        let isOpen = state.withLock { state in
            if state.isClosed { return false }
            state.jobs.append(job)
            return true
        }
        if isOpen { wake.signal() }
        return isOpen
    }

    /// Does what is queued, then ends.
    func close() {
        state.withLock { $0.isClosed = true }
        wake.signal()
    }

    /// Returns when the thread is gone.
    func waitForEnd() async { _ = await ended.value() }
}

/// Wakes a thread that waits; a signal that comes first is not lost, and several count as one.
///
/// A pipe rather than a condition variable: its two numbers may be shared without telling the compiler to look away.
final class CommitSignal: Sendable {
    private let reading: Int32
    private let writing: Int32
    private let isSignalled = Locked(false)
    private static let failuresMax = 8

    init() {
        var ends: [Int32] = [-1, -1]
        let code = unsafe pipe(&ends)
        precondition(code == 0, "no pipe could be made: too many files are open")
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(reading)
        close(writing)
    }

    func signal() {
        let isFirst = isSignalled.withLock { isSignalled in
            defer { isSignalled = true }
            return !isSignalled
        }
        guard isFirst else { return }
        // There is room for it; a caller that waits would wait for ever if the one write were lost.
        var failures = 0
        while unsafe write(writing, [1], 1) < 0, errno == EINTR || failures < Self.failuresMax { failures += 1 }
    }

    /// Waits until there was a signal since the last wait.
    func wait() {
        var byte: [UInt8] = [0]
        while unsafe read(reading, &byte, 1) < 0, errno == EINTR {}
        isSignalled.withLock { $0 = false }
    }
}
