public import PaymentBase
public import PaymentTransport

/// What the author of a simulated provider implements; faults, the check of the books, transports and sockets come for free.
///
/// ```swift
/// final class Acme: SimulatedProvider {
///     struct State { var ledger = Ledger() … }
///     let name = "acme"
///     let members = ReplyFields(amounts: ["total"], currencies: ["currency"], references: ["order"], words: ["state"])
///     var ledger: Ledger { state.withLock { $0.ledger } }
///     func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse { … }
///     func reset() { state.withLock { $0 = State() } }
///     func answer(_ request: HTTPRequest) async -> SimulatorResponse {
///         state.withLock { Self.routes.answer(request, &$0, now: clock.now) }
///     }
/// }
/// ```
public protocol SimulatedProvider: SimulatorService {
    /// What the provider is called on the command line and at the control address.
    var name: String { get }
    /// The books as they are now.
    var ledger: Ledger { get }
    /// The state of the books now; looked at after each request.
    var standing: Ledger.Summary { get }
    /// What a fault may falsify in its answers.
    var members: ReplyFields { get }
    /// A refusal in the provider's own words.
    func refusal(_ refusal: SimulatorRefusal) -> HTTPResponse
    /// Forgets everything, as if it had just been opened.
    func reset()
}

extension SimulatedProvider {
    /// The same by a copy of the books.
    public var standing: Ledger.Summary { ledger.standing }
}

/// A provider whose own terminal reads the cards.
public protocol TerminalProvider: SimulatedProvider {
    /// Lays one of its cards in front of the terminal; the holder does what the card's name says.
    func present(_ card: TestCard)
}

/// A provider that has pages where customers pay; the shop only leads there.
public protocol HostedPageProvider: SimulatedProvider {
    /// A customer opens a page and pays there with a card; false where the page takes no money.
    func visit(page address: String, card number: String) -> Bool
}

/// What answers requests, in process or on a socket: a simulated provider, or something before one.
public protocol SimulatorService: Sendable {
    /// Answers one request, or cuts the connection.
    func answer(_ request: HTTPRequest) async -> SimulatorResponse
}

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
