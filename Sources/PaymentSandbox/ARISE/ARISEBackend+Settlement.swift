internal import PaymentBase
internal import PaymentLinux
internal import PaymentTransport

extension ARISEBackend {
    /// What time alone does: batches close, holds lapse.
    static func pass(_ state: inout State, _ now: Int64) {
        for id in state.order {
            guard var held = state.transactions[id], held.isHeld, now - held.createdAt >= holdMilliseconds
            else { continue }
            held.status = "Voided"
            state.transactions[id] = held
            state.ledger.move(
                LedgerAmount(held.authorized, "USD"), from: .held, to: .cardholder, payment: id, attempt: "",
                cause: "release", at: now)
        }
        if let closed = ARISEZone.last(state.account.settlesAt, before: now), closed > state.settledAt {
            closeBatch(&state, closed)
        }
    }

    /// Settles everything that was charged until a moment.
    static func closeBatch(_ state: inout State, _ moment: Int64) {
        state.settledAt = moment
        let batch = number(&state)
        for id in state.order {
            guard var open = state.transactions[id], open.batch.isEmpty, open.createdAt <= moment,
                open.type != 1
                    || open.status == "Captured"
            else { continue }
            switch open.status {
            case "Captured", "PartiallyAuthorized": open.status = "Settled"
            case "Refunded": break
            default: continue
            }
            open.batch = batch
            // A tip that became smaller is given back.
            if open.lateTip != 0 {
                let (from, to): (Ledger.Account, Ledger.Account) =
                    open.lateTip > 0 ? (.cardholder, .merchant) : (.merchant, .cardholder)
                state.ledger.move(
                    LedgerAmount(abs(open.lateTip), "USD"), from: from, to: to, payment: id, attempt: "", cause: "tip",
                    at: moment)
                open.lateTip = 0
            }
            state.transactions[id] = open
        }
    }

    /// Decides what waits under a label; gives the webhook that tells of it, or nil when nothing does.
    public func decide(_ label: String, succeeds: Bool) -> (headers: [String: String], body: [UInt8])? {
        let now = clock.now
        let event: (kind: String, id: String)? = state.withLock { state in
            let waiting = state.transactions.values.first { $0.waitingLabel == label && !$0.waiting.isEmpty }
            guard var found = waiting else { return nil }
            let (cause, cents) = (found.waiting, found.waitingAmount)
            (found.waiting, found.waitingAmount) = ("", 0)
            defer { state.transactions[found.id] = found }
            switch cause {
            case "capture":
                if succeeds {
                    _ = Self.apply("capture", &found, cents, label, &state, now)
                    return ("captured", found.id)
                }
                (found.status, found.code) = ("Declined", "79")
                return ("failed", found.id)
            case "refund":
                guard var target = state.transactions[found.parent] else { return nil }
                target.refundPending -= cents
                (found.status, found.code) = succeeds ? ("Refunded", "00") : ("Failed", "79")
                if succeeds { Self.give(back: cents, &target, label, &state, now) }
                state.transactions[target.id] = target
                return (succeeds ? "refunded" : "failed", found.id)
            default:
                guard succeeds else {
                    (found.status, found.code) = ("Declined", "79")
                    return ("declined", found.id)
                }
                Self.book(cause, &found, cents, label, &state)
                return (cause == "authorize" ? "authorized" : "captured", found.id)
            }
        }
        return event.map { news($0.kind, $0.id, now) }
    }

    /// What was done fails afterwards: a refund comes back to the merchant, a settled debit goes back to the customer.
    public func failLater(_ label: String) -> (headers: [String: String], body: [UInt8])? {
        let now = clock.now
        if let id = returned(label, now) { return news("failed", id, now, family: "ach") }
        let id: String? = state.withLock { state in
            guard var refund = state.transactions.values.first(where: { $0.label == label && !$0.parent.isEmpty }),
                var target = state.transactions[refund.parent]
            else { return nil }
            (refund.status, refund.code) = ("Failed", "79")
            target.refunded -= refund.price.base
            target.status = "Settled"
            state.transactions[refund.id] = refund
            state.transactions[target.id] = target
            state.ledger.move(
                LedgerAmount(refund.price.base, "USD"), from: .refunded, to: .merchant, payment: target.id,
                attempt: label, cause: "refundFailed", at: now)
            return refund.id
        }
        return id.map { news("failed", $0, now) }
    }

    /// The customer's bank returns a settled debit of which nothing was given back.
    private func returned(_ label: String, _ now: Int64) -> String? {
        state.withLock { state in
            Self.pass(&state, now)
            let settled = state.transactions.values.first { found in
                found.label == label && found.type == 11 && found.status == "Settled" && found.refunded == 0
            }
            guard var debit = settled, debit.refundPending == 0 else { return nil }
            (debit.status, debit.code) = ("Failed", "79")
            state.transactions[debit.id] = debit
            state.ledger.move(
                LedgerAmount(debit.price.total, "USD"), from: .merchant, to: .cardholder, payment: debit.id,
                attempt: label, cause: "returned", at: now)
            return debit.id
        }
    }

    /// A signed message that names a transaction and nothing else.
    public func news(
        _ kind: String, _ id: String, _ now: Int64, family: String = "card"
    ) -> (headers: [String: String], body: [UInt8]) {
        let body: JSON = [
            "id": .string("evt-\(id)-\(kind)"), "type": .string("transaction.\(family).\(kind)"),
            "created": .string(Timestamp(milliseconds: now)?.text() ?? ""), "apiVersion": "v2",
            "data": ["object": ["id": .string(id), "resourceType": "transaction"]],
        ]
        let (bytes, seconds) = (body.bytes(), String(now / 1_000))
        let signed = Array("evt-\(id)-\(kind).\(seconds).".utf8) + bytes
        let code = (try? OpenSSLCrypto().authenticate(.sha256, key: webhookSecret, signed)) ?? []
        return (
            [
                "Flute-Webhook-ID": "evt-\(id)-\(kind)", "Flute-Webhook-Timestamp": seconds,
                "Flute-Webhook-Signature": "v1,\(Base64.standard.encode(code))",
            ], bytes
        )
    }
}
