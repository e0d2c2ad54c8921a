internal import CLinux
internal import PaymentBase
internal import PaymentSystem
internal import PaymentTransport

/// What the tasks and the thread of one WebSocket share.
final class WebSocketMailbox: Sendable {
    /// A text on its way.
    struct Outgoing: Sendable {
        let bytes: [UInt8]
        let end: Promise<Result<Bool, TransportFailure>>
    }

    typealias Received = Result<WebSocketMessage?, TransportFailure>

    /// How many texts may wait to be sent.
    static let outgoingMax = 256
    /// How many messages may wait to be received; then the server has to wait.
    static let inboxMax = 64

    private struct State {
        var hasBegun = false
        var isOpen = false
        var isClosing = false
        var isAbandoned = false
        var outgoing: [Outgoing] = []
        var inbox: [WebSocketMessage] = []
        var inboxByteCount = 0
        var receiver: Promise<Received>?
        var end: Received?
    }

    private let state = Locked(State())
    private let inboxBytesMax: Int

    /// Becomes readable when the thread has to look here.
    let wakeDescriptor: Int32
    /// Fulfilled when the handshake has ended, one way or the other.
    let opened = Promise<Result<Bool, TransportFailure>>()
    /// Fulfilled when the thread has ended.
    let ended = Promise<Bool>()

    /// Makes the descriptor; nil when the system has none left.
    init?(inboxBytesMax: Int) {
        self.inboxBytesMax = inboxBytesMax
        wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        if wakeDescriptor < 0 { return nil }
    }

    deinit { if wakeDescriptor >= 0 { _ = PaymentSystem.close(wakeDescriptor) } }

    private func wake() { eventfd_write(wakeDescriptor, 1) }

    // MARK: The tasks' side

    /// Gives up connecting; what that proves depends on whether the handshake has begun to leave us.
    func cancelConnecting() {
        let hasBegun = state.withLock { state -> Bool? in
            if state.isOpen { return nil }
            state.isAbandoned = true
            return state.hasBegun
        }
        guard let hasBegun else { return }
        opened.fulfill(.failure(hasBegun ? .maybeSent(.cancelled) : .notSent(.cancelled)))
        wake()
    }

    /// Queues a text.
    func send(_ outgoing: Outgoing) {
        let failure = state.withLock { state -> TransportFailure? in
            if let end = state.end { return .notSent(Self.reason(end)) }
            if state.isClosing || state.isAbandoned { return .notSent(.closed) }
            if state.outgoing.count >= Self.outgoingMax { return .notSent(.overloaded) }
            state.outgoing.append(outgoing)
            return nil
        }
        if let failure { outgoing.end.fulfill(.failure(failure)) } else { wake() }
    }

    /// Takes a text back, if its sending has not begun.
    func cancel(_ end: Promise<Result<Bool, TransportFailure>>) {
        let isQueued = state.withLock { state in
            let before = state.outgoing.count
            state.outgoing.removeAll { $0.end === end }
            return state.outgoing.count < before
        }
        if isQueued { end.fulfill(.failure(.notSent(.cancelled))) }
    }

    /// Gives the next message to `receiver`, now or when it comes.
    func receive(_ receiver: Promise<Received>) {
        let (received, wasFull) = state.withLock { state -> (Received?, Bool) in
            if !state.inbox.isEmpty {
                let wasFull = isFull(state)
                let message = state.inbox.removeFirst()
                state.inboxByteCount -= message.byteCount
                return (.success(message), wasFull)
            }
            if let end = state.end { return (end, false) }
            if state.receiver != nil { return (.failure(.notSent(.invalidRequest)), false) }
            state.receiver = receiver
            return (nil, false)
        }
        if wasFull { wake() }
        if let received { receiver.fulfill(received) }
    }

    /// Stops waiting; a message that has been given already stays given.
    func cancel(_ receiver: Promise<Received>) {
        let wasWaiting = state.withLock { state in
            guard state.receiver === receiver else { return false }
            state.receiver = nil
            return true
        }
        if wasWaiting { receiver.fulfill(.failure(.notSent(.cancelled))) }
    }

    /// Asks for an end in good order.
    func close() {
        state.withLock { $0.isClosing = true }
        wake()
    }

    /// Nobody holds the connection any more.
    func abandon() {
        state.withLock { $0.isAbandoned = true }
        wake()
    }

    // MARK: The thread's side

    var isClosing: Bool { state.withLock { $0.isClosing } }
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }
    var hasRoom: Bool { state.withLock { !isFull($0) } }

    /// Notes that the handshake leaves now; false when it may not.
    func begin() -> Bool {
        state.withLock { state in
            if state.isAbandoned { return false }
            state.hasBegun = true
            return true
        }
    }

    /// Notes that the handshake is done; false when nobody waits for it any more.
    func open() -> Bool {
        state.withLock { state in
            state.isOpen = !state.isAbandoned
            return state.isOpen
        }
    }

    /// The next text to send.
    func takeOutgoing() -> Outgoing? {
        state.withLock { $0.outgoing.isEmpty ? nil : $0.outgoing.removeFirst() }
    }

    /// Hands a message over, or keeps it until somebody asks.
    func deliver(_ message: WebSocketMessage) {
        let receiver = state.withLock { state -> Promise<Received>? in
            if let receiver = state.receiver {
                state.receiver = nil
                return receiver
            }
            state.inbox.append(message)
            state.inboxByteCount += message.byteCount
            return nil
        }
        receiver?.fulfill(.success(message))
    }

    /// Says how it ended, to everybody who waits and whoever comes later.
    func finish(_ end: Received) {
        let (receiver, outgoing) = state.withLock { state in
            defer { (state.receiver, state.outgoing, state.end) = (nil, [], end) }
            return (state.receiver, state.outgoing)
        }
        for outgoing in outgoing { outgoing.end.fulfill(.failure(.notSent(Self.reason(end)))) }
        receiver?.fulfill(end)
        ended.fulfill(true)
    }

    private func isFull(_ state: State) -> Bool {
        state.inbox.count >= Self.inboxMax || state.inboxByteCount >= inboxBytesMax
    }

    /// Why nothing more is sent after such an end.
    static func reason(_ end: Received) -> TransportFailure.Reason {
        switch end {
        case .success: .closed
        case .failure(let failure): failure.reason
        }
    }
}

extension WebSocketMessage {
    fileprivate var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}
