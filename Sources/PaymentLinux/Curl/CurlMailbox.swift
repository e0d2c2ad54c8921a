internal import CLinux
internal import PaymentBase
internal import PaymentSystem

/// What tasks leave for the thread when they can't do it themselves, and how they wake it.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlJob)
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        /// Whether the thread looks here again before it sleeps; it does so before it sleeps for the first time.
        var isAwake = true
    }

    private let state = Locked(State())

    /// Becomes readable when the thread has to look; -1 when the system has none left.
    let bell: Int32

    /// Fulfilled when the thread has ended and everything of libcurl's is freed.
    let ended = Promise<Bool>()

    init() { bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }

    deinit { if bell >= 0 { _ = PaymentSystem.close(bell) } }

    /// Queues a command and wakes the thread; false when the transport is closed.
    func post(_ command: Command) -> Bool {
        let (isTaken, mustWake) = state.withLock { state in
            if state.isClosed { return (false, false) }
            state.commands.append(command)
            defer { state.isAwake = true }
            return (true, !state.isAwake)
        }
        if mustWake { wake() }
        return isTaken
    }

    /// Queues a command if the thread is awake and will see it without the bell; whether it did.
    func leave(_ command: Command) -> Bool {
        state.withLock { state in
            guard state.isAwake, !state.isClosed else { return false }
            state.commands.append(command)
            return true
        }
    }

    /// Takes no more commands; the thread ends what is under way and then itself.
    func close() {
        state.withLock { $0.isClosed = true }
        wake()
    }

    /// Makes the thread look at its deadlines again.
    func wake() { eventfd_write(bell, 1) }

    // MARK: The thread's side

    /// Stops the bell, before looking at what made it ring.
    func silence() {
        var count: UInt64 = 0
        unsafe eventfd_read(bell, &count)
    }

    /// All commands that have come, and whether to go on. Where none have, the thread sleeps next.
    func take() -> (commands: [Command], isClosed: Bool) {
        state.withLock { state in
            defer { state.commands = [] }
            state.isAwake = !state.commands.isEmpty
            return (state.commands, state.isClosed)
        }
    }

    /// Lets nothing more in; gives what came last.
    func detach() -> [Command] {
        state.withLock { state in
            let commands = state.commands
            state = State(isClosed: true)
            return commands
        }
    }
}
