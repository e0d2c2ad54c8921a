import PaymentBase
import Testing

/// Payments from the command line, each call as a new process would make it.
@Suite struct MoneyCommandTests {
    @Test(arguments: [
        ("memory", "EUR"), ("arise", "USD"), ("adyen", "EUR"), ("ecommpay", "EUR"), ("halo", "ZAR"), ("ni", "AED"),
    ])
    func aSaleIsTakenAtEveryProvider(_ provider: String, _ currency: String) async throws {
        let shop = try CommandShop()
        let sale = try await shop.json("sale", "12.50", currency, "--provider", provider, "--reference", "order-1")
        #expect(sale["status"]?.string == "approved")
        #expect(sale["provider"]?.string == provider)
        #expect(sale["approvedAmount"] == ["value": "12.50", "currency": .string(currency)])
        let id = try #require(sale["payment"]?.string)
        let shown = try await shop.json("show", id)
        #expect(shown["amounts"]?["captured"]?["value"]?.string == "12.50")
        #expect(shown["reference"]?.string == "order-1")
        #expect(shown["events"]?.array?.isEmpty == false)
        let status = try await shop.json("status", id)
        #expect(status["status"]?.string == "approved")
    }

    /// A charge beyond what was asked for is an outcome of its own.
    @Test func sale_approvedOverMoreThanAsked_saysSo() async throws {
        let shop = try CommandShop()
        _ = await CommandRun.of([
            "sandbox", "fault", "member.wrong-amount", "--provider", "memory", "--times", "50", "--state", shop.state,
        ])
        let run = await shop.run("sale", "12.34", "EUR", "--provider", "memory", "--reference", "order-1")
        #expect(run.text.contains(" of 12.34 EUR: more than was asked"), "\(run.text) \(run.errors)")
    }

    /// A script that goes by the exit status of a repeated sale hands over nothing for money that went back.
    @Test(arguments: [("void", "voided"), ("refund", "refunded")])
    func sale_repeatedAfterItsMoneyWentBack_endsWithAStatusOfItsOwn(_ undo: String, _ word: String) async throws {
        let shop = try CommandShop()
        func sell() async -> CommandRun {
            await shop.run("sale", "20", "EUR", "--reference", "order-1", "--attempt", "s-1")
        }
        #expect(await sell().status == 0)
        #expect(await sell().status == 0)
        #expect(await shop.run(undo, "s-1").status == 0)
        let again = await sell()
        let isSaid = again.text.contains("since then: \(word). Hand over nothing for it.")
        #expect(again.status == 5 && isSaid, "\(again.text)")
        #expect(await shop.run("status", "--attempt", "s-1").status == 5)
    }

