import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

@testable import EcommpayProvider

/// Payments that begin at the Gate.
@Suite struct EcommpayGateTests {
    private static func till() -> EcommpayTill {
        var till = EcommpayTill()
        (till.configuration.link, till.configuration.returnAddress) = (.gate, "https://shop.example/back")
        till.configuration.notificationAddress = "https://shop.example/loaded"
        return till
    }

    /// A sale from a source, with what the Gate needs to know of its customer.
    private static func reachable(_ cents: Int64, _ source: PaymentSource) -> SaleRequest {
        var request = SaleRequest(.eur(cents), from: source, reference: "t")
        request.contact = CustomerContact()
        request.contact?.email = "john@example.org"
        request.contact?.additional["screen_res"] = "1920x1080"
        return request
    }

    /// Runs a call while the provider's callbacks come to the same process, each as often as the test says, to one client that
    /// takes them in for others as well.
    private static func hearing(
        _ till: EcommpayTill, twice: Bool = false, for others: [PaymentClient] = [],
        _ call: @escaping @Sendable (PaymentClient) async throws -> PaymentResult
    ) throws -> PaymentResult {
        let (scheduler, backend) = (till.scheduler, till.backend)
        return try till.play { client in
            let isOver = Locked(false)
            let post = Task(executorPreference: scheduler) {
                while !isOver.withLock({ $0 }) {
                    for message in backend.takeMessages() {
                        for _ in 0..<(twice ? 2 : 1) {
                            _ = try? await client.receiveWebhook(
                                message.body, headers: message.headers, from: "ecommpay", for: others)
                        }
                    }
                    try? await scheduler.sleep(until: scheduler.now + 100)
                }
            }
            defer { isOver.withLock { $0 = true } }
            let result = try await call(client)
            isOver.withLock { $0 = true }
            await post.value
            return result
        }
    }

    @Test func aCardIsChargedByThePublishedMessage() throws {
        var till = Self.till()
        let seen = Locked([(path: String, body: JSON?)]())
        till.tools.transport = Watching(till.tools.transport) { path, body in
            seen.withLock { $0.append((path, body)) }
        }
        #expect(try till.sell().payment != nil)
        let first = try #require(seen.withLock { $0.first })
        let body = try #require(first.body)
        #expect(first.path == "/v2/payment/card/sale")
        #expect(body["card"]?["card_holder"]?.string == "John Doe" && body["card"]?["cvv"]?.string == "737")
        #expect(body["customer"]?["ip_address"]?.string == "198.51.100.47")
        #expect(body["acs_return_url"]?["3ds_notification_url"]?.string == "https://shop.example/loaded")
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
    }

    /// Whose stored cards they are is content of the request, and a further field of the contact is none.
    @Test func furtherField_thatIsCalledId_replacesNoCustomer() throws {
        var till = Self.till()
        let seen = Locked([(path: String, body: JSON?)]())
        till.tools.transport = Watching(till.tools.transport) { path, body in
            seen.withLock { $0.append((path, body)) }
        }
        var request = try EcommpayTill.gateRequest()
        request.contact?.additional["id"] = "another"
        let own = request
        #expect(try till.play { try await $0.sale(own) }.payment != nil)
        let first = try #require(seen.withLock { $0.first })
        let customer = try #require(first.body?["customer"]?["id"]?.string)
        #expect(customer != "another", "\(customer)")
    }

    @Test(arguments: [false, true]) func stepsComeByCallbackAndAreAnsweredOnce(_ twice: Bool) throws {
        var till = Self.till()
        let steps = Locked([ThreeDSecureChallenge.Step]())
        till.answers.handle(ThreeDSecureChallenge.self) { asked in
            steps.withLock { $0.append(asked.step) }
            return .init(result: Secret("ok"))
        }
        let request = try EcommpayTill.gateRequest(5_000, "5413330000000019")
        let result = try Self.hearing(till, twice: twice) { try await $0.sale(request) }
        #expect(result.payment != nil && steps.withLock { $0 } == [.method, .challenge])
        #expect(till.backend.ledger.movements.count == 1)
    }

