internal import PaymentTransport

/// Bytes in, whole requests out; knows no socket.
struct RequestParser {
    /// What the bytes so far amount to.
    enum Event {
        case request(HTTPRequest, keepsAlive: Bool)
        /// The client waits for leave to send the body.
        case expectsContinue
        case needsMore
    }

    private enum Stage {
        case head
        case body(RequestHead, left: Int)
        case chunkSize(RequestHead)
        case chunk(RequestHead, left: Int)
        case chunkEnd(RequestHead)
        case trailers(RequestHead)
    }

    /// How long the line with a chunk's size may be.
    static let chunkLineBytesMax = 256
    /// How many bytes of fields may follow the last chunk.
    static let trailerBytesMax = 4 * 1_024

    private let limits: SimulatorServer.Limits
    private let origin: Origin
    private var stage = Stage.head
    private var buffer: [UInt8] = []
    private var start = 0
    private var scanned = 0
    private var body: [UInt8] = []
    private var trailerByteCount = 0
    /// Whether the one empty line that may be before a head was passed over.
    private var hasPassedLine = false

    init(_ origin: Origin, _ limits: SimulatorServer.Limits) { (self.origin, self.limits) = (origin, limits) }

    /// How many bytes wait that are no request yet.
    var bufferedByteCount: Int { buffer.count - start }

    /// Whether a request has begun that is not complete.
    var isInside: Bool {
        if case .head = stage { return bufferedByteCount > 0 }
        return true
    }

    /// Everything that came after the last request; the parser is empty then.
    mutating func takeRest() -> [UInt8] {
        defer { (buffer, start, scanned) = ([], 0, 0) }
        return Array(buffer[start...])
    }

    /// Takes what came.
    mutating func feed(_ bytes: ArraySlice<UInt8>) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            (start, scanned) = (0, 0)
        } else if start > 65_536 {
            buffer.removeFirst(start)
            (start, scanned) = (0, max(0, scanned - start))
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next event.
    ///
    /// - Throws: the status with which the request is refused; nothing after it can be trusted.
    mutating func next() throws(RequestHead.Refused) -> Event {
        while true {
            switch stage {
            case .head:
                guard let head = try readHead() else { return .needsMore }
                body = []
                switch head.framing {
                case .length(let count):
                    guard count <= limits.bodyBytesMax else { throw RequestHead.Refused(status: 413) }
                    stage = .body(head, left: count)
                    if head.expectsContinue, bufferedByteCount < count { return .expectsContinue }
                case .chunked:
                    trailerByteCount = 0
                    stage = .chunkSize(head)
                    if head.expectsContinue, bufferedByteCount == 0 { return .expectsContinue }
                }
            case .body(let head, let left):
                guard let head = takeBody(head, left) else { return .needsMore }
                return finish(head)
            case .chunkSize(let head):
                guard let line = try takeLine(Self.chunkLineBytesMax) else { return .needsMore }
                let size = try Self.size(line)
                guard body.count + size <= limits.bodyBytesMax else { throw RequestHead.Refused(status: 413) }
                stage = size == 0 ? .trailers(head) : .chunk(head, left: size)
            case .chunk(let head, let left):
                let moved = move(left)
                if moved < left {
                    stage = .chunk(head, left: left - moved)
                    return .needsMore
                }
                stage = .chunkEnd(head)
            case .chunkEnd(let head):
                guard let line = try takeLine(0) else { return .needsMore }
                guard line.isEmpty else { throw RequestHead.Refused(status: 400) }
                stage = .chunkSize(head)
            case .trailers(let head):
                guard let line = try takeLine(Self.trailerBytesMax - trailerByteCount) else { return .needsMore }
                if line.isEmpty { return finish(head) }
                trailerByteCount += line.count
            }
        }
    }

    private mutating func finish(_ head: RequestHead) -> Event {
        stage = .head
        var request = HTTPRequest(head.method, origin, head.target, headers: head.headers)
        swap(&request.body, &body)
        return .request(request, keepsAlive: head.keepsAlive)
    }

    /// A head, when its empty line is there; one empty line before it is passed over.
    private mutating func readHead() throws(RequestHead.Refused) -> RequestHead? {
        if !hasPassedLine, bufferedByteCount >= 2, buffer[start] == 13, buffer[start + 1] == 10 {
            hasPassedLine = true
            start += 2
        }
        var index = max(start, scanned - 3)
        while index + 3 < buffer.count {
            if buffer[index + 3] > 13 {
                index += 4
                continue
            }
            if buffer[index] == 13, buffer[index + 1] == 10, buffer[index + 2] == 13, buffer[index + 3] == 10 {
                if index + 4 - start > limits.headBytesMax { throw RequestHead.Refused(status: 431) }
                let head = try RequestHead(buffer[start..<(index + 2)], limits)
                start = index + 4
                scanned = start
                hasPassedLine = false
                return head
            }
            index += 1
        }
        scanned = buffer.count
        if bufferedByteCount > limits.headBytesMax { throw RequestHead.Refused(status: 431) }
        return nil
    }

    private mutating func takeBody(_ head: RequestHead, _ left: Int) -> RequestHead? {
        let moved = move(left)
        if moved == left { return head }
        stage = .body(head, left: left - moved)
        return nil
    }

    private mutating func move(_ count: Int) -> Int {
        let moved = min(count, bufferedByteCount)
        body.append(contentsOf: buffer[start..<(start + moved)])
        start += moved
        return moved
    }

    /// A line without its CR LF; nil while it is not complete.
    private mutating func takeLine(_ bytesMax: Int) throws(RequestHead.Refused) -> ArraySlice<UInt8>? {
        guard let end = buffer[start...].firstIndex(of: 10) else {
            if bufferedByteCount > bytesMax + 1 { throw RequestHead.Refused(status: 400) }
            return nil
        }
        guard end > start, buffer[end - 1] == 13, end - 1 - start <= bytesMax else {
            throw RequestHead.Refused(status: 400)
        }
        let line = buffer[start..<(end - 1)]
        start = end + 1
        return line
    }

    /// The size of a chunk; what follows a semicolon is passed over.
    private static func size(_ line: ArraySlice<UInt8>) throws(RequestHead.Refused) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard (1...8).contains(digits.count),
            digits.allSatisfy({ byte in
                switch byte {
                case 48...57, 65...70, 97...102: true
                case _: false
                }
            }), let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw RequestHead.Refused(status: 400) }
        return size
    }
}

