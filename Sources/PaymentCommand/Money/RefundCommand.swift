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
                .value("reference", "TEXT", "your own name for an unlinked refund"),
                .attempt, .after, .within,
            ])
    ) { call in
        if call.given.has("unlinked") { return try await unlinked(call) }
        return try await play(call, amountAt: 1) { till, payment, amount, attempt, within in
            let known = try await till.known()
            return try await till.client.refund(payment, of: amount, attempt: attempt, after: known, within: within)
        }
    }

    private static func unlinked(_ call: Invocation) async throws -> ExitStatus {
        let amount = try call.money(at: 0)
        let (attempt, reference) = (try call.attempt() ?? .fresh(), try call.reference())
        _ = try call.within()
        return try await CommandSession.use(call) { till in
            let id = till.active
            let options = SourceOptions(call, till)
            let view = try till.client.provider(id)
            // Where there is no such refund, the client says what there is instead.
            let possible = view.capabilities.unlinkedRefundSources
            let kind = possible.isEmpty ? .reader : try options.kind(possible, id)
            let source = possible.isEmpty ? .reader : try await options.source(kind, id)
            let asked = AskedPayment(
                .unlinkedRefund, amount, from: source, reference ?? attempt.text, provider: id,
                after: try await till.known(), isUnnamed: reference == nil && !call.given.has("attempt"))
            let isNew = try await till.admits(asked, attempt)
            if isNew, kind == .reader, let reader = view.reader, !reader.isReady, !possible.isEmpty {
                call.note("preparing the reader of \(id) …")
                try await reader.prepare()
            }
            if isNew, kind == .reader, !possible.isEmpty { options.tellTerminal(id) }
            let request = UnlinkedRefundRequest(amount, to: source, reference: reference ?? attempt.text)
            let result = try await till.client.refund(unlinked: request, attempt: attempt, within: try call.left())
            return try await till.tell(result, attempt)
        }
    }
}
