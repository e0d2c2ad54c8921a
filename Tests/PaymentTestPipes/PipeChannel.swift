public import Glibc
internal import PaymentBase
public import PaymentTransport

/// Two ends of pipes, spoken over in messages with their length in front.
public struct Channel: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// A pipe could not be written.
    public struct Broken: Error {}

    /// What a child has: its standard input and output.
    public static let ofChild = Channel(reading: STDIN_FILENO, writing: STDOUT_FILENO)

    init(reading: Int32, writing: Int32) { (self.reading, self.writing) = (reading, writing) }

    /// Writes one message.
    public func send(_ message: PipeMessage) throws {
        let body = message.bytes()
        let count = UInt32(body.count)
        var rest = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + body
        while !rest.isEmpty {
            let written = unsafe write(writing, rest, rest.count)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Broken() }
            rest.removeFirst(written)
        }
    }

    /// Reads one message; nil when the other side is gone.
    public func receive() throws -> PipeMessage? {
        guard let head = take(4) else { return nil }
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard let body = take(count) else { return nil }
        return try PipeMessage(body)
    }

    private func take(_ count: Int) -> [UInt8]? {
        var taken: [UInt8] = []
        while taken.count < count {
            var part = [UInt8](repeating: 0, count: count - taken.count)
            let got = unsafe read(reading, &part, part.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            taken += part.prefix(got)
        }
        return taken
    }

    func close() {
        _ = Glibc.close(reading)
        _ = Glibc.close(writing)
    }
}

/// Our process that lives beside the test programs and speaks over its standard input and output.
public final class Child: Sendable {
    /// How a child ended.
    public enum End: Hashable, Sendable { case exited(Int32), signalled(Int32) }

    /// The process could not be started.
    public struct NotStarted: Error { let code: Int32 }

    /// Its number.
    public let number: pid_t
    /// What is said with it.
    public let channel: Channel
    private let end = Locked(End?.none)

    /// Starts a program that was built beside the one that runs.
    public init(_ program: String, _ arguments: [String]) throws {
        // A child that was killed may still be written to.
        _ = signal(SIGPIPE, SIG_IGN)
        let path = try Self.folder() + "/" + program
        let (input, output) = (try Self.ends(), try Self.ends())
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var started = pid_t()
        let code = unsafe posix_spawn(&started, path, &actions, nil, &words, environ)
        _ = close(input.reading)
        _ = close(output.writing)
        (number, channel) = (started, Channel(reading: output.reading, writing: input.writing))
        guard code == 0 else {
            channel.close()
            throw NotStarted(code: code)
        }
    }

    deinit { channel.close() }

    /// Kills it as the kernel does when there is no mercy, and waits until it is gone.
    @discardableResult
    public func kill() -> End {
        if end.withLock({ $0 }) == nil { _ = Glibc.kill(number, SIGKILL) }
        return wait()
    }

    /// Waits until it is gone.
    @discardableResult
    public func wait() -> End {
        // Its number may belong to another process once it was waited for.
        if let known = end.withLock({ $0 }) { return known }
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        let found: End = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
        end.withLock { $0 = found }
        return found
    }

    /// Where the running program lies.
    private static func folder() throws -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count - 1)
        guard count > 0 else { throw NotStarted(code: errno) }
        let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    /// A pipe that no other child inherits.
    private static func ends() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw NotStarted(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// What a child process and its parent say to each other.
public enum PipeMessage: Sendable {
    /// The child is at a step, at a moment of its clock, and waits for ``proceed``.
    case step(String, at: Int64)
    /// The child may continue.
    case proceed
    /// The child sends a request to a provider that lives in the parent.
    case request(HTTPRequest)
    /// The provider's reply.
    case reply(HTTPResponse)
    /// The provider cut the connection.
    case cut
    /// The child is done, and has this to say.
    case done(String)

    /// What came was not one of our messages.
    public struct Unreadable: Error { public init() {} }

    func bytes() -> [UInt8] {
        let json: JSON =
            switch self {
            case .step(let name, let instant):
                ["kind": "step", "text": .string(name), "at": .number(JSONNumber(instant))]
            case .proceed: ["kind": "proceed"]
            case .request(let request):
                [
                    "kind": "request", "method": .string(request.method), "host": .string(request.origin.host),
                    "port": .number(JSONNumber(Int64(request.origin.port))), "target": .string(request.target),
                    "headers": Self.json(request.headers), "body": .string(Base64.standard.encode(request.body)),
                ]
            case .reply(let response):
                [
                    "kind": "reply", "status": .number(JSONNumber(Int64(response.status))),
                    "headers": Self.json(response.headers), "body": .string(Base64.standard.encode(response.body)),
                ]
            case .cut: ["kind": "cut"]
            case .done(let text): ["kind": "done", "text": .string(text)]
            }
        return json.bytes()
    }

    init(_ bytes: [UInt8]) throws {
        let json = try JSONReader().read(bytes)
        let text = json["text"]?.string ?? ""
        let body = json["body"]?.string.flatMap { Base64.standard.decode($0) } ?? []
        switch json["kind"]?.string {
        case "step": self = .step(text, at: json["at"]?.int64 ?? 0)
        case "proceed": self = .proceed
        case "request":
            let origin = Origin(.http, json["host"]?.string ?? "", Int(json["port"]?.int64 ?? 0))
            self = .request(
                HTTPRequest(
                    json["method"]?.string ?? "", origin, json["target"]?.string ?? "",
                    headers: Self.headers(json["headers"]), body: body))
        case "reply":
            self = .reply(
                HTTPResponse(Int(json["status"]?.int64 ?? 0), headers: Self.headers(json["headers"]), body: body))
        case "cut": self = .cut
        case "done": self = .done(text)
        default: throw Unreadable()
        }
    }

    private static func json(_ headers: HTTPHeaders) -> JSON {
        .array(headers.fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }

    private static func headers(_ json: JSON?) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in json?.array ?? [] { headers.add(field["name"]?.string ?? "", field["value"]?.string ?? "") }
        return headers
    }
}
