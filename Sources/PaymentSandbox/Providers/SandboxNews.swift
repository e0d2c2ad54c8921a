/// A message that a provider sends by itself.
public struct SandboxNews: Hashable, Sendable {
    /// The header fields that it comes with.
    public let headers: [String: String]
    /// The body.
    public let body: [UInt8]

    /// Makes a message.
    public init(headers: [String: String] = [:], body: [UInt8]) { (self.headers, self.body) = (headers, body) }
}
