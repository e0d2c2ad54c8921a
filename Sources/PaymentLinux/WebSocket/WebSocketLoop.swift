internal import CLinux
internal import PaymentBase
internal import PaymentSystem
internal import PaymentTransport

/// What the thread of one WebSocket owns; made on the thread and never leaves it.
final class WebSocketLoop {
    private struct Chunk {
        let bytes: [UInt8]
        var sentCount = 0
        var wasTried = false
        let isPong: Bool
        let end: Promise<Result<Bool, TransportFailure>>?
    }

    private let request: HTTPRequest
    private let configuration: CurlWebSocketTransport.Configuration
    private let mailbox: WebSocketMailbox
    private let random = SystemRandom()
    private var reader: WebSocketReader
    private var chunks: [Chunk] = []
    private var lastHeard: Int64 = 0
    private var lastWritten: Int64 = 0
    private var hasPinged = false
    private var closeDeadline: Int64?

    init(
        _ request: HTTPRequest, _ configuration: CurlWebSocketTransport.Configuration, _ mailbox: WebSocketMailbox
    ) {
        (self.request, self.configuration, self.mailbox) = (request, configuration, mailbox)
        reader = WebSocketReader(messageBytesMax: request.responseBodyBytesMax)
    }

    /// Connects, then works until the connection ends.
    func run() {
        let end = live()
        // Only now, since the socket is closed when `live` has returned.
        mailbox.finish(end)
    }

    private func live() -> WebSocketMailbox.Received {
        do throws(TransportFailure) {
            let socket = try WebSocketSocket(mailbox)
            try open(socket)
            guard mailbox.open() else { throw .maybeSent(.cancelled) }
            mailbox.opened.fulfill(.success(true))
            let end = work(socket)
            let reason = WebSocketMailbox.reason(end)
            for chunk in chunks {
                chunk.end?.fulfill(.failure(chunk.wasTried ? .maybeSent(reason) : .notSent(reason)))
            }
            return end
        } catch {
            mailbox.opened.fulfill(.failure(error))
            return .failure(error)
        }
    }

    // MARK: Opening

    private func open(_ socket: WebSocketSocket) throws(TransportFailure) {
        let deadline = DedicatedThread.monotonicNow + configuration.connection.connectMilliseconds
        guard let handshake = WebSocketHandshake(request, userAgent: configuration.connection.userAgent) else {
            throw .notSent(.invalidRequest)
        }
        try socket.connect(request, configuration.connection)
        guard mailbox.begin() else { throw .notSent(.cancelled) }
        var rest = handshake.bytes[...]
        while !rest.isEmpty {
            switch socket.write(rest) {
            case .moved(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try wait(socket, deadline, toWrite: true)
            case .ended: throw .maybeSent(.connectionReset)
            }
        }
        let head = try readHead(socket, deadline)
        let isAccepted = (try? handshake.accepts(head)) ?? false
        guard isAccepted else { throw .maybeSent(.notUpgraded) }
        (lastHeard, lastWritten) = (DedicatedThread.monotonicNow, DedicatedThread.monotonicNow)
    }

    /// Reads up to the empty line; what came behind it goes to the reader.
    private func readHead(_ socket: WebSocketSocket, _ deadline: Int64) throws(TransportFailure) -> [UInt8] {
        var head: [UInt8] = []
        while true {
            let (step, bytes) = socket.read()
            switch step {
            case .moved:
                let from = max(0, head.count - 3)
                head.append(contentsOf: bytes)
                if let end = Self.headEnd(head, from: from) {
                    reader.feed(head[(end + 4)...])
                    return Array(head[..<end])
                }
                guard head.count <= configuration.connection.headerBytesMax else { throw .maybeSent(.tooLarge) }
            case .wouldBlock: try wait(socket, deadline, toWrite: false)
            case .ended: throw .maybeSent(.connectionReset)
            }
        }
    }

    private static func headEnd(_ bytes: [UInt8], from: Int) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (from...(bytes.count - 4)).first { Array(bytes[$0..<($0 + 4)]) == [13, 10, 13, 10] }
    }

    private func wait(_ socket: WebSocketSocket, _ deadline: Int64, toWrite: Bool) throws(TransportFailure) {
        let left = deadline - DedicatedThread.monotonicNow
        guard left > 0 else { throw .maybeSent(.stalled) }
        if mailbox.isAbandoned { throw .maybeSent(.cancelled) }
        socket.wait(toRead: !toWrite, toWrite: toWrite, milliseconds: left)
    }

    // MARK: Working

    private func work(_ socket: WebSocketSocket) -> WebSocketMailbox.Received {
        while true {
            if mailbox.isAbandoned { return .failure(.maybeSent(.cancelled)) }
            if mailbox.isClosing, closeDeadline == nil { beginClosing() }
            if let end = writeAll(socket) ?? readAll(socket) ?? limits() { return end }
            let isWriting = !chunks.isEmpty
            socket.wait(
                toRead: wantsToRead, toWrite: isWriting, milliseconds: nextDeadline - DedicatedThread.monotonicNow)
        }
    }

