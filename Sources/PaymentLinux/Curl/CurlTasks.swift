internal import PaymentBase
internal import PaymentSystem

/// The tasks that run on the thread of a transport, because whoever started them prefers it.
///
/// No task is ever left behind: what comes when the thread is gone runs where tasks without a preference do.
final class CurlTasks: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isEnded = false
        var thread: pthread_t?
    }

    private let state = Locked(State())
    private let mailbox: CurlMailbox

    /// Makes the queue of the thread that hears this mailbox's bell.
    init(_ mailbox: CurlMailbox) { self.mailbox = mailbox }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isTaken, mustWake) = state.withLock { state in
            if state.isEnded { return (false, false) }
            state.jobs.append(job)
            let isOurs = state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
            return (true, state.jobs.count == 1 && !isOurs)
        }
        if !isTaken { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        if mustWake { mailbox.wake() }
    }

    // MARK: The thread's side

    /// Says on which thread the tasks run.
    func begin() { state.withLock { $0.thread = pthread_self() } }

    /// Runs what waits; whether there was anything.
    func run() -> Bool {
        let jobs = take()
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !jobs.isEmpty
    }

    private func take() -> [UnownedJob] {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
    }

    /// Takes no more tasks, and has those that wait run elsewhere.
    func end() {
        state.withLock { $0.isEnded = true }
        for job in take() { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    }
}
