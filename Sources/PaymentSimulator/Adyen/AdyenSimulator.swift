public import PaymentBase
public import PaymentTransport

/// Adyen as its documents describe it: terminals with one card slot each, a cloud in front of them, and a back office
/// that says *received* and tells the outcome later.
///
/// Everything that takes time is worked out from the clock whenever somebody looks, so that nothing runs by itself.
public final class AdyenSimulator: SimulatedProvider {
    /// How long after a payment began the shopper's card is in the terminal, in milliseconds.
    public static let cardMilliseconds: Int64 = 1_500
    /// How long after a payment began it is decided, in milliseconds.
    public static let decisionMilliseconds: Int64 = 2_500
    /// How long a terminal waits for a card, in milliseconds.
    public static let waitMilliseconds: Int64 = 120_000
    /// How long after *received* a modification is decided, in milliseconds.
    public static let modificationMilliseconds: Int64 = 20_000
    /// How long a terminal remembers its messages, in milliseconds: 48 hours.
    public static let memoryMilliseconds: Int64 = 48 * 3_600_000
    /// How many payments it keeps.
    public static let paymentsMax = 200_000
    /// The terminal that is there from the beginning.
    public static let terminal = "V400m-324688042"

    let clock: any PaymentClock
    let crypto: any Crypto
    let state: Locked<State>
    let nexo: SandboxNexo?
    let signer: AdyenSigner
    public let name: String
    public let members = ReplyFields(
        amounts: ["AuthorizedAmount", "value"], currencies: ["Currency", "currency"],
        references: ["ServiceID", "reference"], words: ["Result", "status", "GlobalStatus"])
    /// The merchant's account.
    public let merchant = "TestMerchant"
    /// What clients are known by.
    public let apiKey: Secret
    /// The key of webhooks, as hexadecimal text.
    public let webhookKey: Secret
    /// What messages to a terminal on the same network are encrypted with.
    public let passphrase: Secret

    /// Opens the provider.
    public init(
        clock: any PaymentClock, crypto: any Crypto, name: String = "adyen",
        apiKey: Secret = Secret("adyen-sandbox-api-key"),
        webhookKey: Secret = Secret("DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00"),
        passphrase: Secret = Secret("adyen-sandbox-passphrase")
    ) {
        (self.clock, self.crypto, self.name, self.apiKey) = (clock, crypto, name, apiKey)
        (self.webhookKey, self.passphrase) = (webhookKey, passphrase)
        signer = AdyenSigner(key: webhookKey, crypto: crypto)
        state = Locked(State(signer: signer))
        nexo = SandboxNexo(passphrase, crypto)
    }

    /// The books as they are now.
    public var ledger: Ledger { looking { $0.ledger } }
    public var standing: Ledger.Summary { looking { $0.ledger.standing } }
    /// How many messages came under a name that their terminal had heard within its memory.
    public var repeatedNames: Int { looking { $0.repeatedNames } }

    public func reset() {
        state.withLock { state in
            let reading = state.reading
            state = State(signer: signer)
            state.reading = reading
        }
    }

    /// Looks at everything as it is by now.
    func looking<Value>(_ body: (inout State) -> Value) -> Value {
        let now = clock.now
        return state.withLock { state in
            Self.advance(&state, now)
            return body(&state)
        }
    }

    public func answer(_ request: HTTPRequest) async -> SimulatorResponse {
        if let way = TerminalWay(request) { return await terminal(way, request) }
        if let answer = await phone(request) { return answer }
        return looking { state in
            let isRepeat = request.headers["Idempotency-Key"].map { state.answers[$0] != nil } ?? false
            let answer = routes.answer(request, &state, now: clock.now)
            return Self.read(answer, to: request, isRepeat, state.reading)
        }
    }

    /// What the back office answers under the reading that is played.
    private static func read(
        _ answer: SimulatorResponse, to request: HTTPRequest, _ isRepeat: Bool, _ reading: AdyenReading
    ) -> SimulatorResponse {
        guard case .reply(let response) = answer, request.target.contains("/v72/"),
            let said = try? JSONReader().read(response.body)
        else { return answer }
        let (body, status) = reading.office(request.target, isRepeat, said, response.status)
        return .json(body, status: status)
    }

    // MARK: The shopper

    /// Lays a card in front of a terminal; nil takes it away.
    public func present(_ card: Card?, at terminal: String = AdyenSimulator.terminal) {
        let now = clock.now
        looking { state in
            var given = state.terminals[terminal] ?? Terminal()
            (given.card, given.cardSince) = (card, given.work == nil ? 0 : now)
            state.terminals[terminal] = given
        }
    }

    /// Takes a terminal off the network, or brings it back.
    public func setReachable(_ isReachable: Bool, _ terminal: String = AdyenSimulator.terminal) {
        looking { $0.terminals[terminal, default: Terminal()].isReachable = isReachable }
    }
}