    @Test func aRefundInTheNextCallMeetsTheSameProvider() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR")
        let part = try await shop.json("refund", id, "5")
        #expect(part["amounts"]?["refundable"]?["value"]?.string == "15.00")
        let rest = try await shop.json("refund", id)
        #expect(rest["amounts"]?["refunded"]?["value"]?.string == "20.00")
        let more = try await shop.json("refund", id, "0.01", status: 5)
        #expect(more["error"]?["code"]?.string == "amountTooHigh")
        #expect(more["error"]?["outcome"]?.string == "notExecuted")
    }

    @Test func whatIsHeldIsCapturedAdjustedAndLetGo() async throws {
        let shop = try CommandShop()
        let room = try await shop.json("authorize", "--unreferenced", "300", "EUR")
        let id = try #require(room["payment"]?.string)
        let wider = try await shop.json("adjust", id, "350")
        #expect(wider["amounts"]?["authorized"]?["value"]?.string == "350.00")
        let captured = try await shop.json("capture", id, "180", "EUR")
        #expect(captured["amounts"]?["captured"]?["value"]?.string == "180.00")
        let other = try await shop.json("authorize", "--unreferenced", "10", "EUR")
        let undone = try await shop.json("void", try #require(other["payment"]?.string))
        #expect(undone["amounts"]?["isVoided"]?.bool == true)
    }

    @Test func aDeclineIsStatusOneAndSaysWhy() async throws {
        let shop = try CommandShop()
        let sale = try await shop.json("sale", "--unreferenced", "10", "EUR", "--card", "declined", status: 1)
        #expect(sale["status"]?.string == "declined")
        #expect(sale["decline"]?["reason"]?.string == "doNotHonor")
        #expect(sale["decline"]?["code"]?.string == "05")
    }

    @Test func theSameAttemptNeverChargesTwice() async throws {
        let shop = try CommandShop()
        for _ in 0..<2 {
            let sale = try await shop.json("sale", "10", "EUR", "--attempt", "till-4-17", "--reference", "o")
            #expect(sale["payment"]?.string == "till-4-17")
        }
        let list = try await shop.json("list")
        #expect(list["items"]?.array?.count == 1)
        let other = try await shop.json("sale", "11", "EUR", "--attempt", "till-4-17", "--reference", "o", status: 5)
        #expect(other["error"]?["code"]?.string == "conflict")
    }

    @Test func aLostReplyIsSettledByTheCallItself() async throws {
        let shop = try CommandShop()
        let sale = try await shop.json(
            "sale", "--unreferenced", "30.13", "EUR", "--provider", "arise", "--card", "visa", status: 2)
        #expect(sale["error"]?["code"]?.string == "unsupported")
        let lost = try await shop.json("sale", "--unreferenced", "30.13", "ZAR", "--provider", "halo")
        #expect(lost["status"]?.string == "approved")
        let open = try await shop.json("recover")
        #expect(open["open"]?.array?.isEmpty == true)
    }

    @Test func whatIsReceivedIsDecidedByTheProvidersMessage() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("12", "EUR", "--provider", "adyen")
        let refund = try await shop.json("refund", id, "2", status: 6)
        #expect(refund["status"]?.string == "pending")
        let attempt = try #require(refund["attempt"]?.string)
        let asked = try await shop.json("status", "--attempt", attempt, status: 6)
        #expect(asked["status"]?.string == "pending")
    }

    @Test func aDecisionOfAPersonNeedsAReasonAndADoubt() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("12", "EUR")
        let none = await shop.run("resolve", id, "--not-executed")
        #expect(none.status == 2 && none.errors.first?.contains("--because") == true)
        let both = await shop.run("resolve", id, "--not-executed", "--executed", "x", "--because", "y")
        #expect(both.status == 2)
        let settled = try await shop.json("resolve", id, "--not-executed", "--because", "the statement", status: 5)
        #expect(settled["error"]?["code"]?.string == "conflict")
        // What no person has said can't be taken back by one.
        let withdrawn = await shop.run("resolve", id, "--withdrawn", "--because", "a mistake")
        #expect(
            withdrawn.status == 5
                && withdrawn.errors.joined().contains("Only a person's own statement can be withdrawn."))
        let three = await shop.run("resolve", id, "--withdrawn", "--not-executed", "--because", "y")
        #expect(three.status == 2 && three.errors.joined().contains("--withdrawn"))
    }

    @Test func amountsAndCurrenciesAreReadExactly() async throws {
        let shop = try CommandShop()
        for (words, hint) in [
            (["1.234", "EUR"], "3 decimals"), (["1", "EURO"], "EUR"), (["-5", "EUR"], "without a sign"),
            (["0", "EUR"], "above zero"), (["1e3", "EUR"], "amount"), (["1"], "CURRENCY is missing"),
        ] {
            let run = await CommandRun.of(["sale"] + words + shop.place)
            #expect(run.status == 2, "\(words)")
            #expect(run.errors.joined().contains(hint), "\(words): \(run.errors)")
        }
    }

    @Test func anUnknownProviderOrCardNamesTheNearest() async throws {
        let shop = try CommandShop()
        let provider = await shop.run("sale", "--unreferenced", "1", "EUR", "--provider", "ayden")
        #expect(provider.status == 2 && provider.errors.first?.contains("did you mean adyen?") == true)
        let card = await shop.run("sale", "--unreferenced", "1", "EUR", "--card", "visas")
        #expect(card.status == 2 && card.errors.first?.contains("did you mean visa?") == true)
        // The payment was left out, and the amount stands in its place.
        let payment = await shop.run("refund", "9.80")
        #expect(payment.status == 5 && payment.errors.first?.contains("the id or the reference \"9.80\"") == true)
    }

    @Test func aCardIsReadFromStandardInputAndNeverShown() async throws {
        let shop = try CommandShop()
        let card = #"{"number": "5555 5555 5555 4444", "month": 12, "year": 30, "code": "737"}"#
        let run = await shop.run(
            "sale", "--unreferenced", "7", "EUR", "--provider", "ecommpay", "--card", "-", input: card)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.text.contains("4444") && !run.text.contains("555555"))
        let broken = await shop.run(
            "sale", "--unreferenced", "7", "EUR", "--provider", "ecommpay", "--card", "-", input: "{}")
        #expect(broken.status == 2)
    }

    /// What the Gate wants of each payment can be said on the command line.
    @Test func typedCard_withHolderAndFields_paysAtTheGate() async throws {
        let shop = try CommandShop(
            configuration: """
                {"active": "ecommpay", "journal": {"kind": "sqlite", "path": "state:simulation.sqlite"},
                 "providers": {"ecommpay": {"adapter": "ecommpay", "environment": "simulated", "merchant": "1234",
                  "settings": {"link": "gate", "customerIpAddress": "198.51.100.47",
                   "returnAddress": "https://shop.example/back", "notificationAddress": "https://shop.example/loaded"}}}}
                """)
        func sell(_ input: String, _ more: String...) async -> CommandRun {
            await CommandRun.of(
                ["sale", "--unreferenced", "7", "EUR", "--card", "-", "--email", "a@example.org"] + more + shop.place,
                input: input)
        }
        let bare = #"{"number": "5555555555554444", "month": 12, "year": 30, "code": "737"}"#
        let without = await sell(bare, "--field", "screen_res=1920x1080")
        #expect(without.status != 0 && without.errors.joined().contains("holder"), "\(without.errors)")
        let whole = #"{"number": "5555555555554444", "month": 12, "year": 30, "code": "737", "holder": "J Doe"}"#
        let unsized = await sell(whole)
        #expect(unsized.status != 0 && unsized.errors.joined().contains("screen_res"), "\(unsized.errors)")
        let run = await sell(whole, "--field", "screen_res=1920x1080")
        #expect(run.status == 0, "\(run.errors)")
        let wrong = await sell(whole, "--field", "screen_res")
        #expect(wrong.status == 2)
    }

    @Test func aReceiptHasWhatTheProviderSays() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("12", "EUR", "--provider", "adyen")
        let run = await shop.run("receipt", id, "--copy", "merchant")
        #expect(run.status == 0 && run.text.contains("sale"))
        let json = try await shop.json("receipt", id)
        #expect(json["receipts"]?[0]?["lines"]?.array?.isEmpty == false)
    }

    @Test func refundOfAnUnsettledPayment_advisesToVoid() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("10", "USD", "--provider", "arise")
        let early = await shop.run("refund", id)
        #expect(early.status == 5 && early.errors.first?.contains("a void undoes all of it") == true, "\(early.errors)")
        #expect(early.errors.contains { $0.hasPrefix("next") && $0.contains("show \(id)") }, "\(early.errors)")
        #expect(await shop.run("void", id).status == 0)
    }

    @Test func moneyWithoutAPaymentIsGivenWhereThereIsSuchAThing() async throws {
        let shop = try CommandShop()
        let given = try await shop.json(
            "refund", "--unlinked", "5", "ZAR", "--reference", "gift-1", "--provider", "halo")
        #expect(given["operation"]?.string == "unlinkedRefund")
        let shown = try await shop.json("show", try #require(given["payment"]?.string))
        #expect(shown["amounts"]?["refunded"]?["value"]?.string == "5.00", "\(shown)")
        #expect(shown["status"]?.string == "approved", "\(shown)")
        let table = await shop.run("list", "--format", "csv")
        #expect(table.text.contains(",0.00,0.00,5.00,ZAR,"), "\(table.out)")
        let check = try await shop.json("journal", "check")
        #expect(check["problems"]?.array?.isEmpty == true, "\(check)")
        let none = try await shop.json(
            "refund", "--unlinked", "5", "EUR", "--reference", "gift-2", "--provider", "ecommpay", status: 2)
        #expect(none["error"]?["code"]?.string == "unsupported")
    }
}
