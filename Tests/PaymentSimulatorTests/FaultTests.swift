import MemoryProvider
import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
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

/// What a client without any logic of its own sees of each fault, and what the provider did.
@Suite struct FaultEvidenceTests {
    private static let sale: JSON = [
        "attempt": "a1", "kind": "sale", "amount": ["minorUnits": 1_000, "currency": "EUR"], "reference": "order",
        "source": ["kind": "card", "number": "4111111111111111"],
    ]

    /// Signs in and sells once.
    private func sell(_ bench: FaultBench) async throws -> Result<HTTPResponse, TransportFailure> {
        let secret: JSON = ["secret": .string(bench.provider.clientSecret.expose())]
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        let token = try await bench.transport.send(
            HTTPRequest("POST", bench.origin, "/token", headers: headers, body: secret.bytes()))
        let text = try JSONReader().read(token.body)["token"]?.string ?? ""
        headers["Authorization"] = "Bearer \(text)"
        let request = HTTPRequest("POST", bench.origin, "/payments", headers: headers, body: Self.sale.bytes())
        do throws(TransportFailure) { return .success(try await bench.transport.send(request)) } catch {
            return .failure(error)
        }
    }

    private func sell(_ bench: FaultBench, _ fault: WireFault) async throws -> Result<HTTPResponse, TransportFailure> {
        var rule = FaultRule(fault)
        rule.path = "/payments"
        rule.text = "\"a1\""
        bench.plan.arm(rule)
        if fault != .replyLate, fault != .replyNever { return try await sell(bench) }
        let end = Promise<Bool>()
        async let answer = {
            defer { end.fulfill(true) }
            return try await sell(bench)
        }()
        while end.result == nil {
            if !bench.provider.ledger.movements.isEmpty { bench.clock.advance(by: rule.delayMilliseconds) }
            await Task.yield()
        }
        return try await answer
    }

    @Test(arguments: FaultBench.Carrier.allCases, WireFault.all)
    func everyFaultGivesItsEvidenceAndIsCarriedOutAsOftenAsItSays(
        injector: FaultBench.Carrier, fault: WireFault
    ) async throws {
        let untouched = try await FaultBench.open(injector)
        let plain = try await sell(untouched).get()
        await untouched.close()
        #expect(plain.status == 200)
        let patience = fault == .replyNever ? FaultBench.stallMillisecondsMin : 60_000
        let bench = try await FaultBench.open(injector, stallMilliseconds: patience)
        let answer = try await sell(bench, fault)
        #expect(bench.provider.ledger.movements.count == fault.executionCount)
        #expect(fault.executes == (fault.executionCount > 0))
        #expect(bench.plan.played.map(\.fault) == [fault])
        #expect(bench.plan.armed.isEmpty)
        switch answer {
        case .failure(let failure): #expect(failure == Self.failure(of: fault))
        case .success(let response):
            #expect(Self.failure(of: fault) == nil)
            try check(response, plain, fault)
        }
        await bench.close()
    }

    private static func failure(of fault: WireFault) -> TransportFailure? {
        switch fault {
        case .requestLost, .requestReset, .requestResetAfterReading, .replyLost, .replyReset:
            .maybeSent(.connectionReset)
        case .replyTornHead, .replyTornBody: .maybeSent(.truncated)
        case .replyNever: .maybeSent(.stalled)
        case .requestDuplicated, .requestDuplicatedUnread, .replyLate, .replyDripped, .wrongAmount, .wrongCurrency,
            .wrongReference, .unknownWord, .extraMembers, .missingMember, .htmlBody, .emptyBody, .truncatedJSON,
            .accessRefused,
            .rateLimited, .status500Before, .status500After, .status502Before, .status502After, .status503Before,
            .status503After, .status504Before, .status504After, .redirected, .status401After, .status403After,
            .status404After, .status307After, .status308After, .status429After:
            nil
        }
    }

