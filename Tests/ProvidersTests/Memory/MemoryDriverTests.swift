import PaymentAbstraction
import PaymentSimulator
import PaymentTestTill
import Testing

@Suite struct MemoryDriverTests {
    @Test func itHasEverything() throws {
        let till = Till()
        let view = try till.client().provider("memory")
        let missing = view.capabilityTable.entries.filter { !$0.isSupported }.map(\.name)
        #expect(missing == ["offline"])
    }
}

@Suite struct MemoryEchoTests {
    @Test func anAnswerAboutAnotherAttemptProvesNothing() throws {
        let till = Till()
        let provider = FaultInjector(
            till.backend, plan: FaultPlan(), clock: till.scheduler)
        var rule = FaultRule(.wrongReference)
        rule.path = "/payments"
        #expect(provider.plan.arm(rule) != nil)
        let client = try till.client(InProcessTransport([Till.origin: provider]))
        let card = try Cards.good()
        let result = try till.play { try await client.sale(.cents(1_000), from: card, reference: "o") }
        // The answer was not believed; the lookup under our own reference was.
        #expect(result.payment != nil)
        let kinds = try till.play { [id = result.payment?.id] in
            guard let id else { return [PaymentEvent.Kind]() }
            return try await client.timeline(of: id).map(\.kind)
        }
        #expect(kinds.contains(.lookedUp))
        #expect(till.backend.ledger.movements.count == 1)
    }
}
