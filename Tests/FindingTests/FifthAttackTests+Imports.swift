import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentSQLite
import PaymentTestTill
import PaymentTesting
import Testing

/// A shop whose journal begins with one imported payment of 10.00, `old-1`, which its provider calls `p-old`.
struct ImportedShop {
    let shop: Shop
    let folder: JournalFolder
    let driver: Fake
    let old: AttemptID

    init() throws {
        (shop, folder, old) = (Shop(), try JournalFolder(), try AttemptID("old-1"))
        driver = Fake(shop.ledger)
    }

    /// One line of an import.
    func line(takenAt: Int64, _ more: String = "", attempt: String = "old-1", order: String = "old-order") -> String {
        let account = driver.identity
        return """
            {"attempt":"\(attempt)","provider":"\(account.id)","adapter":"\(account.adapter)",\
            "environment":"\(account.environment)","merchant":"\(account.merchant)","reference":"\(order)",\
            "minorUnits":1000,"currency":"EUR","takenAt":\(takenAt),"references":{"payment":"p-old"}\(more)}
            """
    }

    /// Imports lines; the words of the refusal, or nil if they were taken.
    func adopt(_ lines: String...) throws -> String? {
        let (file, now) = (folder.file, shop.stage.now)
        do {
            try SchedulerJournal.wait {
                let journal = try await SQLiteJournal.open(path: file, processes: SingleProcess("import"))
                let answer: Result<Int, any Error>
                do {
                    answer = .success(try await journal.adopt(lines, at: Attempt.Instant(wall: now, uptime: 0)))
                } catch { answer = .failure(error) }
                await journal.close()
                _ = try answer.get()
            }
            return nil
        } catch { return (error as? PaymentError)?.debugDescription ?? "\(error)" }
    }

    /// Opens the journal and makes a client over it.
    func open(_ body: (PaymentClient) throws -> Void) throws {
        try folder.open(as: shop.owners.process("shop")) { journal in
            try body(try shop.client(driver, over: journal))
        }
    }
}

