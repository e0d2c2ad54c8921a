public import PaymentTransport

/// What a simulated company does with a request.
public enum SandboxAnswer: Sendable {
    /// It answers.
    case reply(HTTPResponse)
    /// The connection is cut before the request was read to its end: nothing was done.
    case cutBefore
    /// The request was read, whatever it asked for was done, and the connection is cut without an answer.
    case cutAfter
}
