internal import PaymentBase
internal import PaymentTransport

extension MemoryBackend {
    /// A new payment, as far as it goes without a question.
    static func begin(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let amount = call.amount, !call.attempt.isEmpty, let kind = call.json?["kind"]?.string,
            let source = call.json?["source"]
        else { return .reply(refusal(400, "incomplete", "attempt, kind, amount and source are needed")) }
        let script = TestAmount(minorUnits: amount.minorUnits)
        if script == .losesRequest { return .cutBefore }
        if script == .busyOnce, state.refusedOnce.insert(call.attempt).inserted {
            return .reply(refusal(503, "closed", "come back in a moment"))
        }
        if let wrong = mismatch(source, amount, kind) {
            return .reply(refusal(400, "cardData", wrong))
        }
        if state.payments.count >= paymentsMax {
            return .reply(refusal(503, "full", "no more payments are kept"))
        }
        var payment = Payment()
        payment.amounts = SimulatedPayment(name: number("mp", &state), currency: amount.currency)
        (payment.kind, payment.attempt, payment.createdAt) = (kind, call.attempt, call.now)
        payment.reference = call.json?["reference"]?.string ?? ""
        payment.tip = call.json?["tip"]?["minorUnits"]?.int64 ?? 0
        payment.card = card(source)
        payment.waiting = call.json
        if let read = opaque(source["payment"]?.string), let pin = read["pin"], pin != read["expectedPIN"] {
            return .reply(ok(decline(payment, amount, "55", "wrong PIN", &state)))
        }
        let asked = source["kind"]?.string == "page" ? "needsPage" : question(script, source)
        if let question = asked {
            payment.state = question
            payment.waitsUntil = call.now + questionMilliseconds
            state.payments[payment.id] = payment
            return .reply(ok(asking(payment, question, &state)))
        }
        return decide(payment, amount, script, &state, call.now)
    }

    /// An answer to a question.
    static func go(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        if let asked = state.payments[call["id"]] { expire(asked.attempt, &state, call.now) }
        guard let payment = state.payments[call["id"]], let body = payment.waiting,
            let units = body["amount"]?["minorUnits"]?.int64
        else { return .reply(refusal(409, "notWaiting", "this payment waits for nothing")) }
        let amount = LedgerAmount(units, payment.currency)
        switch payment.state {
        case "needsPIN":
            let read = opaque(call.json?["read"]?["payment"]?.string)
            guard read?["pin"]?.string == read?["expectedPIN"]?.string, read?["pin"]?.string != nil else {
                return .reply(ok(decline(payment, amount, "55", "wrong PIN", &state)))
            }
        case "needsChallenge":
            guard call.json?["result"]?.string == "ok" else {
                return .reply(ok(decline(payment, amount, "1A", "not authenticated", &state)))
            }
        case "needsFields":
            guard call.json?["fields"]?["email"]?.string?.contains("@") == true else {
                return .reply(ok(asking(payment, "needsFields", &state)))
            }
        default: return .reply(refusal(409, "notWaiting", "this payment waits for nothing"))
        }
        return decide(payment, amount, nil, &state, call.now)
    }

    public func visit(page address: String, card number: String) -> Bool {
        let now = clock.now
        return state.withLock { state in
            let id = address.split(separator: "/").last.map(String.init) ?? ""
            guard var payment = state.payments[id], payment.state == "needsPage", now < payment.waitsUntil,
                let units = payment.waiting?["amount"]?["minorUnits"]?.int64
            else { return false }
            let source: JSON = ["kind": "page", "number": .string(number)]
            (payment.card, payment.waiting) = (Self.card(source), payment.waiting?.adding("source", source))
            _ = Self.decide(
                payment, LedgerAmount(units, payment.currency), TestAmount(minorUnits: units), &state, now)
            return true
        }
    }

    /// A question without an answer in time ends the payment.
    static func expire(_ attempt: String, _ state: inout State, _ now: Int64) {
        guard let id = state.answers[attempt]?["id"]?.string, let payment = state.payments[id], payment.waiting != nil,
            state.pending[attempt] == nil, payment.attempt == attempt, now >= payment.waitsUntil
        else { return }
        let units = payment.waiting?["amount"]?["minorUnits"]?.int64 ?? 0
        _ = decline(payment, LedgerAmount(units, payment.currency), "68", "no answer came in time", &state)
    }

