internal import PaymentCore
internal import PaymentDriverKit
internal import PaymentModel

extension Command {
    /// Charges what is held.
    static let capture = Command(
        name: "capture", summary: "charges what is held, or a part of it", example: "payctl capture PAYMENT 180 EUR",
        takes: .configured(
            "PAYMENT", "[AMOUNT]", "[CURRENCY]",
            with: [
                .value("reference", "TEXT", "what it is for; two captures of one amount need two"), .account, .attempt,
                .within, .scope,
            ])
    ) { call in
        try await play(call, amountAt: 1) { till, payment, amount, attempt, within in
            try await till.client.capture(
                payment, of: amount, reference: try call.reference(), account: call.given["account"], attempt: attempt,
                timeout: within)
        }
    }

    /// Undoes a payment.
    static let void = Command(
        name: "void", summary: "undoes a payment that is not settled yet", example: "payctl void PAYMENT",
        takes: .configured("PAYMENT", with: [.account, .attempt, .within, .scope])
    ) { call in
        try await play(call) {
            try await $0.client.void($1, account: call.given["account"], attempt: $2, timeout: $3)
        }
    }

    /// Changes the amount that is held.
    static let adjust = Command(
        name: "adjust", summary: "changes the amount that is held, or with --tip the tip of a payment",
        example: "payctl adjust PAYMENT 350 EUR",
        takes: .configured(
            "PAYMENT", "AMOUNT", "[CURRENCY]",
            with: [
                .account, .attempt, .within, .flag("tip", "the amount is the new tip"),
            ])
    ) { call in
        let isTip = call.given.has("tip")
        return try await play(call, amountAt: 1, orNothing: isTip) { till, payment, amount, attempt, within in
            let (client, account) = (till.client, call.given["account"])
            guard let amount else { throw UsageError(message: "AMOUNT is missing") }
            return isTip
                ? try await client.adjustTip(payment, to: amount, account: account, attempt: attempt, timeout: within)
                : try await client.adjust(payment, to: amount, account: account, attempt: attempt, timeout: within)
        }
    }

    /// Runs something on a payment under an attempt, and prints what came of it.
    static func play(
        _ call: Invocation,
        _ does: (CommandSession, PaymentID, AttemptID, Duration?) async throws -> PaymentResult
    ) async throws -> ExitStatus {
        let text = try call.operand(0, "PAYMENT")
        let named = try call.attempt()
        _ = try call.within()
        return try await CommandSession.use(call, scope: call.given["scope"] ?? "") { till in
            let attempt = try await till.client.orNew(named)
            _ = try await till.takeNews()
            let result = try await does(till, try await till.payment(text), attempt, try call.left())
            return try await till.tell(result, attempt)
        }
    }

    /// The same with an amount in the payment's currency, which need not be typed.
    static func play(
        _ call: Invocation, amountAt index: Int, orNothing: Bool = false,
        _ does: (CommandSession, PaymentID, Money?, AttemptID, Duration?) async throws -> PaymentResult
    ) async throws -> ExitStatus {
        try await play(call) { till, payment, attempt, within in
            var amount: Money?
            if let text = call.operand(index) {
                let currency = try await till.client.payment(payment).amounts.captured.currency
                if let code = call.operand(index + 1), code.uppercased() != currency.code {
                    throw UsageError(message: "the payment was taken in \(currency.code), not in \(code)")
                }
                amount = try call.money(text, currency, orNothing: orNothing)
            }
            return try await does(till, payment, amount, attempt, within)
        }
    }
}

extension Command {
    /// Gives money back.
    static let refund = Command(
        name: "refund", summary: "gives a payment back, or a part of it; with --unlinked, money without a payment",
        example: "payctl refund PAYMENT 5.00",
        takes: .configured(
            "PAYMENT|AMOUNT", "[AMOUNT|CURRENCY]", "[CURRENCY]",
            with: [.provider] + SourceOptions.accepted + [
                .flag("unlinked", "the operands are AMOUNT CURRENCY; no payment is named"),
                .value("reference", "TEXT", "what it is for; two refunds of one amount need two"),
                .account, .attempt, .within,
            ])
    ) { call in
        if call.given.has("unlinked") { return try await unlinked(call) }
        return try await play(call, amountAt: 1) { till, payment, amount, attempt, within in
            try await till.client.refund(
                payment, of: amount, reference: try call.reference(), account: call.given["account"], attempt: attempt,
                timeout: within)
        }
    }

    private static func unlinked(_ call: Invocation) async throws -> ExitStatus {
        let amount = try call.money(at: 0)
        if call.given.has("account") { throw UsageError(message: "--account goes with a payment; say --provider") }
        guard let reference = try call.reference() else { throw UsageError(message: "name it with --reference TEXT") }
        let named = try call.attempt()
        _ = try call.within()
        return try await CommandSession.use(call) { till in
            let attempt = try await till.client.orNew(named)
            let id = till.active
            let options = SourceOptions(call, till)
            let view = try till.client.provider(id)
            // Where there is no such refund, the client says what there is instead.
            let possible = view.capabilities.unlinkedRefundSources
            let kind = possible.isEmpty ? .reader : try options.kind(possible, id)
            let source = possible.isEmpty ? .reader : try await options.source(kind, id)
            let request = UnlinkedRefundRequest(amount, to: source, reference: reference)
            // A customer is asked for a card only if the journal lets it begin.
            if kind == .reader, !possible.isEmpty,
                try await till.client.mayBegin(request, attempt: attempt, timeout: try call.left())
            {
                if let reader = view.reader, !reader.isReady {
                    call.note("preparing the reader of \(id) …")
                    try await reader.prepare(timeout: try call.left() ?? .seconds(180))
                }
                options.tellTerminal(id)
            }
            let result = try await till.client.refundUnlinked(request, attempt: attempt, timeout: try call.left())
            return try await till.tell(result, attempt)
        }
    }
}
