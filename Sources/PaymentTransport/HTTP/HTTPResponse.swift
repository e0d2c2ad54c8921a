public import PaymentBase

/// One reply, complete.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty where there was none.
    public var body: [UInt8]

    /// Makes a reply.
    public init(_ status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

extension HTTPResponse: RedactedDescription {
    /// Status and size; never the body.
    public var description: String { "HTTPResponse(\(status), \(body.count) bytes)" }
}
