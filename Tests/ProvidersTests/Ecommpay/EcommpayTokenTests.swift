import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

@testable import EcommpayProvider

/// Tokens of cards and customers through the Gate.
@Suite struct EcommpayTokenTests {
    static let path = "/v2/customer/card/tokenize"
    static let list = "/v2/customer/saved_account/list"

    static func till() -> EcommpayTill {
        var till = EcommpayTill()
        till.configuration.tokenizesAtGate = true
        return till
    }

    static func request(_ number: String = "5413330000000019", customer: String? = "c-9") throws -> VerificationRequest
    {
        let card = try KeyedCard(number: number, expiryMonth: 9, expiryYear: 31, holder: "John Doe")
        var request = VerificationRequest(.card(card), in: .eur, reference: "t")
        request.customer = customer
        return request
    }

    @Test func aTokenIsMadeOnceForACardAndCharges() throws {
        let till = Self.till()
        let sent = Locked([(String, JSON?)]())
        var watched = till
        watched.tools.transport = Watching(till.tools.transport) { path, body in
            sent.withLock { $0.append((path, body)) }
        }
        let (client, request) = (try watched.client(), try Self.request())
        let saved = try till.scheduler.run {
            try #require(try await client.tokenize(request, attempt: AttemptID("token-1")).payment?.saved)
        }
        let token = try #require(saved.token)
        #expect(token.expose().count == 64 && saved.card?.last4 == "0019" && saved.customer == "c-9")
        let body = try #require(sent.withLock { $0 }.first { $0.0 == Self.path }?.1)
        #expect(body["customer"]?["project_id"] == 1_234 && body["customer"]?["id"] == "c-9")
        #expect(body["customer"]?["signature"] != nil && body["signature"] == nil && body["general"] == nil)
        #expect(body["card"] == ["pan": "5413330000000019", "year": 2_031, "month": 9, "card_holder": "John Doe"])
        #expect(!sent.withLock { $0 }.contains { $0.0.hasPrefix("/msdk") })
        let again = try till.scheduler.run {
            try await client.tokenize(Self.request(), attempt: AttemptID("token-2")).payment?.saved?.token
        }
        #expect(again == token)
        var sale = SaleRequest(Money(minorUnits: 700, .eur), from: .token(token, last4: "0019"), reference: "s")
        sale.customer = "c-9"
        let asked = sale
        #expect(try till.scheduler.run { try await client.sale(asked) }.payment != nil)
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 700])
    }

    /// However often the answer is lost, the token that is there is never told as a failure.
    @Test(arguments: [1, 3]) func aLostAnswerIsNoFailure(_ count: Int) throws {
        var till = Self.till()
        till.tools.transport = LosingAnswers(till.tools.transport, Self.path, count)
        let (client, request, id) = (try till.client(), try Self.request(), try AttemptID("token-1"))
        let payment = try #require(try till.scheduler.run { try await client.tokenize(request, attempt: id) }.payment)
        let saved = try #require(payment.saved)
        let kept = try till.scheduler.run { try await client.provider("ecommpay").savedInstruments?.list(of: "c-9") }
        #expect(kept?.map(\.id) == [saved.id] && kept?.first?.token?.expose().count == 64)
        #expect(till.backend.ledger.movements.isEmpty)
    }

    /// Nothing is shown yet: that is no proof that there is no token, and it is found later.
    @Test func aTokenThatIsNotShownYetIsFoundLater() throws {
        var till = Self.till()
        let honest = till.tools.transport
        till.tools.transport = LosingAnswers(honest, Self.list, 1_000)
        let (request, id) = (try Self.request(), try AttemptID("token-1"))
        let error = till.failure { _ = try await $0.tokenize(request, attempt: id) }
        #expect(error?.outcome == .unknown)
        #expect(try till.play { try await $0.recover() } == [id])
        till.tools.transport = honest
        #expect(try till.play { try await $0.recover() }.isEmpty)
        #expect(try till.play { try await $0.status(id) }.payment?.saved != nil)
    }

    @Test func aCallbackSettlesATokenThatIsMadeOrRefused() throws {
        for (number, isMade) in [("5413330000000019", true), ("4111111111111111", false)] {
            var till = Self.till()
            let honest = till.tools.transport
            till.tools.transport = LosingAnswers(honest, Self.list, 1_000)
            let (request, id) = (try Self.request(number), try AttemptID("token-1"))
            _ = till.failure { _ = try await $0.tokenize(request, attempt: id) }
            till.tools.transport = honest
            let news = till.backend.takeMessages().map(\.body)
            #expect(news.count == 1)
            let result = try till.play { client in
                for message in news { try await client.receiveWebhook(message, from: "ecommpay") }
                return try await client.status(id)
            }
            switch result {
            case .approved(let payment): #expect(isMade && payment.saved != nil)
            case .declined(let decline): #expect(!isMade && decline.provider.code == "10100")
            case .cancelled, .pending: Issue.record("\(result)")
            }
        }
    }

    @Test func aTokenNeedsACustomer() throws {
        let till = Self.till()
        let request = try Self.request(customer: nil)
        let error = till.failure { _ = try await $0.tokenize(request) }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
    }

    // MARK: What only the Gate has

    @Test func theInstrumentBehindATokenIsShownAndRevoked() throws {
        let till = Self.till()
        let (client, request) = (try till.client(), try Self.request())
        try till.scheduler.run {
            let token = try #require(try await client.tokenize(request).payment?.saved?.token)
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            let shown = try await gate.instrument(of: token, customer: "c-9")
            #expect(shown?.card?.last4 == "0019" && shown?.token == token)
            #expect(try await gate.instrument(of: token, customer: "another") == nil)
            try await gate.revoke(token, of: "c-9")
            #expect(try await gate.instrument(of: token, customer: "c-9") == nil)
            #expect(try await client.provider("ecommpay").savedInstruments?.list(of: "c-9") == [])
            let error = await #expect(throws: PaymentError.self) { try await gate.revoke(token, of: "c-9") }
            #expect(error?.provider?.code == "3221" && error?.outcome == .notExecuted)
        }
    }

    /// A lost answer is looked up; a request that was lost is doubt, and never success.
    @Test func revokingAndRemovingAreLookedUpWhenTheAnswerIsLost() throws {
        for (isExecuted, path) in [
            (true, "/v2/customer/card/token/revoke"), (false, "/v2/customer/card/token/revoke"),
            (true, "/v2/customer/saved_account/delete"), (false, "/v2/customer/saved_account/delete"),
        ] {
            var till = Self.till()
            till.tools.transport = LosingAnswers(till.tools.transport, path, 1, isExecuted: isExecuted)
            let (client, request) = (try till.client(), try Self.request())
            let error = try till.scheduler.run { () -> PaymentError? in
                let saved = try #require(try await client.tokenize(request).payment?.saved)
                let view = try client.provider("ecommpay")
                do {
                    if path.hasSuffix("delete") {
                        try await view.savedInstruments?.remove(saved.id, of: "c-9")
                    } else {
                        try await view.ecommpay?.revoke(try #require(saved.token), of: "c-9")
                    }
                } catch { return error as? PaymentError }
                return nil
            }
            let due: PaymentError? = isExecuted ? nil : PaymentError(.inDoubt, outcome: .notExecuted)
            #expect(error == due && (error?.retry ?? .afterStatusCheck) == .afterStatusCheck, "\(path) \(isExecuted)")
        }
    }

    /// What a provider echoes of a token is not shown.
    @Test func echoedToken_isNotShown() throws {
        var till = Self.till()
        till.tools.transport = Refusing(
            till.tools.transport, path: "/v2/customer/card/bytoken",
            ["status": "error", "code": "2004", "message": "what is token-4711-of-ours?"])
        let error = till.failure { client in
            _ = try await client.provider("ecommpay").ecommpay?
                .instrument(of: Secret("token-4711-of-ours"), customer: "c")
        }
        #expect(error?.provider?.code == "2004" && error?.message.contains("4711") == false)
    }

    @Test func whatIsKnownAboutACustomerIsShown() throws {
        let till = EcommpayTill()
        var request = try EcommpayTill.request()
        request.customer = "c-7"
        var contact = CustomerContact()
        (contact.firstName, contact.email, contact.additional) = ("John", "john@example.org", ["city": "Bath"])
        request.contact = contact
        var billing = PostalAddress()
        billing.country = "GB"
        request.billing = billing
        let asked = request
        try till.play { client in
            _ = try await client.sale(asked)
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            let known = try #require(try await gate.customer("c-7"))
            #expect(known.firstName?.value == "John" && known.email?.value == "john@example.org")
            #expect(
                known.additional.mapValues(\.value)
                    == ["city": "Bath", "billing_country": "GB", "ip_address": "198.51.100.47"])
            #expect(try await gate.customer("nobody") == nil)
        }
    }

    /// A list, a customer and an instrument are believed only when the provider has signed them.
    @Test func whatIsNotSignedByTheProviderIsNotBelieved() throws {
        var till = Self.till()
        let request = try Self.request()
        let token = try #require(try till.play { try await $0.tokenize(request) }.payment?.saved?.token)
        till.tools.transport = Unsigned(till.tools.transport)
        let due = PaymentError(.signatureInvalid, outcome: .notExecuted)
        #expect(till.failure { _ = try await $0.provider("ecommpay").savedInstruments?.list(of: "c-9") } == due)
        let error = till.failure { client in
            _ = try await client.provider("ecommpay").ecommpay?.instrument(of: token, customer: "c-9")
        }
        #expect(error == due)
    }
}