    @Test func theOlderPageStandsInTheStatus() throws {
        var till = Self.till()
        let fields = Locked([String: String]())
        till.answers.handle(ThreeDSecureChallenge.self) { asked in
            fields.withLock { $0 = asked.fields }
            return .init(result: Secret("ok"))
        }
        // No server takes callbacks here.
        #expect(try till.sell(5_000, "4006260000000014").payment != nil)
        #expect(fields.withLock { $0["PaReq"] } != nil)
    }

    @Test func whereNoCallbackComesTheStepsStayOpenAndAreDeclined() throws {
        let till = Self.till()
        let id = try AttemptID("deaf-1")
        let request = try EcommpayTill.gateRequest(5_000, "5413330000000019")
        let result = try till.play { try await $0.sale(request, attempt: id) }
        guard case .pending = result else {
            Issue.record("it is \(result)")
            return
        }
        till.scheduler.advance(by: 31 * 60_000)
        _ = try till.play { try await $0.recover() }
        guard case .declined(let decline) = try till.play({ try await $0.status(id) }) else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.provider.code == "108" && till.backend.ledger.movements.isEmpty)
    }

    /// The customer can still confirm the payment: a person who says that nothing was executed has to name it.
    @Test func notExecuted_whileTheCustomerCanConfirm_isRefusedUntilItIsNamed() throws {
        let till = Self.till()
        let id = try AttemptID("waiting-1")
        let request = try EcommpayTill.gateRequest(5_000, "5413330000000019")
        guard case .pending = try till.play({ try await $0.sale(request, attempt: id) }) else {
            Issue.record("it is decided")
            return
        }
        till.scheduler.advance(by: 10 * 60_000)
        let refused = till.failure { client in
            _ = try await client.resolve(id, as: .notExecuted(), by: "Ann", reason: "did not come")
        }
        #expect(refused?.detail.contains("It could be one of waiting-1") == true, "\(refused as Any)")
        let after = till.failure { client in
            _ = try await client.resolve(
                id, as: .notExecuted(besides: ["waiting-1"]), by: "Ann", reason: "the Dashboard shows it as abandoned")
        }
        #expect(after == nil)
    }

    /// The provider has accepted the payment and is not done with it: who says that nothing was executed has to name it.
    @Test func notExecuted_whileTheProviderStillProcesses_isRefusedUntilItIsNamed() throws {
        let till = Self.till()
        let id = try AttemptID("slow-1")
        guard case .pending = try till.play({ try await $0.sale(try EcommpayTill.gateRequest(5_015), attempt: id) })
        else {
            Issue.record("it is decided")
            return
        }
        till.scheduler.advance(by: 10 * 60_000)
        let refused = till.failure { client in
            _ = try await client.resolve(id, as: .notExecuted(), by: "Ann", reason: "did not come")
        }
        #expect(refused?.detail.contains("It could be one of slow-1") == true, "\(refused as Any)")
        let after = till.failure { client in
            _ = try await client.resolve(id, as: .notExecuted(besides: ["slow-1"]), by: "Ann", reason: "abandoned")
        }
        #expect(after == nil)
    }

    /// A word that is in no list proves nothing, and a person has to name the payment that has it.
    @Test func notExecuted_whereTheWordIsInNoList_isRefusedUntilItIsNamed() throws {
        let till = Self.till()
        #expect(till.backend.play("ecommpay.word.unlisted"))
        let id = try AttemptID("unlisted-1")
        let request = try EcommpayTill.gateRequest()
        let error = till.failure { _ = try await $0.sale(request, attempt: id) }
        #expect(error?.outcome == .unknown && till.backend.ledger.movements.count == 1)
        till.scheduler.advance(by: 10 * 60_000)
        let refused = till.failure { client in
            _ = try await client.resolve(id, as: .notExecuted(), by: "Ann", reason: "not on the slip")
        }
        #expect(refused?.detail.contains("It could be one of unlisted-1") == true, "\(refused as Any)")
    }

    @Test func aForgedStepIsNotShown() throws {
        var till = Self.till()
        till.configuration.secret = Secret("another secret")
        let asked = Locked(0)
        till.answers.handle(ThreeDSecureChallenge.self) { _ in
            asked.withLock { $0 += 1 }
            return .init(result: Secret("ok"))
        }
        let driver = try EcommpayDriver(till.configuration, till.tools)
        let body: JSON = [
            "general": ["project_id": 1_234, "payment_id": "a-1", "signature": "bm9uZQ=="],
            "payment": ["id": "a-1", "status": "awaiting 3ds result"],
            "threeds2": ["redirect": ["url": "https://thief.example", "params": [:]]],
        ]
        #expect(throws: PaymentError(.signatureInvalid, outcome: .notExecuted)) {
            try driver.notices(in: WebhookMessage(body: body.bytes(), at: 0))
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test func clarificationIsAskedByCallbackAndAnsweredInItsGroups() throws {
        var till = Self.till()
        let asked = Locked([String]())
        till.answers.handle(RequestedFields.self) { question in
            asked.withLock { $0 += question.fields.map(\.name) }
            return ["avs_post_code": "SW1", "avs_street_address": "Main"]
        }
        let request = try EcommpayTill.gateRequest(5_031)
        #expect(try Self.hearing(till) { try await $0.sale(request) }.payment != nil)
        #expect(asked.withLock { $0 } == ["avs_post_code", "avs_street_address"])
    }

    /// One client of the journal takes the callbacks in, and a client of another scope sells.
    @Test func step_thatAnotherClientTakesIn_isAskedByTheOneThatSells() throws {
        var till = Self.till()
        till.answers.handle(RequestedFields.self) { _ in ["avs_post_code": "SW1", "avs_street_address": "Main"] }
        let (shop, request) = (try till.client(scope: "berlin"), try EcommpayTill.gateRequest(5_031))
        #expect(try Self.hearing(till, for: [shop]) { _ in try await shop.sale(request) }.payment != nil)
    }

    @Test func sale_cascadeConsentRefused_staysPendingUncharged() throws {
        var till = Self.till()
        let cascade = try #require((5_001...5_099).first { TestAmount(minorUnits: $0) == .challenges })
        let request = try EcommpayTill.gateRequest(cascade)
        #expect(try Self.hearing(till) { try await $0.sale(request) }.payment != nil)
        till = Self.till()
        till.answers.handle(CascadeConsent.self) { _ in false }
        let refused = try Self.hearing(till) { try await $0.sale(request) }
        guard case .pending = refused else {
            Issue.record("it is \(refused)")
            return
        }
        #expect(till.backend.ledger.movements.isEmpty)
    }

    @Test func aCardIsCheckedAndMadeAToken() throws {
        let till = Self.till()
        let (card, contact) = (try EcommpayTill.gateRequest().source, try EcommpayTill.gateRequest().contact)
        let token = try till.play { client in
            var request = VerificationRequest(card, in: .eur, reference: "o")
            (request.customer, request.contact) = ("12", contact)
            #expect(try await client.verify(request).payment != nil)
            return try #require(try await client.tokenize(request).payment?.saved?.token)
        }
        let id = try AttemptID("token-1")
        let charge = Self.reachable(700, .token(token, securityCode: Secret("737")))
        let paid = try till.play { try await $0.sale(charge, attempt: id) }
        #expect(paid.payment != nil && till.backend.ledger.balance(.merchant) == ["EUR": 700])
    }

    @Test func theCodeOfATokensCardGoesAlong() throws {
        var till = Self.till()
        let seen = Locked(JSON.null)
        till.tools.transport = Watching(till.tools.transport) { path, body in
            if path.hasSuffix("/sale/token") { seen.withLock { $0 = body ?? .null } }
        }
        #expect(till.backend.play("ecommpay.gate.token-code.code-needed"))
        let bare = till.failure { client in
            _ = try await client.sale(Self.reachable(500, .token(Secret("card-token"))))
        }
        #expect(bare?.outcome == .notExecuted && bare?.provider?.code == "3141")
        let id = try AttemptID("token-2")
        let charge = Self.reachable(500, .token(Secret("card-token"), securityCode: Secret("737")))
        let paid = try till.play { try await $0.sale(charge, attempt: id) }
        #expect(paid.payment != nil && seen.withLock { $0["cvv"]?.string } == "737")
    }

    @Test func whatThePublishedMessageWantsIsMissedBeforeAnythingIsSent() throws {
        var till = Self.till()
        let nameless = try KeyedCard(number: "5555555555554444", expiryMonth: 12, expiryYear: 30)
        let holder = till.failure { client in
            _ = try await client.sale(Self.reachable(500, .card(nameless)))
        }
        #expect(holder == PaymentError(.invalidRequest, outcome: .notExecuted))
        let owner = till.failure { client in
            _ = try await client.sale(Self.reachable(500, .saved(.init(rawValue: "12353661"))))
        }
        #expect(owner?.detail.contains("own customer") == true)
        till.configuration.customerIPAddress = nil
        let address = till.failure { client in _ = try await client.sale(EcommpayTill.gateRequest()) }
        #expect(address?.code == .configuration && address?.detail.contains("customerIpAddress") == true)
        var request = try EcommpayTill.gateRequest()
        request.contact?.additional["ip_address"] = "203.0.113.9"
        let own = request
        #expect(try till.play { try await $0.sale(own) }.payment != nil)
        #expect(till.backend.ledger.movements.count == 1)
    }

    /// The answer is lost, so that the same message is sent again under the same name.
    @Test func aSaleThatIsSentTwiceChargesOnce() throws {
        var till = Self.till()
        till.tools.transport = Losing(till.tools.transport, "/v2/payment/card/sale") {}
        #expect(try till.sell().payment != nil)
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
    }
}

