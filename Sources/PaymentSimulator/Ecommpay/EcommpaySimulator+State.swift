public import PaymentBase

extension EcommpaySimulator {
    struct Operation: KeptRecord {
        var id: Int64 = 0
        var type = ""
        var status = ""
        var units: Int64 = 0
        var request = ""
        var at: Int64 = 0
        var refund = ""
        var code = ""
        /// Whose it is, for the books alone.
        var label = ""

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("id", \.id), .init("type", \.type), .init("status", \.status), .init("units", \.units),
            .init("request", \.request), .init("at", \.at), .init("refund", \.refund), .init("code", \.code),
            .init("label", \.label),
        ]
    }

    struct Payment: Recorded {
        /// What is held, captured and given back.
        var amounts = SimulatedPayment()
        var createdAt: Int64 = 0
        var method = "card"
        var customer = ""
        /// The card's number, or a text that stands for a token.
        var number = ""
        /// How the card came, for the books alone.
        var entry = ""
        var status = "processing"
        /// What it waits for: `fields`, `clarification`, `method`, `challenge`, `legacy`, `cascade`, `again`, or
        /// nothing.
        var waitsFor = ""
        var waitsUntil: Int64 = 0
        /// When it is decided by itself, if it is still under way then; nothing where it was decided at once.
        var ripensAt: Int64 = 0
        var saves = false
        var registers = ""
        var account: Int64 = 0
        var token = ""
        /// What was agreed to for later debits.
        var terms: JSON = [:]
        /// Where it began at the Gate; empty for one of a session.
        var origin = ""
        var operations: [Operation] = []

        var id: String { amounts.name }
        var currency: String { amounts.currency }
        var recordName: String { id }
        /// By what happened to it: the request, the operation, the label of the books.
        var otherNames: [String] {
            operations.flatMap { ["request \($0.request)", "operation \($0.id)", "label \($0.label)"] }
        }
        var dueAt: Int64? { isRipening ? ripensAt : waitsFor.isEmpty ? nil : waitsUntil }
        /// Whether time alone decides it.
        var isRipening: Bool {
            ripensAt > 0 && waitsFor.isEmpty && status == "processing" && operations.last?.status == "processing"
        }

        static let members: [PersistedField<Self>] = [
            .init("id", \.amounts.name), .init("currency", \.amounts.currency), .init("createdAt", \.createdAt),
            .init("method", \.method), .init("customer", \.customer), .init("number", \.number),
            .init("status", \.status), .init("waitsFor", \.waitsFor), .init("waitsUntil", \.waitsUntil),
            .init("saves", \.saves), .init("registers", \.registers), .init("account", \.account),
            .init("token", \.token), .init("terms", \.terms), .init("held", \.amounts.held),
            .init("captured", \.amounts.captured), .init("refunded", \.amounts.refunded),
            .init("operations", \.operations), .init("ripensAt", \.ripensAt, isNew: true),
            .init("entry", \.entry, isNew: true),
            .init("origin", \.origin, isNew: true),
        ]
    }

    /// All payments, and which of them were written to.
    struct Payments: PersistedState {
        private(set) var records = Records<Payment>()
        /// What was written to since somebody last looked.
        var changed: Set<String> = []
        var kept: JSON { records.kept }
        var count: Int { records.count }

        init() {}

        init?(kept json: JSON) {
            guard let records = Records<Payment>(kept: json) else { return nil }
            self.records = records
        }

        subscript(id: String) -> Payment? {
            get { records[id] }
            set {
                records[id] = newValue
                changed.insert(id)
            }
        }

        mutating func takeDue(by now: Int64) -> (value: Payment, at: Int64)? { records.takeDue(by: now) }

        mutating func nextDue() -> Int64? { records.nextDue() }
    }

    /// A session, with what it was opened for.
    struct Session: KeptRecord, Lapsing {
        var payment = ""
        var parameters: JSON = .null
        var expires: Int64 = 0

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("payment", \.payment), .init("parameters", \.parameters), .init("expires", \.expires),
        ]
    }

    /// An instrument that is kept for a customer.
    struct Account: Recorded {
        var id: Int64 = 0
        var number = ""
        var customer = ""
        var expiry = "12/30"
        var token = ""
        var tokenizedAt: Int64 = 0

        var recordName: String { String(id) }
        var otherNames: [String] { [customer] }

        static let isList = true
        static let members: [PersistedField<Self>] = [
            .init("id", \.id), .init("number", \.number), .init("customer", \.customer), .init("expiry", \.expiry),
            .init("token", \.token), .init("tokenizedAt", \.tokenizedAt),
        ]
    }

    struct State: PersistedFields, PlayingState {
        var play = EcommpayRules()
        var ledger = Ledger()
        var payments = Payments()
        var sessions = ExpiringTokens<Session>()
        var accounts = Records<Account>()
        /// The cards behind registrations for later debits.
        var registrations = Records<Registration>()
        /// What was told about customers.
        var customers: [String: JSON] = [:]
        /// Names of changes that were made, which are no payments.
        var names: Set<String> = []
        /// The cards behind tokens.
        var tokens: [String: String] = [:]
        var nextNumber: Int64 = 0
        func sealed(_ body: JSON) -> JSON {
            body["signature"] == nil ? body : seal.sign(body.without("signature"))
        }
        /// Everything that was charged until then is cleared.
        var clearedUntil: Int64 = -1
        var busyOnce: Set<String> = []
        var cards = EcommpayCard.declined
        /// The callbacks.
        var outbox = WebhookOutbox()
        /// What was told of each payment last.
        var told: [String: String] = [:]
        let rules: Rules
        let seal: EcommpaySignature

        static let members: [PersistedField<Self>] = [
            .init("ledger", \.ledger), .init("payments", \.payments), .init("sessions", \.sessions),
            .init("accounts", \.accounts), .init("registrations", \.registrations),
            .init("customers", \.customers), .init("names", \.names), .init("tokens", \.tokens),
            .init("cards", \.cards), .init("busyOnce", \.busyOnce), .init(counter: "nextNumber", \.nextNumber),
            .init("clearedUntil", \.clearedUntil), .init("told", \.told), .init("messages", \.outbox, isNew: true),
        ]
    }
}

extension EcommpaySimulator: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension EcommpaySimulator: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool {
        restore(snapshot, into: state, fresh: State(rules: rules, seal: seal))
    }
}
