internal import PaymentBase

/// The bytes of a streamed body that wait for the server's thread, up to a limit.
final class StreamBuffer: Sendable {
    /// What the server's thread can do now.
    enum Step: Sendable {
        case send([UInt8])
        /// Nothing is there; `wake` is called when more comes.
        case wait
        case end
        /// The client is too far behind: the connection is closed.
        case abort
    }

    private struct State: Sendable {
        var bytes: [UInt8] = []
        var sent = 0
        var isOver = false
        var isAborted = false
        var isParked = false
        var source: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let bytesMax: Int
    private let wake: @Sendable () -> Void

    init(bytesMax: Int, wake: @escaping @Sendable () -> Void) { (self.bytesMax, self.wake) = (bytesMax, wake) }

    /// Begins to take parts from a stream.
    func start(_ parts: AsyncStream<[UInt8]>) {
        let source = Task { [self] in
            // A stream ends its source when the task is cancelled: no part is wanted any more.
            for await part in parts where !add(part) { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            finish()
        }
        let isOver = state.withLock { state in
            state.source = source
            return state.isOver
        }
        if isOver { source.cancel() }
    }

    /// Adds a part; false if the client has left, or is too far behind, which ends the body.
    func add(_ part: [UInt8]) -> Bool {
        let result: (isTaken: Bool, wasParked: Bool) = state.withLock { state in
            if state.isOver { return (false, false) }
            guard state.bytes.count - state.sent + part.count <= bytesMax else {
                (state.isOver, state.isAborted) = (true, true)
                defer { state.isParked = false }
                return (false, state.isParked)
            }
            if state.sent > 0 {
                state.bytes.removeFirst(state.sent)
                state.sent = 0
            }
            state.bytes += part
            defer { state.isParked = false }
            return (true, state.isParked)
        }
        if result.wasParked { wake() }
        return result.isTaken
    }

    /// Ends the body after what is there.
    func finish() {
        let wasParked = state.withLock { state in
            state.isOver = true
            defer { state.isParked = false }
            return state.isParked
        }
        if wasParked { wake() }
    }

    /// The client has closed its connection: nothing more can be sent.
    func abort() {
        let (wasParked, source) = state.withLock { state in
            (state.isOver, state.isAborted) = (true, true)
            defer { state.isParked = false }
            return (state.isParked, state.source)
        }
        source?.cancel()
        if wasParked { wake() }
    }

    /// What can be sent now. If that is nothing, `park` runs before `wake` can.
    func next(atMost count: Int, park: () -> Void) -> Step {
        state.withLock { state in
            if state.isAborted { return .abort }
            if state.sent < state.bytes.count {
                let end = state.sent + min(count, state.bytes.count - state.sent)
                defer { state.sent = end }
                return .send(Array(state.bytes[state.sent..<end]))
            }
            if state.isOver { return .end }
            state.isParked = true
            park()
            return .wait
        }
    }

    /// The client has left: nothing more is taken.
    func close() {
        let source = state.withLock { state in
            state.isOver = true
            return state.source
        }
        source?.cancel()
    }
}
