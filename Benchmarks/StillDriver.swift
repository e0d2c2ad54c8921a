import PaymentBase
import PaymentDriverKit

/// A provider that approves at once and sends nothing: what is left of a payment is the client's.
struct StillDriver: SaleDriver, RefundDriver {
    /// How long the provider thinks, in milliseconds, and by which clock.
    var thinks: (milliseconds: Int64, clock: any PaymentClock)?
    var identity = ProviderIdentity("still", adapter: "still", environment: "sandbox", merchant: "m-1")

    var capabilities: Capabilities { Capabilities(sources: [.card], sendLimit: 0) }

    func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
        try await answer(request.amount, context)
    }

    func refund(_ request: FollowUpRequest, _ context: PaymentContext) async throws -> Verdict {
        try await answer(request.amount, context)
    }

    private func answer(_ amount: Money, _ context: PaymentContext) async throws -> Verdict {
        let name = "p-\(context.attempt)"
        return try await context.exchange(.money) { _ in
            if let thinks { try await thinks.clock.sleep(until: thinks.clock.now + thinks.milliseconds) }
            return .approved(Approval(amount, references: ["payment": name]))
        }
    }

    func lookupPlan(for operation: PaymentOperation) -> LookupPlan? { LookupPlan(every: 2_000) }
    func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
        .notFound(seesBack: nil)
    }
}
