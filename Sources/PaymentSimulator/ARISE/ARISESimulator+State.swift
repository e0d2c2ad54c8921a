public import PaymentBase

extension ARISESimulator: TestCardProvider {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension ARISESimulator: StatefulProvider {
    public func snapshot() -> JSON { state.withLock { $0 }.kept }

    public func restore(_ snapshot: JSON) -> Bool {
        let account = state.withLock { $0.account }
        var fresh = State(settledAt: clock.now, account: account, clientSecret: clientSecret)
        guard fresh.read(snapshot) else { return false }
        fresh.unsettled = fresh.transactions.oldestFirst.filter(\.batch.isEmpty).map(\.id)
        state.withLock { [fresh] in $0 = fresh }
        return true
    }
}
