import ARISEProvider
import PaymentCore
import PaymentJournalKit
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// What answers mean, and what is said before anything is sent.
@Suite struct ARISEPaymentTests {
    /// A sale that is answered with a fixture in the provider's place.
    private func sale(_ fixture: String, _ change: @Sendable @escaping (inout JSONObject) -> Void = { _ in }) throws
        -> (PaymentResult?, PaymentError?)
    {
        let bench = ARISEBench()
        var object = try #require(try ARISEBench.fixture(fixture).object)
        change(&object)
        let bytes = JSON.object(object).bytes()
        bench.overriding.withLock { hook in
            hook = { request in
                guard request.target.hasSuffix("/sale") else { return nil }
                return HTTPResponse(200, headers: ["Content-Type": "application/json"], body: bytes)
            }
        }
        do {
            return (
                try bench.play { client in
                    try await client.sale(
                        .dollars(12_345), from: try ARISEBench.card(), reference: "order-1",
                        attempt: AttemptID("attempt-1"))
                }, nil
            )
        } catch { return (nil, error as? PaymentError) }
    }

    @Test func theApprovalOfTheDocument() throws {
        let payment = try #require(try sale("reply.approved.json").0?.payment)
        #expect(payment.approved == .dollars(12_345))
        #expect(payment.references == ["transaction": "123e4567-e89b-12d3-a456-426614174000"])
        #expect(payment.card?.last4 == "1111")
        #expect(payment.receipt?.authorizationCode == "VTLMC1")
        #expect(payment.receipt?.responseCode == "00")
        #expect(payment.receipt?.addressCheck == Receipt.AddressCheck(code: "Y", action: "Allow", result: nil))
    }

    @Test func theDeclineOfTheDocument() throws {
        guard case .declined(let decline)? = try sale("reply.declined.json").0 else {
            Issue.record("it was not declined")
            return
        }
        #expect(decline.reason == .doNotHonor)
        #expect(decline.provider == ProviderMessage(code: "05", message: "Do not honor"))
    }

    @Test(
        arguments: [
            ("status", JSON.string("Teleported")), ("statusId", 77), ("statusId", 91), ("status", "Declined"),
            ("status", "Authorized"), ("transactionId", .null), ("typeId", 1),
            ("processedAmount", .number(JSONNumber(units: 12_346, places: 2))),
            ("processedAmount", .number(JSONNumber(units: 123_455, places: 3))), ("processedAmount", "a lot"),
            ("details", ["code": "Decline"]),
            ("details", ["code": 2]), ("details", ["code": 7]),
        ] as [(String, JSON)])
    func whatContradictsItselfIsNeitherApprovedNorDeclined(_ member: String, _ value: JSON) throws {
        let (result, error) = try sale("reply.approved.json") { $0[member] = value }
        #expect(result == nil, "\(member)")
        #expect(error?.outcome == .unknown, "\(member)")
    }

    @Test(arguments: ["details", "status", "statusId", "typeId", "type", "avsResponse", "transactionDateTime"])
    func whatIsMissingAndNotNeededDoesNoHarm(_ member: String) throws {
        #expect(try sale("reply.approved.json") { $0[member] = nil }.0?.payment?.approved == .dollars(12_345))
    }

    @Test func anotherReferenceIsAnotherPayment() throws {
        let (result, error) = try sale("reply.approved.json") { object in
            var receipt = object["transactionReceipt"]?.object ?? [:]
            receipt["orderNumber"] = "somebody-else"
            object["transactionReceipt"] = .object(receipt)
        }
        #expect(result == nil)
        #expect(error?.outcome == .unknown)
    }

    /// The reason names the setting that decides what a failed record means.
    @Test func failedSale_whereItMayHaveCharged_namesTheSetting() throws {
        var bench = ARISEBench()
        bench.change = { $0.failed = .open }
        let error = bench.failure { client in
            _ = try await client.sale(.dollars(5_022), from: try ARISEBench.card(), reference: "o")
        }
        #expect(error?.outcome == .unknown, "\(error.debugDescription)")
        #expect(error?.detail.contains("the setting failed") == true, "\(error?.detail ?? "")")
    }

