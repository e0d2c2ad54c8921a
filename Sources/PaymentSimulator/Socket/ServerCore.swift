internal import CLinux
internal import PaymentBase
internal import PaymentSystem
internal import PaymentTransport

/// What the loop's thread owns: the listening sockets and the connections. The actor runs on that thread only.
actor ServerCore {
    private struct Listener: Sendable {
        let service: any SimulatorService
        let origin: Origin
        /// How many connections it has, so that a flood of one port leaves the others theirs.
        var connectionCount = 0
    }

    /// How often it is looked whether another piece of a dripped answer may go.
    private static let dripMilliseconds: Int64 = 5
    /// How often deadlines are looked at, at most and at least.
    private static let scanMilliseconds: ClosedRange<Int64> = 5...250
    /// How many bytes are read at a time.
    private static let readBytes = 32 * 1_024

    nonisolated let loop: EventLoop
    private nonisolated let identity: SimulatorCertificate?
    let limits: SimulatorServer.Limits
    /// Ports that are open and not served yet.
    private nonisolated let arrivals = Locked([Int32: Listener]())
    private var listeners: [Int32: Listener] = [:]
    var connections: [Int32: ServerConnection] = [:]
    var descriptors: [Int: Int32] = [:]
    private var nextNumber = 0
    private var buffer = [UInt8](repeating: 0, count: readBytes)
    var now = DedicatedThread.monotonicNow
    private var nextScan: Int64 = 0
    private var drippingCount = 0
    private var isDeaf = false
    private var stopDeadline: Int64?
    private let stopped = Promise<Bool>()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop, _ identity: SimulatorCertificate?, _ limits: SimulatorServer.Limits) {
        (self.loop, self.identity, self.limits) = (loop, identity, limits)
    }

    deinit { loop.end() }

    /// Starts the thread; it ends when no task keeps the core any more.
    nonisolated func start() -> Bool {
        DedicatedThread.start { [loop, weak core = self] in
            loop.run { descriptor, events in
                core?.assumeIsolated { $0.ready(descriptor, events) }
            } turn: {
                core?.assumeIsolated { $0.turn() } ?? -1
            }
        }
    }

    // MARK: Listening

    /// Listens for a service.
    func listen(_ service: any SimulatorService, port: Int) throws(SimulatorServerError) -> Origin {
        guard stopDeadline == nil else { throw .stopped }
        let (descriptor, origin) = try open(port: port)
        serve(Listener(service: service, origin: origin), descriptor)
        return origin
    }

    /// Opens a port at once and has it served in the loop's next turn: no task has to run for it.
    nonisolated func begin(_ service: any SimulatorService, port: Int) throws(SimulatorServerError) -> Origin {
        let (descriptor, origin) = try open(port: port)
        arrivals.withLock { $0[descriptor] = Listener(service: service, origin: origin) }
        loop.nudge()
        return origin
    }

    private nonisolated func open(port: Int) throws(SimulatorServerError) -> (descriptor: Int32, origin: Origin) {
        let (descriptor, port) = try ListeningSocket.open(port: port)
        return (descriptor, Origin(identity == nil ? .http : .https, "127.0.0.1", port))
    }

    private func serve(_ listener: Listener, _ descriptor: Int32) {
        guard stopDeadline == nil else {
            close(descriptor)
            return
        }
        listeners[descriptor] = listener
        loop.watch(descriptor, EPOLLIN.rawValue, isNew: true)
    }

    /// Serves the ports that were opened from outside.
    private func welcome() {
        let arrived = arrivals.withLock { arrivals in
            defer { arrivals = [:] }
            return arrivals
        }
        for (descriptor, listener) in arrived { serve(listener, descriptor) }
    }

    private func accept(_ descriptor: Int32, _ listener: Listener) {
        while true {
            switch ListeningSocket.accept(descriptor) {
            case .none: return
            case .failed:
                // No descriptors are left: listen again after the next look at the deadlines.
                isDeaf = true
                loop.watch(descriptor, 0)
                if let idle = idlest { drop(idle) }
                return
            case .connection(let accepted):
                guard listeners[descriptor]?.connectionCount ?? 0 < limits.connectionsMax else {
                    close(accepted)
                    continue
                }
                guard let stream = ByteStream(accepted, identity) else { continue }
                nextNumber += 1
                let connection = ServerConnection(
                    nextNumber, stream, listener.service, listener.origin, limits, listener: descriptor, now: now)
                connections[accepted] = connection
                descriptors[nextNumber] = accepted
                listeners[descriptor]?.connectionCount += 1
                connection.watch(loop)
            }
        }
    }

    // MARK: The loop

    private func ready(_ descriptor: Int32, _ events: UInt32) {
        // A server without connections waits for ever, so that the time of the last turn may be long ago.
        now = DedicatedThread.monotonicNow
        if let listener = listeners[descriptor] { return accept(descriptor, listener) }
        guard let connection = connections[descriptor] else { return }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { return drop(connection) }
        if events & EPOLLIN.rawValue != 0 || connection.stream.wantsToWrite { connection.receive(&buffer) }
        if events & EPOLLRDHUP.rawValue != 0, connection.phase == .busy { return drop(connection) }
        advance(connection)
    }

    /// What comes after each round: deadlines and drips; how long the next wait may last.
    private func turn() -> Int32 {
        welcome()
        now = DedicatedThread.monotonicNow
        if drippingCount > 0 { drip() }
        if now >= nextScan { scan() }
        if connections.isEmpty, !isDeaf { return -1 }
        let wait = drippingCount > 0 ? Self.dripMilliseconds : nextScan - now
        return Int32(max(1, wait))
    }

    private func scan() {
        let shortest = min(limits.idleMilliseconds, limits.requestMilliseconds, limits.writeMilliseconds) / 4
        nextScan = now + min(max(shortest, Self.scanMilliseconds.lowerBound), Self.scanMilliseconds.upperBound)
        if isDeaf {
            isDeaf = false
            for descriptor in listeners.keys { loop.watch(descriptor, EPOLLIN.rawValue) }
        }
        for connection in Array(connections.values) where now >= connection.deadline { expire(connection) }
        if let stopDeadline, now >= stopDeadline {
            for connection in Array(connections.values) {
                connection.stream.reset()
                drop(connection)
            }
        }
    }

    /// Who has waited longest for nothing, and makes room where there is none.
    private var idlest: ServerConnection? {
        connections.values.filter { $0.phase == .open && !$0.isBehind }.min { $0.deadline < $1.deadline }
    }

    private func expire(_ connection: ServerConnection) {
        switch connection.phase {
        case .open where connection.isBehind: drop(connection)
        case .open where connection.parser.isInside: refuse(connection, 408)
        case .busy, .socket: if connection.outgoingByteCount > 0 { drop(connection) }
        case .open, .finishing, .lingering: drop(connection)
        }
    }

    private func drip() {
        for connection in Array(connections.values) where connection.isDripping {
            connection.drip(now: now)
            if !connection.isDripping { drippingCount -= 1 }
            advance(connection)
        }
    }

    // MARK: One connection

    /// Does whatever can be done without waiting.
    private func advance(_ connection: ServerConnection) {
        while connection.phase == .open, !connection.isBehind, step(connection) {}
        if connection.phase == .socket { hear(connection) }
        settle(connection)
    }

    /// Takes the next request out of what came; whether there may be another.
    private func step(_ connection: ServerConnection) -> Bool {
        do throws(RequestHead.Refused) {
            switch try connection.parser.next() {
            case .request(let request, let keepsAlive):
                connection.keepsAlive = keepsAlive && stopDeadline == nil
                begin(request, connection)
                return false
            case .expectsContinue:
                connection.send("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                return true
            case .needsMore:
                if connection.isEnded { connection.phase = .finishing }
                renew(connection)
                return false
            }
        } catch {
            refuse(connection, error.status)
            return false
        }
    }

    /// Sets the deadline of a connection that waits for a request or for the rest of one, whose time runs from its first
    /// byte.
    private func renew(_ connection: ServerConnection) {
        let isInside = connection.parser.isInside
        if isInside, connection.isTimed { return }
        connection.isTimed = isInside
        connection.deadline = now + (isInside ? limits.requestMilliseconds : limits.idleMilliseconds)
    }

    private func begin(_ request: HTTPRequest, _ connection: ServerConnection) {
        connection.phase = .busy
        connection.isTimed = false
        connection.deadline = .max
        connection.isHead = request.method == "HEAD"
        let (service, number) = (connection.service, connection.number)
        connection.task = Task(executorPreference: loop) {
            let answer = await service.answer(request)
            await self.answered(number, request, answer)
        }
    }

    private func answered(_ number: Int, _ request: HTTPRequest, _ answer: SimulatorResponse) {
        guard let connection = descriptors[number].flatMap({ connections[$0] }), connection.phase == .busy else {
            return
        }
        switch answer {
        case .noReply: return
        case .cutBefore, .cutAfter:
            connection.stream.reset()
            return drop(connection)
        case .closed: return drop(connection)
        case .reply(let response): write(response, connection) { $0.send($1.all) }
        case .truncatedHead(let response):
            connection.keepsAlive = false
            write(response, connection) { $0.send($1.tornHead) }
        case .truncatedBody(let response):
            connection.keepsAlive = false
            write(response, connection) { $0.send($1.tornBody) }
        case .slow(let response, let milliseconds):
            drippingCount += 1
            write(response, connection) { [now] in $0.drip($1.all, milliseconds: milliseconds, now: now) }
            connection.deadline = max(connection.deadline, now + milliseconds + limits.writeMilliseconds)
        case .upgrade(let handle): upgrade(connection, request, handle)
        }
        if connection.stream.isSecure { connection.receive(&buffer) }
        advance(connection)
    }

    private func write(
        _ response: HTTPResponse, _ connection: ServerConnection, _ send: (ServerConnection, ResponseBytes) -> Void
    ) {
        if stopDeadline != nil { connection.keepsAlive = false }
        send(connection, ResponseBytes(response, closes: !connection.keepsAlive, isHead: connection.isHead))
        connection.task = nil
        connection.phase = connection.keepsAlive ? .open : .finishing
        connection.deadline = now + limits.writeMilliseconds
    }

    func refuse(_ connection: ServerConnection, _ status: Int) {
        connection.keepsAlive = false
        write(HTTPResponse(status), connection) { $0.send($1.all) }
        settle(connection)
    }

    /// Writes what waits, then closes, lingers or continues waiting.
    func settle(_ connection: ServerConnection) {
        guard connections[connection.stream.descriptor] === connection else { return }
        let wasBehind = connection.isBehind
        guard connection.flush(now: now) else { return drop(connection) }
        if connection.phase == .open, wasBehind, !connection.isBehind {
            // What came in the meantime waits in the parser, where epoll doesn't see it.
            return advance(connection)
        }
        if connection.phase == .socket, connection.outgoingByteCount == 0, let ping = connection.ping {
            connection.ping = nil
            connection.send(SocketFrameReader.frame(.pong, ping))
            return settle(connection)
        }
        let isDone = connection.outgoingByteCount == 0
        if connection.phase == .finishing, isDone {
            if connection.isEnded { return drop(connection) }
            connection.stream.endWriting()
            connection.phase = .lingering
            connection.deadline = now + ServerConnection.lingerMilliseconds
        } else if connection.phase == .lingering, connection.isEnded {
            return drop(connection)
        } else if connection.phase == .open, isDone, stopDeadline != nil, !connection.parser.isInside {
            return drop(connection)
        }
        connection.watch(loop)
    }

    /// Closes and forgets; a handler that still works on an answer is asked to stop.
    func drop(_ connection: ServerConnection) {
        let descriptor = connection.stream.descriptor
        guard connections[descriptor] === connection else { return }
        if connection.isDripping { drippingCount -= 1 }
        loop.forget(descriptor)
        connections[descriptor] = nil
        listeners[connection.listener]?.connectionCount -= 1
        descriptors[connection.number] = nil
        connection.stream.close()
        connection.task?.cancel()
        connection.socket?.finish(.failure(.maybeSent(.connectionReset)))
        if connections.isEmpty, stopDeadline != nil { stopped.fulfill(true) }
    }

    // MARK: The end

    /// Listens no more, lets open requests finish, and returns when every connection is closed.
    func stop() async {
        if stopDeadline == nil {
            now = DedicatedThread.monotonicNow
            stopDeadline = now + limits.stopMilliseconds
            welcome()
            for descriptor in listeners.keys {
                loop.forget(descriptor)
                close(descriptor)
            }
            listeners = [:]
            for connection in Array(connections.values) {
                if connection.phase == .socket {
                    connection.socket?.finish(.success(nil))
                    finish(connection, 1_001)
                }
                settle(connection)
            }
            if connections.isEmpty { stopped.fulfill(true) }
        }
        _ = await stopped.value()
    }
}

