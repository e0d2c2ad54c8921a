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
    /// How the books stand now; looked at after each request.
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