    @Test func unknownMembersAndNumbersSurvive() throws {
        let (result, _) = try sale("reply.approved.json") { $0["brandNew"] = ["deep": [1, "two"]] }
        #expect(result?.payment != nil)
    }

    @Test func aFailureInsideIsUnknownUntilItIsLookedUp() throws {
        let bench = ARISEBench()
        let result = try bench.play { client in
            try await client.sale(.dollars(5_022), from: try ARISEBench.card(), reference: "o")
        }
        guard case .declined(let decline) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(decline.reason == .declinedByProvider)
        #expect(bench.backend.ledger.movements.isEmpty)
    }

    @Test func aPartThatComesUnaskedIsSaidWithBothAmounts() throws {
        let payment = try ARISEBench().play { client in
            try await client.sale(.dollars(5_020), from: try ARISEBench.card(), reference: "o").payment
        }
        #expect(payment?.isPartial == true)
        #expect(payment?.requested == .dollars(5_020))
        #expect(payment?.approved == .dollars(2_510))
    }

    @Test(arguments: [
        (ARISEAccount.ZeroCost.noZeroCost, Int64(10_000)), (.cashDiscount, 10_000), (.dualPricing, 10_000),
        (.surcharge, 10_000),
    ])
    func aPlainAmountIsChargedExactlyWhateverThePricing(_ mode: ARISEAccount.ZeroCost, _ due: Int64) throws {
        let bench = ARISEBench(mode)
        let payment = try bench.play { client in
            try await client.sale(.dollars(10_000), from: try ARISEBench.card(), reference: "o").payment
        }
        #expect(payment?.approved == .dollars(due))
        #expect(bench.backend.ledger.balance(.merchant) == ["USD": due])
    }

    @Test(arguments: [ARISEAccount.ZeroCost.noZeroCost, .cashDiscount, .dualPricing, .surcharge])
    func aQuoteIsChargedToTheCent(_ mode: ARISEAccount.ZeroCost) throws {
        for (tender, discount) in [(Tender.credit, "7.5"), (.debit, "0"), (.bankAccount, "2.25")] {
            let bench = ARISEBench(mode)
            let (quote, payment) = try bench.play { client in
                var request = QuoteRequest(.dollars(3_333))
                (request.discountPercent, request.tipPercent) = (discount, "18.5")
                if mode == .dualPricing { request.isCardPrice = true }
                let quote = try #require(try await client.pricing?.quote(request))
                let bank = BankAccount(number: Secret("000123456789"), routing: Secret("011000015"))
                let source = try tender == .bankAccount ? PaymentSource.bank(bank) : ARISEBench.card()
                let sale = try SaleRequest(quote, tender, from: source, reference: "o")
                return (quote, try await client.sale(sale).payment)
            }
            #expect(payment?.approved == quote.tenders[tender]?.total, "\(mode) \(tender)")
            #expect(bench.backend.ledger.balance(.merchant)["USD"] == quote.tenders[tender]?.total.minorUnits)
        }
    }

