import PaymentAbstraction
import PaymentBase
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTransport
import Testing

@testable import EcommpayProvider

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
        var other = EcommpayTill()
        other.answers.handle(EcommpayMethodChoice.self) { _ in .reader }
        let request = try EcommpayTill.request()
        let error = other.failure { _ = try await $0.sale(request) }
        #expect(error == PaymentError(.unsupported, outcome: .notExecuted))
        #expect(other.backend.ledger.movements.isEmpty)
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

    @Test func timesAndAmountsOfLaterChargesGoWithTheTerms() throws {
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
        var request = try EcommpayTill.request()
        var terms = CardOnFileTerms(.recurring)
        (terms.until, terms.period) = ("2028-12-31", "M")
        request.cardOnFile = terms
        let (sent, result) = try opening(till, request)
        #expect(result.payment?.saved != nil)
        let due: JSON = [
            "expiry_year": 2_028, "expiry_month": 12, "expiry_day": 31, "period": "M", "interval": 2,
            "time": "09:30:00", "start_date": "28-02-2027", "scheduled_payment_id": "s-1", "register": true,
            "type": "R", "schedule": [["date": "28-02-2027", "amount": 700]],
        ]
        #expect(sent?["recurring"] == due)
        let bare = try EcommpayTill.request(reference: "b")
        let (one, two) = (try AttemptID("terms-1"), try AttemptID("terms-2"))
        let refused = PaymentError(.invalidRequest, outcome: .notExecuted)
        #expect(till.failure { _ = try await $0.sale(bare, attempt: one) } == refused)
        request.cardOnFile?.until = "31.12.2028"
        let wrong = request
        #expect(till.failure { _ = try await $0.sale(wrong, attempt: two) } == refused)
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
            "customer": ["account": ["purchase_number": "12"], "home_phone": "440202267709"],
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

    @Test func theBankExpectsNobodyElse() async throws {
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
