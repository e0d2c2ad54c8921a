internal import CLinux
internal import PaymentBase
internal import PaymentSystem

/// One thread that waits for sockets with epoll and runs the jobs of the actor that lives on it in between.
///
/// The actor's state can thus hold what belongs to the thread, and a handler that the actor calls answers without any
/// change of thread. Tasks that prefer it stay on the thread where they belong to no actor, so that a server needs
/// nothing of the shared pool and can serve those who block it. The thread ends when ``end()`` was called and nothing
/// is left to run.
final class EventLoop: SerialExecutor, TaskExecutor {
    /// How many events are taken at a time.
    private static let eventsMax = 256

    private struct State {
        var jobs: [UnownedJob] = []
        var isWoken = false
        var isEnded = false
        var thread: pthread_t?
    }

    private let state = Locked(State())
    private let epoll: Int32
    private let wake: Int32

    /// Makes the descriptors; nil when the system has none left.
    init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard epoll >= 0, wake >= 0, watch(wake, EPOLLIN.rawValue, isNew: true) else {
            if epoll >= 0 { close(epoll) }
            if wake >= 0 { close(wake) }
            return nil
        }
    }

    // MARK: The executor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustWake = state.withLock { state in
            state.jobs.append(job)
            if state.isWoken { return false }
            state.isWoken = true
            return state.thread.map { pthread_equal($0, pthread_self()) == 0 } ?? true
        }
        if mustWake { wakeUp() }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { precondition(isOnThread, "this runs on the loop's thread only") }

    func isIsolatingCurrentContext() -> Bool? { isOnThread }

    private var isOnThread: Bool {
        state.withLock { $0.thread }.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }

    /// Makes the thread take another turn soon.
    func nudge() { wakeUp() }

    private func wakeUp() { eventfd_write(wake, 1) }

    /// Lets the thread end; nothing may be enqueued any more.
    func end() {
        state.withLock { $0.isEnded = true }
        wakeUp()
    }

    // MARK: The thread

    /// Asks for the events of a descriptor.
    @discardableResult
    func watch(_ descriptor: Int32, _ events: UInt32, isNew: Bool = false) -> Bool {
        pay_epoll_control(epoll, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, events) == 0
    }

    /// Asks for no events of a descriptor any more.
    func forget(_ descriptor: Int32) { _ = pay_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0) }

    /// Works until the end. `ready` hears of a descriptor; `turn` is called after each round and says how many
    /// milliseconds the next wait may last, -1 for any time.
    func run(ready: (Int32, UInt32) -> Void, turn: () -> Int32) {
        let thread = pthread_self()
        state.withLock { $0.thread = thread }
        var events = unsafe [epoll_event](repeating: epoll_event(), count: Self.eventsMax)
        while runJobs() {
            let milliseconds = turn()
            // The turn may have left jobs behind, which nobody wakes this thread for.
            if !runJobs() { break }
            let count = unsafe epoll_wait(epoll, &events, Int32(Self.eventsMax), milliseconds)
            for index in 0..<Int(max(0, count)) {
                let descriptor = unsafe events[index].data.fd
                if descriptor == wake {
                    var value: UInt64 = 0
                    unsafe eventfd_read(wake, &value)
                } else {
                    ready(descriptor, unsafe events[index].events)
                }
            }
        }
        close(epoll)
        close(wake)
    }

    /// Runs what is enqueued until nothing is left; false at the end.
    private func runJobs() -> Bool {
        while true {
            let (jobs, isEnded) = state.withLock { state in
                let jobs = state.jobs
                state.jobs = []
                state.isWoken = false
                return (jobs, state.isEnded)
            }
            if jobs.isEmpty { return !isEnded }
            for job in jobs {
                unsafe job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
        }
    }
}