    /// No document names the unit of an answer's rates, a transaction's are decimals (0.10 for 10 %), and each may be missing.
    @Test(arguments: [
        (#""percentageOffAmount":5.00,"percentageOffRate":5.0,"#, Int64(9_500)),
        (#""percentageOffAmount":5.00,"percentageOffRate":0.05,"#, 0), (#""percentageOffAmount":5.00,"#, 0),
        (#""percentageOffRate":5.0,"#, 0),
    ])
    func quote_isChargedAsQuoted_orRefusedBeforeSending(_ parts: String, _ due: Int64) throws {
        let bench = ARISEBench()
        let price = #"{"baseAmount":100.00,"# + parts + #""totalAmount":95.00}"#
        let body = Array((#"{"currencyId":1,"currency":"USD","creditCard":"# + price + "}").utf8)
        bench.overriding.withLock { hook in
            hook = { request in
                guard request.target.contains("/calculate-amount?") else { return nil }
                return HTTPResponse(200, headers: ["Content-Type": "application/json"], body: body)
            }
        }
        let refused = try bench.play { client -> PaymentError? in
            var request = QuoteRequest(.dollars(10_000))
            request.discountPercent = "5"
            let quote = try #require(try await client.pricing?.quote(request))
            #expect(quote.tenders[.credit]?.total == .dollars(9_500))
            let sale = try SaleRequest(quote, .credit, from: ARISEBench.card(), reference: "o")
            do throws(PaymentError) { _ = try await client.sale(sale) } catch { return error }
            return nil
        }
        #expect(refused?.code == (due == 0 ? .mismatch : nil), "\(refused.debugDescription)")
        #expect(refused?.outcome == (due == 0 ? .notExecuted : nil))
        #expect(bench.backend.ledger.balance(.merchant)["USD"] ?? 0 == due)
    }

    @Test(arguments: [
        (Int64(8), "ecommerceSale", "/sale"), (7, "ecommerceAuth", "/auth"),
        (12, "ecommerceRefundWithoutReference", "/no-reference"),
    ])
    func aMissingPermissionIsSaidBeforeTheCall(_ number: Int64, _ name: String, _ path: String) throws {
        let bench = ARISEBench()
        bench.backend.configure { $0.permissions.remove(number) }
        let error = bench.failure { client in
            let card = try ARISEBench.card()
            switch path {
            case "/sale": _ = try await client.sale(.dollars(5_000), from: card, reference: "o")
            case "/auth": _ = try await client.authorize(.dollars(5_000), from: card, reference: "o")
            default:
                _ = try await client.refundUnlinked(
                    UnlinkedRefundRequest(.dollars(5_000), to: card, reference: "o"))
            }
        }
        #expect(error == PaymentError(.permission, outcome: .notExecuted))
        #expect(error?.detail.contains(name) == true)
        #expect(error?.requiresUserAction == true)
        #expect(bench.sent(path).isEmpty)
    }

    @Test(arguments: [(Int64(9), "/capture"), (10, "/void"), (11, "/return"), (21, "/tip-adjustment")])
    func andForWhatFollows(_ number: Int64, _ path: String) throws {
        let bench = ARISEBench()
        bench.backend.configure { $0.permissions.remove(number) }
        let error = bench.failure { client in
            let card = try ARISEBench.card()
            let held = try #require(try await client.authorize(.dollars(5_000), from: card, reference: "a").payment)
            let sold = try #require(try await client.sale(.dollars(5_000), from: card, reference: "b").payment)
            switch path {
            case "/capture": try await client.capture(held.id)
            case "/void": try await client.void(sold.id)
            case "/return": try await client.refund(sold.id)
            default: try await client.adjustTip(sold.id, to: .dollars(100))
            }
        }
        #expect(error == PaymentError(.permission, outcome: .notExecuted))
        #expect(bench.sent(path).isEmpty)
    }

    @Test func aRefundBeforeSettlementSaysWhatThereIsInstead() throws {
        let bench = ARISEBench()
        let error = bench.failure { client in
            let card = try ARISEBench.card()
            let sold = try #require(try await client.sale(.dollars(5_000), from: card, reference: "b").payment)
            try await client.refund(sold.id)
        }
        #expect(error == PaymentError(.conflict, outcome: .notExecuted))
        #expect(error?.detail.contains("Void") == true)
        #expect(bench.sent("/return").isEmpty)
    }

    @Test func aVoidAfterSettlementIsRefusedAndNothingMoves() throws {
        let bench = ARISEBench()
        let error = bench.failure { [backend = bench.backend] client in
            let card = try ARISEBench.card()
            let sold = try #require(try await client.sale(.dollars(5_000), from: card, reference: "b").payment)
            backend.settle()
            try await client.void(sold.id)
        }
        #expect(error == PaymentError(.conflict, outcome: .notExecuted))
        #expect(error?.detail.contains("Refund") == true)
        #expect(bench.backend.ledger.movements.count == 1)
    }

    @Test func aVoidAfterATipUndoesTheTipToo() throws {
        let bench = ARISEBench()
        let payment = try bench.play { client in
            let card = try ARISEBench.card()
            let sold = try #require(try await client.sale(.dollars(5_000), from: card, reference: "b").payment)
            try await client.adjustTip(sold.id, to: .dollars(350))
            return try await client.void(sold.id).payment
        }
        #expect(payment?.amounts.isVoided == true)
        #expect(bench.backend.ledger.balance(.merchant) == ["USD": 0])
    }

    private static let refusals: [(Int, JSON, PaymentError.Code, PaymentError.Outcome)] = [
        // What a copy of an executed request gets proves nothing.
        (400, ["isDuplicate": true], .conflict, .unknown),
        (400, ["Errors": ["IsDuplicate": ["yes"]]], .conflict, .unknown),
        (400, ["ErrorCode": "V0000", "Details": "no"], .invalidRequest, .notExecuted),
        (403, ["title": "no"], .permission, .unknown), (409, [:], .conflict, .unknown),
        (422, [:], .invalidRequest, .notExecuted), (500, ["errorCode": "V0000"], .providerFailed, .unknown),
        (503, [:], .providerUnavailable, .unknown), (504, [:], .timedOut, .unknown),
        (418, [:], .unreadableReply, .unknown),
        (400, ["errorCode": "EC_500"], .providerFailed, .unknown), (402, [:], .providerFailed, .unknown),
        (302, [:], .unreadableReply, .unknown), (307, [:], .configuration, .unknown),
        (403, ["errorCode": "F0000"], .permission, .notExecuted), (404, [:], .notFound, .unknown),
        (404, ["errorCode": "N0000"], .notFound, .notExecuted), (308, [:], .configuration, .unknown),
    ]

    @Test(arguments: refusals)
    func whatARefusalOfASaleProves(
        _ status: Int, _ body: JSON, _ code: PaymentError.Code, _ outcome: PaymentError.Outcome
    ) {
        let bench = ARISEBench()
        bench.overriding.withLock { hook in
            hook = { request in
                guard request.target.hasSuffix("/sale") else { return nil }
                return HTTPResponse(status, headers: ["Content-Type": "application/json"], body: body.bytes())
            }
        }
        let error = bench.failure { client in
            _ = try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "o")
        }
        #expect(error == PaymentError(code, outcome: outcome))
    }

    @Test func theProcessorComesFromTheConfigurationOrTheSettings() throws {
        var bench = ARISEBench()
        bench.change = { $0.processor = ARISESimulator.processor.uppercased() }
        let refused = bench.failure { client in
            _ = try await client.sale(.dollars(5_000), from: try ARISEBench.card(), reference: "o")
        }
        #expect(refused == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(try bench.body("/sale")["paymentProcessorId"]?.string == ARISESimulator.processor.uppercased())
    }

    @Test func lookup_noReferenceOnWire_matchesByAmountAndTime() throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { $0.referenceEcho = .none }
        let result = try bench.play { client in
            try await client.sale(.dollars(5_013), from: try ARISEBench.card(), reference: "o")
        }
        #expect(result.payment?.approved == .dollars(5_013))
        #expect(bench.backend.ledger.movements.count == 1)
    }

    @Test func whatWasDeclinedOverAnotherAmountIsNotTakenForOurs() throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { $0.referenceEcho = .none }
        var elsewhere = bench
        elsewhere.journal = InMemoryJournal()
        let declined = try elsewhere.play { client in
            try await client.sale(.dollars(21), from: try ARISEBench.card(), reference: "theirs")
        }
        guard case .declined = declined else { throw Unplayed() }
        let result = try bench.play { client in
            try await client.sale(.dollars(5_013), from: try ARISEBench.card(), reference: "ours")
        }
        #expect(result.payment?.approved == .dollars(5_013))
    }

    private struct Unplayed: Error {}

    @Test func twoThatLookAlike_areNotDistinguished() throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { $0.referenceEcho = .none }
        var elsewhere = bench
        elsewhere.journal = InMemoryJournal()
        let sale: @Sendable (PaymentClient) async throws -> Void = { client in
            _ = try await client.sale(.dollars(5_013), from: try ARISEBench.card(), reference: "o")
        }
        #expect(elsewhere.failure(sale) == nil)
        let error = bench.failure(sale)
        #expect(error?.outcome == .unknown)
        #expect(bench.backend.ledger.movements.count == 2)
    }

    /// Of two that look alike the list shows both, and the details of one are refused: the other need not be ours.
    @Test func twoThatLookAlike_detailsOfOneAreNotShown_areNotDistinguished() throws {
        var account = ARISEAccount()
        account.echoesReference = false
        var bench = ARISEBench(account)
        bench.change = { $0.referenceEcho = .none }
        var elsewhere = bench
        elsewhere.journal = InMemoryJournal()
        let sale: @Sendable (PaymentClient) async throws -> PaymentResult = { client in
            try await client.sale(.dollars(5_013), from: try ARISEBench.card(), reference: "o")
        }
        let theirs = try #require(try elsewhere.play(sale).payment?.references["transaction"])
        bench.overriding.withLock { hook in
            hook = { request in
                let isHidden = request.method == "GET" && request.target.hasSuffix("/transactions/\(theirs)")
                return isHidden ? HTTPResponse(404) : nil
            }
        }
        let error = bench.failure { _ = try await sale($0) }
        #expect(error?.outcome == .unknown, "\(String(describing: error))")
        #expect(bench.backend.ledger.movements.count == 2)
    }

    /// What proves nothing to a lookup proves nothing in the list: reconciliation concludes from what came to nothing.
    @Test func failedRecord_whereItMayHaveCharged_isNotRefusedInTheList() {
        var bench = ARISEBench()
        bench.change = { $0.failed = .open }
        #expect(bench.driver.capabilities.listed?.words["Failed"] == .pending)
        bench.change = { $0.failed = .final }
        #expect(bench.driver.capabilities.listed?.words["Failed"] == .refused)
    }

    @Test func holdingABankTransferMovesNothing() throws {
        let bench = ARISEBench()
        let (driver, bank) = (
            bench.driver, BankAccount(number: Secret("000123456789"), routing: Secret("011000015"))
        )
        let words = try bench.play { client in
            let sold = try await client.sale(.dollars(5_000), from: .bank(bank), reference: "o").payment
            let references = try #require(sold?.references)
            let token = try #require(await client.session?.token())
            let holds = ARISEBankHolds(driver)
            let held = try await holds.hold(references, token: token)
            let released = try await holds.unhold(references, token: token)
            return [held, released]
        }
        #expect(words == ["Held", "Captured"])
        #expect(bench.backend.ledger.movements.count == 1)
        let unknown = bench.failure { _ in
            _ = try await ARISEBankHolds(driver).hold(["transaction": "nobody"], token: Secret("no"))
        }
        #expect(unknown == PaymentError(.authentication, outcome: .notExecuted))
    }

    @Test func aBankSaleIsVoidedAndRefundedOnItsOwnPaths() throws {
        let bench = ARISEBench()
        try bench.play { [backend = bench.backend] client in
            let bank = PaymentSource.bank(BankAccount(number: Secret("000123456789"), routing: Secret("011000015")))
            let one = try #require(try await client.sale(.dollars(5_000), from: bank, reference: "a").payment)
            try await client.void(one.id)
            let two = try #require(try await client.sale(.dollars(5_000), from: bank, reference: "b").payment)
            backend.settle()
            await #expect(throws: PaymentError(.unsupported, outcome: .notExecuted)) {
                _ = try await client.refund(two.id, of: .dollars(1_500))
            }
            #expect(try await client.refund(two.id).payment != nil)
        }
        #expect(bench.sent("/void").count == 1 && bench.sent("/refund").count == 1)
        let bodies = (bench.sent("/void") + bench.sent("/refund")).map(\.body)
        #expect(bodies == [[], []], "no body is described")
        #expect(bench.backend.ledger.balance(.merchant)["USD", default: 0] == 0)
    }
}