/// Connections that became WebSockets.
extension ServerCore {
    func upgrade(
        _ connection: ServerConnection, _ request: HTTPRequest,
        _ handle: @escaping @Sendable (any WebSocketConnection) async -> Void
    ) {
        guard let agreement = SocketHandshake.agreement(to: request) else { return refuse(connection, 426) }
        let socket = ServerWebSocket(self, connection.number)
        connection.send(agreement)
        connection.phase = .socket
        connection.socket = socket
        var frames = SocketFrameReader(messageBytesMax: limits.messageBytesMax)
        frames.feed(connection.parser.takeRest()[...])
        connection.frames = frames
        connection.deadline = .max
        let number = connection.number
        connection.task = Task(executorPreference: loop) {
            await handle(socket)
            await self.endSocket(number)
        }
    }

    func hear(_ connection: ServerConnection) {
        do throws(SocketFrameReader.Violation) {
            while let event = try connection.frames?.next() {
                switch event {
                case .message(let message):
                    if connection.socket?.deliver(message) == false { throw .init(code: 1_008) }
                // Of several pings the last is answered, when there is room (RFC 6455, section 5.5.3).
                case .ping(let payload): connection.ping = payload
                case .pong: break
                case .close:
                    connection.socket?.finish(.success(nil))
                    return finish(connection, 1_000)
                }
            }
        } catch {
            connection.socket?.finish(.failure(.maybeSent(.malformed)))
            return finish(connection, error.code)
        }
        if connection.isEnded { drop(connection) }
    }

    func finish(_ connection: ServerConnection, _ code: UInt16) {
        if let ping = connection.ping {
            connection.ping = nil
            connection.send(SocketFrameReader.frame(.pong, ping))
        }
        connection.send(SocketFrameReader.closeFrame(code))
        connection.phase = .finishing
        connection.deadline = now + limits.writeMilliseconds
    }

    /// Sends a frame; false when the connection is gone or takes nothing.
    func push(_ frame: [UInt8], to number: Int) -> Bool {
        guard let connection = descriptors[number].flatMap({ connections[$0] }), connection.phase == .socket,
            connection.outgoingByteCount + frame.count <= limits.outgoingBytesMax
        else { return false }
        connection.send(frame)
        connection.deadline = now + limits.writeMilliseconds
        settle(connection)
        return descriptors[number] != nil
    }

    /// Says goodbye.
    func endSocket(_ number: Int) {
        guard let connection = descriptors[number].flatMap({ connections[$0] }), connection.phase == .socket else {
            return
        }
        connection.socket?.finish(.success(nil))
        finish(connection, 1_000)
        settle(connection)
    }
}
