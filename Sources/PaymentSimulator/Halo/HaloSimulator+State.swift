public import PaymentBase

extension HaloSimulator {
    struct Record: Recorded {
        var id = ""
        var reference = ""
        /// `Purchase` or `Refund`.
        var kind = ""
        var original: String?
        var currency = ""
        var units: Int64 = 0
        var createdAt: Int64 = 0
        var device = ""
        var maskedNumber = ""
        var scheme = ""
        var disposition = ""
        var errorCode = ""
        var isoCode = ""
        /// Until when a PIN is taken; nil where none is asked for.
        var pinUntil: Int64?
        var refunded: Int64 = 0

        var recordName: String { id }
        var otherNames: [String] { ["reference \(reference)"] + (original.map { ["refund of \($0)"] } ?? []) }

        static let members: [PersistedField<Self>] = [
            .init("id", \.id), .init("reference", \.reference), .init("kind", \.kind), .init("original", \.original),
            .init("currency", \.currency), .init("units", \.units), .init("createdAt", \.createdAt),
            .init("device", \.device), .init("maskedNumber", \.maskedNumber), .init("scheme", \.scheme),
            .init("disposition", \.disposition), .init("errorCode", \.errorCode), .init("isoCode", \.isoCode),
            .init("pinUntil", \.pinUntil), .init("refunded", \.refunded),
        ]
    }

    /// Between which moments all records were made. None of them is ever taken out, and none is dated anew, so that only
    /// those that came since are looked at.
    struct Span {
        private(set) var first = Int64.max
        private(set) var last = Int64.min
        private var count = 0

        mutating func take(_ records: Records<Record>) {
            for record in records.page(0, records.count - count) {
                (first, last) = (min(first, record.createdAt), max(last, record.createdAt))
            }
            count = records.count
        }
    }

    struct State: PersistedFields, PlayingState {
        var play = HaloRules()
        var ledger = Ledger()
        var records = Records<Record>()
        var span = Span()
        var devices: [String] = []
        /// Tokens whose signature was found good, with when they lapse.
        var known = ExpiringTokens<Int64>()
        var revoked: Set<String> = []
        var nextNumber = 0
        var readerTokenCount = 0
        var busyOnce: Set<String> = []
        var cards = TestAmount.declinedCards
        var outbox = WebhookOutbox()
        let merchant: HaloMerchant
        let officeKey: Secret

        static let members: [PersistedField<Self>] = [
            .init("ledger", \.ledger), .init("records", \.records), .init("devices", \.devices),
            .init("revoked", \.revoked), .init("busyOnce", \.busyOnce), .init("cards", \.cards),
            .init(counter: "nextNumber", \.nextNumber), .init(counter: "readerTokenCount", \.readerTokenCount),
            .init("messages", \.outbox, isNew: true),
        ]

        mutating func keep(_ record: Record) {
            records.keep(record)
            span.take(records)
        }

        /// The record of a reference.
        func record(of reference: String) -> Record? { records.named("reference \(reference)").first }
    }
}

extension HaloSimulator: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension HaloSimulator: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool {
        let isDone = restore(snapshot, into: state, fresh: State(merchant: merchant, officeKey: officeKey))
        state.withLock { $0.span.take($0.records) }
        return isDone
    }
}