    private static func question(_ script: TestAmount?, _ source: JSON) -> String? {
        let kind = source["kind"]?.string
        switch script {
        case .asksPIN where kind == "reader": return "needsPIN"
        case .challenges where kind != "reader": return "needsChallenge"
        case .clarifies where kind != "reader": return "needsFields"
        default: return nil
        }
    }

    /// The card's data must say what the request says.
    private static func mismatch(_ source: JSON, _ amount: LedgerAmount, _ kind: String) -> String? {
        guard source["kind"]?.string == "reader" else { return nil }
        guard let read = opaque(source["payment"]?.string) else { return "the card's data could not be read" }
        guard read["amount"]?.int64 == amount.minorUnits, read["currency"]?.string == amount.currency else {
            return "the card was read for another amount"
        }
        let purpose = kind == "unlinkedRefund" ? "refund" : kind == "verify" ? "verification" : "purchase"
        return read["purpose"]?.string == purpose ? nil : "the card was read for something else"
    }

    static func opaque(_ text: String?) -> JSON? {
        text.flatMap { Base64.standard.decode($0) }.flatMap { try? JSONReader().read($0) }
    }

    private static func number(of source: JSON) -> String? {
        source["number"]?.string ?? opaque(source["payment"]?.string)?["pan"]?.string
    }

    static func card(_ source: JSON) -> JSON {
        guard let number = number(of: source), number.count >= 12 else { return .null }
        let entry = source["kind"]?.string == "reader" ? "contactless" : "keyed"
        return [
            "brand": .string(number.hasPrefix("4") ? "visa" : "mc"), "last4": .string(String(number.suffix(4))),
            "entry": .string(entry),
        ]
    }

    /// With which word it takes a payment that it decides later.
    private static let waiting: [TestAmount?: String] = [
        .pends: "pending", .decidesSoon: "processing", .decidesLate: "processing",
    ]

    /// Declines, pends or approves; moves the money.
    private static func decide(
        _ given: Payment, _ amount: LedgerAmount, _ script: TestAmount?, _ state: inout State, _ now: Int64
    ) -> SimulatorResponse {
        var payment = given
        payment.entry = payment.waiting?["source"]?["kind"]?.string ?? ""
        let number = payment.waiting?["source"].flatMap { Self.number(of: $0) }
        let scripted = number.flatMap { state.cards[$0] }.flatMap { $0 == "00" ? nil : $0 }
        if let code = script?.declineCode ?? scripted {
            return .reply(ok(decline(payment, amount, code, "declined", &state)))
        }
        var moved = amount.minorUnits
        if script == .approvesHalf {
            guard payment.waiting?["partial"]?.bool == true else {
                return .reply(ok(decline(payment, amount, "51", "not enough for all of it", &state)))
            }
            moved /= 2
        }
        if let word = waiting[script] {
            payment.state = word
            state.payments[payment.id] = payment
            state.pending[payment.attempt] = PendingMove(
                payment: payment.id, attempt: payment.attempt, cause: payment.kind, amount: moved)
            state.ripening[payment.attempt] = script.flatMap { workMilliseconds[$0] }.map { now + $0 }
            let reply = report(payment, payment.attempt, word, LedgerAmount(moved, amount.currency))
            state.answers[payment.attempt] = reply
            return .reply(ok(reply))
        }
        let wantsToken = payment.waiting?["save"]?.bool == true || payment.kind == "tokenize"
        let customer = payment.waiting?["customer"]?.string ?? ""
        move(&payment, payment.kind, moved, payment.attempt, &state, now)
        var reply = report(payment, payment.attempt, "approved", LedgerAmount(moved, amount.currency))
        if moved < amount.minorUnits { reply = reply.adding("partial", true) }
        if wantsToken { reply = reply.adding("saved", .string(save(payment, customer, &state))) }
        state.answers[payment.attempt] = reply
        return disturb(script, reply)
    }

    private static func save(_ payment: Payment, _ customer: String, _ state: inout State) -> String {
        let id = number("mi", &state)
        state.saved[customer, default: [:]][id] = payment.card
        return id
    }

    /// An answer as its script leaves it on its way back.
    static func disturb(_ script: TestAmount?, _ reply: JSON) -> SimulatorResponse {
        guard let script else { return .json(reply) }
        return script.disturb(
            reply, broken: .reply(refusal(500, "broken", "something broke")),
            word: { $0.adding("state", "teleported") },
            amount: { ReplyFalsifier.changing(["minorUnits"], in: $0, ReplyFalsifier.larger) })
    }

