internal import CLinux
internal import PaymentTransport

/// One accepted connection: bytes in both directions and what is known about the request. It never leaves the thread.
final class ServerConnection {
    /// What the connection is doing.
    enum Phase {
        /// It waits for a request or reads one.
        case open
        /// A request is being answered.
        case busy
        /// It is a WebSocket.
        case socket
        /// The last answer is on its way out.
        case finishing
        /// Everything was said; what still comes is thrown away until the client closes too.
        case lingering
    }

    /// How many bytes are read at a time.
    private static let readBytes = 32 * 1_024
    /// How long a connection lingers after its last answer, in milliseconds.
    static let lingerMilliseconds: Int64 = 1_000

    let number: Int
    let stream: ByteStream
    let service: any SimulatorService
    let origin: Origin
    /// Which port it came in at.
    let listener: Int32
    private let limits: SimulatorServer.Limits
    var parser: RequestParser
    var phase = Phase.open
    var task: Task<Void, Never>?
    var socket: ServerWebSocket?
    var frames: SocketFrameReader?
    var keepsAlive = true
    var isHead = false
    /// Whether the time of a request that is not complete is running.
    var isTimed = false
    /// The content of the last unanswered ping.
    var ping: [UInt8]?
    private(set) var isEnded = false
    private(set) var outgoing: [UInt8] = []
    private var outgoingStart = 0
    private var dripped: ArraySlice<UInt8> = []
    private var dripSize = 0
    private var dripMilliseconds: Int64 = 0
    private var nextDrip: Int64 = 0
    /// When something has to have happened, by the monotonic clock.
    var deadline: Int64
    private var watched: UInt32 = 0

    init(
        _ number: Int, _ stream: ByteStream, _ service: any SimulatorService, _ origin: Origin,
        _ limits: SimulatorServer.Limits, listener: Int32, now: Int64
    ) {
        self.listener = listener
        (self.number, self.stream, self.service, self.origin, self.limits) = (number, stream, service, origin, limits)
        parser = RequestParser(origin, limits)
        deadline = now + limits.idleMilliseconds
    }

    /// How many bytes wait to go out.
    var outgoingByteCount: Int { outgoing.count - outgoingStart + dripped.count }
    /// Whether a dripped answer is on its way.
    var isDripping: Bool { !dripped.isEmpty }

    // MARK: In

    /// Whether so much of earlier answers waits that no further request is begun.
    var isBehind: Bool { outgoingByteCount >= limits.pipelinedBytesMax }

    private var isFull: Bool {
        (phase == .busy || phase == .open && isBehind) && parser.bufferedByteCount >= limits.pipelinedBytesMax
    }

    /// Reads one piece of what is there; `buffer` is lent for it. A peer that sends without end gets no more than its
    /// turn: epoll reports what is left, and a record of TLS is never larger than the buffer.
    func receive(_ buffer: inout [UInt8]) {
        guard !isEnded, !isFull else { return }
        switch stream.read(into: &buffer) {
        case .moved(let count):
            if phase == .lingering || phase == .finishing { return }
            if frames == nil { parser.feed(buffer.prefix(count)) } else { frames?.feed(buffer.prefix(count)) }
        case .wouldBlock: return
        case .ended: isEnded = true
        }
    }

    // MARK: Out

    /// Puts bytes behind those that wait.
    func send(_ bytes: some Sequence<UInt8>) { outgoing.append(contentsOf: bytes) }

    /// Lets bytes out in pieces, which together take so long.
    func drip(_ bytes: [UInt8], milliseconds: Int64, now: Int64) {
        dripped = bytes[...]
        let pieces = SimulatorResponse.dripPieces
        dripSize = max(1, (bytes.count + Int(pieces) - 1) / Int(pieces))
        dripMilliseconds = milliseconds / pieces
        nextDrip = now + dripMilliseconds
    }

    /// Lets the next piece out, when its time has come.
    func drip(now: Int64) {
        guard now >= nextDrip else { return }
        send(dripped.prefix(dripSize))
        dripped = dripped.dropFirst(dripSize)
        nextDrip = now + dripMilliseconds
    }

    /// Writes what waits; false when the other side is gone.
    func flush(now: Int64) -> Bool {
        while outgoingStart < outgoing.count {
            switch stream.write(outgoing[outgoingStart...]) {
            case .moved(let count):
                outgoingStart += count
                deadline = max(deadline, now + limits.writeMilliseconds)
            case .wouldBlock: return true
            case .ended: return false
            }
        }
        outgoing.removeAll(keepingCapacity: outgoing.count <= Self.readBytes)
        outgoingStart = 0
        return true
    }

    /// Asks for the events that matter now.
    func watch(_ loop: EventLoop) {
        var events = EPOLLRDHUP.rawValue
        if !isFull { events |= EPOLLIN.rawValue }
        if outgoingStart < outgoing.count || stream.wantsToWrite { events |= EPOLLOUT.rawValue }
        if events == watched { return }
        loop.watch(stream.descriptor, events, isNew: watched == 0)
        watched = events
    }
}

/// A response as it goes over the wire.
struct ResponseBytes {
    private static let framing: Set<String> = ["content-length", "transfer-encoding", "connection"]

    let head: [UInt8]
    let body: [UInt8]

    /// Writes a response; what frames the message is ours to say.
    init(_ response: HTTPResponse, closes: Bool, isHead: Bool = false) {
        var text = "HTTP/1.1 \(response.status) \(Self.phrase(response.status))\r\n"
        for field in response.headers.fields where !Self.framing.contains(field.name.lowercased()) {
            if (field.name + field.value).utf8.contains(where: { $0 == 13 || $0 == 10 }) { continue }
            text += "\(field.name): \(field.value)\r\n"
        }
        let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
        if hasBody { text += "Content-Length: \(response.body.count)\r\n" }
        if closes { text += "Connection: close\r\n" }
        head = Array((text + "\r\n").utf8)
        body = hasBody && !isHead ? response.body : []
    }

    /// Everything.
    var all: [UInt8] { head + body }
    /// The head up to its middle.
    var tornHead: ArraySlice<UInt8> { head.prefix(head.count / 2) }
    /// The head and the first half of the body.
    var tornBody: [UInt8] { head + body.prefix(body.count / 2) }

    /// What is behind a status.
    static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 307: "Temporary Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case _: "Status"
        }
    }
}
