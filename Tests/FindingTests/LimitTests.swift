import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// One attempt that goes wrong must not harm the others, and one limit is one limit.
@Suite struct LimitTests {
    private var shop = Shop()
    private let attempt: AttemptID

    init() throws { attempt = try AttemptID("sale-1") }

    /// The provider calls one payment by a name that the journal can't index; every later sale of the process fails.
    @Test func nameTooLongForTheJournal_otherSales_areRecorded() throws {
        var shop = shop
        shop.journal = ShortNameJournal()
        let ledger = shop.ledger
        var driver = Fake(ledger)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ in
                let name = request.reference == "order-1" ? String(repeating: "token", count: 1_200) : "p-2"
                ledger.charge(context.attempt, request.amount, as: name)
                return .approved(Approval(request.amount, references: ["payment": name]))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [attempt] in
            let second = try AttemptID("sale-2")
            _ = await client.sell(1_000, "order-1", attempt: attempt)
            let told = await client.sell(500, "order-2", attempt: second)
            #expect(told.isApproved, "\(told)")
            #expect(try await client.standing(of: second) == .approved)
            await #expect(throws: Never.self) { try await client.recover() }
            #expect(
                try await client.standing(of: attempt) == .approved, "An approval of 10.00 EUR is not in the journal.")
        }
    }

    /// The row of one attempt is damaged while it runs; every later sale of the process fails as unknown.
    @Test func attemptWithDamagedRow_otherSales_areRecorded() throws {
        let journal = DamagedJournal()
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.money) { _ in
                ledger.charge(context.attempt, request.amount)
                if request.reference == "order-1" { journal.damage(context.attempt) }
                return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
            }
        }
        let client = try shop.client(driver, over: journal)
        try shop.play { [attempt] in
            _ = await client.sell(1_000, "order-1", attempt: attempt)
            for number in 2...3 {
                let other = try AttemptID("sale-\(number)")
                let told = await client.sell(500, "order-\(number)", attempt: other)
                #expect(told.isApproved, "\(told)")
                #expect(try await client.standing(of: other) == .approved)
            }
        }
    }

    /// Each provider of a route gets the caller's whole limit once more.
    @Test func saleWithinLimit_overTwoProviders_endsAtTheLimit() throws {
        var (one, two) = (Fake(shop.ledger, name: "one"), Fake(shop.ledger, name: "two"))
        one.onSale = { [shop] _, context in
            try await context.exchange(.money) { _ -> Verdict in
                try await shop.wait(seconds: 55)
                throw Refused(.network, .notSent)
            }
        }
        two.onSale = { [shop] request, context in
            try await context.exchange(.money) { _ in
                try await shop.wait(seconds: 55)
                shop.ledger.charge(context.attempt, request.amount)
                return .approved(Approval(request.amount, references: ["payment": "p-2"]))
            }
        }
        var routing = Routing(active: "one")
        routing.rules = [Routing.Rule(["one", "two"])]
        let client = try shop.client(one, two, routing: routing)
        try shop.play { [shop] in
            let start = shop.stage.now
            let told = await client.sell(withinSeconds: 60)
            let seconds = (shop.stage.now - start) / 1_000
            #expect(seconds <= 60, "The caller's limit is 60 s; the answer came after \(seconds) s: \(told)")
        }
    }

    /// A call that looks asks as long as its plan says, also where a person sets the clock back an hour in between: until its
    /// end it keeps the terminal.
    @Test func clockSetBackWhileACallLooks_theCallEndsInItsTime() throws {
        let (clock, looks) = (SetClock(shop.stage), Locked(0))
        var driver = Fake(shop.ledger)
        driver.plan = LookupPlan(every: 5_000, giveUpAfter: 30_000)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await Fake.chargeWithoutReply(ledger, request, context)
        }
        driver.onLookup = { _, _ in
            looks.withLock { $0 += 1 }
            clock.set(aheadBy: -3_600_000)
            return .cannotTell("It can't be seen now.")
        }
        let client = try shop.client(driver, by: clock)
        try shop.play { [attempt, shop] in
            let told = await client.sell(attempt: attempt)
            try await shop.wait(seconds: 120)
            let count = looks.withLock { $0 }
            #expect(told.saysUnknown && (2...8).contains(count), "\(count) looks: \(told)")
        }
    }

    /// The provider keeps a key for a minute, and asks to wait longer before a repeat: the request is not sent again, and the
    /// attempt is looked up like any other in doubt.
    @Test(arguments: [true, false]) func lostSale_keyIsOverBeforeTheRepeat_isLookedUpAndNotSentAgain(
        _ isShown: Bool
    ) throws {
        let sent = Locked(0)
        var driver = Fake(shop.ledger)
        (driver.capabilities.keyLifetime, driver.capabilities.transit) = (60_000, 0)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await context.exchange(.idempotent) { _ -> Verdict in
                sent.withLock { $0 += 1 }
                ledger.charge(context.attempt, request.amount)
                throw Refused(.network, .maybeSent, waitMilliseconds: 90_000)
            }
        }
        let show = Switch(isShown)
        driver.onLookup = { [ledger = shop.ledger] inquiry, _ in
            guard show.isOn, let verdict = ledger.shown(inquiry.attempt) else {
                return .cannotTell("It can't be seen now.")
            }
            return .found(verdict)
        }
        let client = try shop.client(driver)
        try shop.play { [attempt] in
            let told = await client.sell(attempt: attempt, withinSeconds: 300)
            #expect(sent.withLock { $0 } == 1 && (isShown ? told.isApproved : told.saysUnknown), "\(told)")
            // What could not be shown in the call is found later: it is not refused for ever.
            show.turn(true)
            _ = try await client.recover()
            #expect(try await client.standing(of: attempt) == .approved)
        }
    }

    /// The same within the key's time: the repeat is sent.
    @Test func lostSale_keyIsKeptUntilTheRepeat_isSentAgain() throws {
        let sent = Locked(0)
        var driver = Fake(shop.ledger)
        (driver.capabilities.keyLifetime, driver.capabilities.transit) = (120_000, 10_000)
        driver.onSale = { request, context in
            try await context.exchange(.idempotent) { attempt -> Verdict in
                sent.withLock { $0 += 1 }
                if attempt.number == 1 { throw Refused(.network, .maybeSent, waitMilliseconds: 90_000) }
                return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
            }
        }
        let client = try shop.client(driver)
        try shop.play { [attempt] in
            let told = await client.sell(attempt: attempt, withinSeconds: 300)
            #expect(sent.withLock { $0 } == 2 && told.isApproved, "\(told)")
        }
    }

    /// The clock runs an hour ahead while an outcome waits to be written, and is set right: the next sale's entry takes it
    /// along.
    @Test func clockSetRight_outcomeThatWaits_isWrittenWithTheNextSale() throws {
        let (clock, journal) = (SetClock(shop.stage), OneLostJournal(shop.journal))
        var driver = Fake(shop.ledger)
        driver.onSale = { request, context in
            try await context.exchange(.money) { _ -> Verdict in
                if request.reference == "order-1" { journal.lose(context.attempt) }
                return .approved(Approval(request.amount, references: ["payment": "p-\(context.attempt)"]))
            }
        }
        let client = try shop.client(driver, by: clock, over: journal)
        try shop.play { [attempt, shop] in
            let told = await client.sell(1_000, "order-1", attempt: attempt)
            clock.set(aheadBy: 3_600_000)
            _ = await client.sell(500, "order-2", attempt: try AttemptID("sale-2"))
            #expect(try await client.standing(of: attempt) == .running, "\(told)")
            clock.set(aheadBy: 0)
            journal.lose(nil)
            try await shop.wait(seconds: 10)
            _ = await client.sell(500, "order-3", attempt: try AttemptID("sale-3"))
            #expect(try await client.standing(of: attempt) == .approved, "\(told)")
        }
    }
}
