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
            "answers": .table(state.answers) { $0 },
            "tokens": .table(state.tokens),
            "nextNumber": .whole(state.nextNumber),
            "tokenCount": .whole(state.tokenCount),
            "refusedOnce": .words(state.refusedOnce),
            "saved": .table(state.saved) { .table($0) { $0 } },
            "devices": .table(state.devices),
            "pending": .table(state.pending) { $0.json },
            "cards": .table(state.cards),
        ]
    }

    public func restore(_ snapshot: JSON) -> Bool {
        guard let ledger = snapshot["ledger"].flatMap({ Ledger($0) }),
            let payments = snapshot["payments"]?.list({ Payment($0) }),
            let nextNumber = snapshot["nextNumber"]?.whole, let tokenCount = snapshot["tokenCount"]?.whole,
            let refusedOnce = snapshot["refusedOnce"]?.words,
            let answers = snapshot["answers"]?.table({ $0 }),
            let tokens = snapshot["tokens"]?.wholes,
            let devices = snapshot["devices"]?.texts,
            let cards = snapshot["cards"]?.texts,
            let saved = snapshot["saved"]?.table({ $0.table { $0 } }),
            let pending = snapshot["pending"]?.table({ PendingMove($0) })
        else { return false }
        var new = State(clientSecret: clientSecret)
        for payment in payments {
            new.order.append(payment.id)
            new.payments[payment.id] = payment
        }
        (new.ledger, new.answers, new.tokens, new.devices) = (ledger, answers, tokens, devices)
        (new.cards, new.saved, new.pending, new.refusedOnce) = (cards, saved, pending, refusedOnce)
        (new.nextNumber, new.tokenCount) = (nextNumber, tokenCount)
        state.withLock { $0 = new }
        return true
    }
}

extension MemoryBackend.Payment {
    fileprivate var json: JSON {
        [
            "id": .string(id), "kind": .string(kind), "attempt": .string(attempt), "reference": .string(reference),
            "currency": .string(currency), "createdAt": .whole(createdAt), "state": .string(state),
            "held": .whole(held), "captured": .whole(captured),
            "refunded": .whole(refunded), "isVoided": .bool(isVoided), "card": card,
            "waiting": waiting ?? .null, "waitsUntil": .whole(waitsUntil),
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
            "amount": .whole(amount),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let payment = json["payment"]?.string, let attempt = json["attempt"]?.string,
            let cause = json["cause"]?.string, let amount = json["amount"]?.int64
        else { return nil }
        self.init(payment: payment, attempt: attempt, cause: cause, amount: amount)
    }
}
