import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// Messages that name too little, say too much, or come too often.
@Suite struct FifthAttackMessageTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("sale-2")) }

    /// A refund at the dashboard, of which the message has no name but the sale's.
    @Test(arguments: [false, true]) func dashboardRefundNamedAsTheSale_isCountedOrBlocksOrRaised(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(1_000), as: "dash-1")
                shop.say(.reference("p-sale-1", [.refund]), [.refund], nowApproved(1_000))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let told = await client.refund(1_000, of: sale)
                #expect(
                    !told.isApproved || heard.has(.disputed) || heard.has(.contradiction),
                    "\(told): given back \(shop.ledger.refunds), heard \(heard.kinds)")
            }
        }
    }

    /// A refund at the dashboard comes without a name, a person says that it was made; then its message comes with a name.
    @Test(arguments: [false, true]) func namelessDashboardRefund_saidByAPerson_thenNamed_isCountedOnceOrRaised(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.say(.attempt(sale), [.refund], nowApproved(400), id: "m-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 120)
                let open = try await client.payment(PaymentID(sale)).openAttempts.map(\.intent.attempt)
                let movement = try #require(open.first)
                try await client.resolve(movement, as: .executed(name: "", .cents(400)), by: "Ann", reason: "seen")
                let before = (heard.count(.contradiction), heard.count(.disputed))
                shop.say(.attempt(sale), [.refund], nowApproved(400, ["refund": "dash-1"]), id: "m-2")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                let isRaised = (heard.count(.contradiction), heard.count(.disputed)) != before
                #expect(
                    amounts.refunded == .cents(400) || isRaised,
                    "4.00 were given back, in the books \(amounts.refunded); heard \(heard.kinds)")
            }
        }
    }

    /// A driver passes a refund of -5.00 on: nothing that was refunded comes back by that.
    @Test(arguments: [false, true]) func dashboardRefundBelowZero_isNotBelieved(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(600, of: sale)
                shop.ledger.post(
                    shop.notice("dash-1", .refund, nowApproved(-600, ["refund": "dash-1"]), of: "p-sale-1"))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let told = await client.refund(1_000, of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "\(told): charged 10.00, given back \(shop.ledger.refunds); heard \(heard.kinds)")
            }
        }
    }

    /// A refund over the most that a number can be: the sums don't wrap, and nothing more is refunded.
    @Test(arguments: [Int64.max, Int64.max - 1, Money.believableMinorUnitsMax + 1])
    func dashboardRefundAtTheEdge_leavesNothing(_ cents: Int64) throws {
        let shop = Shop()
        let client = try shop.client(Fake(shop.ledger))
        let heard = Heard(client, shop.stage)
        try shop.play { [sale] in
            _ = await client.sell(attempt: sale)
            for name in ["dash-1", "dash-2"] {
                shop.ledger.post(shop.notice(name, .refund, nowApproved(cents, ["refund": name]), of: "p-sale-1"))
                await client.takeWebhook()
            }
            try await shop.wait(seconds: 5)
            let told = await client.refund(1, of: sale)
            let amounts = try await client.amounts(of: sale)
            #expect(!told.isApproved && amounts.refundable.isZero, "\(told); \(amounts)")
            #expect(heard.has(.contradiction) || heard.has(.otherAmount) || heard.has(.disputed), "\(heard.kinds)")
        }
    }

    /// A provider says a hundred and twenty times, each time under another message's name, that a sale is approved.
    @Test func approvalSaidByManyMessages_isKeptWithinALimit() throws {
        let shop = Shop()
        let client = try shop.client(Fake(shop.ledger))
        try shop.play { [sale] in
            _ = await client.sell(attempt: sale)
            for number in 1...120 {
                shop.say(.attempt(sale), [.sale], nowApproved(1_000, ["payment": "p-sale-1"]), id: "m-\(number)")
                await client.takeWebhook()
            }
            let count = try await client.attempt(sale)?.reports.count ?? 0
            #expect(count <= 100, "\(count) reports, each of which is compared with each whenever the payment is read")
        }
    }

    /// A copy of a message that waited, after what followed it: nothing counts twice.
    @Test(arguments: [false, true]) func waitingMessage_appliedThenCopied_countsOnce(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            try shop.play { [sale] in
                func refund(at time: Int64) {
                    var notice = ProviderNotice(
                        .reference("dash-1", [.refund]), nowApproved(400, ["refund": "dash-1"]), at: time,
                        kind: "REFUND")
                    (notice.original, notice.id) = ("p-sale-1", "m-1")
                    shop.ledger.post(notice)
                }
                let time = shop.stage.now
                refund(at: time)
                await client.takeWebhook()
                _ = await client.sell(attempt: sale)
                let first = try await client.amounts(of: sale).refunded
                shop.ledger.post(
                    shop.notice(
                        "dash-1", .refund, nowDeclined(.failedAfterApproval, ["refund": "dash-1"]), of: "p-sale-1"))
                await client.takeWebhook()
                let failed = try await client.amounts(of: sale).refunded
                refund(at: time)
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(
                    first == .cents(400) && failed.isZero && amounts.refunded.isZero, "\(first) \(failed) \(amounts)")
            }
        }
    }

    /// A person gives two payments back in one step at the dashboard, and the provider calls both refunds by one name.
    @Test(arguments: [false, true]) func oneDashboardNameForTwoPayments_isCountedAtBothOrRaised(_ isSQLite: Bool) throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: next)
                for id in [sale, next] {
                    shop.ledger.refund(id, .cents(600), as: "batch-1")
                    shop.ledger.post(
                        shop.notice("batch-1", .refund, nowApproved(600, ["refund": "batch-1"]), of: "p-\(id)"))
                    await client.takeWebhook()
                    try await shop.wait(seconds: 5)
                }
                let first = try await client.amounts(of: sale).refunded
                let second = try await client.amounts(of: next).refunded
                #expect(
                    first == .cents(600) && second == .cents(600)
                        || heard.has(.nameTaken) || heard.has(.disputed) || heard.has(.contradiction),
                    "6.00 of each were given back, in the books \(first) and \(second); heard \(heard.kinds)")
            }
        }
    }

    /// The provider gives a refund at the dashboard the name that our refund of another payment has.
    @Test(arguments: [false, true]) func dashboardRefundNamedAsOurRefundOfAnotherPayment_isCountedOrRaised(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                let refund = try AttemptID("refund-1")
                _ = await client.sell(attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: next)
                _ = await client.refund(600, of: sale, attempt: refund)
                shop.ledger.refund(next, .cents(600), as: "r-refund-1")
                shop.ledger.post(
                    shop.notice("r-refund-1", .refund, nowApproved(600, ["refund": "r-refund-1"]), of: "p-sale-2"))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let second = try await client.amounts(of: next)
                #expect(
                    second.refunded == .cents(600) || second.refundable == .cents(400)
                        || heard.has(.nameTaken) || heard.has(.disputed) || heard.has(.contradiction),
                    "6.00 of the second were given back, in the books \(second.refunded); heard \(heard.kinds)")
            }
        }
    }

    /// Our refund of a lost reply is reported by its id, with the name of another payment as the one that it acts on.
    @Test(arguments: [false, true]) func refundUnderOurID_actingOnAnotherPayment_decidesNothing(_ isSQLite: Bool) throws
    {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onRefund = { _, context in try await context.exchange(.money) { _ -> Verdict in throw Lost() } }
            let client = try shop.client(driver)
            try shop.play { [sale, next] in
                let refund = try AttemptID("refund-1")
                _ = await client.sell(attempt: sale)
                _ = await client.sell(1_000, "order-2", attempt: next)
                _ = await client.refund(600, of: sale, attempt: refund)
                shop.say(.attempt(refund), [.refund], nowApproved(600, ["refund": "r-9"]), of: "p-sale-2")
                await client.takeWebhook()
                let (first, second) = (
                    try await client.amounts(of: sale).refunded, try await client.amounts(of: next).refunded
                )
                let state = try await client.standing(of: refund)
                #expect(first.isZero && state == .inDoubt, "\(first), \(second), \(String(describing: state))")
            }
        }
    }

    /// The provider's name of a sale is longer than a name may be; a refund at the dashboard names it as its payment.
    @Test(arguments: [false, true]) func dashboardRefundOfASaleWithALongName_isCountedOrBlocksOrRaised(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let name = "p-" + String(repeating: "x", count: Attempt.Name.bytesMax)
            var driver = Fake(shop.ledger)
            driver.onSale = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["payment": name])
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(600), as: "dash-1")
                shop.ledger.post(shop.notice("dash-1", .refund, nowApproved(600, ["refund": "dash-1"]), of: name))
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let told = await client.refund(1_000, of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000 || heard.has(.disputed) || heard.has(.nameTaken),
                    "\(told): given back \(shop.ledger.refunds.map(\.cents)), heard \(heard.kinds)")
            }
        }
    }

    /// One merchant's account is configured under two names, for tills and for phones, and its messages come to one of them: a
    /// refund at the dashboard of what the phone charged.
    @Test(arguments: [false, true]) func dashboardRefundHeardUnderTheAccountsOtherName_isCountedOrRaised(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let (phone, till) = (
                Fake(shop.ledger, name: "phone", merchant: "m"), Fake(shop.ledger, name: "till", merchant: "m")
            )
            try #require(
                phone.identity.merchant == till.identity.merchant && phone.identity.adapter == till.identity.adapter)
            let client = try shop.client(phone, till)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(600), as: "dash-1")
                shop.ledger.post(shop.notice("dash-1", .refund, nowApproved(600, ["refund": "dash-1"]), of: "p-sale-1"))
                await client.takeWebhook(from: "till")
                try await shop.wait(seconds: 5)
                let told = await client.refund(1_000, of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000 || heard.has(.disputed) || heard.has(.contradiction),
                    "\(told): given back \(shop.ledger.refunds.map(\.cents)); heard \(heard.kinds)")
            }
        }
    }

    /// The provider writes an accent of a name in two ways: whatever that means, both stores answer alike.
    @Test func nameInTwoUnicodeForms_isReadAlikeByBothStores() throws {
        var refunded: [Money] = []
        for isSQLite in [false, true] {
            try Second.over(isSQLite) { shop in
                var driver = Fake(shop.ledger)
                driver.onSale = { request, context in
                    try await context.exchange(.money) { _ in
                        nowApproved(request.amount.minorUnits, ["payment": "caf\u{E9}-1"])
                    }
                }
                let client = try shop.client(driver)
                try shop.play { [sale] in
                    _ = await client.sell(attempt: sale)
                    shop.ledger.post(
                        shop.notice("dash-1", .refund, nowApproved(600, ["refund": "dash-1"]), of: "cafe\u{301}-1"))
                    await client.takeWebhook()
                }
                refunded.append(try shop.play { [sale] in try await client.amounts(of: sale).refunded })
            }
        }
        #expect(refunded[0] == refunded[1], "in memory \(refunded[0]), in SQLite \(refunded[1])")
    }
}