extension Money {
    fileprivate static func eur(_ cents: Int64) -> Money { Money(minorUnits: cents, .eur) }
}

/// Payments on the provider's Payment Page.
@Suite struct EcommpayPageTests {
    private static func till() -> EcommpayTill {
        var till = EcommpayTill()
        till.configuration.link = .page
        return till
    }

    private static func request(_ units: Int64 = 5_000) -> SaleRequest {
        SaleRequest(Money(minorUnits: units, .eur), from: .hostedPage, reference: "o")
    }

    /// Sells on a page; the customer comes to it or not.
    private static func sell(
        _ till: EcommpayTill, _ units: Int64 = 5_000, card: String? = "5555555555554444", isBack: Bool = true,
        attempt: String = "page-1", contact: CustomerContact? = nil
    ) throws -> (result: PaymentResult, link: PaymentLink) {
        var till = till
        let (backend, seen) = (till.backend, Locked(PaymentLink?.none))
        till.answers.handle(PaymentLink.self) { link in
            seen.withLock { $0 = link }
            if let card { _ = backend.visit(page: link.address, card: card) }
            return isBack
        }
        let id = try AttemptID(attempt)
        var request = Self.request(units)
        request.contact = contact
        let sale = request
        let result = try till.play { try await $0.sale(sale, attempt: id) }
        return (result, try #require(seen.withLock { $0 }))
    }

    @Test func theCustomerPaysAndComesBack() throws {
        let till = Self.till()
        let (result, link) = try Self.sell(till)
        #expect(result.payment != nil && till.backend.ledger.balance(.merchant) == ["EUR": 5_000])
        #expect(link.until == EcommpayTill().scheduler.now + 30 * 60_000)
        #expect(!"\(link)".contains("signature") && !"\(link)".contains("http"))
    }

    /// A person sees that the customer did not come; another tab can pay it still.
    @Test func unpaidPage_thatCanBePaid_isNotResolvedAsNotExecuted_untilItLapsed() throws {
        let till = Self.till()
        let (_, link) = try Self.sell(till, card: nil, isBack: false)
        let resolve: @Sendable (PaymentClient) async throws -> Void = { client in
            _ = try await client.resolve(link.attempt, as: .notExecuted(besides: []), by: "Ann", reason: "did not come")
        }
        till.scheduler.advance(by: 20 * 60_000)
        #expect(till.failure(resolve)?.code == .conflict)
        till.scheduler.advance(by: 30 * 60_000)
        #expect(till.failure(resolve) == nil)
    }

    @Test func theLinkIsThePublishedOneAndSignedAsAWhole() throws {
        let till = Self.till()
        let (_, link) = try Self.sell(till, card: nil, isBack: false)
        let query = try #require(link.address.split(separator: "?").last)
        let fields = try #require(FormEncoding.decode(String(query)))
        #expect(
            fields.map(\.name) == [
                "project_id", "payment_id", "payment_amount", "payment_currency", "mode", "operation_type",
                "best_before", "customer_id", "signature",
            ])
        #expect(fields.first { $0.name == "operation_type" }?.value == "sale")
        let changed = link.address.replacing("payment_amount=5000", with: "payment_amount=1")
        #expect(changed != link.address)
        let backend = till.backend
        let isTaken = try till.scheduler.run { backend.visit(page: changed, card: "5555555555554444") }
        #expect(!isTaken && backend.ledger.movements.isEmpty)
    }

