/// An HTTP server that runs.
///
/// ```swift
/// let server = try MicroHTTPServer(at: ListenAddress("127.0.0.1:8080"), handler: service)
/// …
/// await server.stop(within: .seconds(30))
/// ```
package protocol HTTPServer: Sendable {
    /// The port on which it listens.
    var port: Int { get }

    /// Accepts no further connection, answers the requests that run, and ends. A request without an answer after the limit
    /// is cancelled.
    func stop(within limit: Duration) async
}

/// What answers the requests of a server.
package protocol HTTPRequestHandler: Sendable {
    /// Refuses a request by its head alone; nil if the request may bring its body. Called on the server's thread: it must not
    /// block.
    func refusal(of head: RequestHead) -> ServerResponse?

    /// Answers a request whose body has arrived. The server cancels the task when it has to stop.
    func response(to request: ServerRequest) async -> ServerResponse

    /// The answer to a request that the server itself refuses: 400 for a malformed one, 413 for a body that is too long.
    func refusal(_ status: Int) -> ServerResponse
}

/// One field of a head.
package struct HTTPField: Hashable, Sendable {
    /// The name; in lower case in a request.
    package let name: String
    /// The value, without outer blanks.
    package let value: String

    /// Makes a field.
    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

/// The head of a request.
package struct RequestHead: Sendable {
    /// The method, such as `POST`.
    package let method: String
    /// The path as it was sent, with its escapes.
    package let path: String
    /// The query as it was sent, without the question mark; nil if there is none.
    package let query: String?
    /// The fields; their names are in lower case.
    package let fields: [HTTPField]

    /// Takes a target apart.
    package init(method: String, target: String, fields: [HTTPField] = []) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        (self.method, self.fields) = (method, fields)
        path = String(parts.first ?? "")
        query = parts.count > 1 ? String(parts[1]) : nil
    }

    /// The values of a field, in the order in which they were sent.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The value of a field that was sent once; nil if it is missing or was sent several times.
    package func value(_ name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }
}

/// A request whose body has arrived.
package struct ServerRequest: Sendable {
    /// The head.
    package let head: RequestHead
    /// The body; empty if there is none.
    package let body: [UInt8]

    /// Makes a request.
    package init(_ head: RequestHead, body: [UInt8] = []) { (self.head, self.body) = (head, body) }
}

/// An answer.
package struct ServerResponse: Sendable {
    /// What an answer carries.
    package enum Body: Sendable {
        /// All of it.
        case bytes([UInt8])
        /// Parts, sent as they come. A client that reads too slowly is disconnected.
        case stream(AsyncStream<[UInt8]>)
    }

    /// The status.
    package var status: Int
    /// The fields of its head.
    package var fields: [HTTPField]
    /// What it carries.
    package var body: Body

    /// Makes an answer.
    package init(_ status: Int, _ fields: [HTTPField] = [], _ body: Body = .bytes([])) {
        (self.status, self.fields, self.body) = (status, fields, body)
    }
}

/// What a server accepts at most.
package struct ServerLimits: Hashable, Sendable {
    /// The longest body of a request, in bytes.
    package var bodyBytesMax = 64 * 1_024
    /// The memory of a connection with the head of its request, in bytes.
    package var connectionBytesMax = 32 * 1_024
    /// The most connections at a time.
    package var connectionsMax = 4_096
    /// The most connections of one address; 0 for no limit, as behind a proxy.
    package var connectionsPerAddressMax = 0
    /// How long a connection may send nothing, in seconds.
    package var idleSeconds = 75
    /// How long a request may take to arrive, in milliseconds. It counts from the beginning and does not start again with each
    /// byte.
    package var requestMilliseconds: Int64 = 30_000
    /// How far a client may be behind a stream, in bytes.
    package var streamBytesMax = 256 * 1_024

    /// Makes the usual limits.
    package init() {}
}

/// Why a server could not start.
package struct HTTPServerError: Error, Hashable {
    /// What was wrong and what to do.
    package let message: String

    init(_ message: String) { self.message = message }
}
