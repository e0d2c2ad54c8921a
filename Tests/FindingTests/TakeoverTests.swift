import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import Testing

/// Two processes and one attempt: what one process writes late must not change what another process is doing.
@Suite struct TakeoverTests {
    private let shop = Shop()
    private let attempt: AttemptID

    init() throws { attempt = try AttemptID("order-1001") }

    /// A driver whose provider charges at once and answers after 30 seconds.
    private var slow: Fake {
        var driver = Fake(shop.ledger)
        driver.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                let name = "p-\(shop.ledger.charges.count + 1)"
                shop.ledger.charge(context.attempt, request.amount, as: name)
                if request.reference == "order-1001" { try await shop.wait(seconds: 30) }
                return .approved(Approval(request.amount, references: ["payment": name]))
            }
        }
        return driver
    }

    /// Server B's begin gets lost three times, server A sends; B's next write undoes the begin and closes A's send.
    @Test func beginOfLostCommits_otherServerIsSending_leavesItsSendOpen() throws {
        let losing = LosingJournal(shop.journal)
        let (a, b) = (try shop.client(slow, owner: "A"), try shop.client(slow, owner: "B", over: losing))
        try shop.play { [shop, attempt] in
            losing.lose(3)
            _ = await b.sell(1_000, "order-1001", attempt: attempt)
            let first = shop.beside { await a.sell(1_000, "order-1001", attempt: attempt) }
            try await shop.wait(seconds: 2)
            _ = await b.sell(500, "order-2")
            let record = try await b.attempt(attempt)
            #expect(record?.state == .running, "\(String(describing: record?.requests))")
            #expect(record?.outcome != .notExecuted, "\(String(describing: record?.state))")
            #expect(await first.value.isApproved)
        }
    }

    /// The same; B asks for the status and sells again when it learns that nothing moved.
    @Test func saleOfLostCommits_otherServerIsSending_isChargedOnce() throws {
        let losing = LosingJournal(shop.journal)
        let (a, b) = (try shop.client(slow, owner: "A"), try shop.client(slow, owner: "B", over: losing))
        try shop.play { [shop, attempt] in
            losing.lose(3)
            _ = await b.sell(1_000, "order-1001", attempt: attempt)
            let first = shop.beside { await a.sell(1_000, "order-1001", attempt: attempt) }
            try await shop.wait(seconds: 2)
            _ = await b.sell(500, "order-2")
            let told = await b.outcome(of: attempt)
            if told.saysNothingMoved { _ = await b.sell(1_000, "order-1001", attempt: attempt) }
            _ = await first.value
            #expect(!told.saysNothingMoved, "\(told)")
            #expect(shop.ledger.charges(of: attempt).count == 1, "\(shop.ledger.charges)")
        }
    }

    /// B has begun the sale and loses the commit that opens its send; A takes the sale over and sends.
    @Test func sendOfLostCommits_otherServerTookOver_leavesItsSendOpen() throws {
        let losing = LosingJournal(shop.journal)
        var driver = slow
        driver.onSale = { [slow] request, context in
            try context.note("message", "m-1")
            if request.reference == "order-1001" { losing.lose(1_000) }
            return try await slow.onSale(request, context)
        }
        let (a, b) = (try shop.client(slow, owner: "A"), try shop.client(driver, owner: "B", over: losing))
        try shop.play { [shop, attempt] in
            _ = await b.sell(1_000, "order-1001", attempt: attempt)
            #expect(shop.ledger.charges.isEmpty)
            shop.owners.declareDead("B")
            let first = shop.beside { await a.sell(1_000, "order-1001", attempt: attempt) }
            try await shop.wait(seconds: 2)
            #expect(shop.ledger.charges(of: attempt).count == 1)
            losing.lose(0)
            _ = await b.sell(500, "order-2")
            let record = try await a.attempt(attempt)
            #expect(record?.state == .running, "\(String(describing: record?.requests))")
            #expect(await first.value.isApproved)
        }
    }

    /// A process that was taken for dead wakes and keeps its message's name behind the new owner's; the lookup then asks
    /// for a message that never left.
    @Test func noteOfReplacedProcess_newOwnerHasSent_isNotUsedByLookups() throws {
        let messages = Locked([String: Money]())
        func driver(_ owner: String, sleepsFirst: Bool) -> Fake {
            var driver = Fake(shop.ledger)
            driver.plan = LookupPlan(every: 5_000, giveUpAfter: 300_000, quiet: 30_000)
            let count = Locked(0)
            driver.onSale = { [shop] request, context in
                // It reads something first, so that the attempt is in the journal.
                _ = try await context.query.exchange { _ in true }
                if sleepsFirst { try await shop.wait(seconds: 60) }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let message = "message-\(owner)-\(number)"
                try context.note("message", message)
                return try await context.exchange(.money) { _ in
                    messages.withLock { $0[message] = request.amount }
                    shop.ledger.charge(context.attempt, request.amount, as: message)
                    if !sleepsFirst, number == 1 {
                        try await shop.wait(seconds: 30)
                        throw Lost()
                    }
                    return .approved(Approval(request.amount, references: ["payment": message]))
                }
            }
            driver.onLookup = { inquiry, _ in
                guard let message = inquiry.note("message"), let amount = messages.withLock({ $0[message] }) else {
                    return .notFound(seesBack: nil)
                }
                return .repeated(Approval(amount, references: ["payment": message]))
            }
            return driver
        }
        let a = try shop.client(driver("A", sleepsFirst: true), owner: "A")
        let b = try shop.client(driver("B", sleepsFirst: false), owner: "B")
        try shop.play { [shop, attempt] in
            let first = shop.beside { await a.sell(attempt: attempt) }
            try await shop.wait(seconds: 40)
            shop.owners.declareDead("A")
            let told = await b.sell(attempt: attempt, withinSeconds: 600)
            if told.saysNothingMoved { _ = await b.sell(attempt: attempt, withinSeconds: 600) }
            _ = await first.value
            #expect(!told.saysNothingMoved, "\(told)")
            #expect(shop.ledger.charges.count == 1, "\(shop.ledger.charges)")
        }
    }

    /// The customer still types a PIN after the caller's limit; a person's "nothing moved" is taken and the order is sold
    /// again.
    @Test func resolveNothingMoved_whileExchangeIsOpen_isRefused() throws {
        var driver = Fake(shop.ledger)
        driver.capabilities = driver.capabilities.limited(to: 30_000)
        driver.onSale = { [shop, attempt] request, context in
            try await context.exchange(.money) { _ in
                if context.attempt == attempt { try await shop.wait(seconds: 60) }
                shop.ledger.charge(context.attempt, request.amount)
                return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [shop, attempt] in
            _ = await client.sell(attempt: attempt, withinSeconds: 10)
            try await shop.wait(seconds: 25)
            await #expect(throws: PaymentError.self) {
                try await client.resolve(attempt, as: .notExecuted(), reason: "The terminal shows nothing.")
            }
            _ = await client.sell(attempt: try AttemptID("order-1001-again"))
            try await shop.wait(seconds: 60)
            #expect(shop.ledger.charges.count == 1, "\(shop.ledger.charges)")
        }
    }
}