    @Test func furtherField_thatIsCalledId_isNoCustomerOfThePage() throws {
        var contact = CustomerContact()
        contact.additional = ["id": "another", "middle_name": "M"]
        let (_, link) = try Self.sell(Self.till(), card: nil, isBack: false, contact: contact)
        let query = try #require(link.address.split(separator: "?").last)
        let fields = try #require(FormEncoding.decode(String(query)))
        #expect(fields.first { $0.name == "customer_id" }?.value == "page-1")
        #expect(fields.first { $0.name == "customer_middle_name" }?.value == "M")
    }

    @Test func withoutAHandlerForTheCustomersStep_nothingIsSent() throws {
        let till = Self.till()
        let error = till.failure { client in _ = try await client.sale(Self.request()) }
        #expect(error == PaymentError(.unsupported, outcome: .notExecuted))
        #expect(error?.detail.contains("PaymentLink") == true)
    }

    @Test func sale_thatTakesAPartOnAPage_isRefusedBeforeThePageIsShown() throws {
        var till = Self.till()
        till.answers.handle(PaymentLink.self) { _ in false }
        till.answers.handle(PartialApprovalOffer.self) { _ in false }
        var request = Self.request()
        request.acceptsPartialApproval = true
        let asked = request
        let error = till.failure { client in _ = try await client.sale(asked) }
        #expect(error == PaymentError(.unsupported, outcome: .notExecuted))
        #expect(error?.detail.contains("partialApproval") == true)
    }

