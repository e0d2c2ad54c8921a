import MemoryProvider
import PaymentAbstraction
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

/// What the whole client makes of each fault: it may not know, but what it says is true.
@Suite struct FaultedClientTests {
    private static let origin = Origin(.http, "memory.test")

    /// A client on a stage, before a provider with one fault at the sale.
    private func play(
        _ fault: WireFault, dripping milliseconds: Int64 = 80
    ) throws -> (result: Result<PaymentResult, PaymentError>, ledger: Ledger) {
        let scheduler = TestScheduler()
        let clock = SimulatorClock(scheduler)
        let provider = MemoryBackend(clock: clock)
        let plan = FaultPlan()
        var rule = FaultRule(fault)
        (rule.method, rule.path, rule.dripMilliseconds) = ("POST", "/payments", milliseconds)
        plan.arm(rule)
        let injector = FaultInjector(provider, plan: plan, clock: clock)
        let transport = InProcessTransport([Self.origin: injector], clock: clock)
        let configuration = MemoryConfiguration(endpoint: Self.origin, secret: provider.clientSecret)
        var dependencies = ClientOptions(journal: .memory)
        (dependencies.clock, dependencies.executor) = (clock, scheduler)
        let client = try PaymentClient(MemoryDriver(configuration, transport), dependencies)
        let card = try Cards.good()
        let result = try scheduler.run { () -> Result<PaymentResult, PaymentError> in
            do throws(PaymentError) {
                return .success(try await client.sale(.cents(1_000), from: card, reference: "order"))
            } catch {
                return .failure(error)
            }
        }
        return (result, provider.ledger)
    }

    @Test(arguments: WireFault.all) func theClientNeverSaysWhatIsNotTrue(fault: WireFault) throws {
        let (result, ledger) = try play(fault)
        let moved = ledger.balance(.merchant)["EUR"] ?? 0
        switch result {
        case .success(.approved(let payment)):
            #expect(payment.amounts.captured.minorUnits == moved || fault.executionCount > 1)
        case .success(.declined), .success(.cancelled), .success(.pending): Issue.record("\(fault): \(result)")
        case .failure(let error):
            if error.outcome == .notExecuted { #expect(moved == 0, "\(fault)") }
        }
        #expect(ledger.movements.count == fault.executionCount || fault == .accessRefused)
        #expect(ledger.isBalanced)
    }

    /// Bytes that keep coming don't hold a caller up beyond the deadline, who is told that nobody knows.
    @Test func anAnswerThatDripsBeyondTheDeadlineIsUnknown() throws {
        let (result, ledger) = try play(.replyDripped, dripping: 10 * 60_000)
        #expect(ledger.movements.count == 1)
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.code == .timedOut && error.outcome == .unknown)
    }

    /// A 401 is repeated with a fresh token, so that in the end the money moved once.
    @Test func aRefusedAccessIsRenewedOnce() throws {
        let (result, ledger) = try play(.accessRefused)
        #expect(try result.get().payment != nil && ledger.movements.count == 1)
    }

    @Test(arguments: [(FaultBench.Carrier.inProcess, false), (.socket, false), (.socket, true)])
    func aPaymentDayGivesTheSameBooks(injector: FaultBench.Carrier, isOnTheTransportsThread: Bool) async throws {
        let bench = try await FaultBench.open(injector)
        let client = try bench.client(onTheTransportsThread: isOnTheTransportsThread)
        let card = try Cards.good()
        var refused = FaultRule(.accessRefused)
        refused.path = "/payments"
        bench.plan.arm(refused)
        let sale = try await client.sale(.cents(5_000), from: card, reference: "o1")
        let id = try #require(sale.payment?.id)
        var lost = FaultRule(.replyReset)
        lost.path = "/payments/:id/refund"
        bench.plan.arm(lost)
        #expect(try await client.refund(id, of: .cents(1_500)).payment != nil)
        let held = try #require(try await client.authorize(.cents(9_000), from: card, reference: "o2").payment)
        #expect(try await client.capture(held.id, of: .cents(4_000)).payment != nil)
        let other = try #require(try await client.sale(.cents(700), from: card, reference: "o3").payment)
        #expect(try await client.void(other.id).payment != nil)
        let declined = try await client.sale(.cents(1_000), from: try Cards.declined(), reference: "o4")
        #expect(declined.payment == nil)
        let ledger = bench.provider.ledger
        #expect(ledger.balance(.merchant) == ["EUR": 7_500])
        #expect(ledger.balance(.refunded)["EUR"] == 1_500 && ledger.balance(.held)["EUR"] == 5_000)
        #expect(ledger.isBalanced && ledger.movements.count == 6)
        #expect(bench.plan.played.map(\.fault) == [.accessRefused, .replyReset])
        await bench.close()
    }
}
