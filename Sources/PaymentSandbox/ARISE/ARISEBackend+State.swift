public import PaymentBase

extension ARISEBackend: CardTable {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension ARISEBackend: Persistable {
    public func snapshot() -> JSON {
        let state = state.withLock { $0 }
        return [
            "ledger": state.ledger.json,
            "transactions": .array(state.order.compactMap { state.transactions[$0]?.json }),
            "tokens": .table(state.tokens), "refreshTokens": .words(state.refreshTokens),
            "devices": .table(state.devices), "deviceNames": .table(state.deviceNames), "seenAt": .table(state.seenAt),
            "nextNumber": .whole(state.nextNumber), "tokenCount": .whole(state.tokenCount),
            "refusedOnce": .words(state.refusedOnce), "cards": .table(state.cards),
            "settledAt": .whole(state.settledAt),
        ]
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }),
            let transactions = snapshot["transactions"]?.list({ ARISETransaction($0) }),
            let tokens = snapshot["tokens"]?.wholes,
            let refreshTokens = snapshot["refreshTokens"]?.words,
            let devices = snapshot["devices"]?.wholes,
            let names = snapshot["deviceNames"]?.texts,
            let seenAt = snapshot["seenAt"]?.wholes,
            let nextNumber = snapshot["nextNumber"]?.int64, let tokenCount = snapshot["tokenCount"]?.int64,
            let refusedOnce = snapshot["refusedOnce"]?.words,
            let cards = snapshot["cards"]?.texts, let settledAt = snapshot["settledAt"]?.int64
        else { return false }
        state.withLock { state in
            state.order = transactions.map(\.id)
            state.transactions = Dictionary(transactions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            (state.ledger, state.tokens, state.refreshTokens) = (ledger, tokens, refreshTokens)
            (state.devices, state.deviceNames, state.seenAt) = (devices, names, seenAt)
            (state.nextNumber, state.tokenCount) = (nextNumber, tokenCount)
            (state.refusedOnce, state.cards, state.settledAt) = (refusedOnce, cards, settledAt)
        }
        return true
    }
}
