internal import PaymentBase
internal import PaymentTransport

extension AdyenSimulator {
    /// The simulated phone: what its kit does, behind addresses of our own, since the kit's own are not public.
    static let phonePath = "/phone/"

    /// Answers for the phone that a setup token belongs to; nil for any other address.
    func phone(_ request: HTTPRequest) async -> SimulatorResponse? {
        guard request.method == "POST", request.target.hasPrefix(Self.phonePath) else { return nil }
        let token = request.headers["Phone"] ?? ""
        let name = "INST-" + token.suffix(12)
        let isOpen = looking { $0.sessions[name].map { $0 > clock.now } ?? false }
        switch request.target.dropFirst(Self.phonePath.count) {
        case "warmup":
            guard isOpen else { return Self.refused("NO_TOKEN") }
            looking { Self.forward(&$0, from: name, at: clock.now) }
            return .empty()
        case "perform":
            guard isOpen else { return Self.refused("NO_TOKEN") }
            guard let message = (try? JSONReader().read(request.body)).flatMap({ NexoRequest($0) }),
                message.poiID == name, message.category == "Payment" || message.category == "Reversal"
            else { return Self.refused("malformedTransactionRequest") }
            if let code = looking({ state in
                defer { state.attestation = nil }
                return state.attestation
            }) {
                // The errors of the checks stand in the answer; the document doesn't say where.
                let found = Self.failure("NotAllowed", "message=\(code.replacing("&", with: "%26"))")
                return .json(message.reply(looking { Self.said(found, message, $0.reading, clock.now) }))
            }
            let label = request.headers[SimulatorRequest.attemptHeader] ?? ""
            return await carryOut(message, label, .phone)
        default: return Self.refused("malformedTransactionRequest")
        }
    }

    /// Sends on what was taken while there was no network; the kit does it by itself.
    private static func forward(_ state: inout State, from name: String, at now: Int64) {
        for psp in state.stored {
            guard let payment = state.payments[psp] else { continue }
            announce(
                Item(
                    "AUTHORISATION", psp: psp, reference: payment.reference, units: payment.amounts.captured,
                    currency: payment.currency, at: now),
                ["tenderReference": .string(tender(psp)), "terminalId": .string(name)], &state)
        }
        state.stored = []
    }

    /// What the kit throws.
    private static func refused(_ code: String) -> SimulatorResponse { .json(["kit": .string(code)], status: 409) }

    /// Lets the phone's next payment fail a check of its security.
    public func failAttestation(_ code: String) { looking { $0.attestation = code } }

    /// Ends every phone's session.
    public func revokeSessions() { looking { $0.sessions = [:] } }

    /// How many payments wait on phones to be forwarded.
    public var storedCount: Int { looking { $0.stored.count } }
}
