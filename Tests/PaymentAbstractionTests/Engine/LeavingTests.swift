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
        static let millisecondsMax: Int64 = 600_000
    }

    private struct Polite: StubDriver, SaleDriver {
        static let name = "polite"
        let company: Company
        let isPolite: Bool
        let capabilities = Capabilities(sources: [.card])

        func sale(_ request: SaleRequest, _ context: PaymentContext) async throws -> Verdict {
            _ = await context.ask(Choice())
            let leave: @Sendable () async -> Void = {
                _ = try? await context.exchange(.read) { _ in
                    try Task.checkCancellation()
                    return try await company.send("leave", [:])
                }
            }
            if isPolite { await context.afterLeaving(leave) } else { await leave() }
            _ = try await context.exchange(.money) { _ in try await company.send("pay", [:]) }
            return .approved(Approval(request.amount))
        }

        func lookup(_ inquiry: Inquiry, _ context: LookupContext) async throws -> Sighting { .cannotTell }
        func lookupPlan(for operation: PaymentAbstraction.Operation) -> LookupPlan {
            LookupPlan(everyMilliseconds: 1_000)
        }
    }

    @Test(arguments: [true, false]) func whatIsSaidAfterTheCallerHasLeftIsHeard(_ isPolite: Bool) throws {
        let heard = Locked([String]())
        let company = Company { path, _, _ in
            heard.withLock { $0.append(path) }
            return [:]
        }
        var answers = Answers()
        let till = Till()
        answers.on(Choice.self) { [stage = till.stage] _ in
            try await stage.sleep(until: stage.now + 500_000)
            return 1
        }
        var surroundings = till.surroundings
        surroundings.answers = answers
        let client = try PaymentClient(Polite(company: company, isPolite: isPolite), surroundings)
        let card = try Cards.good()
        let error = try till.play { [stage = till.stage] in
            let sale = Task(executorPreference: stage) {
                try await client.sale(.cents(400), from: card, reference: "o")
            }
            try await stage.sleep(until: stage.now + 1_000)
            sale.cancel()
            do { _ = try await sale.value } catch { return error as? PaymentError }
            return nil
        }
        #expect(error == PaymentError(.cancelled, outcome: .nothingMoved))
        #expect(heard.withLock { $0 } == (isPolite ? ["leave"] : []))
    }
}
