import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// A person's *not executed* beside what the provider shows, and names that are no payment's.
@Suite struct LookBeforeDecisionTests {
    private let sale: AttemptID

    init() throws { sale = try AttemptID("sale-1") }

    /// The provider can't say which attempt a payment is; it lists one that could be ours.
    private func listing(_ shop: Shop, _ isListed: Switch) -> Fake {
        var driver = Fake(shop.ledger)
        driver.onSale = { [ledger = shop.ledger] request, context in
            try await Fake.chargeWithoutReply(ledger, request, context)
        }
        driver.onLookup = { _, _ in
            guard isListed.isOn else { throw Lost() }
            return .candidates([
                .init("p-sale-1", .approved(Approval(.cents(1_000), references: ["payment": "p-sale-1"])), at: nil)
            ])
        }
        return driver
    }

    /// The sale was executed. A person says that it was not, while the provider shows it.
    @Test(arguments: [false, true]) func notExecuted_providerShowsWhatCouldBeIt_isRefusedUntilItIsNamed(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(listing(shop, Switch(true)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                let refused = await #expect(throws: PaymentError.self) {
                    try await client.resolve(sale, as: .notExecuted(), reason: "not on the slip")
                }
                #expect(refused?.code == .conflict && refused?.detail.contains("p-sale-1") == true, "\(refused as Any)")
                let again = await client.sell(attempt: sale)
                #expect(!again.isApproved && shop.ledger.chargedCents == 1_000, "\(again)")
                let held = try await client.resolve(
                    sale, as: .notExecuted(besides: ["p-sale-1"]), reason: "that is the web shop's")
                #expect(held.state == .notExecuted)
            }
        }
    }

    /// At an account of our own another sale of that amount is beside it: the one that is free may be ours.
    @Test(arguments: [false, true]) func notExecuted_besideAHeldPaymentAlike_isRefusedUntilItIsNamed(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.capabilities.isExclusive = true
            driver.onSale = { [sale, ledger = shop.ledger] request, context in
                if context.attempt == sale { return try await Fake.chargeWithoutReply(ledger, request, context) }
                return try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(1_000, ["payment": "p-sale-2"])
                }
            }
            driver.onLookup = { _, _ in
                .candidates(
                    ["p-sale-1", "p-sale-2"].map { name in
                        LookupResult.Candidate(name, nowApproved(1_000, ["payment": name]), at: nil)
                    })
            }
            let client = try shop.client(driver)
            let other = try AttemptID("sale-2")
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: other)
                try await shop.wait(seconds: 3_600)
                let refused = await #expect(throws: PaymentError.self) {
                    try await client.resolve(sale, as: .notExecuted(), reason: "not on the slip")
                }
                #expect(refused?.detail.contains("p-sale-1") == true, "\(refused as Any)")
                let held = try await client.resolve(
                    sale, as: .notExecuted(besides: ["p-sale-1"]), reason: "that is the web shop's")
                #expect(held.state == .notExecuted)
            }
        }
    }

    /// The provider shows what it can't tell from the attempt; a payment that another attempt has is no such.
    @Test(arguments: [false, true]) func notExecuted_providerShowsWhatItCanNotTell_isRefusedUntilItIsNamed(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onSale = { [sale, ledger = shop.ledger] request, context in
                if context.attempt == sale { return try await Fake.chargeWithoutReply(ledger, request, context) }
                return try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(1_000, ["payment": "p-sale-2"])
                }
            }
            driver.onLookup = { _, _ in .cannotTell("It does not say how much.", shown: ["p-sale-1", "p-sale-2"]) }
            let client = try shop.client(driver)
            let other = try AttemptID("sale-2")
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: other)
                try await shop.wait(seconds: 3_600)
                let refused = await #expect(throws: PaymentError.self) {
                    try await client.resolve(sale, as: .notExecuted(), reason: "not on the slip")
                }
                let words = refused?.detail ?? ""
                #expect(words.contains("p-sale-1") && !words.contains("p-sale-2"), "\(refused as Any)")
                let held = try await client.resolve(
                    sale, as: .notExecuted(besides: ["p-sale-1"]), reason: "that is the web shop's")
                #expect(held.state == .notExecuted)
            }
        }
    }

    /// A look-alike is matched with nothing, also at an account of our own; a person has to name it.
    @Test(arguments: [false, true]) func notExecuted_providerShowsWhatIsNotMatched_isRefusedUntilItIsNamed(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var driver = listing(shop, Switch(true))
            driver.capabilities.isExclusive = true
            driver.onLookup = { _, _ in .candidates([]) }
            driver.alike = ["p-sale-1"]
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                let standing = try await client.standing(of: sale)
                #expect(standing == .inDoubt, "\(standing as Any)")
                let refused = await #expect(throws: PaymentError.self) {
                    try await client.resolve(sale, as: .notExecuted(), reason: "not on the slip")
                }
                #expect(refused?.detail.contains("p-sale-1") == true, "\(refused as Any)")
                let held = try await client.resolve(
                    sale, as: .notExecuted(besides: ["p-sale-1"]), reason: "that is the web shop's")
                #expect(held.state == .notExecuted)
            }
        }
    }

    /// The caller has left, and the call itself still looks every ten minutes: the provider is asked all the same.
    @Test(arguments: [false, true]) func notExecuted_whileTheCallStillLooks_isRefusedUntilItIsNamed(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var driver = listing(shop, Switch(true))
            driver.plan = LookupPlan(every: 600_000, giveUpAfter: 3_600_000)
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale, withinSeconds: 5)
                try await shop.wait(seconds: 900)
                let refused = await #expect(throws: PaymentError.self) {
                    try await client.resolve(sale, as: .notExecuted(), reason: "not on the slip")
                }
                #expect(refused?.detail.contains("p-sale-1") == true, "\(refused as Any)")
            }
        }
    }

    /// The caller leaves while the provider is asked: what it would have shown is not known.
    @Test(arguments: [false, true]) func notExecuted_callerLeavesWhileTheProviderIsAsked_isNotRecorded(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let isSlow = Switch(false)
            var driver = listing(shop, Switch(true))
            let lookup = driver.onLookup
            driver.onLookup = { inquiry, context in
                if isSlow.isOn { try await shop.wait(seconds: 10) }
                return try await lookup(inquiry, context)
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                isSlow.turn(true)
                let deciding = shop.beside {
                    try? await client.resolve(sale, as: .notExecuted(), reason: "not on the slip")
                }
                try await shop.wait(seconds: 2)
                deciding.cancel()
                let decided = await deciding.value
                #expect(decided == nil)
                #expect(try await client.standing(of: sale) == .inDoubt)
            }
        }
    }

    /// Whom the provider does not answer decides alone.
    @Test(arguments: [false, true]) func notExecuted_providerCanNotBeAsked_isRecorded(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(listing(shop, Switch(false)))
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 3_600)
                let held = try await client.resolve(sale, as: .notExecuted(), reason: "the bank says so")
                #expect(held.state == .notExecuted)
            }
        }
    }

    /// Two sales alike are in doubt at an account of our own. A person says of the one that was executed that it was not; what the
    /// provider shows later is not taken for the other one.
    @Test(arguments: [false, true]) func notExecutedByMistake_paymentShown_isNotTakenForAnotherSale(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let isListed = Switch(false)
            var driver = listing(shop, isListed)
            driver.capabilities.isExclusive = true
            let lookup = driver.onLookup
            driver.onLookup = { inquiry, context in
                isListed.isOn ? try await lookup(inquiry, context) : .candidates([])
            }
            let lose = driver.onSale
            driver.onSale = { [sale] request, context in
                if context.attempt == sale { return try await lose(request, context) }
                return try await context.exchange(.money) { _ -> Verdict in throw Lost() }
            }
            let client = try shop.client(driver)
            let other = try AttemptID("sale-2")
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: other)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .notExecuted(), reason: "not on the slip")
                isListed.turn(true)
                let told = await client.outcome(of: other)
                #expect(!told.isApproved, "only \(sale) was charged; \(other) came to \(told)")
                let standing = try await client.standing(of: other)
                #expect(standing == .inDoubt, "\(standing as Any)")
            }
        }
    }

    /// The same; the attempt that a person called not executed runs again, and the customer cancels the tap.
    @Test(arguments: [false, true]) func notExecutedByMistake_runAgain_staysARival(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let (isListed, isCancelled) = (Switch(false), Switch(false))
            var driver = listing(shop, isListed)
            driver.capabilities.isExclusive = true
            let lookup = driver.onLookup
            driver.onLookup = { inquiry, context in
                isListed.isOn ? try await lookup(inquiry, context) : .candidates([])
            }
            let lose = driver.onSale
            driver.onSale = { [sale] request, context in
                if isCancelled.isOn { return .cancelled(Cancellation(cause: .customer)) }
                if context.attempt == sale { return try await lose(request, context) }
                return try await context.exchange(.money) { _ -> Verdict in throw Lost() }
            }
            let client = try shop.client(driver)
            let other = try AttemptID("sale-2")
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: other)
                try await shop.wait(seconds: 3_600)
                try await client.resolve(sale, as: .notExecuted(), reason: "not on the slip")
                isCancelled.turn(true)
                _ = await client.sell(attempt: sale)
                isListed.turn(true)
                let told = await client.outcome(of: other)
                #expect(!told.isApproved, "only \(sale) was charged; \(other) came to \(told)")
            }
        }
    }

    /// The provider named no name for the sale. An unlinked refund for it is a payment of its own there: what follows the sale
    /// never goes to it.
    @Test(arguments: [false, true]) func unlinkedRefund_givesThePaymentNoName(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let asked = Locked<[PaymentReferences]>([])
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, request.amount)
                    return .approved(Approval(request.amount, references: ["payment": "p-1"]))
                }
            }
            driver.onRefund = { request, context in
                asked.withLock { $0.append(request.payment.references) }
                return try await context.exchange(.money) { _ in
                    .approved(Approval(request.amount, references: ["back": "b-\(context.attempt)"]))
                }
            }
            let client = try shop.client(driver)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                let given = await client.giveUnlinked(300, for: sale, "return-1")
                let first = await client.refund(100, of: sale, for: "one")
                let second = await client.refund(200, of: sale, for: "two")
                #expect(given.isApproved && first.isApproved && second.isApproved, "\(given) \(first) \(second)")
                #expect(asked.withLock { $0.map { $0["refund"] } } == [nil, nil], "the unlinked refund has this name")
                #expect(asked.withLock { $0.last?["back"] } != nil, "a refund of the payment has this one")
                let names = try await client.payment(PaymentID(sale)).references
                #expect(names["refund"] == nil)
            }
        }
    }
}
