public import PaymentBase

extension NISimulator {
    /// One capture, refund or reversal of an order.
    struct Move: KeptRecord {
        var name = ""
        /// `capture`, `refund` or `void`.
        var kind = ""
        var units: Int64 = 0
        var at: Int64 = 0
        /// `SUCCESS`, `REQUESTED` or `FAILED`.
        var state = ""
        /// Whose it is, for the books alone.
        var label = ""

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("name", \.name), .init("kind", \.kind), .init("units", \.units), .init("at", \.at),
            .init("state", \.state), .init("label", \.label),
        ]
    }

    struct Order: Recorded {
        /// What is held, captured and given back.
        var amounts = SimulatedPayment()
        var payment = ""
        var action = ""
        var units: Int64 = 0
        var createdAt: Int64 = 0
        var terminal = ""
        var maskedNumber = ""
        var scheme = ""
        var label = ""
        var state = "STARTED"
        var resultCode = "00"
        var moves: [Move] = []

        var reference: String { amounts.name }
        var currency: String { amounts.currency }
        var recordName: String { reference }
        var otherNames: [String] { [label] + moves.map(\.label) }

        static let members: [PersistedField<Self>] = [
            .init("reference", \.amounts.name), .init("payment", \.payment), .init("action", \.action),
            .init("currency", \.amounts.currency), .init("units", \.units), .init("createdAt", \.createdAt),
            .init("terminal", \.terminal), .init("maskedNumber", \.maskedNumber), .init("scheme", \.scheme),
            .init("label", \.label), .init("state", \.state), .init("resultCode", \.resultCode),
            .init("held", \.amounts.held), .init("captured", \.amounts.captured),
            .init("refunded", \.amounts.refunded), .init("moves", \.moves),
        ]
    }

    /// Which terminal a device token is for.
    struct Grant: KeptRecord, Lapsing {
        var terminal = ""
        var expires: Int64 = 0

        static let isList = true
        static let members: [PersistedField<Self>] = [.init("terminal", \.terminal), .init("expires", \.expires)]
    }

    struct State: PersistedFields, PlayingState {
        var play = NIRules()
        var ledger = Ledger()
        var orders = Records<Order>()
        var access = ExpiringTokens<Int64>()
        var grants = ExpiringTokens<Grant>()
        /// Which device each terminal is bound to.
        var bound: [String: String] = [:]
        var nextNumber = 0
        var tokenCount = 0
        var readerTokenCount = 0
        var busyOnce: Set<String> = []
        /// Until when everything is settled, whatever the time is.
        var settledUntil: Int64 = 0
        var cards = TestAmount.declinedCards
        var outbox = WebhookOutbox()
        let rules: Rules

        static let members: [PersistedField<Self>] = [
            .init("ledger", \.ledger), .init("orders", \.orders), .init("access", \.access),
            .init("grants", \.grants), .init("bound", \.bound), .init("cards", \.cards),
            .init("busyOnce", \.busyOnce), .init(counter: "nextNumber", \.nextNumber),
            .init("settledUntil", \.settledUntil),
            .init(counter: "tokenCount", \.tokenCount), .init(counter: "readerTokenCount", \.readerTokenCount),
            .init("messages", \.outbox, isNew: true),
        ]
    }
}

extension NISimulator: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension NISimulator: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool { restore(snapshot, into: state, fresh: State(rules: rules)) }
}
