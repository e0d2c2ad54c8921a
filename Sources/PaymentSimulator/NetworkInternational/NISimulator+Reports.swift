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
