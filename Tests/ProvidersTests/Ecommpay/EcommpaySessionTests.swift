import PaymentBase
import PaymentCore
import PaymentLinux
import PaymentModel
import PaymentSimulator
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider
@testable import PaymentProviderKit

/// What a session offers, and what goes into it beside the amount.
@Suite struct EcommpaySessionTests {
    private func opening(_ till: EcommpayTill, _ request: SaleRequest) throws -> (JSON?, PaymentResult) {
        var watched = till
        let sent = Locked([JSON]())
        watched.tools.transport = Watching(till.tools.transport) { path, body in
            if path.hasSuffix("/init"), let body { sent.withLock { $0.append(body) } }
        }
        let result = try watched.play { try await $0.sale(request) }
        return (sent.withLock { $0.first }, result)
    }

    @Test(arguments: [("en", "Payment methods", "E-mail"), ("de-CH", "Zahlungsarten", "E-Mail-Adresse")])
    func theOfferIsInTheCustomersLanguage(_ language: String, _ title: String, _ label: String) throws {
        var till = EcommpayTill()
        let offers = Locked([EcommpayMethodList]())
        till.answers.handle(EcommpayMethodChoice.self) { asked in
            offers.withLock { $0.append(asked.offer) }
            return .saved(.init(rawValue: "12353661"), securityCode: Secret("737"))
        }
        var request = try EcommpayTill.request()
        (request.customer, request.language) = ("12", language)
        let (_, result) = try opening(till, request)
        let offer = try #require(offers.withLock { $0.first })
        #expect(offer.titles["payment.methodsTitle"] == title && !offer.isRestored)
        #expect(offer.methods.first?.fields.first?.label == label)
        #expect(offer.logos["visa"]?.hasSuffix("visa.svg") == true && offer.methods.first?.logo != nil)
        #expect(offer.saved.map(\.id.rawValue) == ["12353661"])
        #expect(offer.saved.first?.card?.last4 == "4444")
        #expect(result.payment?.approved.minorUnits == 5_000)
    }

    /// The customer takes something else than the application had in mind; a source that isn't taken moves nothing.
    @Test func whatTheCustomerChoosesIsCharged() throws {
        var till = EcommpayTill()
        let card = try KeyedCard(number: "4111111111111111", expiryMonth: 12, expiryYear: 30, holder: "John Doe")
        till.answers.handle(EcommpayMethodChoice.self) { _ in .card(card) }
        guard case .declined = try till.sell() else {
            Issue.record("the card that was chosen was not charged")
            return
        }
        let request = try EcommpayTill.request()
        for source in [PaymentSource.reader, .saved(SavedInstrument.ID("12353661", of: "another"))] {
            var other = EcommpayTill()
            other.answers.handle(EcommpayMethodChoice.self) { _ in source }
            let error = other.failure { _ = try await $0.sale(request) }
            #expect(error == PaymentError(.unsupported, outcome: .notExecuted), "\(source.kind)")
            #expect(other.backend.ledger.movements.isEmpty)
        }
    }

    @Test func visasRuleHoldsForTheCardThatIsChosenToo() throws {
        var till = EcommpayTill()
        let visa = try KeyedCard(number: "4000000000000077", expiryMonth: 12, expiryYear: 30, holder: "John Doe")
        till.answers.handle(EcommpayMethodChoice.self) { _ in .card(visa) }
        var request = try EcommpayTill.request()
        request.contact = nil
        let bare = request
        #expect(till.failure { _ = try await $0.sale(bare) } == PaymentError(.invalidRequest, outcome: .notExecuted))
    }

