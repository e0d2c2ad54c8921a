/// A request that is ready to leave. What has to be known to find its operation again is recorded before its first byte.
public struct Outgoing<Reply> {
    /// What finds the operation again, such as a message's number.
    public var notes: [String: String]
    /// Names that the request gives to the operation, before any reply.
    public var names: [String]
    /// Whether the provider can be asked what became of it, where the operation's plan says so in general.
    public var canLookUp: Bool
    /// Sends the request; the reply proves nothing that `send` throws away.
    public let send: () async throws -> Reply

    /// Makes a request.
    public init(
        notes: [String: String] = [:], names: [String] = [], canLookUp: Bool = true,
        _ send: @escaping () async throws -> Reply
    ) {
        (self.notes, self.names, self.canLookUp, self.send) = (notes, names, canLookUp, send)
    }
}
