internal import PaymentBase
internal import PaymentTransport

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

    /// Ends what is pending under a reference; gives the webhook that tells of it, or nil when nothing is.
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

    /// Decides what it was at work on for long enough; nobody is told who doesn't ask.
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