    /// The session's offer says of what brand a saved card is.
    @Test func savedVisaThatIsChosen_withoutAWayToReachItsHolder_isRefused() throws {
        var till = EcommpayTill()
        var first = try EcommpayTill.request(5_000, "4000000000000077")
        (first.customer, first.savesInstrument) = ("12", true)
        let keeping = first
        let saved = try #require(try till.play { try await $0.sale(keeping) }.payment?.saved)
        till.answers.handle(EcommpayMethodChoice.self) { choice in
            choice.offer.saved.contains { $0.id == saved.id } ? .saved(saved.id, securityCode: Secret("737")) : .reader
        }
        var request = try EcommpayTill.request(reference: "o-2")
        (request.customer, request.contact) = ("12", nil)
        let bare = request
        #expect(till.failure { _ = try await $0.sale(bare) } == PaymentError(.invalidRequest, outcome: .notExecuted))
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func savedInstrumentsAndOtherMethodsCanBeLeftOut() throws {
        var till = EcommpayTill()
        let offers = Locked([EcommpayMethodList]())
        till.answers.handle(EcommpayRequestOptions.self) { asked in
            #expect(asked.operation == .sale && asked.amount == Money(minorUnits: 5_000, .eur))
            var answer = EcommpayRequestOptions.Answer()
            (answer.hidesSaved, answer.forcedMethod) = (true, "card")
            return answer
        }
        till.answers.handle(EcommpayMethodChoice.self) { asked in
            offers.withLock { $0.append(asked.offer) }
            return .saved(.init(rawValue: "12353661"), securityCode: nil)
        }
        var request = try EcommpayTill.request()
        request.customer = "12"
        let (sent, result) = try opening(till, request)
        let offer = try #require(offers.withLock { $0.first })
        #expect(offer.saved.isEmpty && offer.methods.map(\.code) == ["card"])
        #expect(sent?["hide_saved_wallets"] == true && sent?["force_payment_method"] == "card")
        #expect(result.payment != nil)
    }

    @Test func termsOfLaterChargesGoAlong() throws {
        let till = EcommpayTill()
        var request = try EcommpayTill.request()
        var terms = CardOnFileTerms(.recurring)
        (terms.until, terms.amount) = ("2028-12-31", Money(minorUnits: 400, .eur))
        request.cardOnFile = terms
        let (sent, result) = try opening(till, request)
        #expect(result.payment?.saved != nil)
        let due: JSON = [
            "expiry_year": 2_028, "expiry_month": 12, "expiry_day": 31, "amount": 400, "register": true, "type": "R",
        ]
        #expect(sent?["recurring"] == due)
        request.cardOnFile?.until = "31.12.2028"
        let (wrong, id) = (request, try AttemptID("terms-1"))
        let error = till.failure { _ = try await $0.sale(wrong, attempt: id) }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
    }

    /// The provider would charge on its own, and no attempt would have those charges.
    @Test func timesAndAmountsOfLaterCharges_areRefusedBeforeAnythingIsSent() throws {
        var till = EcommpayTill()
        let day = try #require(CalendarDate(iso: "2027-02-28"))
        let plan = try EcommpayRecurrence(
            interval: 2, time: "09:30:00", start: day, scheduledPayment: "s-1",
            schedule: [.init(day, Money(minorUnits: 700, .eur))])
        till.answers.handle(EcommpayRequestOptions.self) { _ in
            var answer = EcommpayRequestOptions.Answer()
            answer.recurrence = plan
            return answer
        }
        let paths = Locked([String]())
        till.tools.transport = Watching(till.tools.transport) { path, _ in paths.withLock { $0.append(path) } }
        let bare = try EcommpayTill.request(reference: "b")
        var agreed = try EcommpayTill.request()
        agreed.cardOnFile = CardOnFileTerms(.recurring)
        let planned = agreed
        let (one, two) = (try AttemptID("terms-1"), try AttemptID("terms-2"))
        let refused = PaymentError(.invalidRequest, outcome: .notExecuted)
        #expect(till.failure { _ = try await $0.sale(bare, attempt: one) } == refused)
        let unsupported = PaymentError(.unsupported, outcome: .notExecuted)
        #expect(till.failure { _ = try await $0.sale(planned, attempt: two) } == unsupported)
        #expect(paths.withLock { $0.isEmpty })
        for text in ["9:30:00", "24:00:00", "09:30"] {
            #expect(throws: PaymentError.self) { try EcommpayRecurrence(time: text) }
        }
        let dollars = EcommpayRecurrence.Charge(day, Money(minorUnits: 1, .usd))
        #expect(throws: PaymentError.self) {
            try EcommpayRecurrence(schedule: [.init(day, Money(minorUnits: 1, .eur)), dollars])
        }
        #expect(throws: PaymentError.self) { try EcommpayRecurrence(interval: 0) }
    }

