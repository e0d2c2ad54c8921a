/// How a provider wants to hear that its webhook arrived.
public struct WebhookAcknowledgement: Hashable, Sendable {
    /// The status of the answer.
    public let status: Int
    /// Its body.
    public let body: [UInt8]

    /// An answer of a status and a body.
    public init(status: Int = 200, body: [UInt8] = []) { (self.status, self.body) = (status, body) }
}
