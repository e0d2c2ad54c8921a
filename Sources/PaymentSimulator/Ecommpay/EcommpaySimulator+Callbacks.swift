internal import PaymentBase
internal import PaymentTransport

extension EcommpaySimulator {
    /// Writes down the callbacks of payments that have changed.
    static func note(_ state: inout State, _ now: Int64) {
        let changed = state.payments.changed.sorted()
        state.payments.changed = []
        for id in changed {
            guard let payment = state.payments[id] else { continue }
            let print = print(of: payment)
            if state.told.updateValue(print, forKey: id) == print { continue }
            let operation = payment.operations.last
            let isStep = !payment.origin.isEmpty && !payment.waitsFor.isEmpty
            let message = isStep ? step(payment, state) : body(payment, operation, state)
            tell(message, about: operation?.label ?? id, &state, now)
        }
    }

    /// What a payment's callback says, in short: the same is not sent twice.
    private static func print(of payment: Payment) -> String {
        let operation = payment.operations.last
        let words = [payment.status, payment.waitsFor, operation?.type, operation?.status]
        // What the Gate asks once more has another end.
        let end = payment.origin.isEmpty ? 0 : payment.waitsUntil
        return words.map { $0 ?? "" }.joined(separator: "/") + "/\(payment.operations.count)/\(end)"
    }

    /// Adds a callback, signed.
    static func tell(_ message: JSON, about label: String, _ state: inout State, _ now: Int64) {
        for told in state.play.callbacks(message) {
            state.outbox.add(OutgoingWebhook(body: state.seal.sign(told).bytes(), at: now, attempt: label))
        }
    }
}

extension EcommpaySimulator: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value {
        let now = clock.now
        return state.withLock { state in
            Self.expire(&state, now)
            Self.note(&state, now)
            return body(&state.outbox)
        }
    }

    public var nextDue: Int64? { state.withLock { $0.payments.nextDue() } }

    /// The provider's own schedule; anything but `200 OK` is tried again.
    public var schedule: DeliverySchedule {
        DeliverySchedule(accepted: 200...200) { EcommpayRetries.milliseconds(after: $0) }
    }

    /// Decides what is pending under a label of the books; gives the callback that reports it, or nil when nothing is.
    public func decide(_ label: String, succeeds: Bool) -> OutgoingWebhook? {
        change(label, "external processing") { payment, index, state, now in
            let operation = payment.operations[index]
            if index == 0 || operation.status == "processing" {
                payment.operations[index].status = "processing"
                state.payments[payment.id] = payment
                succeeds
                    ? Self.decide(payment.id, nil, &state, now) : Self.decline(payment.id, "10100", &state)
                payment = state.payments[payment.id] ?? payment
                return
            }
            payment.operations[index].status = succeeds ? "success" : "decline"
            payment.operations[index].code = succeeds ? "0" : "3028"
            guard succeeds else { return }
            if operation.type == "capture" {
                Self.take(&payment, operation.units, label, &state, now)
            } else {
                Self.bookRefund(&payment, operation.units, operation.type == "reversal", label, &state, now)
            }
        }
    }

    /// A refund that was done comes back: the money is the merchant's again.
    public func failLater(_ label: String) -> OutgoingWebhook? {
        change(label, "success") { payment, index, state, now in
            let refund = payment.operations[index]
            let hasFailed = payment.operations.contains { $0.type == "refund reverse" && $0.refund == refund.refund }
            guard !refund.refund.isEmpty, !hasFailed else { return }
            payment.operations.append(
                Operation(
                    id: Self.number(&state), type: "refund reverse", status: "success", units: refund.units,
                    request: refund.request, at: now, refund: refund.refund, code: "0", label: label))
            payment.amounts.takeBack(
                refund.units, isReversal: refund.type == "reversal", .init("refund reverse", by: label, at: now),
                &state.ledger)
            payment.status = payment.amounts.refunded == 0 ? "success" : "partially refunded"
        }
    }

    private func change(
        _ label: String, _ status: String, _ apply: (inout Payment, Int, inout State, Int64) -> Void
    ) -> OutgoingWebhook? {
        let now = clock.now
        defer { changed(now) }
        return state.withLock { state in
            for found in state.payments.records.named("label \(label)") {
                var payment = found
                let index = payment.operations.firstIndex {
                    $0.label == label && ($0.status == status || Self.isPending(payment, $0, status))
                }
                guard let index else { continue }
                let count = payment.operations.count
                apply(&payment, index, &state, now)
                state.payments[payment.id] = payment
                // It is reported here, and not once more when everything that has changed is.
                state.told[payment.id] = Self.print(of: payment)
                let told = payment.operations.count > count ? payment.operations.count - 1 : index
                Self.tell(Self.body(payment, payment.operations[told], state), about: label, &state, now)
                return state.outbox.handOverLast()
            }
            return nil
        }
    }

    private static func isPending(_ payment: Payment, _ operation: Operation, _ status: String) -> Bool {
        let isUnderWay = payment.status == "processing" && payment.waitsFor.isEmpty && status == "external processing"
        return (payment.status == status || isUnderWay) && operation.status == "processing"
    }
}

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

    /// The payment as every message has it; its sum is what could still be refunded.
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
        // A refund's name is in the payment, whose latest operation it is.
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

    /// A payment with all its operations, as the Gate reports it; one that is not there is not final.
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
            // The published status has the older page alone; the other steps come by callbacks.
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
        if let id = state.unregistered[name] {
            return [
                "general": ["project_id": .whole(state.rules.project), "payment_id": .string(id)], "status": "error",
                "request_id": .string(name), "operations": [],
                "errors": [["code": 2_004, "message": "Required field not provided"]],
            ]
        }
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