    @Test func aPageIsPendingUntilTheCallbackDecides() throws {
        let till = Self.till()
        let (result, link) = try Self.sell(till, card: nil, isBack: false)
        guard case .pending = result else {
            Issue.record("it is \(result)")
            return
        }
        let (backend, id) = (till.backend, try AttemptID("page-1"))
        let paid = try till.play { client in
            #expect(backend.visit(page: link.address, card: "5555555555554444"))
            for message in backend.takeMessages() {
                _ = try await client.receiveWebhook(message.body, headers: message.headers, from: "ecommpay")
            }
            return try await client.status(id)
        }
        #expect(paid.payment?.approved == Money(minorUnits: 5_000, .eur))
    }

    @Test func aDeclineOnThePageKeepsItsReason() throws {
        let till = Self.till()
        guard case .declined(let decline) = try Self.sell(till, card: "5200000000000015").result else {
            Issue.record("it is not declined")
            return
        }
        #expect(decline.provider.code == "10100" && till.backend.ledger.movements.isEmpty)
    }

    /// No document says whether a card that was declined ends a page. Where it doesn't, the customer may still pay after
    /// the shop got the decline: what is paid is recorded, and no caller gets that it never was.
    @Test(arguments: [false, true]) func customersOtherCardOnThePage_isRecorded(_ triesAgain: Bool) throws {
        let till = Self.till()
        if triesAgain { #expect(till.backend.play("ecommpay.page.again.other-card")) }
        let (result, link) = try Self.sell(till, card: "5200000000000015")
        guard case .declined = result else {
            Issue.record("it is not declined")
            return
        }
        let (kinds, amounts) = try till.play { [backend = till.backend] client in
            let isPaid = backend.visit(page: link.address, card: "5555555555554444")
            #expect(isPaid == triesAgain)
            for message in backend.takeMessages() { try await client.receiveWebhook(message.body, from: "ecommpay") }
            let record = try await client.payment(PaymentID(link.attempt))
            return (try await client.timeline(of: record.id).map(\.kind), record.amounts)
        }
        #expect(amounts.captured.minorUnits == till.backend.ledger.balance(.merchant)["EUR", default: 0])
        #expect(kinds.contains(.contradiction) == triesAgain)
    }

    /// What a link says is text from outside, also for a person who looks at it in a browser.
    @Test func aPageShowsTextsOfItsLinkAsTexts() async throws {
        let till = Self.till()
        let signature = try EcommpaySigning.signature(
            EcommpaySigning.text([
                "project_id": "1234", "payment_id": "p", "payment_amount": "100", "payment_currency": "<b>",
            ]), till.backend.rules.secret, till.tools.crypto)
        let query = FormEncoding.encode([
            FormField("project_id", "1234"), FormField("payment_id", "p"), FormField("payment_amount", "100"),
            FormField("payment_currency", "<b>"), FormField("signature", signature),
        ])
        let page = try #require(
            await till.backend.answer(HTTPRequest("GET", Origin(.http, "page.test"), "/payment?\(query)")).response)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(page.status == 200 && !text.contains("<b>") && text.contains("&lt;b&gt;"), "\(text)")
    }