/// Loses the first answers of one path, or the requests themselves.
struct LosingAnswers: HTTPTransport {
    let inner: any HTTPTransport
    let path: String
    let isExecuted: Bool
    private let left: Locked<Int>

    init(_ inner: any HTTPTransport, _ path: String, _ count: Int, isExecuted: Bool = true) {
        (self.inner, self.path, self.isExecuted, left) = (inner, path, isExecuted, Locked(count))
    }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.target == path, left.withLock({ $0 }) > 0 else { return try await inner.send(request) }
        left.withLock { $0 -= 1 }
        if isExecuted { _ = try await inner.send(request) }
        throw .maybeSent(.connectionReset)
    }
}

/// Changes a letter of every list and of every instrument.
private struct Unsigned: HTTPTransport {
    let inner: any HTTPTransport

    init(_ inner: any HTTPTransport) { self.inner = inner }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var response = try await inner.send(request)
        response.body = Array(String(decoding: response.body, as: UTF8.self).replacing("PREPAID", with: "DEBIT").utf8)
        return response
    }
}

/// Registered cards: how they stand, changed, ended.
@Suite struct EcommpayRegistrationTests {
    static let end = "/v2/payment/card/recurring/cancel"
    static let update = "/v2/payment/card/recurring/update"

    /// A card that is registered for charges of 400 until the end of 2028.
    static func register(
        _ client: PaymentClient, _ number: String = "5555555555554444"
    ) async throws -> SavedInstrument.ID {
        var request = try EcommpayTill.request(5_000, number)
        var terms = CardOnFileTerms(.recurring)
        (terms.until, terms.amount) = ("2028-12-31", Money(minorUnits: 400, .eur))
        request.cardOnFile = terms
        return try #require(try await client.sale(request).payment?.saved).id
    }