extension EcommpaySimulator {
    /// The path under which a session is listened to.
    private static let eventsPath = "/msdk/v1/events"

    /// Opens a line that pushes the state of a payment whenever that changes; nil for other requests.
    func events(_ request: HTTPRequest) -> SimulatorResponse? {
        let parts = request.target.split(separator: "?", maxSplits: 1)
        guard request.method == "GET", parts.first.map({ $0 == Self.eventsPath }) ?? false else { return nil }
        let query = FormEncoding.decode(parts.count > 1 ? String(parts[1]) : "") ?? []
        let name = query.first { $0.name == "sid" }?.value ?? ""
        let now = clock.now
        guard state.withLock({ ($0.sessions[name]?.expires ?? 0) > now }) else {
            return .reply(refusal(.accessRefused))
        }
        let origin = request.origin
        return .upgrade { [self] line in await push(name, origin, over: line) }
    }

    private func push(_ name: String, _ origin: Origin, over line: any WebSocketConnection) async {
        let isOver = Locked(false)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while (try? await line.receive()) != nil {}
                isOver.withLock { $0 = true }
                changed(clock.now)
            }
            var last: JSON?
            while !isOver.withLock({ $0 }) {
                let change = bell.withLock { $0 }
                let (report, ripensAt) = look(name, origin)
                if let ripensAt {
                    group.addTask { [self] in
                        try? await clock.sleep(until: ripensAt)
                        changed(clock.now)
                    }
                }
                if let report, report != last {
                    last = report
                    guard (try? await line.send(String(decoding: report.bytes(), as: UTF8.self))) != nil else { break }
                }
                await change.value()
            }
            group.cancelAll()
            await line.close()
        }
    }

    /// The state of the payment of a session, and when it will be decided on its own.
    private func look(_ name: String, _ origin: Origin) -> (report: JSON?, ripensAt: Int64?) {
        let now = clock.now
        return state.withLock { state in
            Self.expire(&state, now)
            guard let session = state.sessions[name], let payment = state.payments[session.payment] else {
                return (nil, nil)
            }
            return (Self.standing(payment, session, state, origin), payment.isRipening ? payment.ripensAt : nil)
        }
    }
}

/// How long the provider waits before it sends a callback again.
enum EcommpayRetries {
    /// How often it tries at all.
    static let triesMax = 120
    /// The first tries follow each other by this, in milliseconds.
    private static let firstMilliseconds: Int64 = 10_000
    private static let firstTries = 6
    /// The longest time between two tries, in milliseconds: four hours.
    static let longestMilliseconds: Int64 = 4 * 3_600_000

    /// The time after so many tries; nil when it was the last one.
    static func milliseconds(after tries: Int) -> Int64? {
        guard tries < triesMax else { return nil }
        if tries <= firstTries { return firstMilliseconds }
        // 70 s and 10 s that grow by twelve in a hundred with each try.
        var growing: Int64 = 10_000
        for _ in 4..<tries {
            growing = growing * 112 / 100
            if growing > longestMilliseconds { return longestMilliseconds }
        }
        return min(70_000 + growing, longestMilliseconds)
    }
}