    /// With the wish for a challenge, a card that is known without one is asked for one.
    @Test func riskDataReachesTheCardsBank() throws {
        var risk = try EcommpayRisk([
            "account.purchase_number": "12", "payment.challenge_indicator": "04", "home_phone": "440202267709",
        ])
        risk.giftCards = .init(2, Money(minorUnits: 5_000, .eur))
        let given = risk
        var till = EcommpayTill()
        let steps = Locked([String]())
        till.answers.handle(ThreeDSecureChallenge.self) { asked in
            steps.withLock { $0.append(asked.step.rawValue) }
            return .init(result: Secret("ok"))
        }
        till.answers.handle(EcommpayRequestOptions.self) { _ in
            var answer = EcommpayRequestOptions.Answer()
            answer.risk = given
            return answer
        }
        let (sent, result) = try opening(till, try EcommpayTill.request(5_000, "5252000000000004"))
        #expect(result.payment != nil && steps.withLock { $0 } == ["method", "challenge"])
        let due: JSON = [
            "customer": ["account": ["purchase_number": 12], "home_phone": "440202267709"],
            "payment": [
                "challenge_indicator": "04", "gift_card": ["amount": 5_000, "currency": "EUR", "count": 2],
            ],
        ]
        #expect(sent?["threeds"] == due)
        #expect(EcommpayRisk.names.count == 40)
        let error = #expect(throws: PaymentError.self) { try EcommpayRisk(["account.shoe_size": "44"]) }
        #expect(error?.detail.contains("account.shoe_size") == true && !"\(given)".contains("0202267709"))
    }

    // MARK: The bank's pages

    /// A browser goes through the pages that the steps name, and brings the result back.
    @Test(arguments: [
        ("5413330000000019", "approve", true), ("5413330000000019", "refuse", false),
        ("4344693136092508", "approve", true), ("4344693136092508", "refuse", false),
        ("4012000000020089", "approve", false),
    ]) func theBanksPagesAreAnsweredOverHTTP(_ number: String, _ outcome: String, _ isPaid: Bool) throws {
        var till = EcommpayTill()
        let browser = Browser(till.tools.transport)
        till.answers.handle(ThreeDSecureChallenge.self) { step in
            let shown = try await browser.post(step.address, step.fields.sorted { $0.key < $1.key })
            if step.step == .method { return .init() }
            let fields = try #require(shown.fields)
            let given = try await browser.post("/acs/answer", fields + [(key: "outcome", value: outcome)])
            let name = step.step == .challenge ? "cres" : "PaRes"
            let result = try #require(given.fields?.first { $0.key == name }?.value)
            return .init(result: Secret(result), merchantData: given.fields?.first { $0.key == "MD" }?.value)
        }
        let result = try till.sell(5_000, number)
        #expect((result.payment != nil) == isPaid && till.backend.ledger.movements.isEmpty != isPaid)
    }

    @Test func theBankExpectsNoOtherCustomer() async throws {
        let till = EcommpayTill()
        let browser = Browser(till.tools.transport)
        for (page, fields) in [
            ("/acs/challenge", [(key: "creq", value: "x"), (key: "threeDSSessionData", value: "<p>")]),
            ("/acs/answer", [(key: "step", value: "challenge")]), ("/acs/pareq", []), ("/acs/method", []),
        ] {
            let shown = try await browser.post(page, fields)
            #expect(shown.status >= 400 && !shown.text.contains("<p><"), "\(page)")
        }
    }
}

/// As much of a browser as the bank's pages need.
private struct Browser {
    typealias Fields = [(key: String, value: String)]
    let transport: any HTTPTransport
    private let origin = Origin(.http, "ecommpay.test")

    init(_ transport: any HTTPTransport) { self.transport = transport }