    @Test func aRegistrationIsShownChangedAndEnded() throws {
        let till = EcommpayTill()
        try till.play { client in
            let id = try await Self.register(client)
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            let before = try await gate.registration(id)
            #expect(before.kind == .recurring && before.amount == Money(minorUnits: 400, .eur) && before.period == nil)
            #expect(before.status == "active" && !before.isEnded && before.until?.hasPrefix("2028-12-31") == true)
            var terms = CardOnFileTerms(.recurring)
            (terms.amount, terms.until) = (Money(minorUnits: 500, .eur), "2029-06-30")
            let plan = try EcommpayRecurrence(interval: 2, time: "09:30:00")
            let after = try await gate.change(id, to: terms, plan, as: AttemptID("change-1"))
            #expect(after.amount?.minorUnits == 500 && after.interval == 2 && after.start == nil)
            #expect(after.time == "09:30" && after.until?.hasPrefix("2029-06-30") == true && after.period == nil)
            #expect(try await gate.end(id, as: AttemptID("end-1")).isEnded)
            var debit = CardOnFileRequest(Money(minorUnits: 500, .eur), of: id, reference: "d")
            debit.customer = "customer-1"
            let error = await #expect(throws: PaymentError.self) { try await client.chargeCardOnFile(debit) }
            #expect(error?.provider?.code == "3184" && error?.outcome == .notExecuted)
        }
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    /// A lost answer is looked up, so that what is done is never told as a failure, and what is not never as done.
    @Test(arguments: [true, false]) func whatWasLostIsLookedUp(_ isExecuted: Bool) throws {
        for path in [Self.end, Self.update] {
            var till = EcommpayTill()
            till.tools.transport = LosingAnswers(till.tools.transport, path, 1, isExecuted: isExecuted)
            let error = till.failure { client in
                let id = try await Self.register(client)
                let gate = try #require(try client.provider("ecommpay").ecommpay)
                var terms = CardOnFileTerms(.recurring)
                terms.amount = Money(minorUnits: 500, .eur)
                if path == Self.end {
                    try await gate.end(id, as: AttemptID("end-1"))
                } else {
                    try await gate.change(id, to: terms, as: AttemptID("change-1"))
                }
                if !isExecuted { Issue.record("nothing was done") }
            }
            #expect(error == (isExecuted ? nil : PaymentError(.inDoubt, outcome: .notExecuted)))
        }
    }

    /// Asked for again under its own name, a change is there already and nothing else happens.
    @Test func aNameIsUsedOnce() throws {
        let till = EcommpayTill()
        try till.play { client in
            let id = try await Self.register(client)
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            try await gate.end(id, as: AttemptID("end-1"))
            #expect(try await gate.end(id, as: AttemptID("end-1")).isEnded)
            let error = await #expect(throws: PaymentError.self) { try await gate.end(id, as: AttemptID("end-2")) }
            #expect(error?.provider?.code == "3184")
        }
    }

    @Test func whatCantBeAChangeIsRefusedBeforeItIsSent() throws {
        let till = EcommpayTill()
        let paths = Locked([String]())
        var watched = till
        watched.tools.transport = Watching(till.tools.transport) { path, _ in paths.withLock { $0.append(path) } }
        try watched.play { client in
            let id = try await Self.register(client)
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            var dollars = CardOnFileTerms(.recurring)
            dollars.amount = Money(minorUnits: 500, .usd)
            let day = try #require(CalendarDate(iso: "2027-02-28"))
            let single = try EcommpayRecurrence(schedule: [.init(day, Money(minorUnits: 7, .eur))])
            let name = try AttemptID("change-1")
            let refused = PaymentError(.invalidRequest, outcome: .notExecuted)
            #expect(
                await #expect(throws: PaymentError.self) { try await gate.change(id, to: dollars, as: name) } == refused
            )
            let plain = CardOnFileTerms(.recurring)
            #expect(
                await #expect(throws: PaymentError.self) { try await gate.change(id, to: plain, single, as: name) }
                    == refused)
            // By these the provider would charge on its own.
            var monthly = CardOnFileTerms(.recurring)
            monthly.period = "M"
            let unsupported = PaymentError(.unsupported, outcome: .notExecuted)
            let plans: [(CardOnFileTerms, EcommpayRecurrence?)] = [
                (monthly, nil), (plain, try EcommpayRecurrence(start: day)),
                (plain, try EcommpayRecurrence(scheduledPayment: "s-1")),
            ]
            for (terms, plan) in plans {
                let error = await #expect(throws: PaymentError.self) {
                    try await gate.change(id, to: terms, plan, as: name)
                }
                #expect(error == unsupported)
            }
            let nobody = SavedInstrument.ID(rawValue: "nobody")
            #expect(await #expect(throws: PaymentError.self) { try await gate.end(nobody, as: name) } == refused)
            let unknown = SavedInstrument.ID(rawValue: "r1")
            let error = await #expect(throws: PaymentError.self) { try await gate.registration(unknown) }
            #expect(error?.provider?.code == "3181")
        }
        #expect(!paths.withLock { $0 }.contains(Self.update))
    }

    /// A till and a phone can have a name each for one account. At another project the number is another customer's.
    @Test func registration_ofTheAccountUnderAnotherName_isShown_andOfAnotherAccountRefused() throws {
        let till = EcommpayTill()
        try till.play { client in
            let number = try await Self.register(client).rawValue
            let view = try client.provider("ecommpay")
            let (gate, here) = (try #require(view.ecommpay), view.identity)
            let phone = ProviderIdentity(
                "phone", adapter: here.adapter, environment: here.environment, merchant: here.merchant)
            #expect(try await gate.registration(SavedInstrument.ID(number, at: phone)).status == "active")
            let other = ProviderIdentity(
                here.id, adapter: here.adapter, environment: here.environment, merchant: "\(here.merchant)0")
            let error = await #expect(throws: PaymentError.self) {
                try await gate.registration(SavedInstrument.ID(number, at: other))
            }
            #expect(error == PaymentError(.unsupported, outcome: .notExecuted))
        }
    }

    /// Accounts and registrations are numbered each by themselves, so that one number may be two cards of a customer's.
    @Test func registration_whereAnAccountIsWanted_isRefusedBeforeItIsSent() throws {
        let till = EcommpayTill()
        let paths = Locked([String]())
        var watched = till
        watched.tools.transport = Watching(till.tools.transport) { path, _ in paths.withLock { $0.append(path) } }
        try watched.play { client in
            let id = try await Self.register(client)
            let view = try client.provider("ecommpay")
            let refused = PaymentError(.notFound, outcome: .notExecuted)
            let kept = try #require(view.savedInstruments)
            #expect(await #expect(throws: PaymentError.self) { try await kept.remove(id, of: "customer-1") } == refused)
            var request = SaleRequest(Money(minorUnits: 700, .eur), from: .saved(id), reference: "again")
            request.customer = "customer-1"
            let again = request
            let error = await #expect(throws: PaymentError.self) { try await client.sale(again) }
            #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
            // The same number without its letter is an account's.
            let account = SavedInstrument.ID(rawValue: String(id.rawValue.dropFirst()))
            var debit = CardOnFileRequest(Money(minorUnits: 400, .eur), of: account, reference: "d")
            debit.customer = "customer-1"
            let asked = debit
            #expect(
                await #expect(throws: PaymentError.self) { try await client.chargeCardOnFile(asked) } == refused)
        }
        let sent = paths.withLock { $0 }
        #expect(sent.filter { $0.hasSuffix("/msdk/v1/pay") }.count == 1, "\(sent)")
        #expect(!sent.contains { $0.hasSuffix("/saved_account/delete") || $0.hasSuffix("/card/recurring") }, "\(sent)")
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    /// Only a token is known, and the operation's number is no account's.
    @Test func instrument_ofWhichOnlyATokenIsKnown_hasNoAccountsNumber() throws {
        let told: JSON = [
            "payment": ["id": "t-1", "status": "success"], "token": "card-token",
            "operations": [["id": 77, "type": "tokenize", "status": "success"]],
        ]
        let report = try #require(EcommpayReport(told))
        let standing = try EcommpayMapping.standing(report, .tokenize, asked: .zero(.eur))
        guard case .verdict(.approved(let approval)) = standing else {
            Issue.record("\(standing)")
            return
        }
        let saved = try #require(approval.saved)
        #expect(saved.token?.expose() == "card-token" && Int64(saved.id.rawValue) == nil)
    }

    @Test func furtherTriesOfADeclinedDebitAreStopped() throws {
        let till = EcommpayTill()
        try till.play { client in
            let id = try await Self.register(client, "4000000000000119")
            let gate = try #require(try client.provider("ecommpay").ecommpay)
            var debit = CardOnFileRequest(Money(minorUnits: 400, .eur), of: id, reference: "d")
            debit.customer = "customer-1"
            guard case .declined(let decline) = try await client.chargeCardOnFile(debit) else {
                Issue.record("it is not declined")
                return
            }
            try await gate.stopRetries(of: try #require(decline.references["operation"]), under: id)
            let error = await #expect(throws: PaymentError.self) { try await gate.stopRetries(of: "7", under: id) }
            #expect(error?.provider?.code == "3186" && error?.outcome == .notExecuted)
        }
    }

    /// Callbacks about registrations are no news of payments.
    @Test func callbacksAboutRegistrationsSettleNothing() throws {
        let till = EcommpayTill()
        try till.play { client in
            let id = try await Self.register(client)
            _ = till.backend.takeMessages()
            try await client.provider("ecommpay").ecommpay?.end(id, as: AttemptID("end-1"))
            let news = till.backend.takeMessages()
            #expect(news.count == 1)
            for message in news {
                #expect(try await client.receiveWebhook(message.body, from: "ecommpay").items.isEmpty)
            }
        }
    }
}
