public import PaymentBase

extension ARISEBackend: CardTable {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension ARISEBackend: Persistable {
    public func snapshot() -> JSON {
        let state = state.withLock { $0 }
        func texts(_ values: [String: String]) -> JSON { Self.object(values) { .string($0) } }
        func numbers(_ values: [String: Int64]) -> JSON { Self.object(values) { .number(JSONNumber($0)) } }
        return [
            "ledger": state.ledger.json,
            "transactions": .array(state.order.compactMap { state.transactions[$0]?.json }),
            "tokens": numbers(state.tokens), "refreshTokens": .array(state.refreshTokens.sorted().map(JSON.string)),
            "devices": numbers(state.devices), "deviceNames": texts(state.deviceNames), "seenAt": numbers(state.seenAt),
            "nextNumber": .number(JSONNumber(state.nextNumber)), "tokenCount": .number(JSONNumber(state.tokenCount)),
            "refusedOnce": .array(state.refusedOnce.sorted().map(JSON.string)), "cards": texts(state.cards),
            "settledAt": .number(JSONNumber(state.settledAt)),
        ]
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }), let items = snapshot["transactions"]?.array,
            let tokens = Self.dictionary(snapshot["tokens"], { $0.int64 }),
            let refreshTokens = snapshot["refreshTokens"]?.array?.compactMap(\.string),
            let devices = Self.dictionary(snapshot["devices"], { $0.int64 }),
            let names = Self.dictionary(snapshot["deviceNames"], { $0.string }),
            let seenAt = Self.dictionary(snapshot["seenAt"], { $0.int64 }),
            let nextNumber = snapshot["nextNumber"]?.int64, let tokenCount = snapshot["tokenCount"]?.int64,
            let refusedOnce = snapshot["refusedOnce"]?.array?.compactMap(\.string),
            let cards = Self.dictionary(snapshot["cards"], { $0.string }), let settledAt = snapshot["settledAt"]?.int64
        else { return false }
        let transactions = items.compactMap { ARISETransaction($0) }
        guard transactions.count == items.count else { return false }
        state.withLock { state in
            state.order = transactions.map(\.id)
            state.transactions = Dictionary(transactions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            (state.ledger, state.tokens, state.refreshTokens) = (ledger, tokens, Set(refreshTokens))
            (state.devices, state.deviceNames, state.seenAt) = (devices, names, seenAt)
            (state.nextNumber, state.tokenCount) = (nextNumber, tokenCount)
            (state.refusedOnce, state.cards, state.settledAt) = (Set(refusedOnce), cards, settledAt)
        }
        return true
    }

    private static func object<Value>(_ values: [String: Value], _ json: (Value) -> JSON) -> JSON {
        var object = JSONObject()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { object[key] = json(value) }
        return .object(object)
    }

    private static func dictionary<Value>(_ json: JSON?, _ value: (JSON) -> Value?) -> [String: Value]? {
        guard let members = json?.object?.members else { return nil }
        var values: [String: Value] = [:]
        for member in members {
            guard let read = value(member.value) else { return nil }
            values[member.key] = read
        }
        return values
    }
}
