internal import PaymentBase
internal import PaymentTransport

extension MemoryBackend {
    /// Everything that moves no money.
    func office(_ call: MemoryCall, _ state: inout State, _ now: Int64) -> HTTPResponse {
        switch (call.method, call.path.first, call.path.count) {
        case ("POST", "reader", 2): return Self.ok(["token": "reader-token"])
        case ("POST", "quotes", 1): return quotes(call)
        case ("GET", "settings", 1):
            return Self.ok(["company": "Memory Ltd", "currencies": ["EUR", "USD"], "tips": true])
        case ("GET", "permissions", 1): return Self.ok(["permissions": ["sale", "refund", "list"]])
        case ("GET", "devices", _): return devices(call, state)
        case ("PUT", "devices", 2):
            state.devices[call.path[1]] = call.body?["state"]?.string ?? "active"
            return Self.ok(["id": .string(call.path[1]), "state": "active"])
        case ("DELETE", "terminals", 2): return HTTPResponse(204)
        case ("GET", "customers", 3): return instruments(call.path[1], state)
        case ("DELETE", "customers", 4):
            state.saved[call.path[1]]?[call.path[3]] = nil
            return HTTPResponse(204)
        default: return Self.refusal(404, "unknownPath", "there is nothing here")
        }
    }

    private func quotes(_ call: MemoryCall) -> HTTPResponse {
        guard let amount = call.amount else { return Self.refusal(400, "incomplete", "an amount is needed") }
        let surcharge = (amount.minorUnits * 3 + 50) / 100
        func tender(_ added: Int64) -> JSON {
            [
                "base": .number(JSONNumber(amount.minorUnits)), "surcharge": .number(JSONNumber(added)),
                "total": .number(JSONNumber(amount.minorUnits + added)),
            ]
        }
        return Self.ok([
            "currency": .string(amount.currency), "cash": tender(0), "bankAccount": tender(0), "debit": tender(0),
            "credit": tender(surcharge),
        ])
    }

    private func devices(_ call: MemoryCall, _ state: State) -> HTTPResponse {
        func device(_ id: String, _ word: String) -> JSON { ["id": .string(id), "state": .string(word)] }
        if call.path.count == 1 {
            return Self.ok([
                "devices": .array(state.devices.sorted { $0.key < $1.key }.map { device($0.key, $0.value) })
            ])
        }
        guard let word = state.devices[call.path[1]] else {
            return Self.refusal(404, "unknownDevice", "there is no such device")
        }
        return Self.ok(device(call.path[1], word))
    }

    private func instruments(_ customer: String, _ state: State) -> HTTPResponse {
        let kept = (state.saved[customer] ?? [:]).sorted { $0.key < $1.key }
        let list: [JSON] = kept.map { id, card in ["id": .string(id), "card": card] }
        return Self.ok(["instruments": .array(list)])
    }

    func details(_ id: String, _ state: State) -> HTTPResponse {
        guard let payment = state.payments[id] else {
            return Self.refusal(404, "unknownPayment", "there is no such payment")
        }
        return Self.ok(Self.details(payment))
    }

    private static func details(_ payment: Payment) -> JSON {
        [
            "id": .string(payment.id), "kind": .string(payment.kind), "state": .string(payment.state),
            "reference": .string(payment.reference), "attempt": .string(payment.attempt),
            "currency": .string(payment.currency), "at": .number(JSONNumber(payment.createdAt)),
            "held": .number(JSONNumber(payment.held)), "captured": .number(JSONNumber(payment.captured)),
            "refunded": .number(JSONNumber(payment.refunded)), "voided": .bool(payment.isVoided), "card": payment.card,
        ]
    }

    func list(_ call: MemoryCall, _ state: State) -> HTTPResponse {
        let limit = min(100, max(1, call.query["limit"].flatMap { Int($0) } ?? 20))
        let start = max(0, call.query["cursor"].flatMap { Int($0) } ?? 0)
        var ids = Array(state.order.reversed())
        if let reference = call.query["reference"] {
            ids = ids.filter { state.payments[$0]?.reference == reference }
        }
        let page = ids.dropFirst(start).prefix(limit).compactMap { state.payments[$0] }
        var body: JSON = ["items": .array(page.map(Self.details)), "total": .number(JSONNumber(Int64(ids.count)))]
        if start + limit < ids.count { body = body.adding("next", .string(String(start + limit))) }
        return Self.ok(body)
    }
}
