public import PaymentBase

extension NIBackend: CardTable {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension NIBackend: Persistable {
    public func snapshot() -> JSON {
        let state = state.withLock { $0 }
        return [
            "ledger": state.ledger.json, "orders": .array(state.sequence.compactMap { state.orders[$0]?.json }),
            "access": .table(state.access),
            "grants": .table(state.grants) { [.string($0.terminal), .whole($0.expires)] },
            "bound": .table(state.bound), "cards": .table(state.cards),
            "busyOnce": .words(state.busyOnce),
            "nextNumber": .whole(state.nextNumber),
            "settledUntil": .whole(state.settledUntil),
            "tokenCount": .whole(state.tokenCount),
            "readerTokenCount": .whole(state.readerTokenCount),
        ]
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }),
            let orders = snapshot["orders"]?.list({ Order($0) }),
            let access = snapshot["access"]?.wholes, let grants = snapshot["grants"]?.table({ Grant($0) }),
            let bound = snapshot["bound"]?.texts, let cards = snapshot["cards"]?.texts,
            let busyOnce = snapshot["busyOnce"]?.words,
            let nextNumber = snapshot["nextNumber"]?.whole, let tokenCount = snapshot["tokenCount"]?.whole,
            let readerTokenCount = snapshot["readerTokenCount"]?.whole,
            let settledUntil = snapshot["settledUntil"]?.int64
        else { return false }
        var new = State(rules: rules)
        for order in orders {
            new.sequence.append(order.reference)
            new.orders[order.reference] = order
        }
        (new.access, new.grants) = (access, grants)
        (new.ledger, new.bound, new.cards, new.busyOnce) = (ledger, bound, cards, busyOnce)
        (new.nextNumber, new.tokenCount) = (nextNumber, tokenCount)
        (new.readerTokenCount, new.settledUntil) = (readerTokenCount, settledUntil)
        state.withLock { $0 = new }
        return true
    }
}

extension NIBackend.Grant {
    fileprivate init?(_ json: JSON) {
        guard let terminal = json[0]?.string, let expires = json[1]?.int64 else { return nil }
        self.init(terminal: terminal, expires: expires)
    }
}

extension NIBackend.Order {
    fileprivate var json: JSON {
        [
            "reference": .string(reference), "payment": .string(payment), "action": .string(action),
            "currency": .string(currency), "units": .whole(units),
            "createdAt": .whole(createdAt), "terminal": .string(terminal),
            "maskedNumber": .string(maskedNumber), "scheme": .string(scheme), "label": .string(label),
            "state": .string(state), "resultCode": .string(resultCode), "held": .whole(held),
            "captured": .whole(captured), "refunded": .whole(refunded),
            "moves": .array(
                moves.map { move in
                    [
                        .string(move.name), .string(move.kind), .whole(move.units),
                        .whole(move.at), .string(move.state), .string(move.label),
                    ]
                }),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let reference = json["reference"]?.string, let payment = json["payment"]?.string,
            let action = json["action"]?.string, let currency = json["currency"]?.string,
            let units = json["units"]?.int64, let createdAt = json["createdAt"]?.int64,
            let terminal = json["terminal"]?.string, let maskedNumber = json["maskedNumber"]?.string,
            let scheme = json["scheme"]?.string, let label = json["label"]?.string, let state = json["state"]?.string,
            let resultCode = json["resultCode"]?.string, let held = json["held"]?.int64,
            let captured = json["captured"]?.int64, let refunded = json["refunded"]?.int64,
            let moves = json["moves"]?.array
        else { return nil }
        self.init(
            reference: reference, payment: payment, action: action, currency: currency, units: units,
            createdAt: createdAt, terminal: terminal, maskedNumber: maskedNumber, scheme: scheme, label: label,
            state: state, resultCode: resultCode, held: held, captured: captured, refunded: refunded)
        for item in moves {
            guard let name = item[0]?.string, let kind = item[1]?.string, let units = item[2]?.int64,
                let at = item[3]?.int64, let state = item[4]?.string, let label = item[5]?.string
            else { return nil }
            self.moves.append(.init(name: name, kind: kind, units: units, at: at, state: state, label: label))
        }
    }
}
