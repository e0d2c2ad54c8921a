import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import PaymentTesting
import Testing

/// A driver that hears its provider on a line of its own ends its pause as a webhook does.
@Suite struct WakeTests {
    struct Listening: StubDriver, SaleDriver {
        static let name = "listening"
        let provider: Provider
        let scheduler: TestScheduler
        /// How long nothing is heard, in milliseconds; nil where it is heard before the pause.
        let silence: Int64?
        let capabilities = Capabilities(sources: [.card], sendLimit: 0)

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            _ = try await context.exchange(.money) { _ in try await provider.send("pay", [:]) }
            let isNews = await withTaskGroup(of: Void.self) { group in
                if let silence {
                    group.addTask {
                        try? await scheduler.sleep(until: scheduler.now + silence)
                        context.wake()
                    }
                } else {
                    context.wake()
                }
                defer { group.cancelAll() }
                return await context.pause(until: context.now + 60_000)
            }
            guard isNews else { throw CancellationError() }
            return .approved(Approval(request.amount, references: ["operation": "1"]))
        }

        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 1_000)
        }

        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            .cannotTell("It can't be seen now.")
        }
    }

    @Test(arguments: [(Int64(200), Int64(200)), (nil, 0)]) func aPauseEndsAtOnce(
        _ silence: Int64?, _ due: Int64
    ) throws {
        let till = Till()
        let provider = Provider { _, _, _ in ["status": "accepted"] }
        let payments = try till.client(over: Listening(provider: provider, scheduler: till.scheduler, silence: silence))
        let card = try Cards.good()
        let took = try till.play { [scheduler = till.scheduler] in
            let start = scheduler.now
            let result = try await payments.sale(.cents(400), from: card, reference: "o")
            guard case .approved = result else { throw CancellationError() }
            return scheduler.now - start
        }
        #expect(took == due)
    }
}