    /// Once we have said goodbye, messages are read and thrown away, so a full inbox no longer matters.
    private var wantsToRead: Bool { closeDeadline != nil || mailbox.hasRoom }

    private func beginClosing() {
        queue(.close(1_000))
        closeDeadline = DedicatedThread.monotonicNow + configuration.closeMilliseconds
    }

    private func queue(_ frame: WebSocketFrame, _ end: Promise<Result<Bool, TransportFailure>>? = nil) {
        let isPong = frame.opcode == .pong
        // Of several pings only the last needs an answer, so that a flood of them can't fill the memory.
        if isPong { chunks.removeAll { $0.isPong && !$0.wasTried } }
        if chunks.isEmpty { lastWritten = DedicatedThread.monotonicNow }
        chunks.append(Chunk(bytes: frame.bytes(mask: random.bytes(4)), isPong: isPong, end: end))
    }

    private func writeAll(_ socket: WebSocketSocket) -> WebSocketMailbox.Received? {
        while true {
            if chunks.isEmpty {
                guard closeDeadline == nil, let outgoing = mailbox.takeOutgoing() else { return nil }
                queue(WebSocketFrame(opcode: .text, payload: outgoing.bytes), outgoing.end)
            }
            chunks[0].wasTried = true
            switch socket.write(chunks[0].bytes[chunks[0].sentCount...]) {
            case .moved(let count):
                chunks[0].sentCount += count
                lastWritten = DedicatedThread.monotonicNow
                if chunks[0].sentCount == chunks[0].bytes.count { chunks.removeFirst().end?.fulfill(.success(true)) }
            case .wouldBlock: return nil
            case .ended: return .failure(.maybeSent(.connectionReset))
            }
        }
    }

    private func readAll(_ socket: WebSocketSocket) -> WebSocketMailbox.Received? {
        do throws(WebSocketReader.Violation) {
            while wantsToRead {
                if let event = try reader.next() {
                    if let end = take(event, socket) { return end }
                    continue
                }
                let (step, bytes) = socket.read()
                switch step {
                case .moved:
                    reader.feed(bytes)
                    (lastHeard, hasPinged) = (DedicatedThread.monotonicNow, false)
                case .wouldBlock: return nil
                case .ended:
                    return closeDeadline == nil ? .failure(.maybeSent(.connectionReset)) : .success(nil)
                }
            }
            return nil
        } catch {
            queue(.close(error.code))
            closeDeadline = DedicatedThread.monotonicNow
            _ = writeAll(socket)
            let isTooLarge = error.code == WebSocketReader.Violation.tooLarge
            return .failure(.maybeSent(isTooLarge ? .tooLarge : .malformed))
        }
    }

    private func take(_ event: WebSocketReader.Event, _ socket: WebSocketSocket) -> WebSocketMailbox.Received? {
        switch event {
        case .message(let message):
            if closeDeadline == nil { mailbox.deliver(message) }
            return nil
        case .ping(let payload):
            if closeDeadline == nil { queue(WebSocketFrame(opcode: .pong, payload: payload)) }
            return writeAll(socket)
        case .pong: return nil
        case .close:
            if closeDeadline == nil {
                closeDeadline = DedicatedThread.monotonicNow
                queue(.close(1_000))
            }
            return writeAll(socket) ?? .success(nil)
        }
    }

    // MARK: Limits on waiting

    private var nextDeadline: Int64 {
        var next = closeDeadline ?? Int64.max
        if !chunks.isEmpty { next = min(next, lastWritten + configuration.connection.idleTimeoutMilliseconds) }
        if wantsToRead { next = min(next, lastHeard + configuration.pingMilliseconds * (hasPinged ? 2 : 1)) }
        return next
    }

    private func limits() -> WebSocketMailbox.Received? {
        let now = DedicatedThread.monotonicNow
        if let closeDeadline, now >= closeDeadline { return .success(nil) }
        if !chunks.isEmpty, now >= lastWritten + configuration.connection.idleTimeoutMilliseconds {
            return .failure(.maybeSent(.stalled))
        }
        // A peer that isn't read can't answer: silence counts only while there is room.
        guard wantsToRead else {
            (lastHeard, hasPinged) = (now, false)
            return nil
        }
        if now >= lastHeard + configuration.pingMilliseconds * 2, hasPinged { return .failure(.maybeSent(.stalled)) }
        if now >= lastHeard + configuration.pingMilliseconds, !hasPinged {
            hasPinged = true
            queue(WebSocketFrame(opcode: .ping, payload: []))
        }
        return nil
    }
}

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

    /// No front holds the connection any more.
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

    /// Notes that the handshake is done; false when no caller waits for it any more.
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

    /// Hands a message over, or keeps it until a caller asks.
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

    /// Says how it ended, to all that wait and all that come later.
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
