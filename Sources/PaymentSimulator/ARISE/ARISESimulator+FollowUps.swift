internal import PaymentBase
internal import PaymentTransport

extension ARISESimulator {
    /// An operation on a transaction.
    static func follow(
        _ verb: String, _ permission: Int64, _ call: SimulatorRequest, _ state: inout State
    ) -> SimulatorResponse {
        if let refusal = forbidden(permission, state) { return refusal }
        let id = call["id"].isEmpty ? call.json?["transactionId"]?.string ?? "" : call["id"]
        guard var target = state.transactions[id] else { return notFound("there is no such transaction") }
        // What is done about a transfer is done about all of it.
        let asked = target.isBank ? nil : call.json?[verb == "tip" ? "tipAmount" : "amount"]
        let given = asked?.number?.scaled(places: 2)
        let whole = verb == "refund" ? target.remaining - target.refundPending : target.price.total
        let cents = given ?? whole
        let script = verb == "void" ? nil : TestAmount(minorUnits: cents, from: 1_000)
        if script == .losesRequest { return .cutBefore }
        guard cents <= LedgerAmount.unitsMax else { return invalid("no payment is so large") }
        if let refusal = refusal(verb, cents, target) { return refusal }
        let label = call.attemptLabel
        if script == .pends, verb == "capture" || verb == "refund" {
            return .json(accept(verb, &target, cents, label, &state, call.now))
        }
        let told = apply(verb, &target, cents, label, &state, call.now)
        state.transactions.keep(target)
        return disturb(script, response(state.transactions[told] ?? target, state, isCharge: false))
    }

    private static func refusal(_ verb: String, _ cents: Int64, _ target: ARISETransaction) -> SimulatorResponse? {
        func conflict(_ details: String) -> SimulatorResponse {
            .reply(refusal(409, "V0000", "ValidationException", details))
        }
        switch verb {
        case "capture":
            guard target.isHeld, target.waiting.isEmpty else { return conflict("nothing is held") }
            return cents > 0 && cents <= target.authorized ? nil : invalid("not that much is held")
        case "void":
            let isOpen = ["Authorized", "Captured", "PartiallyAuthorized", "Held"].contains(target.status)
            return isOpen && target.batch.isEmpty && target.parent.isEmpty
                ? nil : conflict("a settled transaction is refunded, not voided")
        case "refund":
            guard target.status == "Settled" else { return conflict("a transaction is refunded after settlement") }
            return cents > 0 && cents <= target.remaining - target.refundPending
                ? nil : invalid("not that much is left")
        case "tip":
            let isOpen = ["Captured", "PartiallyAuthorized"].contains(target.status) && target.batch.isEmpty
            return isOpen && cents >= 0 && !target.isBank ? nil : conflict("the tip can't be changed any more")
        case "hold": return target.isBank && target.status == "Captured" ? nil : conflict("it can't be held")
        default: return target.status == "Held" ? nil : conflict("it is not held")
        }
    }

    /// Accepts what is decided later.
    private static func accept(
        _ verb: String, _ target: inout ARISETransaction, _ cents: Int64, _ label: String, _ state: inout State,
        _ now: Int64
    ) -> JSON {
        if verb == "capture" {
            (target.status, target.waiting) = ("Pending", "capture")
            (target.waitingAmount, target.waitingLabel) = (cents, label)
            state.transactions.keep(target)
            return response(target, state, isCharge: false)
        }
        var refund = refund(of: target, cents, label, &state, now)
        (refund.status, refund.waiting, refund.waitingAmount, refund.waitingLabel) = ("Pending", "refund", cents, label)
        target.refundPending += cents
        state.transactions.keep(target)
        state.begin(refund)
        return response(refund, state, isCharge: false)
    }

    private static func refund(
        of target: ARISETransaction, _ cents: Int64, _ label: String, _ state: inout State, _ now: Int64
    ) -> ARISETransaction {
        var refund = ARISETransaction()
        refund.id = number(&state)
        (refund.type, refund.status, refund.parent) = (target.isBank ? 12 : 5, "Refunded", target.id)
        (refund.createdAt, refund.price.base, refund.label) = (now, cents, label)
        (refund.last4, refund.pan, refund.brand, refund.processor) = (
            target.last4, target.pan, target.brand, target.processor
        )
        return refund
    }

    /// Does it; gives the name of the transaction that the answer is about.
    static func apply(
        _ verb: String, _ target: inout ARISETransaction, _ cents: Int64, _ label: String, _ state: inout State,
        _ now: Int64
    ) -> String {
        func book(_ from: Ledger.Account, _ to: Ledger.Account, _ cents: Int64, _ label: String, _ cause: String) {
            state.ledger.move(
                LedgerAmount(cents, "USD"), from: from, to: to, payment: target.id, attempt: label, cause: cause,
                at: now)
        }
        switch verb {
        case "capture":
            target.price = ARISEPrice()
            (target.price.base, target.status) = (cents, "Captured")
            book(.held, .merchant, cents, label, verb)
            book(.held, .cardholder, target.authorized - cents, "", "release")
        case "void":
            book(target.isHeld ? .held : .merchant, .cardholder, target.price.total, label, verb)
            target.status = "Voided"
        case "refund":
            let refund = refund(of: target, cents, label, &state, now)
            state.begin(refund)
            give(back: cents, &target, label, &state, now)
            return refund.id
        case "tip":
            let (difference, place) = (cents - target.price.tip, target.isHeld ? Ledger.Account.held : .merchant)
            if difference > 0 { book(.cardholder, place, difference, label, verb) }
            // A tip that became smaller is given back.
            if difference < 0 { book(place, .cardholder, -difference, label, verb) }
            target.price.tip = cents
        case "hold": target.status = "Held"
        default: target.status = "Captured"
        }
        return target.id
    }

    static func give(
        back cents: Int64, _ target: inout ARISETransaction, _ label: String, _ state: inout State, _ now: Int64
    ) {
        target.refunded += cents
        if target.remaining == 0 { target.status = "Refunded" }
        state.ledger.move(
            LedgerAmount(cents, "USD"), from: .merchant, to: .refunded, payment: target.id, attempt: label,
            cause: "refund", at: now)
    }
}