/// The first line and the header fields of a request, read strictly: what two readers could understand differently is
/// refused.
struct RequestHead {
    /// How the body is framed.
    enum Framing: Hashable {
        case length(Int)
        case chunked
    }

    /// A status with which a request is refused.
    struct Refused: Error, Hashable {
        let status: Int
    }

    private(set) var method = ""
    private(set) var target = ""
    private(set) var headers = HTTPHeaders()
    private(set) var framing = Framing.length(0)
    private(set) var keepsAlive = true
    private(set) var expectsContinue = false
    private var isVersion10 = false

    /// Reads a head without its last empty line; each line ends with CR LF.
    init(_ bytes: ArraySlice<UInt8>, _ limits: SimulatorServer.Limits) throws(Refused) {
        var start = bytes.startIndex
        var isFirst = true
        while start < bytes.endIndex {
            guard let end = bytes[start...].firstIndex(of: 13), end + 1 < bytes.endIndex, bytes[end + 1] == 10 else {
                throw Refused(status: 400)
            }
            if isFirst {
                try readFirstLine(bytes[start..<end], limits)
                isFirst = false
            } else {
                guard headers.fields.count < limits.fieldsMax else { throw Refused(status: 431) }
                try readField(bytes[start..<end])
            }
            start = end + 2
        }
        if isFirst { throw Refused(status: 400) }
        try readMeaning()
    }

    private mutating func readFirstLine(_ line: ArraySlice<UInt8>, _ limits: SimulatorServer.Limits) throws(Refused) {
        let parts = line.split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(Self.isTokenByte) else {
            throw Refused(status: 400)
        }
        if parts[1].count > limits.targetBytesMax { throw Refused(status: 414) }
        guard parts[1].first == UInt8(ascii: "/"), parts[1].allSatisfy({ $0 > 32 && $0 < 127 }),
            !parts[1].contains(UInt8(ascii: "#"))
        else { throw Refused(status: 400) }
        switch String(decoding: parts[2], as: UTF8.self) {
        case "HTTP/1.1": break
        case "HTTP/1.0": (isVersion10, keepsAlive) = (true, false)
        case let version where version.hasPrefix("HTTP/") && version.utf8.count == 8: throw Refused(status: 505)
        case _: throw Refused(status: 400)
        }
        method = String(decoding: parts[0], as: UTF8.self)
        target = String(decoding: parts[1], as: UTF8.self)
    }

    private mutating func readField(_ line: ArraySlice<UInt8>) throws(Refused) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(Self.isTokenByte)
        else { throw Refused(status: 400) }
        var value = line[(colon + 1)...]
        while let first = value.first, first == 32 || first == 9 { value.removeFirst() }
        while let last = value.last, last == 32 || last == 9 { value.removeLast() }
        guard value.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }),
            let text = String(validating: value, as: UTF8.self)
        else { throw Refused(status: 400) }
        headers.add(String(decoding: line[..<colon], as: UTF8.self), text)
    }

    private mutating func readMeaning() throws(Refused) {
        let hosts = headers.values("Host")
        guard hosts.count == 1 || isVersion10 && hosts.isEmpty else { throw Refused(status: 400) }
        let lengths = headers.values("Content-Length")
        let codings = headers.values("Transfer-Encoding")
        if !codings.isEmpty {
            guard lengths.isEmpty, !isVersion10 else { throw Refused(status: 400) }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else { throw Refused(status: 501) }
            framing = .chunked
        } else if let length = lengths.first {
            guard lengths.allSatisfy({ $0 == length }), !length.isEmpty,
                length.utf8.allSatisfy({ (48...57).contains($0) })
            else { throw Refused(status: 400) }
            guard let count = Int(length) else { throw Refused(status: 413) }
            framing = .length(count)
        }
        let words = headers.values("Connection").flatMap { $0.lowercased().split { $0 == "," || $0 == " " } }
        if words.contains("close") { keepsAlive = false }
        if let expectation = headers["Expect"] {
            guard expectation.lowercased() == "100-continue" else { throw Refused(status: 417) }
            expectsContinue = !isVersion10 && framing != .length(0)
        }
    }

    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case _: tokenMarks.contains(byte)
        }
    }
}
