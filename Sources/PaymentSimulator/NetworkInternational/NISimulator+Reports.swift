internal import PaymentBase
internal import PaymentTransport

extension NISimulator {
    /// The currencies without decimals, those with three and those with four; all others have two.
    private static let decimals: [String: Int] = {
        var decimals: [String: Int] = ["CLF": 4, "UYW": 4]
        for code in [
            "JPY", "KRW", "VND", "CLP", "ISK", "UGX", "XOF", "XAF", "XPF", "RWF", "BIF", "DJF", "GNF", "KMF", "PYG",
            "VUV", "UYI",
        ] {
            decimals[code] = 0
        }
        for code in ["KWD", "BHD", "OMR", "JOD", "IQD", "LYD", "TND"] { decimals[code] = 3 }
        return decimals
    }()

    /// An amount in major units, as only the report of payments writes it.
    private static func major(_ units: Int64, _ currency: String) -> String {
        JSONNumber(units: units, places: decimals[currency] ?? 2).text
    }

    /// The payments of the merchant, the newest first.
    static func list(_ call: SimulatorRequest, _ state: State) -> JSON {
        let (offset, limit) = call.part(from: "offset")
        let page = state.orders.page(offset, limit)
        return ["items": .array(page.map(item))]
    }

    private static func item(_ order: Order) -> JSON {
        let status = order.state == "FAILED" ? "FAILED" : order.state == "PENDING" ? "PENDING" : "SUCCESS"
        return [
            "reference": .string(order.reference),
            "createdDateTime": .string(Timestamp(milliseconds: order.createdAt)?.text(.seconds) ?? ""),
            "action": .string(order.action), "currencyCode": .string(order.currency),
            "amount": .string(major(order.units, order.currency)),
            "refundedAmount": order.amounts.refunded == 0
                ? .null : .string(major(order.amounts.refunded, order.currency)),
            "status": .string(status), "channel": "SoftPOS", "outletName": "Testuser",
            "cardScheme": .string(order.scheme), "cardholderName": "John Doe",
            "cardPan": .string("**** **** **** \(order.maskedNumber.suffix(4))"),
            "lastEvent": .string(order.state), "rrn": .string(String(order.payment.suffix(8))),
            "authCode": .string(String(order.payment.suffix(6))),
        ]
    }

    static func details(_ order: Order, _ state: State) -> JSON {
        func info(_ units: Int64) -> JSON {
            money(units, order.currency)
                .adding("minorUnit", .number(JSONNumber(Int64(decimals[order.currency] ?? 2))))
        }
        let isUndone = ["REVERSED", "FAILED", "PENDING"].contains(order.state)
        let authorised = isUndone ? 0 : order.units
        return [
            "reference": .string(order.reference), "action": .string(order.action),
            "amount": money(order.units, order.currency)
                .adding("formattedValue", .string(order.currency + major(order.units, order.currency))),
            "status": isUndone ? "CLOSED" : "OPEN", "channel": "SoftPOS",
            "createDateTime": .string(time(order.createdAt)), "outletId": .string(state.rules.outlet),
            "outletName": "Testuser",
            "device": [
                "reference": "cd516042-59dc-4951-aa06-6275a2a38434", "code": "000C69", "name": "iPhoneX",
            ],
            "tid": .string(order.terminal),
            "paymentCards": [
                [
                    "expiry": "2030-12", "cardholderName": "Test Card", "paymentMethod": .string(order.scheme),
                    "paymentReference": .string(order.payment), "cardScheme": .string(order.scheme),
                    "paymentCurrency": .string(order.currency), "paymentAmount": .number(JSONNumber(order.units)),
                    "maskedPanNumber": .string(order.maskedNumber),
                ]
            ],
            "paymentInfo": [
                "authorised": info(authorised), "refunded": info(order.amounts.refunded),
                "captured": info(order.amounts.captured),
                "net": info(order.amounts.captured - order.amounts.refunded),
                "pending": info(max(0, order.amounts.held)),
            ],
            "captureStatus": .string(order.state),
            "capturesNRefunds": .array(order.moves.filter { $0.kind != "void" }.map { event($0, order) }),
            "_embedded": ["events": .array([log(order)])],
        ]
    }

    private static func event(_ move: Move, _ order: Order) -> JSON {
        let word = move.kind == "capture" ? "CAPTURE" : "REFUND"
        let done = move.kind == "capture" ? "CAPTURED" : "REFUNDED"
        let isWhole = move.units == order.units
        return [
            "eventGroupType": .string(isWhole ? word : "PARTIAL_\(word)"),
            "eventName": .string(isWhole ? done : "PARTIALLY_\(done)"), "status": .string(move.state),
            "timestamp": .string(move.kind == "capture" ? move.name : time(move.at)),
            "payload": [
                "reference": .string(move.kind == "capture" ? order.reference : move.name),
                "amount": money(move.units, order.currency), "paymentProcessor": "MPGS",
            ],
            "action": .string("VOID_\(word)"),
        ]
    }

    private static func log(_ order: Order) -> JSON {
        let name = order.state == "FAILED" ? "PURCHASE_DECLINED" : order.state
        return [
            "eventName": .string(name), "timestamp": .string(time(order.createdAt)),
            "payload": [
                "resultCode": .string(order.resultCode),
                "resultMessage": order.resultCode == "00" ? "Successful approval/completion" : "Declined",
            ],
        ]
    }
}

extension NISimulator: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value {
        state.withLock { body(&$0.outbox) }
    }

    /// Ends what is pending under a label of the books; gives the webhook that reports it, or nil when nothing is.
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

    /// Changes the first order of a label that can be changed, and reports it under the event's name.
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
