internal import CMicroHTTP
internal import PaymentBase
internal import PaymentSystem

/// What the library's callbacks share: the exchanges that run, the deadlines of their connections, and the stop.
final class ServerCore: Sendable {
    /// A connection, and until when its request must have arrived; nil while a task answers it.
    private struct Watched: Sendable {
        let descriptor: Int32
        var deadline: Int64?
    }

    private struct State: Sendable {
        var connections: [ConnectionHandle: Watched] = [:]
        var tasks: [ObjectIdentifier: Task<Void, Never>] = [:]
        var streams: [ObjectIdentifier: StreamedBody] = [:]
        var exchangeCount = 0
        var isStopping = false
        var idle: [Promise<Bool>] = []
    }

    /// How often deadlines are compared with the time, in milliseconds.
    private static let tickMilliseconds: Int64 = 500
    /// The size of the parts of a streamed body, in bytes.
    private static let streamPartBytes = 4_096

    private let limits: ServerLimits
    private let handler: any HTTPRequestHandler
    private let clock: any PaymentClock
    private let state = Locked(State())

    init(_ limits: ServerLimits, _ handler: any HTTPRequestHandler, _ clock: any PaymentClock) {
        (self.limits, self.handler, self.clock) = (limits, handler, clock)
    }

    // MARK: - Connections and their deadlines

    /// A connection was opened: its first request must arrive in time.
    func opened(_ connection: ConnectionHandle, _ descriptor: Int32) {
        let deadline = clock.uptime + limits.requestMilliseconds
        state.withLock { $0.connections[connection] = Watched(descriptor: descriptor, deadline: deadline) }
    }

    /// A connection is about to be closed. Its descriptor belongs to it until this returns.
    func closed(_ connection: ConnectionHandle) { state.withLock { $0.connections[connection] = nil } }

    private func expect(_ connection: ConnectionHandle?, within milliseconds: Int64?) {
        guard let connection else { return }
        let deadline = milliseconds.map { clock.uptime + $0 }
        state.withLock { $0.connections[connection]?.deadline = deadline }
    }

    /// Closes connections whose request is late, and ends streams whose client has left, again and again, until the task is
    /// cancelled.
    func watch() async {
        while !Task.isCancelled {
            do { try await clock.sleep(until: clock.now + Self.tickMilliseconds) } catch { return }
            closeLate()
            endLeft()
        }
    }

    private func closeLate() {
        let now = clock.uptime
        // Under the lock that the end of a connection takes as well: no descriptor of another connection is met.
        state.withLock { state in
            for (connection, watched) in state.connections {
                guard let deadline = watched.deadline, deadline <= now else { continue }
                _ = shutdown(watched.descriptor, Int32(SHUT_RDWR))
                state.connections[connection]?.deadline = nil
            }
        }
    }

    /// Ends the streams whose clients have closed their connections: the library does not look at a connection that waits for
    /// more to send.
    private func endLeft() {
        // Under the lock that the end of a connection takes as well: no descriptor of another connection is met.
        let left = state.withLock { state in
            state.streams.values.filter { stream in
                guard let connection = stream.connection, let watched = state.connections[connection] else {
                    return false
                }
                var byte: UInt8 = 0
                return unsafe recv(watched.descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
            }
        }
        for stream in left { stream.buffer.abort() }
    }

    // MARK: - Stop

    /// Ends streams, and closes each connection after its answer from now on.
    func beginStop() {
        let streams = state.withLock { state in
            state.isStopping = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.buffer.finish() }
    }

    /// Waits until no exchange runs; says whether that came before the limit.
    func idle(within milliseconds: Int64) async -> Bool {
        let promise = Promise<Bool>()
        let isIdle = state.withLock { state in
            if state.exchangeCount > 0 { state.idle.append(promise) }
            return state.exchangeCount == 0
        }
        if isIdle { return true }
        let end = clock.now + milliseconds
        let timer = Task { [clock] in
            try await clock.sleep(until: end)
            promise.fulfill(false)
        }
        defer { timer.cancel() }
        return await promise.value()
    }

    /// Cancels the tasks that still work on an answer.
    func cancelTasks() { for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() } }

    // MARK: - Exchanges

    /// The first line of a request was read.
    func began(_ target: String, _ connection: ConnectionHandle?) -> Exchange {
        state.withLock { $0.exchangeCount += 1 }
        expect(connection, within: limits.requestMilliseconds)
        return Exchange(target: target, connection: connection)
    }

    /// An exchange is over, for whatever reason.
    func ended() {
        let idle = state.withLock { state in
            state.exchangeCount -= 1
            guard state.exchangeCount == 0 else { return [Promise<Bool>]() }
            defer { state.idle = [] }
            return state.idle
        }
        for promise in idle { promise.fulfill(true) }
    }

