internal import COpenSSL
internal import PaymentBase
internal import PaymentTransport

/// A WebSocket from the provider's side: what it sends is pushed to the client.
final class ServerWebSocket: WebSocketConnection {
    /// How many messages wait for a receiver.
    static let inboxMax = 1_024

    typealias Received = Result<WebSocketMessage?, TransportFailure>

    private struct State {
        var inbox: [WebSocketMessage] = []
        var receiver: Promise<Received>?
        var end: Received?
    }

    private let state = Locked(State())
    private let core: ServerCore
    private let number: Int

    init(_ core: ServerCore, _ number: Int) { (self.core, self.number) = (core, number) }

    func send(_ text: String) async throws(TransportFailure) {
        let frame = SocketFrameReader.frame(.text, Array(text.utf8))
        if await !core.push(frame, to: number) { throw .notSent(.connectionReset) }
    }

    func receive() async throws(TransportFailure) -> WebSocketMessage? {
        let promise = Promise<Received>()
        let ready: Received? = state.withLock { state in
            if !state.inbox.isEmpty { return .success(state.inbox.removeFirst()) }
            if let end = state.end { return end }
            state.receiver = promise
            return nil
        }
        if let ready { return try ready.get() }
        return try await promise.value(orWhenCancelled: .failure(.notSent(.cancelled))).get()
    }

    func close() async { await core.endSocket(number) }

    /// Hands a message over; false when too many wait.
    func deliver(_ message: WebSocketMessage) -> Bool {
        let (receiver, isTaken) = state.withLock { state -> (Promise<Received>?, Bool) in
            if let receiver = state.receiver, receiver.result == nil {
                state.receiver = nil
                return (receiver, true)
            }
            if state.inbox.count >= Self.inboxMax { return (nil, false) }
            state.inbox.append(message)
            return (nil, true)
        }
        receiver?.fulfill(.success(message))
        return isTaken
    }

    /// Says how it ended.
    func finish(_ end: Received) {
        let receiver = state.withLock { state in
            defer { (state.receiver, state.end) = (nil, state.end ?? end) }
            return state.receiver
        }
        receiver?.fulfill(end)
    }
}

/// The server's half of the opening handshake (RFC 6455, section 4.2).
enum SocketHandshake {
    private static let magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The agreement to a request, or nil when it asks for no WebSocket that we speak.
    static func agreement(to request: HTTPRequest) -> [UInt8]? {
        let headers = request.headers
        guard request.method == "GET", words(headers, "Upgrade").contains("websocket"),
            words(headers, "Connection").contains("upgrade"), headers["Sec-WebSocket-Version"] == "13",
            let key = headers["Sec-WebSocket-Key"], Base64.standard.decode(key)?.count == 16
        else { return nil }
        let text = Array((key + magic).utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        let code = unsafe EVP_Digest(text, text.count, &digest, &count, EVP_sha1(), nil)
        guard code == 1, count == 20 else { return nil }
        let lines = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(Base64.standard.encode(digest))", "", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    private static func words(_ headers: HTTPHeaders, _ name: String) -> [String] {
        headers.values(name).flatMap { $0.lowercased().split { $0 == "," || $0 == " " }.map(String.init) }
    }
}

/// A client's bytes in, messages out (RFC 6455, the server's side); knows no socket.
struct SocketFrameReader {
    /// What the client said.
    enum Event: Hashable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong
        case close
    }

    /// The client broke the rules; the code is what our close says.
    struct Violation: Error, Hashable {
        let code: UInt16
    }