    /// The one place where a payment's own money moves.
    static func move(
        _ payment: inout Payment, _ kind: String, _ units: Int64, _ attempt: String, _ state: inout State, _ now: Int64
    ) {
        payment.waiting = nil
        payment.state = "approved"
        let reason = SimulatedPayment.Reason(kind, by: attempt, entry: payment.entry, at: now)
        switch kind {
        case "sale", "debit": payment.amounts.charge(units, holds: false, reason, &state.ledger)
        case "authorize": payment.amounts.charge(units, holds: true, reason, &state.ledger)
        case "unlinkedRefund": payment.amounts.move(units, from: .funds, to: .refunded, reason, &state.ledger)
        default: break
        }
        state.payments.keep(payment)
    }

    private static func decline(
        _ given: Payment, _ amount: LedgerAmount, _ code: String, _ message: String, _ state: inout State
    ) -> JSON {
        var payment = given
        payment.state = "declined"
        payment.waiting = nil
        state.payments[payment.id] = payment
        let reply = report(payment, payment.attempt, "declined", amount)
            .adding("code", .string(code)).adding("message", .string(message))
        state.answers[payment.attempt] = reply
        return reply
    }

    private static func asking(_ payment: Payment, _ question: String, _ state: inout State) -> JSON {
        let units = payment.waiting?["amount"]?["minorUnits"]?.int64 ?? 0
        var reply = report(payment, payment.attempt, question, LedgerAmount(units, payment.currency))
        switch question {
        case "needsPIN": reply = reply.adding("pinToken", .string("pin-\(payment.id)"))
        case "needsPage": reply = reply.adding("address", .string("https://memory.example/pages/\(payment.id)"))
        case "needsChallenge": reply = reply.adding("address", .string("https://bank.example/challenge/\(payment.id)"))
        default: reply = reply.adding("fields", ["email"])
        }
        state.answers[payment.attempt] = reply
        return reply
    }

    static func report(_ payment: Payment, _ attempt: String, _ word: String, _ amount: LedgerAmount) -> JSON {
        [
            "id": .string(payment.id), "attempt": .string(attempt), "state": .string(word),
            "amount": ["minorUnits": .number(JSONNumber(amount.minorUnits)), "currency": .string(amount.currency)],
            "code": "00", "message": "", "authorization": .string("A\(payment.id.dropFirst(3))"), "card": payment.card,
        ]
    }
}

extension MemoryBackend {
    /// An operation on a payment.
    static func follow(_ call: SimulatorRequest, _ state: inout State) -> SimulatorResponse {
        guard let payment = state.payments[call["id"]] else {
            return .reply(refusal(404, "unknownPayment", "there is no such payment"))
        }
        guard let amount = call.amount, amount.currency == payment.currency, !call.attempt.isEmpty else {
            return .reply(refusal(400, "incomplete", "attempt and an amount in the payment's currency are needed"))
        }
        let verb = call["verb"]
        let script = TestAmount(minorUnits: amount.minorUnits)
        if script == .losesRequest { return .cutBefore }
        if script == .busyOnce, state.refusedOnce.insert(call.attempt).inserted {
            return .reply(refusal(503, "closed", "come back in a moment"))
        }
        if let refusal = refusal(verb, amount.minorUnits, payment) { return .reply(refusal) }
        if script == .pends, verb == "refund" || verb == "capture" {
            state.pending[call.attempt] = PendingMove(
                payment: payment.id, attempt: call.attempt, cause: verb, amount: amount.minorUnits)
            let reply = report(payment, call.attempt, "pending", amount)
            state.answers[call.attempt] = reply
            return .reply(ok(reply))
        }
        apply(verb, payment, amount.minorUnits, call.attempt, &state, call.now)
        let reply = report(payment, call.attempt, "approved", amount)
            .adding("movement", .string(number("mm", &state)))
        state.answers[call.attempt] = reply
        return disturb(script == .echoesOther ? nil : script, reply)
    }

    private static func refusal(_ verb: String, _ units: Int64, _ payment: Payment) -> HTTPResponse? {
        let isOpen = payment.state == "approved" && !payment.isVoided
        switch verb {
        case "capture":
            if isOpen, units > 0, units <= payment.amounts.held { return nil }
            return refusal(409, "tooMuch", "not that much is held")
        case "refund":
            if isOpen, units > 0, units <= payment.amounts.refundable { return nil }
            return refusal(409, "tooMuch", "not that much was charged")
        case "void":
            if isOpen, payment.amounts.refunded == 0, payment.amounts.held + payment.amounts.captured > 0 { return nil }
            return refusal(409, "notVoidable", "it can't be undone any more")
        case "adjust":
            if isOpen, payment.amounts.captured == 0, payment.amounts.held > 0, units > 0 { return nil }
            return refusal(409, "notAdjustable", "nothing is held that could be changed")
        case "tip": return isOpen ? nil : refusal(409, "notAdjustable", "it is not open")
        default: return refusal(404, "unknownVerb", "there is no such operation")
        }
    }

