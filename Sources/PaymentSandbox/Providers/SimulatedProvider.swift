public import PaymentTransport

/// What the author of a simulated provider implements; faults, the check of the books, transports and sockets come for free.
///
/// ```swift
/// final class Acme: SimulatedProvider {
///     struct State { var ledger = Ledger() … }
///     let name = "acme"
///     let members = ReplyMembers(amounts: ["total"], currencies: ["currency"], references: ["order"], words: ["state"])
///     var ledger: Ledger { state.withLock { $0.ledger } }
///     func refusal(_ refusal: SandboxRefusal) -> HTTPResponse { … }
///     func reset() { state.withLock { $0 = State() } }
///     func answer(_ request: HTTPRequest) async -> SandboxAnswer {
///         state.withLock { Self.routes.answer(request, &$0, now: clock.now) }
///     }
/// }
/// ```
public protocol SimulatedProvider: SandboxService {
    /// What the provider is called on the command line and at the control address.
    var name: String { get }
    /// The books as they are now.
    var ledger: Ledger { get }
    /// How the books stand now; looked at after each request.
    var standing: Ledger.Standing { get }
    /// What a fault may falsify in its answers.
    var members: ReplyMembers { get }
    /// A refusal in the provider's own words.
    func refusal(_ refusal: SandboxRefusal) -> HTTPResponse
    /// Forgets everything, as if it had just been opened.
    func reset()
}

extension SimulatedProvider {
    /// The same by a copy of the books.
    public var standing: Ledger.Standing { ledger.standing }
}