    func post(_ address: String, _ fields: Fields) async throws -> (status: Int, text: String, fields: Fields?) {
        let target = address.replacing("\(origin)", with: "")
        var request = HTTPRequest(
            "POST", origin, target, headers: ["Content-Type": "application/x-www-form-urlencoded"])
        request.body = Array(FormEncoding.encode(fields.map { FormField($0.key, $0.value) }).utf8)
        let response = try await transport.send(request)
        let text = String(decoding: response.body, as: UTF8.self)
        let hidden = text.split(separator: "<input type=\"hidden\" name=\"").dropFirst().compactMap { part in
            let pieces = part.split(separator: "\"", maxSplits: 4, omittingEmptySubsequences: false)
            return pieces.count > 2 ? (key: String(pieces[0]), value: String(pieces[2])) : nil
        }
        return (response.status, text, response.status == 200 ? hidden : nil)
    }
}

/// What customers do beside paying: leave, forget a card, use Google Pay, go to another page.
@Suite struct EcommpayLeavingTests {
    private func watched(_ till: EcommpayTill) -> (EcommpayTill, Locked<[(String, JSON?)]>) {
        let sent = Locked([(String, JSON?)]())
        var watched = till
        watched.tools.transport = Watching(till.tools.transport) { path, body in
            sent.withLock { $0.append((path, body)) }
        }
        return (watched, sent)
    }

    private func paths(_ sent: Locked<[(String, JSON?)]>) -> [String] { sent.withLock { $0.map(\.0) } }

