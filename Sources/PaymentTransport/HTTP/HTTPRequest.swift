public import PaymentBase

/// One request, complete: where it goes, what it says, and how large an answer may be.
public struct HTTPRequest: Sendable, Hashable {
    /// The method, in capitals.
    public var method: String
    /// Scheme, host and port.
    public var origin: Origin
    /// The path and the query, percent-encoded, beginning with a slash.
    public var target: String
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty where there is none.
    public var body: [UInt8]
    /// Where to connect instead of the origin's host and port (a terminal's certificate name is not its address).
    public var connectTo: Origin?
    /// Whom to trust instead of the transport's roots and the host's name; a plain request can't have it.
    public var trust: ServerTrust?
    /// How long nothing may come before it is given up, in milliseconds; nil for as long as the transport has it. A
    /// terminal answers only when its customer is done.
    public var idleTimeoutMilliseconds: Int64?
    /// The largest body that is accepted as an answer.
    public var responseBodyBytesMax: Int

    /// What a response may weigh when a request doesn't say otherwise.
    public static let responseBodyBytesMaxDefault = 4 * 1_024 * 1_024

    /// Makes a request.
    public init(
        _ method: String, _ origin: Origin, _ target: String, headers: HTTPHeaders = [:], body: [UInt8] = []
    ) {
        (self.method, self.origin, self.target) = (method, origin, target)
        (self.headers, self.body) = (headers, body)
        responseBodyBytesMax = Self.responseBodyBytesMaxDefault
    }

    /// The path without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }
}

extension HTTPRequest: RedactedDescription {
    /// Method, place and size; never a header's value, a query or the body.
    public var description: String {
        "HTTPRequest(\(method) \(origin)\(path), \(body.count) bytes)"
    }
}
