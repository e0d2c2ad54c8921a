internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentTransport

/// Hears over a WebSocket that a payment has changed; how it stands now is always asked for.
///
/// A push may come late, twice, or be older than what is known already, so that it only ends a pause. What happened
/// before the line was open, and what was lost when it was cut, is found by the asking that follows both.
struct EcommpayEvents: Sendable {
    private let transport: any WebSocketTransport
    private let request: HTTPRequest
    private let isOpen = Locked(false)

    /// The line of a session; nil where nothing opens lines.
    init?(_ transport: (any WebSocketTransport)?, _ configuration: EcommpayConfiguration, _ session: Secret) {
        guard let transport, let origin = configuration.events else { return nil }
        self.transport = transport
        let query = FormEncoding.encode([FormField("sid", session.expose())], spaces: .percent)
        request = HTTPRequest("GET", origin, "\(configuration.sessionPath)\(EcommpayPath.events)?\(query)")
    }

    /// Whether the line is open, so that nobody has to ask every other second.
    var isHearing: Bool { isOpen.withLock { $0 } }

    /// Listens until the line is cut or the task is cancelled.
    func listen(_ context: PaymentContext) async {
        guard let line = try? await transport.connect(request) else { return }
        tell(true, context)
        while (try? await line.receive()) != nil { context.wake() }
        tell(false, context)
    }

    private func tell(_ isOpen: Bool, _ context: PaymentContext) {
        self.isOpen.withLock { $0 = isOpen }
        context.wake()
    }
}