    /// Takes a part of a body.
    func take(_ part: UnsafeRawBufferPointer, of exchange: Exchange) {
        let bytes = unsafe Array(part)
        exchange.update { phase in
            guard case .reading(let head, var body) = phase else { return }
            // The phase gives the buffer up, so that it is not copied with each part.
            phase = .begun
            guard body.count + bytes.count <= limits.bodyBytesMax else {
                phase = .refused(closing(handler.refusal(413)))
                return
            }
            body += bytes
            phase = .reading(head, body)
        }
    }

    private enum Next: Sendable {
        case more
        case run(ServerRequest)
        case send(ServerResponse)
        case nothing
    }

    /// Takes the next step of an exchange: its head, its whole body or its answer is there.
    func proceed(
        _ exchange: Exchange, _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
        _ connection: OpaquePointer?
    ) -> MHD_Result {
        let next: Next = exchange.update { phase in
            switch phase {
            case .begun:
                let head = unsafe HeadCheck.read(connection, method: method, target: exchange.target, version: version)
                phase = first(head)
                if case .handedOver = phase { return .send(closing(handler.refusal(head == nil ? 400 : 413))) }
                return .more
            case .reading(let head, let body):
                phase = .answering
                return .run(ServerRequest(head, body: body))
            case .refused(let response), .answered(let response):
                phase = .handedOver
                return .send(response)
            case .answering, .handedOver: return .nothing
            }
        }
        switch next {
        case .more: return .YES
        case .nothing: return .NO
        case .send(let response): return unsafe send(response, exchange, connection)
        case .run(let request):
            run(request, exchange)
            return .YES
        }
    }

    /// The phase that follows a head: a malformed head and a length above the limit are answered at once. A request that the
    /// handler refuses is answered after its body, which is thrown away: a client that still writes would lose the answer.
    private func first(_ checked: HeadCheck.Checked?) -> Exchange.Phase {
        guard let checked, checked.length ?? 0 <= limits.bodyBytesMax else { return .handedOver }
        if let refusal = handler.refusal(of: checked.head) { return .refused(refusal) }
        return .reading(checked.head, [])
    }

    private func closing(_ response: ServerResponse) -> ServerResponse {
        var response = response
        response.fields.append(HTTPField("Connection", "close"))
        return response
    }

    /// Lets a task answer; the connection is suspended until then.
    private func run(_ request: ServerRequest, _ exchange: Exchange) {
        exchange.connection?.suspend()
        expect(exchange.connection, within: nil)
        let id = ObjectIdentifier(exchange)
        // Under the lock, so that the task removes itself after it was entered.
        state.withLock { state in
            state.tasks[id] = Task { [self] in
                let response = await handler.response(to: request)
                exchange.update { $0 = .answered(response) }
                self.state.withLock { $0.tasks[id] = nil }
                exchange.connection?.resume()
            }
        }
    }

    /// Hands an answer to the library.
    private func send(_ response: ServerResponse, _ exchange: Exchange, _ connection: OpaquePointer?) -> MHD_Result {
        let made: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            unsafe made = bytes.withUnsafeBytes { bytes in
                unsafe MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
            expect(exchange.connection, within: Int64(limits.idleSeconds) * 1_000 + limits.requestMilliseconds)
        case .stream(let parts):
            unsafe made = stream(parts, exchange)
            expect(exchange.connection, within: nil)
        }
        guard let made = unsafe made else { return .NO }
        defer { unsafe MHD_destroy_response(made) }
        for field in response.fields { _ = unsafe MHD_add_response_header(made, field.name, field.value) }
        if state.withLock({ $0.isStopping }) { _ = unsafe MHD_add_response_header(made, "Connection", "close") }
        return unsafe MHD_queue_response(connection, UInt32(clamping: response.status), made)
    }

    private func stream(_ parts: AsyncStream<[UInt8]>, _ exchange: Exchange) -> OpaquePointer? {
        let id = ObjectIdentifier(exchange)
        let body = StreamedBody(exchange.connection, bytesMax: limits.streamBytesMax) { [weak self] in
            self?.state.withLock { $0.streams[id] = nil }
        }
        let isStopping = state.withLock { state in
            state.streams[id] = body
            return state.isStopping
        }
        if isStopping { body.buffer.finish() }
        body.buffer.start(parts)
        return unsafe MHD_create_response_from_callback(
            pay_mhd_size_unknown, Self.streamPartBytes, ServerCallbacks.read,
            Unmanaged.passRetained(body).toOpaque(), ServerCallbacks.free)
    }
}