/// Imported payments whose lines can't be true, and what is refunded of them.
@Suite struct FifthAttackImportTests {
    /// A line with microseconds for milliseconds says that the payment is taken in the year 58,000. What the provider refunds
    /// from now on counts.
    @Test func importTakenInTheFuture_isRefusedOrTheNextRefundCounts() throws {
        let old = try ImportedShop()
        let refusal = try old.adopt(old.line(takenAt: old.shop.stage.now * 1_000))
        if refusal != nil { return }
        try old.open { client in
            let shop = old.shop
            try shop.play {
                try await shop.wait(seconds: 60)
                shop.ledger.refund(old.old, .cents(1_000), as: "dash-1")
                shop.ledger.post(shop.notice("dash-1", .refund, nowApproved(1_000, ["refund": "dash-1"]), of: "p-old"))
                await client.takeWebhook()
                let told = await client.refund(600, of: old.old)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "the line was taken; \(told): 10.00 taken, given back \(shop.ledger.refunds)")
            }
        }
    }

    /// A line speaks for next year: what the provider refunds until then counts all the same.
    @Test func importThatSpeaksForTheFuture_isRefusedOrTheNextRefundCounts() throws {
        let old = try ImportedShop()
        let now = old.shop.stage.now
        let refusal = try old.adopt(
            old.line(takenAt: now - 86_400_000, #","holdsUntil":\#(now + 365 * 86_400_000)"#))
        if refusal != nil { return }
        try old.open { client in
            let shop = old.shop
            try shop.play {
                try await shop.wait(seconds: 60)
                shop.ledger.refund(old.old, .cents(1_000), as: "dash-1")
                shop.ledger.post(shop.notice("dash-1", .refund, nowApproved(1_000, ["refund": "dash-1"]), of: "p-old"))
                await client.takeWebhook()
                let told = await client.refund(600, of: old.old)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "the line was taken; \(told): 10.00 taken, given back \(shop.ledger.refunds)")
            }
        }
    }

    /// A line says that 4.00 were refunded and not up to when it speaks. The provider sends its message of that once more.
    @Test func importedRefundWithoutAMoment_toldAgain_isCountedOnceOrAsked() throws {
        let old = try ImportedShop()
        let now = old.shop.stage.now
        let refusal = try old.adopt(old.line(takenAt: now - 86_400_000, #","refunded":400"#))
        if refusal != nil { return }
        try old.open { client in
            let shop = old.shop
            let heard = Heard(client, shop.stage)
            try shop.play {
                var notice = ProviderNotice(
                    .reference("r-old", [.refund]), nowApproved(400, ["refund": "r-old"]), at: now - 3_600_000,
                    kind: "REFUND")
                notice.original = "p-old"
                shop.ledger.post(notice)
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: old.old)
                #expect(
                    amounts.refunded == .cents(400) || heard.has(.disputed) || heard.has(.contradiction),
                    "4.00 were given back, in the books \(amounts.refunded), left \(amounts.refundable); \(heard.kinds)"
                )
            }
        }
    }

    /// An order that this journal has charged is imported as charged at another account: a person learns of it.
    @Test func importOfAnOrderThatIsPaid_atAnotherAccount_isRefusedOrRaised() throws {
        let old = try ImportedShop()
        let shop = old.shop
        let sale = try AttemptID("sale-1")
        var other = Fake(shop.ledger, name: "q")
        other.capabilities.currencies = nil
        let driver = other
        try old.folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play { _ = await client.sell(attempt: sale) }
        }
        let refusal = try old.adopt(old.line(takenAt: shop.stage.now - 3_600_000, order: "order-1"))
        try old.open { client in
            try shop.play {
                let steps = try await client.timeline(of: PaymentID(old.old))
                #expect(
                    refusal != nil || steps.contains { $0.kind == .activeTwice },
                    "two payments of one order, and the timeline says \(steps.map(\.kind.rawValue))")
            }
        }
    }

    /// The old system had asked for a refund of 4.00 that was pending, so that the line counts none. The refund fails after
    /// the import: nothing is taken off what was never counted, and no more is refunded than was taken.
    @Test func refundThatNoImportCounted_failsLater_takesNothingOff() throws {
        let old = try ImportedShop()
        let now = old.shop.stage.now
        let refusal = try old.adopt(old.line(takenAt: now - 86_400_000, #","holdsUntil":\#(now)"#))
        try #require(refusal == nil)
        try old.open { client in
            let shop = old.shop
            let heard = Heard(client, shop.stage)
            try shop.play {
                try await shop.wait(seconds: 3_600)
                var notice = shop.notice(
                    "r-old", .refund, nowDeclined(.failedAfterApproval, ["refund": "r-old"]), of: "p-old")
                notice.amount = .cents(400)
                shop.ledger.post(notice)
                await client.takeWebhook()
                let before = try await client.amounts(of: old.old)
                let whole = await client.refund(1_000, of: old.old)
                let more = await client.refund(400, of: old.old)
                #expect(
                    shop.ledger.refundedCents <= 1_000,
                    "after the failure \(before.refunded) is refunded; \(whole), \(more): 10.00 taken, given back \(shop.ledger.refunds.map(\.cents)); heard \(heard.kinds)"
                )
                #expect(!before.refunded.isNegative, "in the books \(before.refunded) is refunded")
            }
        }
    }

    /// A capture of the imported sale had failed and was made again before the time that the line speaks for. The provider
    /// sends the message of the failure once more: the line has counted it, and the order is not sold again.
    @Test func oldCaptureFailureOfAnImportedSale_sentAgain_changesNothing() throws {
        let old = try ImportedShop()
        let now = old.shop.stage.now
        let refusal = try old.adopt(old.line(takenAt: now - 86_400_000, #","holdsUntil":\#(now)"#))
        try #require(refusal == nil)
        try old.open { client in
            let shop = old.shop
            let heard = Heard(client, shop.stage)
            try shop.play {
                try await shop.wait(seconds: 3_600)
                var notice = ProviderNotice(
                    .reference("c-old", [.capture]), nowDeclined(.failedAfterApproval, ["capture": "c-old"]),
                    at: now - 43_200_000, kind: "CAPTURE_FAILED")
                notice.original = "p-old"
                shop.ledger.post(notice)
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let captured = try await client.amounts(of: old.old).captured
                let again = await client.sell(1_000, "old-order", attempt: try AttemptID("sale-1"))
                #expect(
                    captured == .cents(1_000) && !again.isApproved,
                    "10.00 is charged, in the books \(captured); sold again: \(again); heard \(heard.kinds)")
            }
        }
    }

    /// The list shows a sale that is in doubt here, and that 4.00 were refunded of it. The provider's old message of that
    /// refund is sent once more: it counts once.
    @Test func importOfOurSaleInDoubt_withARefund_thenItsOldMessage_countsOnce() throws {
        let old = try ImportedShop()
        let shop = old.shop
        let sale = try AttemptID("sale-1")
        var lost = old.driver
        lost.onLookup = { _, _ in .cannotTell("Not now.") }
        lost.onSale = { [ledger = shop.ledger] in try await Fake.chargeWithoutReply(ledger, $0, $1) }
        let driver = lost
        let begun = shop.stage.now
        try old.folder.open(as: shop.owners.process("shop")) { journal in
            let client = try shop.client(driver, over: journal)
            try shop.play {
                _ = await client.sell(attempt: sale)
                try await shop.wait(seconds: 7_200)
            }
        }
        let line = old.line(
            takenAt: begun, #","refunded":400,"holdsUntil":\#(shop.stage.now)"#, attempt: "sale-1", order: "order-1")
        let refusal = try old.adopt(line)
        if refusal != nil { return }
        try old.open { client in
            try shop.play {
                var notice = ProviderNotice(
                    .reference("r-old", [.refund]), nowApproved(400, ["refund": "r-old"]), at: begun + 3_600_000,
                    kind: "REFUND")
                notice.original = "p-old"
                shop.ledger.post(notice)
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.refunded == .cents(400),
                    "4.00 of 10.00 were given back, in the books \(amounts.refunded), left \(amounts.refundable)")
            }
        }
    }

    /// A line for a refund of 4.00 of `sale-1`, as it follows from the sums of a list.
    private func sumLine(_ account: ProviderIdentity, saidAt: Int64) -> String {
        """
        {"attempt":"there-400-sale-1","payment":"sale-1","operation":"refund","provider":"\(account.id)",\
        "adapter":"\(account.adapter)","environment":"\(account.environment)","merchant":"\(account.merchant)",\
        "minorUnits":400,"currency":"EUR","takenAt":\(saidAt),"holdsUntil":\(saidAt)}
        """
    }

    /// A list's sum, which has no name, brings back a refund. Then a message names that one, or one that was made later.
    @Test(arguments: [false, true]) func refundFromASum_thenNamedByAMessage_isRaisedUnlessItWasMadeLater(
        _ isLater: Bool
    ) throws {
        let old = try ImportedShop()
        let (shop, sale) = (old.shop, try AttemptID("sale-1"))
        try old.open { client in try shop.play { _ = await client.sell(attempt: sale) } }
        let refusal = try old.adopt(sumLine(old.driver.identity, saidAt: shop.stage.now))
        try #require(refusal == nil, "\(refusal ?? "")")
        try old.open { client in
            let heard = Heard(client, shop.stage)
            try shop.play {
                if isLater { try await shop.wait(seconds: 3_600) }
                shop.ledger.post(shop.notice("dash-1", .refund, nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1"))
                await client.takeWebhook()
                let amounts = try await client.amounts(of: sale)
                #expect(amounts.refunded == .cents(isLater ? 800 : 400), "\(amounts.refunded)")
                #expect(amounts.inDoubt == .cents(isLater ? 0 : 400), "\(amounts.inDoubt)")
                try await shop.wait(seconds: 1)
                #expect(heard.has(.disputed) == !isLater, "\(heard.kinds)")
            }
        }
    }

    /// The list is read, then the refund's own message comes, and then the line of the sum is imported.
    @Test func refundFromASum_thatAMessageNamedSince_isNotImported() throws {
        let old = try ImportedShop()
        let (shop, sale) = (old.shop, try AttemptID("sale-1"))
        try old.open { client in try shop.play { _ = await client.sell(attempt: sale) } }
        let line = sumLine(old.driver.identity, saidAt: shop.stage.now)
        try old.open { client in
            try shop.play {
                try await shop.wait(seconds: 60)
                shop.ledger.post(shop.notice("dash-1", .refund, nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1"))
                await client.takeWebhook()
            }
        }
        let refusal = try old.adopt(line)
        #expect(refusal != nil, "the refund is booked twice")
    }
}
