import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentTestTill
import PaymentTesting
import Testing

/// What becomes known later than the clerk could wait.
@Suite struct FifthAttackLaterTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("sale-2")) }

    /// A refund is declined, the clerk makes it again for the same item, and then the provider executes the first one after
    /// all: the customer got it twice, and a person learns of that.
    @Test(arguments: [false, true], ["item 1", nil]) func declinedRefundMadeAgain_thenExecuted_isRaised(
        _ isSQLite: Bool, _ item: String?
    ) throws {
        try Second.over(isSQLite) { shop in
            let count = Locked(0)
            var driver = Fake(shop.ledger)
            driver.onRefund = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    if count.withLock({
                        $0 += 1; return $0
                    }) == 1 {
                        return nowDeclined(.declinedByProvider)
                    }
                    ledger.refund(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["refund": "r-\(context.attempt)"])
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let (one, two) = (try AttemptID("refund-1"), try AttemptID("refund-2"))
                func refund(_ id: AttemptID) async -> Told {
                    await Told {
                        try await client.refund(PaymentID(sale), of: .cents(400), reference: item, attempt: id)
                    }
                }
                _ = await client.sell(attempt: sale)
                let first = await refund(one)
                let second = await refund(two)
                try #require(first.isDeclined && second.isApproved, "\(first); \(second)")
                shop.ledger.refund(one, .cents(400), as: "r-late")
                shop.say(.attempt(one), [.refund], nowApproved(400, ["refund": "r-late"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.refunded == .cents(800), "\(amounts.refunded)")
                #expect(
                    heard.has(.contradiction) || heard.has(.activeTwice) || heard.has(.disputed),
                    "4.00 were given back twice for one thing: \(shop.ledger.refunds.map(\.name)); heard \(heard.kinds)"
                )
            }
        }
    }

    /// A refund at the dashboard comes under our id, and calls the payment by a name that the sale's reply did not have.
    @Test(arguments: [false, true]) func dashboardRefundUnderOurID_ofAnUnknownOriginal_isCountedOrRaised(
        _ isSQLite: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                shop.ledger.refund(sale, .cents(600), as: "dash-1")
                shop.say(.attempt(sale), [.refund], nowApproved(600, ["refund": "dash-1"]), of: "psp-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                let told = await client.refund(1_000, of: sale)
                #expect(
                    shop.ledger.refundedCents <= 1_000 || heard.has(.disputed) || heard.has(.contradiction),
                    "\(told): given back \(shop.ledger.refunds.map(\.cents)); heard \(heard.kinds)")
            }
        }
    }

    /// The outcome waits for the journal, which is set back to before the sale in between: the outcome is written all the same.
    @Test(arguments: [
        JournalFailure.notWritten("the disk is full"), .writeUnconfirmed("the connection broke at the commit"),
    ]) func waitingOutcome_ofALostOpening_isWrittenAsItsOwn(_ why: JournalFailure) throws {
        let shop = Shop()
        let finishless = FinishlessJournal(shop.journal)
        let swapped = SwappedJournal(finishless)
        let client = try shop.client(Fake(shop.ledger), over: swapped)
        try shop.play { [sale, next] in
            finishless.fail(why)
            let told = await client.sell(attempt: sale)
            try #require(told.isApproved, "\(told)")
            swapped.swap(InMemoryJournal(processes: shop.owners.process("shop")))
            try? await client.flush()
            let again = await client.sell(attempt: next)
            #expect(shop.ledger.chargedCents <= 1_000, "\(told); the order again: \(again)")
        }
    }

    /// A caller leaves while the first provider is not reached; nothing is charged at the second one behind its back.
    @Test(arguments: [0, 1, 2, 5, 10] as [Int64]) func callerLeaves_whileTheFirstProviderIsNotReached_chargesOnceAtMost(
        _ seconds: Int64
    ) throws {
        let shop = Shop()
        var a = Fake(shop.ledger, name: "a")
        a.onSale = { _, context in
            try await context.exchange(.money) { _ -> Verdict in
                try await shop.wait(seconds: 5)
                throw Refused(.network, .notSent)
            }
        }
        let b = Fake(shop.ledger, name: "b")
        var routing = Routing(active: "a")
        routing.rules = [Routing.Rule(["a", "b"])]
        let client = try shop.client(a, b, routing: routing)
        try shop.play { [sale] in
            let told = await client.sell(attempt: sale, withinSeconds: max(1, seconds))
            try await shop.wait(seconds: 120)
            let state = try await client.standing(of: sale)
            let charged = shop.ledger.chargedCents
            #expect(charged <= 1_000)
            #expect(charged == 0 || !told.saysNothingMoved, "\(told), charged \(charged), \(String(describing: state))")
        }
    }

    /// A second screen sells under the id, and a third one asks, while the first call has to continue at the next provider: all
    /// get what became of the whole call.
    @Test(arguments: [true, false]) func otherCallers_whileTheFirstContinuesAtTheNextProvider_getItsAnswer(
        _ isReached: Bool
    ) throws {
        let shop = Shop()
        let (a, b) = (Self.unreached(shop, "a"), isReached ? Fake(shop.ledger, name: "b") : Self.unreached(shop, "b"))
        var routing = Routing(active: "a")
        routing.rules = [Routing.Rule(["a", "b"])]
        let client = try shop.client(a, b, routing: routing)
        try shop.play { [sale] in
            let first = shop.beside { await client.sell(attempt: sale) }
            try await shop.wait(seconds: 1)
            let second = shop.beside { await client.sell(attempt: sale) }
            let asked = shop.beside { await client.outcome(of: sale) }
            for told in [await first.value, await second.value, await asked.value] {
                #expect(isReached ? told.isApproved : told.saysNothingMoved, "\(told)")
            }
            // Nothing waits for a time to be over.
            #expect(shop.ledger.chargedCents == (isReached ? 1_000 : 0))
            let later = await client.outcome(of: sale)
            #expect(isReached ? later.isApproved : later.saysNothingMoved, "\(later)")
        }
    }

    /// A sale at a provider that is not reached, and then at one that takes its time before it sends anything.
    private func continuing(
        _ shop: Shop,
        _ body: @escaping @Sendable (_ told: Task<Told, Never>, _ other: PaymentClient) async throws -> Void
    ) throws {
        var routing = Routing(active: "a")
        routing.rules = [Routing.Rule(["a", "b"])]
        var b = Fake(shop.ledger, name: "b")
        let sells = b.onSale
        b.onSale = { request, context in
            try await shop.wait(seconds: 60)
            return try await sells(request, context)
        }
        let client = try shop.client(Self.unreached(shop, "a"), b, routing: routing)
        let other = try shop.client(
            Fake(shop.ledger, name: "a"), Fake(shop.ledger, name: "b"), owner: "office", routing: routing)
        try shop.play { [sale] in
            let told = shop.beside { await client.sell(attempt: sale) }
            try await shop.wait(seconds: 30)
            try await body(told, other)
        }
    }

    /// Between two providers nothing is executed, and nothing is over: every process reads that.
    @Test func otherProcess_whileASaleContinuesAtTheNextProvider_readsThatItRuns() throws {
        let shop = Shop()
        try continuing(shop) { [sale, next] told, other in
            let seen = try #require(try await other.attempt(sale))
            #expect(seen.state == .running && seen.runs.count == 1 && seen.requests.allSatisfy(\.wasNotExecuted))
            let twice = await other.sell(attempt: next)
            #expect(twice.saysNothingMoved && shop.ledger.chargedCents == 0, "\(twice)")
            await #expect(throws: PaymentError.self) {
                try await other.resolve(sale, as: .notExecuted(besides: []), by: "ann", reason: "not on the slip")
            }
            try await shop.recover(other, seconds: 1)
            #expect(try await other.attempt(sale)?.state == .running)
            #expect(await told.value.isApproved)
            #expect(shop.ledger.chargedCents == 1_000)
        }
    }

    /// What another process ended as dead is read as over: its process sends nothing to the next provider.
    @Test func saleBetweenTwoProviders_whoseProcessWasTakenForDead_isNotSentToTheNext() throws {
        let shop = Shop()
        try continuing(shop) { [sale] told, other in
            shop.owners.declareDead("till")
            let read = await other.outcome(of: sale)
            #expect(read.saysNothingMoved, "\(read)")
            let answer = await told.value
            #expect(answer.saysNothingMoved && shop.ledger.chargedCents == 0, "\(answer)")
        }
    }

    /// The call that began it leaves: no call is left that begins it over, and the second one reads that at once.
    @Test func secondCaller_whoseFirstLeft_readsThatNothingMovedAsSoonAsItIsSo() throws {
        let shop = Shop()
        var routing = Routing(active: "a")
        routing.rules = [Routing.Rule(["a", "b"])]
        let client = try shop.client(
            Self.unreached(shop, "a"), Fake(shop.ledger, name: "b"), routing: routing)
        try shop.play { [sale] in
            let first = shop.beside { await client.sell(attempt: sale) }
            try await shop.wait(seconds: 1)
            let second = shop.beside { await client.sell(attempt: sale) }
            try await shop.wait(seconds: 1)
            let begun = shop.stage.now
            first.cancel()
            let told = (await first.value, await second.value)
            #expect(!told.0.saysNothingMoved && told.1.saysNothingMoved, "\(told)")
            #expect(shop.stage.now < begun + 60_000)
            try await shop.wait(seconds: 600)
            #expect(shop.ledger.chargedCents == 0)
        }
    }

    /// A provider that is slow to turn out not to be reached.
    private static func unreached(_ shop: Shop, _ name: String) -> Fake {
        var provider = Fake(shop.ledger, name: name)
        provider.onSale = { _, context in
            try await context.exchange(.money) { _ -> Verdict in
                try await shop.wait(seconds: 5)
                throw Refused(.network, .notSent)
            }
        }
        return provider
    }

    /// The same with a part of a hold that is captured: the customer is charged twice for one delivery.
    @Test(arguments: [false, true]) func declinedCaptureMadeAgain_thenExecuted_isRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let count = Locked(0)
            var driver = Fake(shop.ledger)
            driver.onCapture = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    if count.withLock({
                        $0 += 1; return $0
                    }) == 1 {
                        return nowDeclined(.declinedByProvider)
                    }
                    ledger.charge(context.attempt, request.amount)
                    return nowApproved(request.amount.minorUnits, ["capture": "c-\(context.attempt)"])
                }
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                let (one, two) = (try AttemptID("cap-1"), try AttemptID("cap-2"))
                func capture(_ id: AttemptID) async -> Told {
                    await Told {
                        try await client.capture(
                            PaymentID(sale), of: .cents(400), reference: "delivery 1", attempt: id)
                    }
                }
                _ = await client.hold(attempt: sale)
                let first = await capture(one)
                let second = await capture(two)
                try #require(first.isDeclined && second.isApproved, "\(first); \(second)")
                shop.ledger.charge(one, .cents(400), as: "c-late")
                shop.say(.attempt(one), [.capture], nowApproved(400, ["capture": "c-late"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let captured = try await client.amounts(of: sale).captured
                #expect(
                    heard.has(.contradiction) || heard.has(.activeTwice) || heard.has(.disputed),
                    "4.00 were charged twice for one delivery: \(shop.ledger.charges.map(\.name)); in the books \(captured); heard \(heard.kinds)"
                )
            }
        }
    }

    /// The merchant took the provider out of the configuration: each operation that is repeated under its id is still
    /// answered from its record.
    @Test(arguments: ["capture", "void", "refund"]) func repeatedFollowUp_whoseProviderIsGone_isAnsweredFromItsRecord(
        _ operation: String
    ) throws {
        let shop = Shop()
        let (p, q) = (Whole(Fake(shop.ledger)), Whole(Fake(shop.ledger, name: "q")))
        let (before, after) = (try shop.client(p, q, owner: "before"), try shop.client(q, owner: "after"))
        try shop.play { [sale] in
            let again = try AttemptID("again-1")
            @Sendable func play(_ client: PaymentClient) async -> Told {
                await Told {
                    switch operation {
                    case "capture": try await client.capture(PaymentID(sale), attempt: again)
                    case "void": try await client.void(PaymentID(sale), attempt: again)
                    default: try await client.refund(PaymentID(sale), attempt: again)
                    }
                }
            }
            _ = operation == "refund" ? await before.sell(attempt: sale) : await before.hold(attempt: sale)
            let first = await play(before)
            try #require(first.isApproved, "\(first)")
            let told = await play(after)
            #expect(told.isApproved, "it was executed; repeated: \(told)")
        }
    }

    /// A program could not write an outcome and makes a new client in the same process, as after a change of the configuration:
    /// the sale is found by a look, or a person can decide it.
    @Test func outcomeOfAClientThatIsGone_inTheSameProcess_isFoundOrDecided() throws {
        let shop = Shop()
        let finishless = FinishlessJournal(shop.journal)
        let driver = Fake(shop.ledger)
        try shop.play { [sale] in
            do {
                let first = try shop.client(driver, owner: "till", over: finishless)
                finishless.fail(.notWritten("the disk is full"))
                let told = await first.sell(attempt: sale)
                try #require(told.isApproved, "\(told)")
            }
            finishless.fail(nil)
            let second = try shop.client(driver, owner: "till", over: finishless)
            try await shop.recover(second, seconds: 86_400)
            let told = await second.outcome(of: sale)
            var decided = "decided"
            do { try await second.resolve(sale, as: .executed(name: "p-sale-1", nil), by: "Ann", reason: "seen") } catch
            {
                decided = (error as? PaymentError)?.debugDescription ?? ""
            }
            let state = try await second.standing(of: sale)
            #expect(state == .approved, "\(told); a person: \(decided); \(String(describing: state))")
        }
    }

    /// Seventy messages about an attempt that this journal does not have yet, none of which has a name: the last one says that it
    /// was executed, and that is not dropped.
    @Test(arguments: [false, true]) func manyMessagesAboutAnUnknownAttempt_noneIsDroppedInSilence(_ isSQLite: Bool)
        throws
    {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                for number in 1...70 {
                    shop.say(.attempt(sale), [.sale], nowDeclined(), id: "no-\(number)")
                    await client.takeWebhook()
                }
                shop.say(.attempt(sale), [.sale], nowApproved(1_000), id: "yes")
                await client.takeWebhook()
                shop.ledger.charge(sale, .cents(1_000))
                let told = await client.sell(attempt: sale)
                #expect(
                    shop.ledger.chargedCents <= 1_000,
                    "\(told): charged \(shop.ledger.charges.map(\.name)); heard \(heard.kinds)")
            }
        }
    }
}
