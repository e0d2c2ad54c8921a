internal import PaymentBase

extension AdyenBackend {
    /// Takes something that is decided later.
    static func receive(
        _ kind: Modification.Kind, _ payment: String, _ reference: String, _ amount: Int64, _ state: inout State,
        _ now: Int64, psp: String? = nil, isTechnical: Bool = false
    ) -> Modification {
        let currency = state.payments[payment]?.currency ?? ""
        var modification = Modification(
            kind: kind, psp: psp ?? state.reference(), payment: payment, reference: reference, currency: currency,
            amount: amount, dueAt: now + modificationMilliseconds)
        modification.isTechnical = isTechnical
        state.modifications.append(modification)
        return modification
    }

    /// Decides one of them: the books move, and a webhook says so.
    static func decide(_ index: Int, succeeds: Bool, _ state: inout State, at now: Int64) {
        var modification = state.modifications[index]
        guard !modification.isDone, let payment = state.payments[modification.payment] else { return }
        let movements = succeeds ? movements(modification, payment) : nil
        modification.isDone = true
        modification.succeeded = movements != nil
        state.modifications[index] = modification
        if let movements { book(movements, modification, &state, now) }
        let item = Item(
            code(modification), psp: modification.psp, original: modification.payment,
            reference: modification.reference, units: modification.amount, currency: modification.currency,
            succeeds: movements != nil, reason: movements == nil ? "Insufficient balance on payment" : "", at: now)
        announce(item, additional(modification), &state)
    }

    private typealias Movement = (from: Ledger.Account, to: Ledger.Account, units: Int64)

    /// What a modification moves; nil where the payment does not allow it.
    private static func movements(_ modification: Modification, _ payment: Payment) -> [Movement]? {
        let units = modification.amount
        switch modification.kind {
        case .capture:
            guard units <= payment.held else { return nil }
            return [(.held, .merchant, units), (.held, .cardholder, payment.held - units)]
        case .refund, .terminalRefund:
            return units <= payment.captured - payment.refunded ? [(.merchant, .refunded, units)] : nil
        case .cardRefund: return [(.funds, .refunded, units)]
        case .cancel: return payment.captured == 0 && payment.held > 0 ? [(.held, .cardholder, payment.held)] : nil
        case .reversal:
            if payment.held > 0 { return [(.held, .cardholder, payment.held)] }
            if payment.refunded > 0 { return nil }
            return payment.captured > 0 ? [(.merchant, .cardholder, payment.captured)] : nil
        case .adjust:
            guard payment.captured == 0, payment.held > 0 else { return nil }
            let more = units - payment.held
            return more >= 0 ? [(.cardholder, .held, more)] : [(.held, .cardholder, -more)]
        }
    }

    private static func book(
        _ movements: [Movement], _ modification: Modification, _ state: inout State, _ now: Int64
    ) {
        guard var payment = state.payments[modification.payment] else { return }
        for movement in movements where movement.units > 0 {
            switch movement.from {
            case .held: payment.held -= movement.units
            case .merchant where movement.to == .refunded: payment.refunded += movement.units
            case .merchant: payment.captured -= movement.units
            case .cardholder, .refunded, .funds: break
            }
            switch movement.to {
            case .held: payment.held += movement.units
            case .merchant: payment.captured += movement.units
            case .cardholder, .refunded, .funds: break
            }
            // What a capture leaves goes back by itself, under nobody's name.
            let isLeft = modification.kind == .capture && movement.to == .cardholder
            state.ledger.move(
                LedgerAmount(movement.units, payment.currency), from: movement.from, to: movement.to,
                payment: payment.psp, attempt: isLeft ? "" : modification.reference,
                cause: isLeft ? "release" : modification.kind.rawValue, at: now)
        }
        state.payments[payment.psp] = payment
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

    // MARK: From outside

    /// Decides what is pending under a reference now; gives the webhook's body, or nil when nothing is.
    public func decide(_ reference: String, succeeds: Bool) -> [UInt8]? {
        looking { state in
            let now = clock.now
            guard let index = state.modifications.lastIndex(where: { !$0.isDone && $0.reference == reference }) else {
                return nil
            }
            Self.decide(index, succeeds: succeeds, &state, at: now)
            return state.outbox.popLast().map { webhook([$0]) }
        }
    }

    /// Something that was done under a reference fails afterwards, and the money comes back.
    public func failLater(_ reference: String) -> [UInt8]? {
        looking { state in
            let now = clock.now
            guard
                let done = state.modifications.last(where: { $0.isDone && $0.succeeded && $0.reference == reference }),
                var payment = state.payments[done.payment]
            else { return nil }
            let code: String
            switch done.kind {
            case .refund, .terminalRefund, .cardRefund:
                code = "REFUND_FAILED"
                if done.kind != .cardRefund { payment.refunded -= done.amount }
                state.ledger.move(
                    LedgerAmount(done.amount, payment.currency), from: .refunded,
                    to: done.kind == .cardRefund ? .funds : .merchant, payment: payment.psp, attempt: done.reference,
                    cause: "refundFailed", at: now)
            case .capture:
                code = "CAPTURE_FAILED"
                payment.captured -= done.amount
                state.ledger.move(
                    LedgerAmount(done.amount, payment.currency), from: .merchant, to: .cardholder,
                    payment: payment.psp, attempt: done.reference, cause: "captureFailed", at: now)
            case .cancel, .reversal, .adjust: return nil
            }
            state.payments[payment.psp] = payment
            let item = Item(
                code, psp: done.psp, original: done.payment, reference: done.reference, units: done.amount,
                currency: done.currency, reason: "Rejected by card scheme", at: now)
            return webhook([item.json([:])])
        }
    }

    /// Every webhook that was sent out by now and not yet taken, one item in each.
    public func takeWebhooks() -> [[UInt8]] {
        looking { state in
            defer { state.outbox = [] }
            return state.outbox.map { webhook([$0]) }
        }
    }
}