    /// What the answer says, against the answer without a fault.
    private func check(_ response: HTTPResponse, _ plain: HTTPResponse, _ fault: WireFault) throws {
        let body = try? JSONReader().read(response.body)
        let original = try JSONReader().read(plain.body)
        let code = body?["error"]?["code"]?.string
        switch fault {
        case .requestLost, .requestReset, .requestResetAfterReading, .replyLost, .replyReset, .replyTornHead,
            .replyTornBody, .replyNever:
            Issue.record("\(fault) was answered")
        case .requestDuplicated: #expect(body?["id"] == "mp_2" && response.status == 200)
        case .replyLate, .replyDripped: #expect(response.status == 200 && body == original)
        case .wrongAmount: #expect(body?["amount"]?["minorUnits"]?.int64 == 1_001)
        case .wrongCurrency: #expect(body?["amount"]?["currency"] == "USD")
        case .wrongReference: #expect(body?["attempt"] == "a0")
        case .unknownWord: #expect(body?["state"] == "teleported")
        case .extraMembers:
            #expect(body?["x-new"] != nil && body?["amount"]?["x-new"] != nil && body?["state"] == original["state"])
        case .missingMember:
            #expect(body?["id"] == nil && body?.object?.count == (original.object?.count ?? 0) - 1)
        case .htmlBody: #expect(response.headers["Content-Type"] == "text/html" && body == nil)
        case .emptyBody, .requestDuplicatedUnread: #expect(response.status == 200 && response.body.isEmpty)
        case .truncatedJSON: #expect(response.body == Array(plain.body.prefix(plain.body.count / 2)) && body == nil)
        case .accessRefused: #expect(response.status == 401 && code == "tokenRefused")
        case .rateLimited: #expect(response.status == 429 && response.headers["Retry-After"] == "2")
        case .status500Before, .status500After: #expect(response.status == 500 && code == "broken")
        case .status502Before, .status502After: #expect(response.status == 502 && code == "broken")
        case .status503Before, .status503After: #expect(response.status == 503 && code == "broken")
        case .status504Before, .status504After: #expect(response.status == 504 && code == "broken")
        case .redirected: #expect(response.status == 307 && response.headers["Location"] != nil)
        case .status401After: #expect(response.status == 401 && body == nil)
        case .status403After: #expect(response.status == 403 && body == nil)
        case .status404After: #expect(response.status == 404 && body == nil)
        case .status307After: #expect(response.status == 307 && response.headers["Location"] != nil)
        case .status308After: #expect(response.status == 308 && response.headers["Location"] != nil)
        case .status429After: #expect(response.status == 429 && response.headers["Retry-After"] == "2")
        }
    }

    @Test func everyMemberIsMissingInTurn() async throws {
        let whole = Self.paths(try await whole())
        let bench = try await FaultBench.open(.inProcess)
        var rule = FaultRule(.missingMember, times: whole.count)
        rule.text = "a1"
        bench.plan.arm(rule)
        var missing: Set<String> = []
        for _ in 0..<whole.count {
            let body = try JSONReader().read(try await sell(bench).get().body)
            let absent = whole.subtracting(Self.paths(body))
            #expect(!absent.isEmpty && absent.allSatisfy { path in absent.contains { path.hasPrefix($0) } })
            missing.formUnion(absent)
        }
        #expect(missing == whole && whole.contains("amount.currency"))
        #expect(bench.plan.armed.isEmpty)
    }

    private func whole() async throws -> JSON {
        let bench = try await FaultBench.open(.inProcess)
        return try JSONReader().read(try await sell(bench).get().body)
    }

    private static func paths(_ json: JSON, _ prefix: String = "") -> Set<String> {
        Set((json.object?.members ?? []).flatMap { ["\(prefix)\($0.key)"] + paths($0.value, "\(prefix)\($0.key).") })
    }
}

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

    /// Bytes that keep coming don't hold a caller up beyond the deadline, who gets unknown.
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

/// The memory provider behind one of the two carriers, with a client that was given a transport to it.
struct FaultBench: Sendable {
    /// Which carrier is between the client and the provider.
    enum Carrier: String, Sendable, CaseIterable { case inProcess, socket }

    /// How long the socket carrier's client waits for a sign of life that never comes, in milliseconds.
    static let stallMillisecondsMin: Int64 = 100

    let provider: MemoryBackend
    let plan: FaultPlan
    let clock: SimulatorClock
    let origin: Origin
    let transport: any HTTPTransport
    private let server: SimulatorServer?

    static func open(_ injector: Carrier, stallMilliseconds: Int64 = 60_000) async throws -> FaultBench {
        let clock = SimulatorClock(SystemClock())
        let provider = MemoryBackend(clock: clock)
        let bench = FaultBench(provider, clock)
        guard injector == .socket else { return bench }
        let server = try SimulatorServer()
        let origin = try await server.listen(bench.service)
        var configuration = CurlTransport.Configuration()
        configuration.idleTimeoutMilliseconds = stallMilliseconds
        return FaultBench(bench, server, origin, CurlTransport(configuration))
    }

    private init(_ provider: MemoryBackend, _ clock: SimulatorClock) {
        let plan = FaultPlan()
        (self.provider, self.clock, self.plan, server) = (provider, clock, plan, nil)
        origin = Origin(.http, "memory.test")
        transport = InProcessTransport([origin: FaultInjector(provider, plan: plan, clock: clock)], clock: clock)
    }

    private init(_ bench: FaultBench, _ server: SimulatorServer, _ origin: Origin, _ transport: any HTTPTransport) {
        (provider, clock, plan, self.server) = (bench.provider, bench.clock, bench.plan, server)
        (self.origin, self.transport) = (origin, transport)
    }

    private var service: FaultInjector { FaultInjector(provider, plan: plan, clock: clock) }

    func close() async {
        await (transport as? CurlTransport)?.close()
        await server?.stop()
    }

    /// A client on the real clock; on the thread of a real transport where that is asked for.
    func client(onTheTransportsThread isOnItsThread: Bool = false) throws -> PaymentClient {
        let configuration = MemoryConfiguration(endpoint: origin, secret: provider.clientSecret)
        var dependencies = ClientOptions(journal: .memory)
        dependencies.clock = clock
        if isOnItsThread { dependencies.executor = (transport as? CurlTransport)?.executor }
        return try PaymentClient(MemoryDriver(configuration, transport), dependencies)
    }
}
