import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentTestTill
import PaymentTesting
import Testing

/// Captures of a sale, and failures over a part.
@Suite struct FourthAttackCaptureTests {
    private let sale: AttemptID
    private let next: AttemptID

    init() throws { (sale, next) = (try AttemptID("sale-1"), try AttemptID("next-1")) }

    private func capture(
        _ shop: Shop, _ client: PaymentClient, _ name: String, _ verdict: Verdict, part cents: Int64? = nil
    ) async throws {
        var notice = ProviderNotice(.reference(name, [.capture]), verdict, at: shop.stage.now, kind: "NEWS")
        (notice.operations, notice.original, notice.amount) = ([.capture], "p-sale-1", cents.map { .cents($0) })
        shop.ledger.post(notice)
        await client.takeWebhook()
        try await shop.wait(seconds: 60)
    }

    /// The capture of a sale of 10.00 fails over 3.00 of it: 7.00 is charged.
    @Test(arguments: [false, true]) func captureOfASale_failsInPart_leavesTheRest(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                try await capture(shop, client, "cap-1", nowApproved(1_000, ["capture": "cap-1"]))
                try await capture(
                    shop, client, "cap-1", nowDeclined(.failedAfterApproval, ["capture": "cap-1"]), part: 300)
                let amounts = try await client.amounts(of: sale)
                let again = await client.sell(attempt: next)
                #expect(
                    !amounts.captured.isZero && heard.has(.contradiction),
                    "7.00 is charged, in the books \(amounts.captured); heard \(heard.kinds)")
                #expect(!again.isApproved, "the order is charged again; heard \(heard.kinds)")
            }
        }
    }

    /// The capture of a sale is confirmed under two names and fails under one of them: no other capture was executed.
    @Test(arguments: [false, true], [false, true]) func captureOfASale_confirmedUnderTwoNames_failsUnderOne_takesItBack(
        _ isSQLite: Bool, _ isPlain: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.plan = nil
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                try await capture(shop, client, "cap-1", nowApproved(1_000, ["capture": "cap-1", "line": "x-1"]))
                try await capture(
                    shop, client, "cap-1",
                    nowDeclined(isPlain ? .declinedByProvider : .failedAfterApproval, ["capture": "cap-1"]))
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured.isZero,
                    "its only capture failed; in the books \(amounts.captured); heard \(heard.kinds)")
            }
        }
    }

    /// Two captures of a sale are confirmed, and both fail: nothing is charged.
    @Test(arguments: [false, true]) func twoCapturesOfASale_bothFail_takeItBack(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                for name in ["cap-1", "cap-2"] {
                    try await capture(shop, client, name, nowApproved(1_000, ["capture": name]))
                }
                for name in ["cap-1", "cap-2"] {
                    try await capture(shop, client, name, nowDeclined(.failedAfterApproval, ["capture": name]))
                }
                let amounts = try await client.amounts(of: sale)
                #expect(
                    amounts.captured.isZero,
                    "both captures failed; in the books \(amounts.captured); heard \(heard.kinds)")
            }
        }
    }

    /// One capture of a sale is reported three times, fails, and is executed after all.
    @Test(arguments: [false, true]) func captureOfASale_toldAgain_failed_andExecuted_addsUp(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            let client = try shop.client(Fake(shop.ledger))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale] in
                _ = await client.sell(attempt: sale)
                for _ in 1...3 {
                    try await capture(shop, client, "cap-1", nowApproved(1_000, ["capture": "cap-1"]))
                }
                let quiet = heard.kinds
                try await capture(shop, client, "cap-1", nowDeclined(.failedAfterApproval, ["capture": "cap-1"]))
                let failed = try await client.amounts(of: sale)
                try await capture(shop, client, "cap-1", nowApproved(1_000, ["capture": "cap-1"]))
                let amounts = try await client.amounts(of: sale)
                #expect(!quiet.contains(.contradiction) && !quiet.contains(.otherAmount), "\(quiet)")
                #expect(failed.captured.isZero, "\(failed.captured)")
                #expect(amounts.captured == .cents(1_000), "\(amounts.captured); heard \(heard.kinds)")
            }
        }
    }

    /// Our refund of 4.00 is in doubt; its approval and the failure of 1.00 of it are reported under a name that is found later.
    @Test(arguments: [false, true], [false, true]) func refundFoundLater_ofWhichAPartFailedBefore_leavesTheRest(
        _ isSQLite: Bool, _ isApprovedToo: Bool
    ) throws {
        try Second.over(isSQLite) { shop in
            let canTell = Switch(false)
            var driver = Fake(shop.ledger)
            driver.onRefund = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ -> Verdict in
                    ledger.refund(context.attempt, request.amount)
                    throw Lost()
                }
            }
            driver.onLookup = { _, _ in
                canTell.isOn ? .found(nowApproved(400, ["refund": "r-9"])) : .cannotTell("Not now.")
            }
            let client = try shop.client(driver)
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.sell(attempt: sale)
                _ = await client.refund(400, of: sale, attempt: next)
                if isApprovedToo {
                    shop.say(.reference("r-9", [.refund]), [.refund], nowApproved(400, ["refund": "r-9"]))
                    await client.takeWebhook()
                }
                try await shop.wait(seconds: 60)
                var notice = ProviderNotice(
                    .reference("r-9", [.refund]), nowDeclined(.failedAfterApproval, ["refund": "r-9"]),
                    at: shop.stage.now, kind: "NEWS")
                (notice.operations, notice.amount) = ([.refund], .cents(100))
                shop.ledger.post(notice)
                await client.takeWebhook()
                canTell.turn(true)
                try await shop.wait(seconds: 60)
                let found = await client.outcome(of: next)
                try await shop.wait(seconds: 5)
                let refunded = try await client.amounts(of: sale).refunded
                #expect(
                    refunded.minorUnits >= 300 || heard.has(.contradiction),
                    "\(found); 3.00 is given back, in the books \(refunded); heard \(heard.kinds)")
            }
        }
    }

    /// A capture is accepted and not final; 4.00 of it is refunded at the dashboard, of which we hear first.
    @Test(arguments: [false, true]) func refundToldWhileTheCaptureIsPending_isNotRaised(_ isSQLite: Bool) throws {
        try Second.over(isSQLite) { shop in
            var driver = Fake(shop.ledger)
            driver.onCapture = { [ledger = shop.ledger] request, context in
                try await context.exchange(.money) { _ in
                    ledger.charge(context.attempt, request.amount)
                    return .pending(Pending(references: ["capture": "c-\(context.attempt)"], shouldPoll: false))
                }
            }
            let client = try shop.client(Whole(driver))
            let heard = Heard(client, shop.stage)
            try shop.play { [sale, next] in
                _ = await client.hold(attempt: sale)
                _ = await client.take(1_000, of: sale, attempt: next)
                shop.say(
                    .reference("dash-1", [.refund]), [.refund], nowApproved(400, ["refund": "dash-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 60)
                shop.say(.attempt(next), [.capture], nowApproved(1_000, ["capture": "c-next-1"]), of: "p-sale-1")
                await client.takeWebhook()
                try await shop.wait(seconds: 5)
                let amounts = try await client.amounts(of: sale)
                try #require(amounts.captured == .cents(1_000) && amounts.refunded == .cents(400), "\(amounts)")
                #expect(!heard.has(.contradiction), "4.00 of 10.00 is given back; heard \(heard.kinds)")
            }
        }
    }
}
