internal import PaymentAbstraction

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
                .attempt, .within,
            ])
    ) { call in
        if call.given.has("unlinked") { return try await unlinked(call) }
        return try await play(call, amountAt: 1) { till, payment, amount, attempt, within in
            try await till.client.refund(
                payment, of: amount, reference: try call.reference(), attempt: attempt, timeout: within)
        }
    }

    private static func unlinked(_ call: Invocation) async throws -> ExitStatus {
        let amount = try call.money(at: 0)
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
                    try await reader.prepare()
                }
                options.tellTerminal(id)
            }
            let result = try await till.client.refundUnlinked(request, attempt: attempt, timeout: try call.left())
            return try await till.tell(result, attempt)
        }
    }
}
