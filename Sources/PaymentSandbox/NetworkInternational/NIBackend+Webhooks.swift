internal import PaymentBase

extension NIBackend {
    /// Ends what is pending under a label of the books; gives the webhook that tells of it.
    ///
    /// - Returns: The header fields and the body; nil when nothing is pending there.
    public func decide(_ label: String, succeeds: Bool) -> (headers: [String: String], body: [UInt8])? {
        let now = clock.now
        let told: JSON? = state.withLock { state in
            for reference in state.sequence {
                guard var order = state.orders[reference] else { continue }
                guard let event = Self.decide(&order, label, succeeds, &state, now) else { continue }
                state.orders[reference] = order
                return Self.webhook(event, order, state)
            }
            return nil
        }
        guard let told else { return nil }
        return ([Self.webhookHeader: rules.webhookValue.expose()], told.bytes())
    }

    /// A refund that was done fails afterwards: the money comes back to the merchant.
    public func failLater(_ label: String) -> (headers: [String: String], body: [UInt8])? {
        let now = clock.now
        let told: JSON? = state.withLock { state in
            for reference in state.sequence {
                guard var order = state.orders[reference],
                    let index = order.moves.firstIndex(where: {
                        $0.label == label && $0.kind == "refund" && $0.state == "SUCCESS"
                    })
                else { continue }
                let units = order.moves[index].units
                order.moves[index].state = "FAILED"
                order.refunded -= units
                let captured = order.held == 0 ? "CAPTURED" : "PARTIALLY_CAPTURED"
                let whole = order.action == "AUTH" ? captured : "PURCHASED"
                order.state = order.refunded == 0 ? whole : "PARTIALLY_REFUNDED"
                Self.book(order, .refunded, .merchant, units, label, "refundFailed", &state, now)
                state.orders[reference] = order
                return Self.webhook("REFUND_FAILED", order, state)
            }
            return nil
        }
        guard let told else { return nil }
        return ([Self.webhookHeader: rules.webhookValue.expose()], told.bytes())
    }

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
