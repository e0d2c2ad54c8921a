public import PaymentBase

/// Sends JSON to one origin and reads JSON back: what most adapters need of a transport.
public struct JSONClient: Sendable {
    /// Where everything goes.
    public let origin: Origin
    /// Header fields that go with every request.
    public var headers: HTTPHeaders
    /// What is written into `Content-Type`, and asked for.
    public var mediaType = "application/json"
    private let transport: any HTTPTransport

    /// Makes a client of one origin.
    public init(_ transport: any HTTPTransport, _ origin: Origin, headers: HTTPHeaders = [:]) {
        (self.transport, self.origin, self.headers) = (transport, origin, headers)
    }

    /// What the transport declares, for drivers that pass it on.
    public var sendLimitMilliseconds: Int64? { transport.sendLimitMilliseconds }

    /// Sends one request and reads the answer.
    ///
    /// - Parameters:
    ///   - bearer: The token, sent as `Authorization: Bearer`; an empty one sends no header.
    ///   - more: Further header fields of this request.
    ///   - stallMilliseconds: How long the line may be silent, where an answer takes its time: at a terminal, longer
    ///     than a customer may be there. The transport's own limit when nil.
    /// - Throws: ``TransportFailure``, or ``HTTPErrorResponse`` when the status is not a success, or
    ///   ``UnreadableResponseBody``.
    public func send(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [], body: JSON? = nil,
        bearer: Secret? = nil, more: HTTPHeaders = [:], stallMilliseconds: Int64? = nil
    ) async throws -> JSONReply {
        var target = path
        if !query.isEmpty {
            target += "?" + FormEncoding.encode(query.map { FormField($0.name, $0.value) }, spaces: .percent)
        }
        var request = HTTPRequest(method, origin, target, headers: headers)
        request.headers["Accept"] = mediaType
        if let body {
            request.body = body.bytes()
            request.headers["Content-Type"] = mediaType
        }
        if let bearer, !bearer.isEmpty { request.headers["Authorization"] = "Bearer \(bearer.expose())" }
        request.idleTimeoutMilliseconds = stallMilliseconds
        for field in more.fields { request.headers[field.name] = field.value }
        return try Self.read(try await transport.exchange(request), from: origin)
    }

    /// Reads an answer, whose failures name who gave it.
    ///
    /// - Throws: ``HTTPErrorResponse`` when the status is not a success, or ``UnreadableResponseBody``.
    public static func read(_ response: HTTPResponse, from origin: Origin? = nil) throws -> JSONReply {
        let json = response.body.isEmpty ? nil : try? JSONReader().read(response.body)
        guard (200..<300).contains(response.status) else { throw HTTPErrorResponse(response, json, from: origin) }
        if json == nil, !response.body.isEmpty {
            throw UnreadableResponseBody(status: response.status, from: origin)
        }
        return JSONReply(status: response.status, headers: response.headers, body: json)
    }
}

/// An answer whose status is a success; the body is nil where there was none.
public struct JSONReply: Sendable {
    /// The status.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// The body; nil where there is none.
    public let body: JSON?

    /// A member of the body.
    public subscript(name: String) -> JSON? { body?[name] }
}

/// An answer whose status is not a success; the adapter's table says what that proves.
public struct HTTPErrorResponse: Error, Sendable {
    /// The status.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// The body, where it was JSON.
    public let body: JSON?
    /// Who answered; nil where that is not known.
    public let origin: Origin?

    /// Keeps an answer.
    public init(_ response: HTTPResponse, _ body: JSON?, from origin: Origin? = nil) {
        (status, headers, self.body, self.origin) = (response.status, response.headers, body, origin)
    }

    /// How long the answer asks to wait, in milliseconds.
    public var retryAfterMilliseconds: Int64? {
        guard let text = headers["Retry-After"], let seconds = Int64(text), (0...86_400).contains(seconds) else {
            return nil
        }
        return seconds * 1_000
    }
}

extension HTTPErrorResponse: DiagnosedFailure {
    public var diagnosis: FailureDiagnosis? { FailureDiagnosis(status: status, host: origin.map { "\($0)" }) }
}

extension HTTPErrorResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status only: the body may echo what was sent.
    public var description: String { "HTTPRefusal(\(status))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}

/// A success whose body was not what it should be.
public struct UnreadableResponseBody: Error, Hashable, Sendable {
    /// The status that it came with.
    public let status: Int
    /// Who answered; nil where that is not known.
    public let origin: Origin?

    /// Keeps the status and who answered.
    public init(status: Int, from origin: Origin? = nil) { (self.status, self.origin) = (status, origin) }
}

extension UnreadableResponseBody: DiagnosedFailure {
    public var diagnosis: FailureDiagnosis? {
        FailureDiagnosis(.reply, host: origin.map { "\($0)" }, FailureDiagnosis.Cause(rawValue: "malformed"))
    }
}
