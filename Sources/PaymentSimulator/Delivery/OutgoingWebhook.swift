/// A message that a simulated provider sends by itself, such as a webhook, as it goes over the wire.
public struct OutgoingWebhook: Hashable, Sendable {
    /// The header fields, with the proof where that stands there.
    public let headers: [String: String]
    /// The body.
    public let body: [UInt8]
    /// When it was made, in milliseconds since 1970.
    public let at: Int64
    /// The attempt that it is about, as the ledger has it; empty where it is about none.
    public let attempt: String

    /// Makes a message.
    public init(headers: [String: String] = [:], body: [UInt8], at instant: Int64, attempt: String = "") {
        (self.headers, self.body, at, self.attempt) = (headers, body, instant, attempt)
    }
}
