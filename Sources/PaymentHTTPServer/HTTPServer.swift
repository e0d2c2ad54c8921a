/// An HTTP server that runs.
///
/// ```swift
/// let server = try MicroHTTPServer(at: ListenAddress("127.0.0.1:8080"), handler: service)
/// …
/// await server.stop(within: .seconds(30))
/// ```
public protocol HTTPServer: Sendable {
    /// The port on which it listens.
    var port: Int { get }

    /// Accepts no further connection, answers the requests that run, and ends. A request without an answer after the limit
    /// is cancelled.
    func stop(within limit: Duration) async
}

/// What answers the requests of a server.
public protocol HTTPRequestHandler: Sendable {
    /// Refuses a request by its head alone; nil if the request may bring its body. Called on the server's thread: it must not
    /// block.
    func refusal(of head: RequestHead) -> ServerResponse?

    /// Answers a request whose body has arrived. The server cancels the task when it has to stop.
    func response(to request: ServerRequest) async -> ServerResponse

    /// The answer to a request that the server itself refuses: 400 for a malformed one, 413 for a body that is too long.
    func refusal(_ status: Int) -> ServerResponse
}

/// One field of a head.
public struct HTTPField: Hashable, Sendable {
    /// The name; in lower case in a request.
    public let name: String
    /// The value, without outer blanks.
    public let value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// The head of a request.
public struct RequestHead: Sendable {
    /// The method, such as `POST`.
    public let method: String
    /// The path as it was sent, with its escapes.
    public let path: String
    /// The query as it was sent, without the question mark; nil if there is none.
    public let query: String?
    /// The fields; their names are in lower case.
    public let fields: [HTTPField]

    /// Takes a target apart.
    public init(method: String, target: String, fields: [HTTPField] = []) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        (self.method, self.fields) = (method, fields)
        path = String(parts.first ?? "")
        query = parts.count > 1 ? String(parts[1]) : nil
    }

    /// The values of a field, in the order in which they were sent.
    public func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The value of a field that was sent once; nil if it is missing or was sent several times.
    public func value(_ name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }
}

/// A request whose body has arrived.
public struct ServerRequest: Sendable {
    /// The head.
    public let head: RequestHead
    /// The body; empty if there is none.
    public let body: [UInt8]

    /// Makes a request.
    public init(_ head: RequestHead, body: [UInt8] = []) { (self.head, self.body) = (head, body) }
}

/// An answer.
public struct ServerResponse: Sendable {
    /// What an answer carries.
    public enum Body: Sendable {
        /// All of it.
        case bytes([UInt8])
        /// Parts, sent as they come. A client that reads too slowly is disconnected.
        case stream(AsyncStream<[UInt8]>)
    }

    /// The status.
    public var status: Int
    /// The fields of its head.
    public var fields: [HTTPField]
    /// What it carries.
    public var body: Body

    /// Makes an answer.
    public init(_ status: Int, _ fields: [HTTPField] = [], _ body: Body = .bytes([])) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }
}

/// What a server accepts at most.
public struct ServerLimits: Hashable, Sendable {
    /// The longest body of a request, in bytes.
    public var bodyBytesMax = 64 * 1_024
    /// The memory of a connection with the head of its request, in bytes.
    public var connectionBytesMax = 32 * 1_024
    /// The most connections at a time.
    public var connectionsMax = 4_096
    /// The most connections of one address; 0 for no limit, as behind a proxy.
    public var connectionsPerAddressMax = 0
    /// How long a connection may send nothing, in seconds.
    public var idleSeconds = 75
    /// How long a request may take to arrive, in milliseconds. It counts from the beginning and does not start again with each
    /// byte.
    public var requestMilliseconds: Int64 = 30_000
    /// How far a client may be behind a stream, in bytes.
    public var streamBytesMax = 256 * 1_024

    /// Makes the usual limits.
    public init() {}
}

/// Why a server could not start.
public struct HTTPServerError: Error, Hashable {
    /// What was wrong and what to do.
    public let message: String

    init(_ message: String) { self.message = message }
}