    private static func apply(
        _ verb: String, _ given: Payment, _ units: Int64, _ attempt: String, _ state: inout State, _ now: Int64
    ) {
        var payment = given
        let reason = SimulatedPayment.Reason(verb, by: attempt, at: now)
        switch verb {
        case "capture": payment.amounts.capture(units, reason, &state.ledger)
        case "refund": payment.amounts.refund(units, reason, &state.ledger)
        case "void":
            payment.amounts.void(reason, &state.ledger)
            payment.isVoided = true
        case "adjust": payment.amounts.adjust(to: units, reason, &state.ledger)
        case "tip":
            let (difference, place) = (
                units - payment.tip, payment.amounts.captured > 0 ? Ledger.Account.merchant : .held
            )
            if difference > 0 { payment.amounts.move(difference, from: .cardholder, to: place, reason, &state.ledger) }
            if difference < 0 { payment.amounts.move(-difference, from: place, to: .cardholder, reason, &state.ledger) }
            payment.tip = units
        default: break
        }
        state.payments.keep(payment)
    }

    /// A webhook, which carries the secret in its head.
    private func message(_ reply: JSON, _ event: String, _ attempt: String, _ now: Int64) -> OutgoingWebhook {
        OutgoingWebhook(
            headers: ["x-memory-secret": webhookSecret.expose()],
            body: reply.adding("at", .whole(now)).adding("event", .string(event)).bytes(), at: now, attempt: attempt)
    }
}

extension MemoryBackend: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value {
        state.withLock { body(&$0.outbox) }
    }

    /// Ends what is pending under a reference; gives the webhook that reports it, or nil when nothing is.
    @discardableResult
    public func decide(_ attempt: String, succeeds: Bool) -> OutgoingWebhook? {
        let now = clock.now
        return state.withLock { state in
            guard let (reply, cause) = Self.end(attempt, succeeds: succeeds, &state, now) else { return nil }
            return state.outbox.deliver(message(reply, cause, attempt, now))
        }
    }

    /// Ends what is pending under a reference, and gives what is answered from then on.
    private static func end(
        _ attempt: String, succeeds: Bool, _ state: inout State, _ now: Int64
    ) -> (reply: JSON, cause: String)? {
        guard let move = state.pending.removeValue(forKey: attempt), var payment = state.payments[move.payment]
        else { return nil }
        state.ripening[attempt] = nil
        let amount = LedgerAmount(move.amount, payment.currency)
        var reply = report(payment, attempt, succeeds ? "approved" : "declined", amount)
        if !succeeds { reply = reply.adding("code", "79").adding("message", "failed at the scheme") }
        if succeeds {
            if payment.attempt == attempt {
                Self.move(&payment, move.cause, move.amount, attempt, &state, now)
            } else {
                apply(move.cause, payment, move.amount, attempt, &state, now)
            }
        }
        state.answers[attempt] = reply
        return (reply, move.cause)
    }

    /// Decides what it was at work on for long enough; only a caller that asks learns it.
    static func ripen(_ state: inout State, _ now: Int64) {
        if state.ripening.isEmpty { return }
        let due = state.ripening.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        for (attempt, at) in due { _ = end(attempt, succeeds: true, &state, at) }
    }

    /// A refund that was done fails afterwards: the money comes back to the merchant.
    public func failLater(_ attempt: String) -> OutgoingWebhook? {
        let now = clock.now
        return state.withLock { state in
            let movements = state.ledger.movements(attempt: attempt)
            guard let movement = movements.first(where: { $0.cause == "refund" }),
                !movements.contains(where: { $0.cause == "refundFailed" }),
                var payment = state.payments[movement.payment]
            else { return nil }
            payment.amounts.move(
                movement.amount.minorUnits, from: .refunded, to: .merchant,
                .init("refundFailed", by: attempt, at: now), &state.ledger)
            state.payments.keep(payment)
            let reply = Self.report(payment, attempt, "declined", movement.amount)
                .adding("code", "79").adding("message", "failed at the scheme")
            state.answers[attempt] = reply
            return state.outbox.deliver(message(reply, "refund", attempt, now))
        }
    }
}

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
