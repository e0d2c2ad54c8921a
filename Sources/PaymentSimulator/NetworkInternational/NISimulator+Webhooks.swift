internal import PaymentBase

extension NISimulator: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value {
        state.withLock { body(&$0.outbox) }
    }

    /// Ends what is pending under a label of the books; gives the webhook that tells of it, or nil when nothing is.
    public func decide(_ label: String, succeeds: Bool) -> OutgoingWebhook? {
        change(label) { order, state, now in Self.decide(&order, label, succeeds, &state, now) }
    }

    /// A refund that was done fails afterwards: the money comes back to the merchant.
    public func failLater(_ label: String) -> OutgoingWebhook? {
        change(label) { order, state, now in
            let found = order.moves.firstIndex { $0.label == label && $0.kind == "refund" && $0.state == "SUCCESS" }
            guard let found else { return nil }
            order.moves[found].state = "FAILED"
            order.amounts.move(
                order.moves[found].units, from: .refunded, to: .merchant, .init("refundFailed", by: label, at: now),
                &state.ledger)
            let captured = order.amounts.held == 0 ? "CAPTURED" : "PARTIALLY_CAPTURED"
            let whole = order.action == "AUTH" ? captured : "PURCHASED"
            order.state = order.amounts.refunded == 0 ? whole : "PARTIALLY_REFUNDED"
            return "REFUND_FAILED"
        }
    }

    /// Changes the first order of a label that can be changed, and tells of it under the event's name.
    private func change(
        _ label: String, _ change: (inout Order, inout State, Int64) -> String?
    ) -> OutgoingWebhook? {
        let now = clock.now
        return state.withLock { state in
            for found in state.orders.named(label) {
                var order = found
                guard let event = change(&order, &state, now) else { continue }
                state.orders.keep(order)
                guard let said = told(Self.webhook(event, order, state)) else { return nil }
                let proof = state.play.signsWebhooks ? [Self.webhookHeader: rules.webhookValue.expose()] : [:]
                return state.outbox.deliver(
                    OutgoingWebhook(headers: proof, body: said.bytes(), at: now, attempt: label))
            }
            return nil
        }
    }
}

extension NISimulator {
    private static func decide(
        _ order: inout Order, _ label: String, _ succeeds: Bool, _ state: inout State, _ now: Int64
    ) -> String? {
        if order.label == label, order.state == "PENDING" {
            if succeeds {
                charge(&order, &state, now)
                return order.action == "AUTH" ? "AUTHORISED" : "PURCHASED"
            }
            (order.state, order.resultCode) = ("FAILED", "96")
            return order.action == "AUTH" ? "DECLINED" : "PURCHASE_DECLINED"
        }
        guard let index = order.moves.firstIndex(where: { $0.label == label && $0.state == "REQUESTED" }) else {
            return nil
        }
        let move = order.moves[index]
        order.moves[index].state = succeeds ? "SUCCESS" : "FAILED"
        if succeeds { apply(move.kind, move.units, label, &order, &state, now) }
        let word = move.kind == "capture" ? ("CAPTURED", "CAPTURE_FAILED") : ("REFUNDED", "REFUND_FAILED")
        return succeeds ? word.0 : word.1
    }

    private static func webhook(_ event: String, _ order: Order, _ state: State) -> JSON {
        func listed(_ kind: String) -> JSON {
            .array(
                order.moves.filter { $0.kind == kind }.map { move in
                    [
                        "amount": money(move.units, order.currency), "createdTime": .string(time(move.at)),
                        "state": .string(move.state),
                        "_links": ["self": ["href": .string("https://gateway.example/\(kind)s/\(move.name)")]],
                    ]
                })
        }
        let captures = order.moves.filter { $0.kind == "capture" }.map { move -> JSON in
            [
                "amount": money(move.units, order.currency), "createdTime": .string(move.name),
                "state": .string(move.state),
            ]
        }
        return [
            "outletId": .string(state.rules.outlet), "eventId": .string("\(order.reference)-\(order.moves.count)"),
            "eventName": .string(event),
            "order": [
                "reference": .string(order.reference), "action": .string(order.action),
                "_embedded": [
                    "payment": [
                        [
                            "reference": .string(order.payment), "state": .string(order.state),
                            "_embedded": ["cnp:capture": .array(captures), "cnp:refund": listed("refund")],
                        ]
                    ]
                ],
            ],
        ]
    }
}
