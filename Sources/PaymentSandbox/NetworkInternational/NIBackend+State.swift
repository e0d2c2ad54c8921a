public import PaymentBase

extension NIBackend: CardTable {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension NIBackend: Persistable {
    public func snapshot() -> JSON {
        let state = state.withLock { $0 }
        func words(_ values: [String: String]) -> JSON {
            .array(values.sorted { $0.key < $1.key }.map { [.string($0.key), .string($0.value)] })
        }
        return [
            "ledger": state.ledger.json, "orders": .array(state.sequence.compactMap { state.orders[$0]?.json }),
            "access": .array(
                state.access.sorted { $0.key < $1.key }.map { [.string($0.key), .number(JSONNumber($0.value))] }),
            "grants": .array(
                state.grants.sorted { $0.key < $1.key }.map {
                    [.string($0.key), .string($0.value.terminal), .number(JSONNumber($0.value.expires))]
                }),
            "bound": words(state.bound), "cards": words(state.cards),
            "busyOnce": .array(state.busyOnce.sorted().map(JSON.string)),
            "nextNumber": .number(JSONNumber(Int64(state.nextNumber))),
            "settledUntil": .number(JSONNumber(state.settledUntil)),
            "tokenCount": .number(JSONNumber(Int64(state.tokenCount))),
            "readerTokenCount": .number(JSONNumber(Int64(state.readerTokenCount))),
        ]
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }), let orders = snapshot["orders"]?.array,
            let access = snapshot["access"]?.array, let grants = snapshot["grants"]?.array,
            let bound = Self.words(snapshot["bound"]), let cards = Self.words(snapshot["cards"]),
            let busyOnce = snapshot["busyOnce"]?.array?.compactMap(\.string),
            let nextNumber = snapshot["nextNumber"]?.int64, let tokenCount = snapshot["tokenCount"]?.int64,
            let readerTokenCount = snapshot["readerTokenCount"]?.int64,
            let settledUntil = snapshot["settledUntil"]?.int64
        else { return false }
        var new = State(rules: rules)
        for json in orders {
            guard let order = Order(json) else { return false }
            new.sequence.append(order.reference)
            new.orders[order.reference] = order
        }
        for item in access {
            guard let token = item[0]?.string, let expires = item[1]?.int64 else { return false }
            new.access[token] = expires
        }
        for item in grants {
            guard let token = item[0]?.string, let terminal = item[1]?.string, let expires = item[2]?.int64 else {
                return false
            }
            new.grants[token] = Grant(terminal: terminal, expires: expires)
        }
        (new.ledger, new.bound, new.cards, new.busyOnce) = (ledger, bound, cards, Set(busyOnce))
        (new.nextNumber, new.tokenCount) = (Int(nextNumber), Int(tokenCount))
        (new.readerTokenCount, new.settledUntil) = (Int(readerTokenCount), settledUntil)
        state.withLock { $0 = new }
        return true
    }

    private static func words(_ json: JSON?) -> [String: String]? {
        guard let items = json?.array else { return nil }
        var words: [String: String] = [:]
        for item in items {
            guard let key = item[0]?.string, let value = item[1]?.string else { return nil }
            words[key] = value
        }
        return words
    }
}

extension NIBackend.Order {
    fileprivate var json: JSON {
        [
            "reference": .string(reference), "payment": .string(payment), "action": .string(action),
            "currency": .string(currency), "units": .number(JSONNumber(units)),
            "createdAt": .number(JSONNumber(createdAt)), "terminal": .string(terminal),
            "maskedNumber": .string(maskedNumber), "scheme": .string(scheme), "label": .string(label),
            "state": .string(state), "resultCode": .string(resultCode), "held": .number(JSONNumber(held)),
            "captured": .number(JSONNumber(captured)), "refunded": .number(JSONNumber(refunded)),
            "moves": .array(
                moves.map { move in
                    [
                        .string(move.name), .string(move.kind), .number(JSONNumber(move.units)),
                        .number(JSONNumber(move.at)), .string(move.state), .string(move.label),
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
