internal import PaymentBase
internal import PaymentTransport

extension EcommpaySimulator {
    static func masked(_ number: String) -> String {
        number.count < 12 ? "0000" : "\(number.prefix(6))******\(number.suffix(4))"
    }

    static func brand(_ number: String) -> String { number.hasPrefix("4") ? "visa" : "mastercard" }

    static func sum(_ units: Int64, _ currency: String) -> JSON {
        ["amount": .number(JSONNumber(units)), "currency": .string(currency)]
    }

    static func time(_ instant: Int64) -> JSON {
        .string(Timestamp(milliseconds: instant)?.text(.basicOffset) ?? "")
    }

    /// The payment as every message has it; its sum is what could still be given back.
    static func payment(_ payment: Payment, _ operation: Operation?) -> JSON {
        let amounts = payment.amounts
        let first = payment.operations.first?.units ?? 0
        let sum = amounts.captured > 0 ? amounts.refundable : amounts.held > 0 ? amounts.held : first
        let methods = ["applepay": "etoken", "googlepay": "etoken-google"]
        var body: JSON = [
            "id": .string(payment.id), "type": "purchase", "status": .string(payment.status),
            "date": time(payment.operations.last?.at ?? payment.createdAt),
            "method": .string(methods[payment.method] ?? payment.method), "sum": Self.sum(sum, payment.currency),
            "description": "",
        ]
        // A refund's name stands in the payment, whose latest operation it is.
        if let name = (operation ?? payment.operations.last)?.refund, !name.isEmpty {
            body = body.adding("merchant_refund_id", .string(name))
        }
        return payment.waitsFor == "cascade" ? body.adding("cascading_with_redirect", true) : body
    }

    static func operation(_ operation: Operation, _ currency: String) -> JSON {
        let messages = ["0": "Success", "10105": "Insufficient funds on card", "10106": "Card expired"]
        var body: JSON = [
            "id": .number(JSONNumber(operation.id)), "type": .string(operation.type),
            "status": .string(operation.status), "date": time(operation.at), "created_date": time(operation.at),
            "request_id": .string(operation.request), "sum_initial": sum(operation.units, currency),
            "sum_converted": sum(operation.units, currency),
        ]
        if !operation.code.isEmpty {
            body = body.adding("code", .string(operation.code))
                .adding("message", .string(messages[operation.code] ?? "Declined"))
        }
        if operation.status == "success" {
            let auth = String(operation.id % 1_000_000)
            body = body.adding("provider", ["id": 6, "payment_id": "16784511766816", "auth_code": .string(auth)])
        }
        return body
    }

    /// The shape of callbacks: the payment with one operation.
    static func body(_ payment: Payment, _ operation: Operation?, _ state: State) -> JSON {
        var body: JSON = [
            "project_id": .number(JSONNumber(state.rules.project)), "payment": Self.payment(payment, operation),
            "customer": ["id": .string(payment.customer)],
        ]
        for (name, value) in instruments(payment) { body = body.adding(name, value) }
        if let operation { body = body.adding("operation", Self.operation(operation, payment.currency)) }
        return body
    }

    private static func instruments(_ payment: Payment) -> [(String, JSON)] {
        var account: JSON = [
            "number": .string(masked(payment.number)), "type": .string(brand(payment.number)),
            "card_holder": "JOHN DOE", "expiry_month": "12", "expiry_year": "2030",
        ]
        if payment.account > 0 { account = account.adding("id", .number(JSONNumber(payment.account))) }
        var more: [(String, JSON)] = [("account", account)]
        if let id = Int64(payment.registers) {
            more.append(("recurring", ["id": .number(JSONNumber(id)), "status": "active"]))
        }
        if !payment.token.isEmpty { more.append(("token", .string(payment.token))) }
        return more
    }

    /// A payment with all its operations, as the Gate tells of it; one that is not there is not final.
    static func status(_ call: SimulatorRequest, _ state: State) -> JSON {
        let id = call.json?["general"]?["payment_id"]?.string ?? ""
        guard let payment = state.payments[id] else {
            return [
                "project_id": .number(JSONNumber(state.rules.project)),
                "payment": ["id": .string(id), "status": "error"], "operations": [],
                "errors": [["code": 3_061, "message": "Transaction not found"]],
            ]
        }
        let told = body(payment, nil, state)
        var account = told["account"]?.object ?? [:]
        for name in ["id", "expiry_month", "expiry_year"] { account[name] = nil }
        var short = Self.payment(payment, nil).object ?? [:]
        short["cascading_with_redirect"] = nil
        var answer: JSONObject = ["project_id": told["project_id"] ?? .null, "payment": .object(short)]
        answer["customer"] = ["id": .string(payment.customer), "ip_address": .string(address)]
        if !payment.token.isEmpty { account["token"] = .string(payment.token) }
        answer["account"] = .object(account)
        if let id = Int64(payment.registers) { answer["recurring"] = ["id": .whole(id)] }
        if !payment.origin.isEmpty {
            // The published status has the older page alone; the other steps are told by callbacks.
            for (name, step) in asked(payment, nil, payment.origin) where name == "acs" || state.play.showsSteps {
                answer[name] = name == "acs" ? step.without("term_url") : step
            }
        }
        answer["operations"] = .array(payment.operations.map { withoutNothing(operation($0, payment.currency)) })
        return .object(answer)
    }

    /// The Gate names no sum where there is none, as with a verification: its smallest is one.
    private static func withoutNothing(_ operation: JSON) -> JSON {
        guard operation["sum_initial"]?["amount"]?.int64 == 0, var members = operation.object else { return operation }
        (members["sum_initial"], members["sum_converted"]) = (nil, nil)
        return .object(members)
    }

    /// What became of one request.
    static func requestStatus(_ call: SimulatorRequest, _ state: State) -> JSON? {
        let name = call.json?["request_id"]?.string ?? ""
        guard let payment = state.payments.records.named("request \(name)").first,
            let operation = payment.operations.first(where: { $0.request == name })
        else { return nil }
        let whole = payment.operations.first?.units ?? 0
        return [
            "general": [
                "project_id": .whole(state.rules.project), "payment_id": .string(payment.id),
            ],
            "status": .string(operation.status),
            "payment": [
                "id": .string(payment.id), "method": .string(payment.method), "date": time(operation.at),
                "result_code": .string(operation.code.isEmpty ? "0" : operation.code), "result_message": "",
            ], "request_id": .string(name),
            "sum_request": sum(operation.units, payment.currency), "sum_real": sum(whole, payment.currency),
            "operations": [
                [
                    "id": .number(JSONNumber(operation.id)), "type": .string(operation.type),
                    "status": .string(operation.status), "date": time(operation.at),
                    "sum": sum(operation.units, payment.currency),
                ]
            ],
        ]
    }
}