@Suite struct ARISESessionTests {
    private func grants(_ bench: ARISEBench) -> [String] {
        bench.sent("/oauth2/token").map { request in
            let fields = FormEncoding.decode(String(decoding: request.body, as: UTF8.self)) ?? []
            return fields.first { $0.name == "grant_type" }?.value ?? ""
        }
    }

    @Test func theRefreshTokenIsUsedAMinuteBeforeTheAccessLapses() throws {
        let bench = ARISEBench()
        try bench.play { [scheduler = bench.scheduler] client in
            try await client.session?.open()
            try await scheduler.sleep(until: scheduler.now + 839_000)
            _ = try await client.settings?.permissions()
        }
        #expect(grants(bench) == ["client_credentials"])
        try bench.play { [scheduler = bench.scheduler] client in
            try await client.session?.open()
            try await scheduler.sleep(until: scheduler.now + 841_000)
            _ = try await client.settings?.permissions()
        }
        #expect(grants(bench) == ["client_credentials", "client_credentials", "refresh_token"])
    }

    @Test func aRefusedRefreshFallsBackToTheCredentials() throws {
        let bench = ARISEBench()
        try bench.play { [backend = bench.backend] client in
            try await client.session?.open()
            backend.revokeTokens(refreshToo: true)
            let card = try ARISEBench.card()
            let payment = try await client.sale(.dollars(5_000), from: card, reference: "o").payment
            #expect(payment != nil)
        }
        #expect(grants(bench) == ["client_credentials", "refresh_token", "client_credentials"])
    }

