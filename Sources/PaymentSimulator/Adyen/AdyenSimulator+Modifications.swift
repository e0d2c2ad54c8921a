internal import PaymentBase

extension AdyenSimulator {
    /// Takes something that is decided later.
    static func receive(
        _ kind: Modification.Kind, _ payment: String, _ reference: String, _ amount: Int64, _ state: inout State,
        _ now: Int64, psp: String? = nil, isTechnical: Bool = false
    ) -> Modification {
        var modification = Modification()
        (modification.kind, modification.psp, modification.payment) = (kind, psp ?? state.reference(), payment)
        (modification.reference, modification.amount) = (reference, amount)
        modification.currency = state.payments[payment]?.currency ?? ""
        (modification.decidesAt, modification.isTechnical) = (now + modificationMilliseconds, isTechnical)
        state.modifications.keep(modification)
        return modification
    }

    /// Decides one of them: the books move, and a webhook says so.
    static func decide(_ given: Modification, succeeds: Bool, _ state: inout State, at now: Int64) {
        var modification = given
        guard !modification.isDone, var payment = state.payments[modification.payment] else { return }
        modification.isDone = true
        modification.succeeded = succeeds && book(modification, &payment, &state.ledger, now)
        state.payments.keep(payment)
        state.modifications.keep(modification)
        let item = Item(
            code(modification), psp: modification.psp, original: modification.payment,
            reference: modification.reference, units: modification.amount, currency: modification.currency,
            succeeds: modification.succeeded,
            reason: modification.succeeded ? "" : "Insufficient balance on payment", at: now)
        announce(item, additional(modification), &state)
    }

    /// Moves the money of a modification; false where the payment does not allow it.
    private static func book(
        _ modification: Modification, _ payment: inout Payment, _ ledger: inout Ledger, _ now: Int64
    ) -> Bool {
        let units = modification.amount
        let reason = SimulatedPayment.Reason(modification.kind.rawValue, by: modification.reference, at: now)
        let amounts = payment.amounts
        switch modification.kind {
        case .capture:
            guard units <= amounts.held else { return false }
            payment.amounts.capture(units, reason, &ledger)
            payment.amounts.release(at: now, &ledger)
        case .refund, .terminalRefund:
            guard units <= amounts.refundable else { return false }
            payment.amounts.refund(units, reason, &ledger)
        case .cardRefund: payment.amounts.move(units, from: .funds, to: .refunded, reason, &ledger)
        case .cancel:
            guard amounts.captured == 0, amounts.held > 0 else { return false }
            payment.amounts.void(reason, &ledger)
        case .reversal:
            guard amounts.held > 0 || amounts.refunded == 0 && amounts.captured > 0 else { return false }
            if amounts.held > 0 {
                payment.amounts.move(amounts.held, from: .held, to: .cardholder, reason, &ledger)
            } else {
                payment.amounts.void(reason, &ledger)
            }
        case .adjust:
            guard amounts.captured == 0, amounts.held > 0 else { return false }
            payment.amounts.adjust(to: units, reason, &ledger)
        }
        return true
    }

    private static func code(_ modification: Modification) -> String {
        switch modification.kind {
        case .capture: "CAPTURE"
        case .refund: "REFUND"
        case .cancel: modification.isTechnical ? "TECHNICAL_CANCEL" : "CANCELLATION"
        case .reversal: modification.isTechnical ? "TECHNICAL_CANCEL" : "CANCEL_OR_REFUND"
        case .terminalRefund: "CANCEL_OR_REFUND"
        case .cardRefund: "REFUND_WITH_DATA"
        case .adjust: "AUTHORISATION_ADJUSTMENT"
        }
    }

    private static func additional(_ modification: Modification) -> JSONObject {
        switch modification.kind {
        case .reversal: ["modification.action": "cancel"]
        case .terminalRefund: ["modification.action": "refund"]
        case .capture, .refund, .cancel, .cardRefund, .adjust: [:]
        }
    }
}

extension AdyenSimulator: WebhookSendingProvider {
    public func withOutbox<Value>(_ body: (inout WebhookOutbox) -> Value) -> Value { looking { body(&$0.outbox) } }

    public var nextDue: Int64? { looking { Self.nextDue(&$0) } }

    /// Decides what is pending under a reference now; gives the webhook that tells of it, or nil when nothing is.
    public func decide(_ reference: String, succeeds: Bool) -> OutgoingWebhook? {
        looking { state in
            guard let found = state.modifications.named(reference).last(where: { !$0.isDone }) else { return nil }
            Self.decide(found, succeeds: succeeds, &state, at: clock.now)
            return state.outbox.handOverLast()
        }
    }

    /// Something that was done under a reference fails afterwards, and the money comes back.
    public func failLater(_ reference: String) -> OutgoingWebhook? {
        looking { state in
            let now = clock.now
            guard let done = state.modifications.named(reference).last(where: { $0.isDone && $0.succeeded }),
                var payment = state.payments[done.payment],
                !state.ledger.movements(attempt: done.reference).contains(where: { $0.cause.hasSuffix("Failed") })
            else { return nil }
            let code: String
            switch done.kind {
            case .refund, .terminalRefund, .cardRefund:
                code = "REFUND_FAILED"
                payment.amounts.move(
                    done.amount, from: .refunded, to: done.kind == .cardRefund ? .funds : .merchant,
                    .init("refundFailed", by: done.reference, at: now), &state.ledger)
            case .capture:
                code = "CAPTURE_FAILED"
                payment.amounts.move(
                    done.amount, from: .merchant, to: .cardholder,
                    .init("captureFailed", by: done.reference, at: now), &state.ledger)
            case .cancel, .reversal, .adjust: return nil
            }
            state.payments.keep(payment)
            let item = Item(
                code, psp: done.psp, original: done.payment, reference: done.reference, units: done.amount,
                currency: done.currency, reason: "Rejected by card scheme", at: now)
            Self.announce(item, [:], &state)
            return state.outbox.handOverLast()
        }
    }
}
