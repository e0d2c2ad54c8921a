import PaymentBase
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@Suite struct FaultPlanTests {
    private func statuses(_ rules: [FaultRule], _ requests: [(method: String, target: String, body: String)]) async
        -> [Int]
    {
        let plan = FaultPlan()
        for rule in rules { plan.arm(rule) }
        let clock = TestScheduler()
        let origin = Origin(.http, "memory.test")
        let injector = FaultInjector(MemoryBackend(clock: clock), plan: plan, clock: clock)
        let transport = InProcessTransport([origin: injector], clock: clock)
        var statuses: [Int] = []
        for (method, target, body) in requests {
            let request = HTTPRequest(method, origin, target, body: Array(body.utf8))
            statuses.append((try? await transport.send(request))?.status ?? 0)
        }
        return statuses
    }

    @Test func rulesFitByProviderMethodPathAndText() async {
        var rule = FaultRule(.status502Before, times: 10)
        (rule.method, rule.path, rule.text, rule.provider) = ("POST", "/payments/:id/refund", "att-7", "memory")
        let found = await statuses(
            [rule],
            [
                ("POST", "/payments/1/refund", "att-7"), ("POST", "/payments/1/refund", "att-8"),
                ("GET", "/payments/1/refund", "att-7"), ("POST", "/payments/1", "att-7"),
                ("POST", "/payments/a%20b/refund?x=1", "xatt-7x"), ("POST", "/payments/1/refund?a=att-7", ""),
            ])
        #expect(found == [502, 401, 401, 401, 502, 502])
        rule.provider = "another"
        #expect(await statuses([rule], [("POST", "/payments/1/refund", "att-7")]) == [401])
    }

    @Test func theNthFittingRequestIsHit() async {
        var rule = FaultRule(.status504Before, times: 2)
        rule.skip = 2
        #expect(
            await statuses([rule], Array(repeating: ("GET", "/x", ""), count: 6)) == [401, 401, 504, 504, 401, 401])
    }

    @Test func rulesArePlayedOneAfterTheOther() async {
        let rules = [FaultRule(.rateLimited), FaultRule(.status500Before), FaultRule(.redirected)]
        #expect(await statuses(rules, Array(repeating: ("GET", "/x", ""), count: 4)) == [429, 500, 307, 401])
    }

    @Test func limitsHold() {
        let plan = FaultPlan()
        for _ in 0..<FaultPlan.rulesMax { #expect(plan.arm(FaultRule(.replyLost)) != nil) }
        #expect(plan.arm(FaultRule(.replyLost)) == nil)
        #expect(plan.disarm(1) && !plan.disarm(1))
        #expect(plan.arm(FaultRule(.replyLost)) == FaultPlan.rulesMax + 1)
        plan.clear()
        #expect(plan.armed.isEmpty)
        #expect(FaultRule(.replyLost, times: 0).times == 1)
        #expect(FaultRule(.replyLost, times: .max).times == FaultRule.timesMax)
    }

    @Test func namesAreStable() {
        #expect(Set(WireFault.all.map(\.rawValue)).count == WireFault.all.count)
        #expect(WireFault(rawValue: "reply.lost") == .replyLost)
        #expect(WireFault.all.count == 38)
        #expect(WireFault.all.filter { !$0.executes }.count == 10)
    }
}
