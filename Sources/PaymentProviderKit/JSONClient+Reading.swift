public import PaymentBase
public import PaymentTransport

extension JSONClient {
    /// Sends something and reads the answer; one that can't be read fails under the provider's own code for that.
    public func read<Message>(
        _ method: String, _ path: String, query: [(name: String, value: String)] = [], body: JSON? = nil,
        bearer: Secret? = nil, more: HTTPHeaders = [:], stallMilliseconds: Int64? = nil, unreadable: String,
        as message: (JSON?) -> Message?
    ) async throws -> Message {
        let reply: JSONReply
        do {
            reply = try await send(
                method, path, query: query, body: body, bearer: bearer, more: more, stallMilliseconds: stallMilliseconds
            )
        } catch is UnreadableResponseBody { throw ProviderCodeError(unreadable) }
        guard let read = message(reply.body) else { throw ProviderCodeError(unreadable) }
        return read
    }
}

extension String {
    /// The text as one piece of a path; what can't be one becomes a piece that names nothing.
    public var pathPiece: String { PercentEncoding.pathSegment(self) ?? "-" }
}