    /// What a frame is.
    enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10
    }

    private static let controlBytesMax = 125
    private let messageBytesMax: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var parts: (opcode: Opcode, bytes: [UInt8])?

    init(messageBytesMax: Int) { self.messageBytesMax = messageBytesMax }

    /// Takes what came. What was read before is dropped here, once for all frames of a piece.
    mutating func feed(_ bytes: ArraySlice<UInt8>) {
        buffer.removeFirst(start)
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next event, or nil when more bytes are needed.
    mutating func next() throws(Violation) -> Event? {
        while true {
            guard buffer.count - start >= 2 else { return nil }
            let (first, second) = (buffer[start], buffer[start + 1])
            guard first & 0x70 == 0, let opcode = Opcode(rawValue: first & 0x0F), second & 0x80 != 0 else {
                throw Violation(code: 1_002)
            }
            guard let (count, lengthBytes) = try length(second & 0x7F) else { return nil }
            let isFinal = first & 0x80 != 0
            try check(opcode, isFinal, count)
            let content = start + 2 + lengthBytes + 4
            guard buffer.count - content >= count else { return nil }
            let mask = Array(buffer[(content - 4)..<content])
            var payload = Array(buffer[content..<(content + count)])
            for index in payload.indices { payload[index] ^= mask[index & 3] }
            start = content + count
            if let event = try event(opcode, isFinal, payload) { return event }
        }
    }

    private func length(_ short: UInt8) throws(Violation) -> (count: Int, bytes: Int)? {
        if short < 126 { return (Int(short), 0) }
        let size = short == 126 ? 2 : 8
        guard buffer.count - start >= 2 + size else { return nil }
        let count = buffer[(start + 2)..<(start + 2 + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard count > (size == 2 ? 125 : 65_535), let count = Int(exactly: count) else {
            throw Violation(code: 1_002)
        }
        return (count, size)
    }

    private func check(_ opcode: Opcode, _ isFinal: Bool, _ count: Int) throws(Violation) {
        switch opcode {
        case .close, .ping, .pong:
            guard isFinal, count <= Self.controlBytesMax else { throw Violation(code: 1_002) }
        case .continuation:
            guard let parts else { throw Violation(code: 1_002) }
            guard count <= messageBytesMax - parts.bytes.count else { throw Violation(code: 1_009) }
        case .text, .binary:
            guard parts == nil else { throw Violation(code: 1_002) }
            guard count <= messageBytesMax else { throw Violation(code: 1_009) }
        }
    }

    private mutating func event(_ opcode: Opcode, _ isFinal: Bool, _ payload: [UInt8]) throws(Violation) -> Event? {
        switch opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong
        case .close:
            try checkClose(payload)
            return .close
        case .continuation, .text, .binary:
            // Appended in place: a copy for each fragment would cost the square of their number.
            if parts == nil { parts = (opcode, payload) } else { parts?.bytes += payload }
            guard isFinal, let whole = parts else { return nil }
            parts = nil
            if whole.opcode == .binary { return .message(.binary(whole.bytes)) }
            guard let text = String(validating: whole.bytes, as: UTF8.self) else { throw Violation(code: 1_007) }
            return .message(.text(text))
        }
    }

    /// A close says nothing, or a code that may be there and a text (RFC 6455, section 7.4).
    private func checkClose(_ payload: [UInt8]) throws(Violation) {
        if payload.isEmpty { return }
        guard payload.count >= 2 else { throw Violation(code: 1_002) }
        switch UInt16(payload[0]) << 8 | UInt16(payload[1]) {
        case 1_000...1_003, 1_007...1_014, 3_000...4_999: break
        case _: throw Violation(code: 1_002)
        }
        guard String(validating: payload.dropFirst(2), as: UTF8.self) != nil else { throw Violation(code: 1_007) }
    }

    /// Our own frame, which has no mask.
    static func frame(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x80 | opcode.rawValue]
        switch payload.count {
        case ..<126: bytes.append(UInt8(payload.count))
        case ..<65_536: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        case _:
            bytes.append(127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        return bytes + payload
    }

    /// Our own close.
    static func closeFrame(_ code: UInt16) -> [UInt8] { frame(.close, [UInt8(code >> 8), UInt8(code & 255)]) }
}
