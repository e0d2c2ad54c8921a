internal import PaymentBase
internal import PaymentLinux
internal import PaymentTransport

extension ARISESimulator {
    /// What time alone does: batches close, holds lapse.
    static func pass(_ state: inout State, _ now: Int64) {
        while var held = state.transactions.takeDue(by: now)?.value {
            held.status = "Voided"
            state.transactions.keep(held)
            state.ledger.move(
                LedgerAmount(held.authorized, "USD"), from: .held, to: .cardholder, payment: held.id, attempt: "",
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
        var left: [String] = []
        for id in state.unsettled {
            guard var open = state.transactions[id], open.canSettle else { continue }
            guard open.settles, open.createdAt <= moment else {
                left.append(id)
                continue
            }
            if open.status != "Refunded" { open.status = "Settled" }
            open.batch = batch
            state.transactions.keep(open)
        }
        state.unsettled = left
    }
}

extension ARISESimulator: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value {
        state.withLock { body(&$0.outbox) }
    }

    /// Decides what waits under a label; gives the webhook that reports it, or nil when nothing does.
    public func decide(_ label: String, succeeds: Bool) -> OutgoingWebhook? {
        let now = clock.now
        let event: (kind: String, id: String)? = state.withLock { state in
            let waiting = state.transactions.named("label \(label)")
                .first { $0.waitingLabel == label && !$0.waiting.isEmpty }
            guard var found = waiting else { return nil }
            let (cause, cents) = (found.waiting, found.waitingAmount)
            (found.waiting, found.waitingAmount) = ("", 0)
            defer { state.transactions.keep(found) }
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
                state.transactions.keep(target)
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
        return event.map { tell($0.kind, $0.id, now, label) }
    }

    /// What was done fails afterwards: a refund comes back to the merchant, a settled debit goes back to the customer.
    public func failLater(_ label: String) -> OutgoingWebhook? {
        let now = clock.now
        if let id = returned(label, now) { return tell("failed", id, now, label, family: "ach") }
        let id: String? = state.withLock { state in
            let labelled = state.transactions.named("label \(label)")
            guard var refund = labelled.first(where: { $0.label == label && !$0.parent.isEmpty }),
                refund.status != "Failed",
                var target = state.transactions[refund.parent]
            else { return nil }
            (refund.status, refund.code) = ("Failed", "79")
            target.refunded -= refund.price.base
            target.status = "Settled"
            state.transactions.keep(refund)
            state.transactions.keep(target)
            state.ledger.move(
                LedgerAmount(refund.price.base, "USD"), from: .refunded, to: .merchant, payment: target.id,
                attempt: label, cause: "refundFailed", at: now)
            return refund.id
        }
        return id.map { tell("failed", $0, now, label) }
    }

    /// The customer's bank returns a settled debit of which nothing was refunded.
    private func returned(_ label: String, _ now: Int64) -> String? {
        state.withLock { state in
            Self.pass(&state, now)
            let settled = state.transactions.named("label \(label)").first { found in
                found.label == label && found.type == 11 && found.status == "Settled" && found.refunded == 0
            }
            guard var debit = settled, debit.refundPending == 0 else { return nil }
            (debit.status, debit.code) = ("Failed", "79")
            state.transactions.keep(debit)
            state.ledger.move(
                LedgerAmount(debit.price.total, "USD"), from: .merchant, to: .cardholder, payment: debit.id,
                attempt: label, cause: "returned", at: now)
            return debit.id
        }
    }

    private func tell(
        _ kind: String, _ id: String, _ now: Int64, _ label: String, family: String = "card"
    ) -> OutgoingWebhook {
        withOutbox { $0.deliver(message(kind, id, now, about: label, family: family)) }
    }

    /// A signed message that names a transaction and nothing else.
    public func message(
        _ kind: String, _ id: String, _ now: Int64, about label: String = "", family: String = "card"
    ) -> OutgoingWebhook {
        let body: JSON = [
            "id": .string("evt-\(id)-\(kind)"), "type": .string("transaction.\(family).\(kind)"),
            "created": .string(Timestamp(milliseconds: now)?.text() ?? ""), "apiVersion": "v2",
            "data": ["object": ["id": .string(id), "resourceType": "transaction"]],
        ]
        let (bytes, seconds) = (body.bytes(), String(now / 1_000))
        let signed = Array("evt-\(id)-\(kind).\(seconds).".utf8) + bytes
        let code = (try? OpenSSLCrypto().authenticate(.sha256, key: webhookSecret, signed)) ?? []
        let headers = [
            "Flute-Webhook-ID": "evt-\(id)-\(kind)", "Flute-Webhook-Timestamp": seconds,
            "Flute-Webhook-Signature": "v1,\(Base64.standard.encode(code))",
        ]
        return OutgoingWebhook(headers: headers, body: bytes, at: now, attempt: label)
    }
}

extension ARISETransaction {
    /// Whether a batch settles it as it is now.
    fileprivate var settles: Bool {
        switch status {
        case "Captured": batch.isEmpty
        case "Refunded", "PartiallyAuthorized": batch.isEmpty && type != 1
        default: false
        }
    }

    /// Whether a batch may settle it, now or later.
    fileprivate var canSettle: Bool {
        batch.isEmpty && !["Declined", "Failed", "Voided", "Settled"].contains(status)
    }
}

/// One transaction as the simulated ARISE keeps it; amounts are cents, rates are percent times ten thousand.
struct ARISETransaction: Recorded {
    var id = ""
    /// The number of the operation: 1 authorisation, 2 sale, 5 refund, 7 refund without reference, 11 and 16 for ACH.
    var type: Int64 = 0
    /// The word for where it is.
    var status = ""
    /// The reference that the request carried.
    var reference = ""
    /// What the books call it.
    var label = ""
    var createdAt: Int64 = 0
    var price = ARISEPrice()
    /// What an authorisation held at first.
    var authorized: Int64 = 0
    var refunded: Int64 = 0
    /// Refunds that were accepted and are not decided.
    var refundPending: Int64 = 0
    var last4 = ""
    var pan = ""
    var brand = ""
    /// The number of the way in which the card came.
    var dataSource: Int64 = 0
    /// How the card came, for the books alone.
    var entry = ""
    var processor = ""
    /// The batch that it was settled in; empty before.
    var batch = ""
    /// The transaction that a refund takes from.
    var parent = ""
    /// Who made it: 2 for the API, 9 for Tap to Pay.
    var channel: Int64 = 2
    var creator = ""
    var customer = ""
    var code = "00"
    /// What waits for a decision: `sale`, `authorize`, `capture`, `refund`; empty for nothing.
    var waiting = ""
    var waitingAmount: Int64 = 0
    var waitingLabel = ""
    var avs = ""

    var isBank: Bool { type == 11 || type == 16 || type == 12 }
    /// Whether it holds money and has charged none.
    var isHeld: Bool { status == "Authorized" || type == 1 && status == "PartiallyAuthorized" }
    /// What is left to be refunded.
    var remaining: Int64 { price.total - refunded }

    var recordName: String { id }
    /// By its label and by that of what waits on it, by its batch, and by who made it in which way.
    var otherNames: [String] {
        var names = ["creator \(creator)", "channel \(channel)", "label \(label)"]
        if !batch.isEmpty { names.append("batch \(batch)") }
        if !waitingLabel.isEmpty, waitingLabel != label { names.append("label \(waitingLabel)") }
        return names
    }
    /// When what it holds lapses.
    var dueAt: Int64? { isHeld ? createdAt + ARISESimulator.holdMilliseconds : nil }

    static let members: [PersistedField<Self>] = [
        .init("id", \.id), .init("status", \.status), .init("reference", \.reference), .init("label", \.label),
        .init("entry", \.entry, isNew: true),
        .init("last4", \.last4), .init("pan", \.pan), .init("brand", \.brand), .init("processor", \.processor),
        .init("batch", \.batch), .init("parent", \.parent), .init("creator", \.creator),
        .init("customer", \.customer), .init("code", \.code), .init("waiting", \.waiting),
        .init("waitingLabel", \.waitingLabel), .init("avs", \.avs), .init("type", \.type),
        .init("createdAt", \.createdAt), .init("authorized", \.authorized), .init("refunded", \.refunded),
        .init("refundPending", \.refundPending), .init("dataSource", \.dataSource), .init("channel", \.channel),
        .init("waitingAmount", \.waitingAmount), .init("base", \.price.base),
        .init("off", \.price.off), .init("offRate", \.price.offRate), .init("cashDiscount", \.price.cashDiscount),
        .init("cashDiscountRate", \.price.cashDiscountRate), .init("surcharge", \.price.surcharge),
        .init("surchargeRate", \.price.surchargeRate), .init("tip", \.price.tip), .init("tipRate", \.price.tipRate),
    ]
}
