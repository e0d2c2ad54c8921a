public import PaymentBase

extension MemoryBackend: CardTable {
    public var cards: [String: String] { state.withLock { $0.cards } }

    public func setCards(_ cards: [String: String]) { state.withLock { $0.cards = cards } }
}

extension MemoryBackend: Persistable {
    public func snapshot() -> JSON {
        let state = state.withLock { $0 }
        return [
            "ledger": state.ledger.json,
            "payments": .array(state.order.compactMap { state.payments[$0]?.json }),
            "answers": Self.object(state.answers) { $0 },
            "tokens": Self.object(state.tokens) { .number(JSONNumber($0)) },
            "nextNumber": .number(JSONNumber(Int64(state.nextNumber))),
            "tokenCount": .number(JSONNumber(Int64(state.tokenCount))),
            "refusedOnce": .array(state.refusedOnce.sorted().map(JSON.string)),
            "saved": Self.object(state.saved) { Self.object($0) { $0 } },
            "devices": Self.object(state.devices) { .string($0) },
            "pending": Self.object(state.pending) { $0.json },
            "cards": Self.object(state.cards) { .string($0) },
        ]
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }), let payments = snapshot["payments"]?.array,
            let nextNumber = snapshot["nextNumber"]?.int64, let tokenCount = snapshot["tokenCount"]?.int64,
            let refusedOnce = snapshot["refusedOnce"]?.array?.compactMap(\.string),
            let answers = Self.dictionary(snapshot["answers"], { $0 }),
            let tokens = Self.dictionary(snapshot["tokens"], { $0.int64 }),
            let devices = Self.dictionary(snapshot["devices"], { $0.string }),
            let cards = Self.dictionary(snapshot["cards"], { $0.string }),
            let saved = Self.dictionary(snapshot["saved"], { Self.dictionary($0) { $0 } }),
            let pending = Self.dictionary(snapshot["pending"], { PendingMove($0) })
        else { return false }
        var new = State(clientSecret: clientSecret)
        for json in payments {
            guard let payment = Payment(json) else { return false }
            new.order.append(payment.id)
            new.payments[payment.id] = payment
        }
        (new.ledger, new.answers, new.tokens, new.devices) = (ledger, answers, tokens, devices)
        (new.cards, new.saved, new.pending, new.refusedOnce) = (cards, saved, pending, Set(refusedOnce))
        (new.nextNumber, new.tokenCount) = (Int(nextNumber), Int(tokenCount))
        state.withLock { $0 = new }
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

extension MemoryBackend.Payment {
    fileprivate var json: JSON {
        [
            "id": .string(id), "kind": .string(kind), "attempt": .string(attempt), "reference": .string(reference),
            "currency": .string(currency), "createdAt": .number(JSONNumber(createdAt)), "state": .string(state),
            "held": .number(JSONNumber(held)), "captured": .number(JSONNumber(captured)),
            "refunded": .number(JSONNumber(refunded)), "isVoided": .bool(isVoided), "card": card,
            "waiting": waiting ?? .null, "waitsUntil": .number(JSONNumber(waitsUntil)),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string, let kind = json["kind"]?.string, let attempt = json["attempt"]?.string,
            let reference = json["reference"]?.string, let currency = json["currency"]?.string,
            let createdAt = json["createdAt"]?.int64, let state = json["state"]?.string,
            let held = json["held"]?.int64, let captured = json["captured"]?.int64,
            let refunded = json["refunded"]?.int64, let isVoided = json["isVoided"]?.bool,
            let waitsUntil = json["waitsUntil"]?.int64
        else { return nil }
        self.init(
            id: id, kind: kind, attempt: attempt, reference: reference, currency: currency, createdAt: createdAt,
            state: state, held: held, captured: captured, refunded: refunded, isVoided: isVoided,
            card: json["card"] ?? .null, waitsUntil: waitsUntil)
        if let waiting = json["waiting"], !waiting.isNull { self.waiting = waiting }
    }
}

extension MemoryBackend.PendingMove {
    fileprivate var json: JSON {
        [
            "payment": .string(payment), "attempt": .string(attempt), "cause": .string(cause),
            "amount": .number(JSONNumber(amount)),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let payment = json["payment"]?.string, let attempt = json["attempt"]?.string,
            let cause = json["cause"]?.string, let amount = json["amount"]?.int64
        else { return nil }
        self.init(payment: payment, attempt: attempt, cause: cause, amount: amount)
    }
}