    @Test func wrongCredentialsSayThatAPersonMustAct() {
        var bench = ARISEBench()
        bench.change = { configuration in
            configuration = ARISEConfiguration(
                endpoint: ARISEBench.origin, oauth: ARISEBench.origin, clientID: "nobody",
                clientSecret: Secret("wrong-secret"))
        }
        let error = bench.failure { try await $0.session?.open() }
        #expect(error == PaymentError(.authentication, outcome: .notExecuted))
        #expect(error?.provider?.code == "invalid_client")
        #expect(error?.requiresUserAction == true)
    }

    @Test func theTokenIsReadableAndSigningOutForgetsIt() throws {
        let bench = ARISEBench()
        try bench.play { client in
            let session = try #require(client.session)
            #expect(await session.token() == nil)
            try await session.open()
            #expect(await session.token() == Secret("at-1-secret"))
            try await session.signOut()
            #expect(await session.token() == nil)
        }
    }

    /// Two simulated days of payments every ten minutes: none fails for a lapsed token.
    @Test func twoDaysOfPayments() throws {
        let bench = ARISEBench()
        let (count, failures) = (288, Locked(0))
        try bench.play { [scheduler = bench.scheduler] client in
            for number in 1...count {
                let card = try ARISEBench.card()
                let result = try? await client.sale(.dollars(5_000), from: card, reference: "o-\(number)")
                if result?.payment == nil { failures.withLock { $0 += 1 } }
                try await scheduler.sleep(until: scheduler.now + 600_000)
            }
        }
        let refused = bench.requests.withLock { $0.count } - bench.sent("/oauth2/token").count
        print("ARISE: \(count) payments, \(bench.backend.tokenCount) tokens, \(refused) other requests")
        #expect(failures.withLock { $0 } == 0)
        #expect(bench.backend.ledger.movements.count { $0.cause == "sale" } == count)
        #expect(Int(bench.backend.tokenCount) == grants(bench).count)
        #expect(grants(bench).count <= 288)
        #expect(grants(bench).dropFirst().allSatisfy { $0 == "refresh_token" })
    }

    @Test func productionAndTestKnowTheirHosts() throws {
        let environments = ProviderDefinition.arise.environments
        #expect(environments.map(\.name) == ["uat", "production", "sandbox"])
        #expect(environments[0].endpoint == Origin(.https, "api.uat.arise.risewithaurora.com"))
        #expect(environments[1].endpoint == Origin(.https, "api.arise.risewithaurora.com"))
        #expect(environments.prefix(2).allSatisfy { $0.publicCredentials.isEmpty && !$0.allowsPlainHTTP })
        #expect(
            environments[1].defaults["oauth"] == .origin(Origin(.https, "oauth.arise.risewithaurora.com")))
    }
}
