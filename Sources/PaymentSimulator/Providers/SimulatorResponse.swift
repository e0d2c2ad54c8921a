public import PaymentBase
public import PaymentTransport

/// What a simulated provider does with a request.
public enum SimulatorResponse: Sendable {
    /// It answers.
    case reply(HTTPResponse)
    /// The connection is reset before the request was read to its end: nothing was done.
    case cutBefore
    /// The request was read, whatever it asked for was done, and the connection is reset without an answer.
    case cutAfter
    /// The connection ends in good order, without an answer.
    case closed
    /// The answer ends in the middle of its head.
    case truncatedHead(HTTPResponse)
    /// The answer ends in the middle of its body.
    case truncatedBody(HTTPResponse)
    /// The answer comes a few bytes at a time, and takes so long.
    case slow(HTTPResponse, milliseconds: Int64)
    /// Nothing is said until the client goes away.
    case noReply
    /// The connection becomes a WebSocket, which belongs to the closure until it returns.
    case upgrade(@Sendable (any WebSocketConnection) async -> Void)

    /// How many pieces a dripped answer comes in.
    static let dripPieces: Int64 = 16

    /// An answer with JSON in it.
    public static func json(_ body: JSON, status: Int = 200) -> SimulatorResponse {
        .reply(.json(body, status: status))
    }

    /// An answer without a body.
    public static func empty(_ status: Int = 204) -> SimulatorResponse { .reply(HTTPResponse(status)) }

    /// The answer, where it is one that comes in one piece.
    public var response: HTTPResponse? {
        switch self {
        case .reply(let response): response
        case .cutBefore, .cutAfter, .closed, .truncatedHead, .truncatedBody, .slow, .noReply, .upgrade: nil
        }
    }
}

extension HTTPResponse {
    /// A response with JSON in it.
    static func json(_ body: JSON, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status, headers: ["Content-Type": "application/json"], body: body.bytes())
    }
}
