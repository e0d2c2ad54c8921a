internal import PaymentBase
internal import PaymentTransport

extension MemoryBackend {
    /// An operation on a payment.
    static func follow(_ call: SandboxCall, _ state: inout State) -> SandboxAnswer {
        guard let payment = state.payments[call["id"]] else {
            return .reply(refusal(404, "unknownPayment", "there is no such payment"))
        }
        guard let amount = call.amount, amount.currency == payment.currency, !call.attempt.isEmpty else {
            return .reply(refusal(400, "incomplete", "attempt and an amount in the payment's currency are needed"))
        }
        let verb = call["verb"]
        let script = MemoryScript(minorUnits: amount.minorUnits)
        if script == .losesRequest { return .cutBefore }
        if script == .unavailableOnce, state.refusedOnce.insert(call.attempt).inserted {
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
        switch script {
        case .losesReply: return .cutAfter
        case .failsAfter: return .reply(refusal(500, "broken", "something broke"))
        case .saysUnknownWord: return .reply(ok(reply.adding("state", "teleported")))
        default: return .reply(ok(reply))
        }
    }

    private static func refusal(_ verb: String, _ units: Int64, _ payment: Payment) -> HTTPResponse? {
        let isOpen = payment.state == "approved" && !payment.isVoided
        switch verb {
        case "capture":
            if isOpen, units > 0, units <= payment.held { return nil }
            return refusal(409, "tooMuch", "not that much is held")
        case "refund":
            if isOpen, units > 0, units <= payment.captured - payment.refunded { return nil }
            return refusal(409, "tooMuch", "not that much was charged")
        case "void":
            if isOpen, payment.refunded == 0, payment.held + payment.captured > 0 { return nil }
            return refusal(409, "notVoidable", "it can't be undone any more")
        case "adjust":
            if isOpen, payment.captured == 0, payment.held > 0, units > 0 { return nil }
            return refusal(409, "notAdjustable", "nothing is held that could be changed")
        case "tip": return isOpen ? nil : refusal(409, "notAdjustable", "it is not open")
        default: return refusal(404, "unknownVerb", "there is no such operation")
        }
    }

    private static func apply(
        _ verb: String, _ given: Payment, _ units: Int64, _ attempt: String, _ state: inout State, _ now: Int64
    ) {
        var payment = given
        func book(_ from: Ledger.Account, _ to: Ledger.Account, _ units: Int64, _ cause: String) {
            state.ledger.move(
                LedgerAmount(units, payment.currency), from: from, to: to, payment: payment.id, attempt: attempt,
                cause: cause, at: now)
        }
        switch verb {
        case "capture":
            payment.held -= units
            payment.captured += units
            book(.held, .merchant, units, verb)
        case "refund":
            payment.refunded += units
            book(.merchant, .refunded, units, verb)
        case "void":
            book(.held, .cardholder, payment.held, verb)
            book(.merchant, .cardholder, payment.captured, verb)
            (payment.held, payment.captured, payment.isVoided) = (0, 0, true)
        case "adjust":
            let difference = units - payment.held
            if difference > 0 { book(.cardholder, .held, difference, verb) }
            if difference < 0 { book(.held, .cardholder, -difference, verb) }
            payment.held = units
        default: break
        }
        state.payments[payment.id] = payment
    }

    /// Ends what is pending under a reference; gives the webhook that tells of it.
    ///
    /// - Returns: The header fields and the body of the webhook; nil when nothing is pending there.
    @discardableResult
    public func decide(_ attempt: String, succeeds: Bool) -> (headers: [String: String], body: [UInt8])? {
        let now = clock.now
        let reply: JSON? = state.withLock { state in
            guard let move = state.pending.removeValue(forKey: attempt), var payment = state.payments[move.payment]
            else { return nil }
            let amount = LedgerAmount(move.amount, payment.currency)
            var reply = Self.report(payment, attempt, succeeds ? "approved" : "declined", amount)
            if !succeeds { reply = reply.adding("code", "79").adding("message", "failed at the scheme") }
            if succeeds {
                if payment.attempt == attempt {
                    Self.move(&payment, move.cause, move.amount, attempt, &state, now)
                } else {
                    Self.apply(move.cause, payment, move.amount, attempt, &state, now)
                }
            }
            state.answers[attempt] = reply
            return reply.adding("at", .number(JSONNumber(now))).adding("event", .string(move.cause))
        }
        guard let reply else { return nil }
        return (["x-memory-secret": webhookSecret.expose()], reply.bytes())
    }

    /// A refund that was done fails afterwards: the money comes back to the merchant.
    public func failLater(_ attempt: String) -> (headers: [String: String], body: [UInt8])? {
        let now = clock.now
        let reply: JSON? = state.withLock { state in
            guard let movement = state.ledger.movements(attempt: attempt).first(where: { $0.cause == "refund" }),
                var payment = state.payments[movement.payment]
            else { return nil }
            payment.refunded -= movement.amount.minorUnits
            state.payments[payment.id] = payment
            state.ledger.move(
                movement.amount, from: .refunded, to: .merchant, payment: payment.id, attempt: attempt,
                cause: "refundFailed", at: now)
            let reply = Self.report(payment, attempt, "declined", movement.amount)
                .adding("code", "79").adding("message", "failed at the scheme")
            state.answers[attempt] = reply
            return reply.adding("at", .number(JSONNumber(now))).adding("event", "refund")
        }
        guard let reply else { return nil }
        return (["x-memory-secret": webhookSecret.expose()], reply.bytes())
    }
}
