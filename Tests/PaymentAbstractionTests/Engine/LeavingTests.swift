import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import PaymentTesting
import Testing

/// A caller who leaves before anything moved: what the driver still tells its provider is told.
@Suite struct LeavingTests {
    /// A choice that nobody makes.
    private struct Choice: Question {
        typealias Answer = Int
        static let timeout: Duration = .seconds(10 * 60)
    }

    private struct Polite: StubDriver, SaleDriver {
        static let name = "polite"
        let provider: Provider
        let isPolite: Bool
        let capabilities = Capabilities(sources: [.card], sendLimit: 0)

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            _ = await context.ask(Choice())
            let leave: @Sendable () async -> Void = {
                _ = try? await context.exchange(.readOnly) { _ in
                    try Task.checkCancellation()
                    return try await provider.send("leave", [:])
                }
            }
            if isPolite { await context.ignoringCancellation(leave) } else { await leave() }
            _ = try await context.exchange(.money) { _ in try await provider.send("pay", [:]) }
            return .approved(Approval(request.amount))
        }

        func lookup(_ inquiry: LookupRequest, _ context: LookupContext) async throws -> LookupResult {
            .cannotTell("It can't be seen now.")
        }
        func lookupPlan(for operation: PaymentOperation) -> LookupPlan? {
            LookupPlan(every: 1_000)
        }
    }

    @Test(arguments: [true, false]) func whatIsSaidAfterTheCallerHasLeftIsHeard(_ isPolite: Bool) throws {
        let heard = Locked([String]())
        let provider = Provider { path, _, _ in
            heard.withLock { $0.append(path) }
            return [:]
        }
        var answers = QuestionHandlers()
        let till = Till()
        answers.handle(Choice.self) { [scheduler = till.scheduler] _ in
            try await scheduler.sleep(until: scheduler.now + 500_000)
            return 1
        }
        var dependencies = till.dependencies
        dependencies.answers = answers
        let client = try PaymentClient(Polite(provider: provider, isPolite: isPolite), dependencies)
        let card = try Cards.good()
        let error = try till.play { [scheduler = till.scheduler] in
            let sale = Task(executorPreference: scheduler) {
                try await client.sale(.cents(400), from: card, reference: "o")
            }
            try await scheduler.sleep(until: scheduler.now + 1_000)
            sale.cancel()
            do { _ = try await sale.value } catch { return error as? PaymentError }
            return nil
        }
        #expect(error == PaymentError(.cancelled, outcome: .notExecuted))
        #expect(heard.withLock { $0 } == (isPolite ? ["leave"] : []))
    }
}
