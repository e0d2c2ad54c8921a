internal import PaymentAbstraction
internal import PaymentBase
internal import PaymentProviderKit

// Payments that the customer makes on the provider's Payment Page, for those who may not hold card numbers.

extension EcommpayDriver {
    /// Hands a signed link over. Nothing of ours is sent: from then on the customer may pay, and only the provider's word
    /// says whether that happened.
    ///
    /// Until when it can be paid is written in the link, by this machine's clock, and is judged by the provider's. So that
    /// nothing is shown of a payment proves nothing, before that time and after it.
    func lead(
        _ operation: PaymentOperation, _ order: EcommpayMapping.Order, _ context: PaymentContext
    ) async throws -> Verdict {
        try context.needs(PaymentLink.self)
        var order = order
        order.extras = await extras(operation, order, context)
        let until = context.now + configuration.pageMinutes * 60_000
        let parameters = try EcommpayMapping.page(operation, order, context.attempt, until: until, configuration)
        let query = try await context.exchange(.readOnly) { _ in
            try EcommpayMapping.query(try await seal.signed(session: parameters))
        }
        let page = configuration.page ?? configuration.gate
        // Whoever has the link may pay: that is written down before it leaves.
        let address = try await context.exchange(.idempotent) { _ in "\(page)\(EcommpayPath.page)?\(query)" }
        let open = Verdict.pending(Pending(references: ["payment": context.attempt.text], shouldPoll: false))
        let isBack = await context.ask(PaymentLink(context.attempt, address: address, until: until))
        guard isBack == true else { return open }
        return try await looked(operation, order.amount, context) ?? open
    }

    /// What the Gate says of a page whose customer is back; nil while it is open.
    private func looked(
        _ operation: PaymentOperation, _ amount: Money, _ context: PaymentContext
    ) async throws -> Verdict? {
        for round in 1...Self.looksMax {
            let report = try await context.exchange(.readOnly) { _ in try await status(context.attempt.text) }
            let claim = EcommpayClaim(asked: amount, since: context.firstSubmittedAt, evidence: .accepted)
            try believe(report, operation, by: claim)
            if !report.isUnknownSoFar, case .verdict(let said) = try EcommpayMapping.standing(report, operation) {
                return said.told(against: amount)
            }
            if round < Self.looksMax { await context.pause(until: context.now + Int64(round) * 1_000) }
        }
        return nil
    }

    /// How often the Gate is asked for a page whose customer is back: for longer than it may show nothing of a payment.
    private static var looksMax: Int { 6 }
}
