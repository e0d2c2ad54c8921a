import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import Testing

/// A server that is taken for dead while it waits, and whose caller must not learn that nothing moved.
@Suite struct ReplacedServerTests {
    private let shop = Shop()
    private let attempt: AttemptID

    init() throws { attempt = try AttemptID("order-1001") }

    /// The first request is refused after `answersAfter` seconds; each other one is carried out, and answered after 30.
    private func driver(_ refusal: Refused, answersAfter: Int64, _ requests: Locked<Int>) -> Fake {
        var driver = Fake(shop.ledger)
        driver.plan = LookupPlan(every: 5_000, giveUpAfter: 120_000, quiet: 30_000)
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                let number = requests.withLock { requests in
                    requests += 1
                    return requests
                }
                if number == 1 {
                    try await shop.wait(seconds: answersAfter)
                    throw refusal
                }
                // The list shows it only when it is answered.
                try await shop.wait(seconds: 120)
                shop.ledger.charge(context.attempt, request.amount, as: "p-\(number)")
                return .approved(Approval(request.amount, references: ["payment": "p-\(number)"]))
            }
        }
        driver.onLookup = { [shop] inquiry, _ in
            shop.ledger.shown(inquiry.attempt).map(LookupResult.found) ?? .notFound(seesBack: nil)
        }
        return driver
    }

    /// Its connection to the database breaks: it is taken for dead, and the commit of how its request ended gets lost.
    @Test func sale_endLost_otherServerTookOver_isNotReportedAsNothingMoved() throws {
        let (requests, losing) = (Locked(0), LosingJournal(shop.journal))
        let refusal = Refused(.rateLimited, .maybeSent, mayRepeat: true, waitMilliseconds: 150_000)
        let a = try shop.client(driver(refusal, answersAfter: 150, requests), owner: "A", over: losing)
        let b = try shop.client(driver(refusal, answersAfter: 150, requests), owner: "B")
        try replace(a, by: b) { losing.lose(3) }
    }

    /// A server that is taken for dead says that nothing moved only while nothing did: the other one sells later.
    @Test func sale_refusedBeforeAnotherServerTookOver_isReportedBeforeTheOtherSells() throws {
        let requests = Locked(0)
        let refusal = Refused(.rateLimited, .maybeSent)
        let a = try shop.client(driver(refusal, answersAfter: 0, requests), owner: "A")
        try shop.play { [attempt] in
            let told = await a.sell(attempt: attempt, withinSeconds: 300)
            #expect(told.saysNothingMoved, "\(told)")
            #expect(requests.withLock { $0 } == 1)
        }
    }

    /// Without a gateway: its request is provably refused, long after another server has sent another one.
    @Test func sale_refusedAfterAnotherServerTookOver_isNotReportedAsNothingMoved() throws {
        let requests = Locked(0)
        let refusal = Refused(.invalidRequest, .refused)
        let a = try shop.client(driver(refusal, answersAfter: 150, requests), owner: "A")
        let b = try shop.client(driver(refusal, answersAfter: 150, requests), owner: "B")
        try replace(a, by: b)
    }

    /// One server sells and is taken for dead, and another one sells under the same id.
    private func replace(_ a: PaymentClient, by b: PaymentClient, _ breaks: @escaping @Sendable () -> Void = {}) throws
    {
        try shop.play { [shop, attempt] in
            let first = shop.beside { await a.sell(attempt: attempt, withinSeconds: 300) }
            try await shop.wait(seconds: 10)
            shop.owners.declareDead("A")
            breaks()
            let second = shop.beside {
                // It looks once, and again after the quiet time.
                _ = await b.outcome(of: attempt)
                try? await shop.wait(seconds: 40)
                return await b.sell(attempt: attempt, withinSeconds: 300)
            }
            let told = await first.value
            let other = await second.value
            #expect(other.isApproved, "\(other)")
            #expect(shop.ledger.charges.count == 1)
            #expect(!told.saysNothingMoved, "\(told)")
        }
    }
}
