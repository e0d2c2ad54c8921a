public import PaymentBase

extension MemoryBackend {
    struct Payment: Recorded {
        /// What is held, captured and given back.
        var amounts = SimulatedPayment()
        var kind = ""
        var attempt = ""
        var reference = ""
        var createdAt: Int64 = 0
        var state = "new"
        var isVoided = false
        /// How much of it is a tip, as it was asked for or changed last.
        var tip: Int64 = 0
        var card: JSON = .null
        /// How the card came.
        var entry = ""
        /// The request, while the provider waits for an answer to a question.
        var waiting: JSON?
        /// When it stops waiting.
        var waitsUntil: Int64 = 0

        var id: String { amounts.name }
        var currency: String { amounts.currency }
        var recordName: String { id }
        var otherNames: [String] { ["reference \(reference)"] }

        static let members: [PersistedField<Self>] = [
            .init("id", \.amounts.name), .init("kind", \.kind), .init("attempt", \.attempt),
            .init("reference", \.reference), .init("currency", \.amounts.currency), .init("createdAt", \.createdAt),
            .init("state", \.state), .init("held", \.amounts.held), .init("captured", \.amounts.captured),
            .init("refunded", \.amounts.refunded), .init("isVoided", \.isVoided), .init("card", \.card),
            .init("waiting", \.waiting), .init("waitsUntil", \.waitsUntil), .init("tip", \.tip, isNew: true),
            .init("entry", \.entry, isNew: true),
        ]
    }

    struct PendingMove: KeptRecord {
        var payment = ""
        var attempt = ""
        var cause = ""
        var amount: Int64 = 0

        static let members: [PersistedField<Self>] = [
            .init("payment", \.payment), .init("attempt", \.attempt), .init("cause", \.cause),
            .init("amount", \.amount),
        ]
    }

    struct State: PersistedFields {
        var ledger = Ledger()
        var payments = Records<Payment>()
        /// What was answered last, by the reference that the request carried.
        var answers: [String: JSON] = [:]
        var tokens = ExpiringTokens<Int64>()
        var nextNumber = 0
        var requestCount = 0
        var tokenCount = 0
        var refusedOnce: Set<String> = []
        var saved: [String: [String: JSON]] = [:]
        var devices: [String: String] = [:]
        var pending: [String: PendingMove] = [:]
        /// When it decides by itself what it is at work on, by the reference that the request carried.
        var ripening: [String: Int64] = [:]
        var cards = MemoryBackend.declinedCards
        var outbox = WebhookOutbox()
        let clientSecret: Secret

        static let members: [PersistedField<Self>] = [
            .init("ledger", \.ledger), .init("payments", \.payments), .init("answers", \.answers),
            .init("tokens", \.tokens), .init(counter: "nextNumber", \.nextNumber),
            .init(counter: "tokenCount", \.tokenCount),
            .init("refusedOnce", \.refusedOnce), .init("saved", \.saved), .init("devices", \.devices),
            .init("pending", \.pending), .init("cards", \.cards), .init("messages", \.outbox, isNew: true),
            .init("ripening", \.ripening, isNew: true),
        ]
    }
}

extension MemoryBackend: HostedPageProvider {}

extension MemoryBackend: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension MemoryBackend: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool {
        restore(snapshot, into: state, fresh: State(clientSecret: clientSecret))
    }
}