    /// Nothing is shown of it, and it proves nothing: neither while the link can be paid nor afterwards.
    @Test(arguments: [1, 29, 31, 24 * 60]) func thatNothingIsShownProvesNothing(_ minutes: Int64) throws {
        let till = Self.till()
        _ = try Self.sell(till, card: nil, isBack: true)
        till.scheduler.advance(by: minutes * 60_000)
        let id = try AttemptID("page-1")
        let open = try till.play { client in
            _ = try await client.recover()
            return try await client.status(id)
        }
        guard case .pending = open else {
            Issue.record("it is \(open)")
            return
        }
    }

    @Test func aLinkThatIsOverTakesNoMoney() throws {
        let till = Self.till()
        let (_, link) = try Self.sell(till, card: nil, isBack: false)
        till.scheduler.advance(by: 31 * 60_000)
        let backend = till.backend
        #expect(try till.scheduler.run { !backend.visit(page: link.address, card: "5555555555554444") })
    }

    /// A machine whose clock is ahead makes links that live longer than it believes: what is paid then is still taken
    /// for what it is.
    @Test func aWrongClockMakesNoLie() throws {
        let till = Self.till()
        let (_, link) = try Self.sell(till, card: nil, isBack: false)
        let late = Self.till()
        // The provider's clock stands where the machine's would be an hour from now.
        late.scheduler.advance(by: 60 * 60_000)
        let (_, ahead) = try Self.sell(late, card: nil, isBack: false)
        #expect(try #require(ahead.until) > (try #require(link.until)))
        till.scheduler.advance(by: 31 * 60_000)
        let (backend, id) = (till.backend, try AttemptID("page-1"))
        let paid = try till.play { client in
            #expect(backend.visit(page: ahead.address, card: "5555555555554444"))
            _ = try await client.recover()
            return try await client.status(id)
        }
        #expect(paid.payment != nil)
    }

    @Test func aHoldIsAskedForByItsOwnWord() throws {
        var till = Self.till()
        let backend = till.backend
        till.answers.handle(PaymentLink.self) { backend.visit(page: $0.address, card: "5555555555554444") }
        let request = Self.request()
        let held = try till.play { try await $0.authorize(request) }
        #expect(held.payment?.amounts.captured.minorUnits == 0)
        #expect(backend.ledger.balance(.merchant).values.allSatisfy { $0 == 0 })
    }

    @Test func aServerThatSignsMustNotChangeWhatThePageDoes() throws {
        for name in ["operation_type", "best_before", "payment_amount"] {
            var till = Self.till()
            till.configuration.secret = nil
            till.tools.delegates["ecommpay"] = Changing(name: name)
            till.answers.handle(PaymentLink.self) { _ in false }
            let error = till.failure { client in _ = try await client.sale(Self.request()) }
            #expect(error == PaymentError(.mismatch, outcome: .notExecuted), "\(name)")
        }
    }
}

/// A server that changes one parameter.
private struct Changing: EcommpaySigner {
    let name: String

    func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters {
        var changed = request.parameters.object ?? [:]
        changed[name] = "auth"
        return EcommpaySignedParameters(.object(changed), signature: "c2lnbmVk")
    }

    func isGenuine(_ message: JSON) async throws -> Bool { false }
}
