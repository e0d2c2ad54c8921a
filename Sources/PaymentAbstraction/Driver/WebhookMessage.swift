public import PaymentBase

/// A message as it came in from a provider.
public struct WebhookMessage: Hashable, Sendable {
    /// The header fields, names in lower case.
    public let headers: [String: String]
    /// The body as it came.
    public let body: [UInt8]
    /// When it came, in milliseconds since 1970.
    public let at: Int64

    /// Makes a message.
    public init(headers: [String: String] = [:], body: [UInt8], at: Int64) {
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }, uniquingKeysWith: { _, last in last })
        (self.body, self.at) = (body, at)
    }
}

extension WebhookMessage: RedactedDescription {
    /// The size only: headers and body hold what must not be printed.
    public var description: String { "WebhookMessage(\(body.count) bytes)" }
}
