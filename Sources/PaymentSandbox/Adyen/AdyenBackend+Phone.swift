internal import PaymentBase
internal import PaymentTransport

extension AdyenBackend {
    /// The simulated phone: what its kit does, behind addresses of our own, since the kit's own are not public.
    static let phonePath = "/phone/"

    /// How long payments may be taken offline after a session began, in milliseconds.
    public static let offlineMilliseconds: Int64 = 24 * 3_600_000

    /// Answers for the phone that a setup token belongs to; nil for any other address.
    func phone(_ request: HTTPRequest) async -> SandboxAnswer? {
        guard request.method == "POST", request.target.hasPrefix(Self.phonePath) else { return nil }
        let token = request.headers["Phone"] ?? ""
        let name = "INST-" + token.suffix(12)
        let isOpen = looking { $0.sessions[name].map { $0 > clock.now } ?? false }
        switch request.target.dropFirst(Self.phonePath.count) {
        case "warmup": return isOpen ? .empty() : Self.refused("NO_TOKEN")
        case "stored":
            return looking { state in
                let until = state.sessions[name] ?? 0
                return .json([
                    "count": .number(JSONNumber(Int64(state.stored.count))), "openUntil": .number(JSONNumber(until)),
                ])
            }
        case "forward":
            return looking { state in
                defer { state.stored = [] }
                for psp in state.stored {
                    guard let payment = state.payments[psp] else { continue }
                    Self.announce(
                        Item(
                            "AUTHORISATION", psp: psp, reference: payment.reference, units: payment.amounts.captured,
                            currency: payment.currency, at: clock.now),
                        ["tenderReference": .string(Self.tender(psp)), "terminalId": .string(name)], &state)
                }
                return .json(["count": .number(JSONNumber(Int64(state.stored.count)))])
            }
        case "perform":
            guard isOpen else { return Self.refused("NO_TOKEN") }
            if let code = looking({ state in
                defer { state.attestation = nil }
                return state.attestation
            }) {
                return Self.refused(code)
            }
            guard let message = (try? JSONReader().read(request.body)).flatMap({ NexoRequest($0) }),
                message.poiID == name, message.category == "Payment" || message.category == "Reversal"
            else { return Self.refused("malformedTransactionRequest") }
            let label = request.headers[SandboxCall.attemptHeader] ?? ""
            return await carryOut(message, label, .phone)
        default: return Self.refused("malformedTransactionRequest")
        }
    }

    /// What the kit throws.
    private static func refused(_ code: String) -> SandboxAnswer { .json(["kit": .string(code)], status: 409) }

    /// Lets the phone's next payment fail a check of its security.
    public func failAttestation(_ code: String) { looking { $0.attestation = code } }

    /// Ends every phone's session.
    public func revokeSessions() { looking { $0.sessions = [:] } }

    /// How many payments wait on phones to be forwarded.
    public var storedCount: Int { looking { $0.stored.count } }
}