    /// Nothing was paid: the driver cancels at the provider, and the session is over.
    @Test func whoLeavesWhileChoosingEndsTheSession() throws {
        var (till, sent) = watched(EcommpayTill())
        till.answers.handle(EcommpayMethodChoice.self) { [scheduler = till.scheduler] _ in
            try await scheduler.sleep(until: scheduler.now + 20 * 60_000)
            return .reader
        }
        let (client, request, scheduler) = (try till.client(), try EcommpayTill.request(), till.scheduler)
        let error = try scheduler.run { () -> PaymentError? in
            let sale = Task(executorPreference: scheduler) { try await client.sale(request) }
            try await scheduler.sleep(until: scheduler.now + 5_000)
            sale.cancel()
            do { _ = try await sale.value } catch { return error as? PaymentError }
            return nil
        }
        #expect(error == PaymentError(.cancelled, outcome: .notExecuted))
        #expect(paths(sent) == ["/msdk/v1/init", "/msdk/v1/cancel"])
        let session = try #require(sent.withLock { $0.last?.1?["sid"] })
        let asked = HTTPRequest(
            "POST", Origin(.http, "ecommpay.test"), "/msdk/v1/status", headers: ["Content-Type": "application/json"],
            body: JSON.object(["sid": session]).bytes())
        let transport = till.tools.transport
        #expect(try scheduler.run { try await transport.send(asked) }.status == 401)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    /// A payment in flight continues: leaving never cancels money, and what became of it is looked up.
    @Test func whoLeavesDuringAPaymentCancelsNoMoney() throws {
        var rules = EcommpaySimulator.Rules()
        rules.processingMilliseconds = 10 * 60_000
        let (till, sent) = watched(EcommpayTill(rules: rules))
        let (client, request, scheduler) = (try till.client(), try EcommpayTill.request(), till.scheduler)
        let (provider, id) = (till.backend, try AttemptID("left-1"))
        let error = try scheduler.run { () -> PaymentError? in
            let sale = Task(executorPreference: scheduler) { try await client.sale(request, attempt: id) }
            try await scheduler.sleep(until: scheduler.now + 2_500)
            sale.cancel()
            do { _ = try await sale.value } catch {
                // No caller waits any more, and the work continues until it gives up.
                try await scheduler.sleep(until: scheduler.now + 5 * 60_000)
                return error as? PaymentError
            }
            return nil
        }
        #expect(error?.outcome == .unknown)
        #expect(try scheduler.run { try await client.recover() } == [id])
        #expect(paths(sent).filter { $0 == "/msdk/v1/cancel" }.count == 1)
        _ = provider.decide(id.text, succeeds: true)
        _ = try scheduler.run { try await client.recover() }
        #expect(try scheduler.run { try await client.status(id) }.payment?.approved.minorUnits == 5_000)
        #expect(provider.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    @Test func anAbandonedChallengeEndsTheSessionAndStaysOpen() throws {
        var (till, sent) = watched(EcommpayTill())
        till.answers = QuestionHandlers()
        let (client, request) = (try till.client(), try EcommpayTill.request(5_000, "5413330000000019"))
        let id = try AttemptID("left-2")
        guard case .pending = try till.scheduler.run({ try await client.sale(request, attempt: id) }) else {
            Issue.record("it is not pending")
            return
        }
        #expect(paths(sent).last == "/msdk/v1/cancel")
        #expect(try till.scheduler.run { try await client.recover() } == [id])
    }

    // MARK: Saved cards in the offer

    @Test func aSavedCardIsTakenOutOfTheOffer() throws {
        var (till, sent) = watched(EcommpayTill())
        let offers = Locked([[String]]())
        till.answers.handle(EcommpayMethodChoice.self) { asked in
            offers.withLock { $0.append(asked.offer.saved.map(\.id.rawValue)) }
            if let saved = asked.offer.saved.first {
                let other = SavedInstrument.ID(rawValue: "7")
                let error = await #expect(throws: PaymentError.self) { try await asked.remove(other) }
                #expect(error == PaymentError(.notFound, outcome: .notExecuted))
                try await asked.remove(saved.id)
            }
            return .card(try KeyedCard(number: "5555555555554444", expiryMonth: 12, expiryYear: 30))
        }
        for reference in ["a", "b"] {
            var request = try EcommpayTill.request(reference: reference)
            request.customer = "12"
            let (asked, id) = (request, try AttemptID("sale-\(reference)"))
            #expect(try till.play { try await $0.sale(asked, attempt: id) }.payment != nil)
        }
        #expect(offers.withLock { $0 } == [["12353661"], []])
        let removal = sent.withLock { $0 }.filter { $0.0 == "/msdk/v1/account/delete" }
        #expect(removal.count == 1 && removal.first?.1?["saved_account_id"] == 12_353_661)
    }

    // MARK: Google Pay

    private func google(_ till: EcommpayTill) throws -> (PaymentResult?, PaymentError?) {
        let source = PaymentSource.wallet(WalletToken(.googlePay, payload: Secret("google-token")))
        let request = SaleRequest(Money(minorUnits: 5_000, .eur), from: source, reference: "g")
        do { return (try till.play { try await $0.sale(request) }, nil) } catch { return (nil, error as? PaymentError) }
    }

    @Test func googlePayGoesWithItsMerchantAndEnvironment() throws {
        var (till, sent) = watched(EcommpayTill())
        till.configuration.googlePay = .init("BCR2DN4", .test)
        let payment = try #require(try google(till).0?.payment)
        let paid = sent.withLock { $0 }.first { $0.0 == "/msdk/v1/pay" }?.1
        #expect(paid?["merchant_id"] == "BCR2DN4" && paid?["environment"] == "test" && paid?["method"] == "googlepay")
        let id = try AttemptID("refund-1")
        #expect(try till.play { try await $0.refund(payment.id, attempt: id) }.payment != nil)
        #expect(paths(sent).contains("/v2/payment/googlepay/refund"))
    }

    @Test func tokensOfGooglesOtherWorldAreRefusedByTheProvider() throws {
        var till = EcommpayTill()
        till.configuration.googlePay = .init("BCR2DN4", .prod)
        let error = try google(till).1
        #expect(error?.provider?.code == "310" && error?.outcome == .notExecuted)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func withoutAMerchantGooglePayIsRefusedBeforeAnythingIsSent() throws {
        let (till, sent) = watched(EcommpayTill())
        #expect(try google(till).1 == PaymentError(.configuration, outcome: .notExecuted))
        #expect(paths(sent).isEmpty)
    }

    @Test(arguments: [
        (#"{"googlePayMerchant":"BCR2DN4","googlePayEnvironment":"prod"}"#, true),
        (#"{"googlePayMerchant":"BCR2DN4"}"#, false), (#"{"googlePayEnvironment":"test"}"#, false),
        (#"{"googlePayMerchant":"BCR2DN4","googlePayEnvironment":"live"}"#, false),
    ]) func bothHalvesOfGooglePayAreCheckedWhenTheyAreRead(_ settings: String, _ isGood: Bool) async throws {
        let text = """
            {"active":"e","journal":{"kind":"memory"},"providers":{"e":{"adapter":"ecommpay","environment":"simulated",\
            "merchant":"1234","settings":\(settings)}}}
            """
        var failure: PaymentError?
        do {
            let configuration = try ConfigurationReader(ProviderRegistry([.ecommpay])).read(
                Array(text.utf8), file: "providers.json")
            let tools = ProviderDependencies(transport: FixedTransport.none)
            let drivers = try await configuration.drivers(tools, secrets: FixedSecrets())
            let driver = try #require(drivers.first as? EcommpayDriver)
            #expect(driver.configuration.googlePay == .init("BCR2DN4", .prod))
        } catch { failure = error as? PaymentError }
        #expect(failure == (isGood ? nil : PaymentError(.configuration, outcome: .notExecuted)))
        #expect(isGood || failure?.detail.contains("googlePay") == true)
    }

    // MARK: Other pages and codes

    @Test(arguments: [Int64(5_034), 5_035]) func aStepElsewhereIsAskedForAndLookedUp(_ units: Int64) throws {
        var till = EcommpayTill()
        let steps = Locked([EcommpayCustomerStep.Step]())
        let (transport, scheduler) = (till.tools.transport, till.scheduler)
        till.answers.handle(EcommpayCustomerStep.self) { asked in
            steps.withLock { $0.append(asked.step) }
            let payment: String
            switch asked.step {
            case .page(let method, let address, let fields):
                #expect(method == "POST" && address.hasSuffix("/aps/pay"))
                payment = fields["payment"] ?? ""
            case .codes(let codes):
                #expect(codes.map(\.kind) == ["qr_data"] && codes.first?.title == "QR code")
                payment = codes.first?.data.split(separator: "=").last.map { String($0) } ?? ""
            }
            #expect(!"\(asked)".contains(payment) && !"\(String(reflecting: asked))".contains(payment))
            // The customer says that it is done, and takes a little longer.
            Task(executorPreference: scheduler) {
                try await scheduler.sleep(until: scheduler.now + 4_000)
                _ = try await transport.send(
                    HTTPRequest(
                        "POST", Origin(.http, "ecommpay.test"), "/aps/pay",
                        headers: ["Content-Type": "application/x-www-form-urlencoded"],
                        body: Array("payment=\(payment)".utf8)))
            }
            return true
        }
        #expect(try till.sell(units).payment?.approved.minorUnits == units)
        #expect(steps.withLock { $0.count } == 1 && till.backend.ledger.balance(.merchant) == ["EUR": units])
    }

    /// The page is not shown, or the customer comes back without having paid: it stays open, and ends on its own.
    @Test(arguments: [true, false]) func aStepThatIsNotDoneLeavesThePaymentOpen(_ isAsked: Bool) throws {
        var till = EcommpayTill()
        if isAsked { till.answers.handle(EcommpayCustomerStep.self) { _ in false } }
        let (client, request, id) = (try till.client(), try EcommpayTill.request(5_034), try AttemptID("step-1"))
        guard case .pending = try till.scheduler.run({ try await client.sale(request, attempt: id) }) else {
            Issue.record("it is not pending")
            return
        }
        till.scheduler.advance(by: 31 * 60_000)
        _ = try till.scheduler.run { try await client.recover() }
        guard case .declined = try till.scheduler.run({ try await client.status(id) }) else {
            Issue.record("it is not declined")
            return
        }
        #expect(till.backend.ledger.movements.isEmpty)
    }
}
