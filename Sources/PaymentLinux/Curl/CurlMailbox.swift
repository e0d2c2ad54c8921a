internal import CCurl
internal import PaymentBase

/// What tasks and the thread share: a queue of commands, and how to wake the thread.
final class CurlMailbox: Sendable {
    enum Command: Sendable {
        case start(CurlJob)
        case cancel(CurlJob)
    }

    private struct State {
        var commands: [Command] = []
        var isClosed = false
        var isWoken = false
        /// The address of the multi handle while the thread has one; its owner is the thread.
        var multi: UInt = 0
    }

    private let state = Locked(State())

    /// Fulfilled when the thread has ended and everything of libcurl's is freed.
    let ended = Promise<Bool>()

    /// Queues a command and wakes the thread; false when the transport is closed.
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.commands.append(command)
            Self.wake(&state)
            return true
        }
    }

    /// Takes no more commands; the thread ends what is under way and then itself.
    func close() {
        state.withLock { state in
            state.isClosed = true
            Self.wake(&state)
        }
    }

    /// Waking happens under the lock, since the thread frees the handle only after it took the address away.
    private static func wake(_ state: inout State) {
        guard !state.isWoken, let multi = unsafe UnsafeMutableRawPointer(bitPattern: state.multi) else { return }
        state.isWoken = unsafe curl_multi_wakeup(multi) == CURLM_OK
    }

    // MARK: The thread's side

    /// Says where to wake the thread.
    func attach(_ multi: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: multi)
        state.withLock { $0.multi = address }
    }

    /// All commands that have come, and whether to go on.
    func take() -> (commands: [Command], isClosed: Bool) {
        state.withLock { state in
            let commands = state.commands
            state.commands = []
            state.isWoken = false
            return (commands, state.isClosed)
        }
    }

    /// Forgets the handle and lets nothing more in; gives what came last.
    func detach() -> [Command] {
        state.withLock { state in
            let commands = state.commands
            state = State(isClosed: true)
            return commands
        }
    }
}
