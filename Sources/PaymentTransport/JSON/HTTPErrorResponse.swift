public import PaymentBase

/// An answer whose status is not a success; the adapter's table says what that proves.
public struct HTTPErrorResponse: Error, Sendable {
    /// The status.
    public let status: Int
    /// The header fields.
    public let headers: HTTPHeaders
    /// The body, where it was JSON.
    public let body: JSON?

    /// Keeps an answer.
    public init(_ response: HTTPResponse, _ body: JSON?) {
        (status, headers, self.body) = (response.status, response.headers, body)
    }

    /// How long the answer asks to wait, in milliseconds.
    public var retryAfterMilliseconds: Int64? {
        guard let text = headers["Retry-After"], let seconds = Int64(text), (0...86_400).contains(seconds) else {
            return nil
        }
        return seconds * 1_000
    }
}

extension HTTPErrorResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status only: the body may echo what was sent.
    public var description: String { "HTTPRefusal(\(status))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
