/// A message that the provider sends out by itself.
public struct ProviderWebhook: Sendable {
    /// Its header fields.
    public var headers: [String: String]
    /// Its body.
    public var body: [UInt8]

    /// Makes a message.
    public init(headers: [String: String], body: [UInt8]) { (self.headers, self.body) = (headers, body) }
}
