internal import PaymentBase
internal import PaymentTransport

extension MemoryBackend {
    /// What a payment would cost, by tender.
    static func quotes(_ call: SimulatorRequest) -> HTTPResponse {
        guard let amount = call.amount else { return refusal(400, "incomplete", "an amount is needed") }
        let base = amount.minorUnits
        let surcharge = (base * 3 + 50) / 100
        func tender(_ added: Int64) -> JSON {
            [
                "base": .number(JSONNumber(base)), "surcharge": .number(JSONNumber(added)),
                "total": .number(JSONNumber(base + added)),
            ]
        }
        return ok([
            "currency": .string(amount.currency), "cash": tender(0), "bankAccount": tender(0), "debit": tender(0),
            "credit": tender(surcharge),
        ])
    }

    static func devices(_ state: State) -> HTTPResponse {
        ok(["devices": .array(state.devices.sorted { $0.key < $1.key }.map { device($0.key, $0.value) })])
    }

    static func device(_ id: String, _ state: State) -> HTTPResponse {
        guard let word = state.devices[id] else { return refusal(404, "unknownDevice", "there is no such device") }
        return ok(device(id, word))
    }

    private static func device(_ id: String, _ word: String) -> JSON { ["id": .string(id), "state": .string(word)] }

    static func instruments(_ customer: String, _ state: State) -> HTTPResponse {
        let kept = (state.saved[customer] ?? [:]).sorted { $0.key < $1.key }
        let list: [JSON] = kept.map { id, card in ["id": .string(id), "card": card] }
        return ok(["instruments": .array(list)])
    }

    static func details(_ id: String, _ state: State) -> HTTPResponse {
        guard let payment = state.payments[id] else {
            return refusal(404, "unknownPayment", "there is no such payment")
        }
        return ok(details(payment))
    }

    private static func details(_ payment: Payment) -> JSON {
        [
            "id": .string(payment.id), "kind": .string(payment.kind), "state": .string(payment.state),
            "reference": .string(payment.reference), "attempt": .string(payment.attempt),
            "currency": .string(payment.currency), "at": .number(JSONNumber(payment.createdAt)),
            "held": .number(JSONNumber(payment.amounts.held)),
            "captured": .number(JSONNumber(payment.amounts.captured)),
            "refunded": .number(JSONNumber(payment.amounts.refunded)), "voided": .bool(payment.isVoided),
            "card": payment.card,
        ]
    }

    static func list(_ call: SimulatorRequest, _ state: State) -> HTTPResponse {
        let (start, limit) = call.part(from: "cursor")
        let name = call.query("reference").map { "reference \($0)" }
        let (page, count) = (state.payments.page(start, limit, named: name), state.payments.count(named: name))
        var body: JSON = ["items": .array(page.map { details($0) }), "total": .whole(count)]
        if start + limit < count { body = body.adding("next", .string(String(start + limit))) }
        return ok(body)
    }
}
