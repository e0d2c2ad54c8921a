import EcommpayProvider
import PaymentCore
import PaymentLinux
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

/// What the platform's format page demands of payments at the Gate.
@Suite struct EcommpayGateFormatTests {
    /// A shop at the Gate whose messages are kept.
    private static func till() -> (till: EcommpayTill, sent: Locked<[(path: String, body: JSON)]>) {
        var till = EcommpayTill()
        (till.configuration.link, till.configuration.returnAddress) = (.gate, "https://shop.example/back")
        till.configuration.notificationAddress = "https://shop.example/loaded"
        let sent = Locked([(path: String, body: JSON)]())
        till.tools.transport = Watching(till.tools.transport) { path, body in
            sent.withLock { $0.append((path, body ?? .null)) }
        }
        return (till, sent)
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func gatePayment_withoutBothAddresses_isRefusedBeforeItIsSent(hasReturn: Bool, hasNotification: Bool) throws {
        let made = Self.till()
        var till = made.till
        till.configuration.returnAddress = hasReturn ? "https://shop.example/back" : nil
        till.configuration.notificationAddress = hasNotification ? "https://shop.example/loaded" : nil
        let (shop, request) = (till, try EcommpayTill.gateRequest())
        let error = shop.failure { _ = try await $0.sale(request) }
        #expect(error?.code == .configuration && error?.outcome == .notExecuted)
        #expect(error?.detail.contains("`notificationAddress`") == true)
        #expect(made.sent.withLock { $0.isEmpty })
    }

    private static let sources: [PaymentSource] = [
        .token(Secret("card-token")), .saved(.init(rawValue: "12353661")),
    ]

    @Test(arguments: [0, 1, 2]) func gatePayment_withoutScreenOrReach_isRefusedBeforeItIsSent(source: Int) throws {
        let (till, sent) = Self.till()
        var request = try EcommpayTill.gateRequest()
        if source > 0 {
            let contact = request.contact
            request = SaleRequest(request.amount, from: Self.sources[source - 1], reference: "o")
            (request.contact, request.customer) = (contact, "12")
        }
        var (screenless, unreachable) = (request, request)
        screenless.contact?.additional["screen_res"] = nil
        unreachable.contact?.email = nil
        let cases = [(screenless, "screen_res"), (unreachable, "e-mail")]
        for (asked, word) in cases {
            let error = till.failure { _ = try await $0.sale(asked) }
            #expect(error?.code == .invalidRequest && error?.outcome == .notExecuted)
            #expect(error?.detail.contains(word) == true, "\(error?.detail ?? "")")
        }
        #expect(sent.withLock { $0.isEmpty })
        unreachable.contact?.phone = "+44 20 2226 7709"
        let asked = unreachable
        #expect(try till.play { try await $0.sale(asked) }.payment != nil)
    }

    /// A project that says that it authenticates no customers, and a card whose bank does.
    @Test func simulatedGate_challengeWithoutThePages_isRefused() throws {
        var till = Self.till().till
        till.configuration.authenticatesCustomers = false
        (till.configuration.returnAddress, till.configuration.notificationAddress) = (nil, nil)
        let request = try EcommpayTill.request(5_000, "5413330000000019")
        let plain = till
        let error = plain.failure { _ = try await $0.sale(request) }
        #expect(error?.provider?.code == "2004" && error?.outcome == .notExecuted, "\(String(describing: error))")
    }

    // MARK: Kinds of values

    private static let kinds: [String: String] = [
        "address_match": "true", "account.activity_day": "3", "account.activity_year": "40",
        "account.provision_attempts": "0", "account.purchase_number": "12",
    ]
    private static let texts: [String: String] = [
        "home_phone": "440202267709", "work_phone": "440202267710", "billing_region_code": "NY",
        "shipping.country": "GB", "shipping.region_code": "LND", "shipping.delivery_email": "john@example.org",
    ]

    /// Each name of risk data, and what a browser says, in one message under the judge of the published contract.
    @Test func riskAndBrowserData_atTheGate_haveThePublishedKinds() throws {
        var (till, sent) = Self.till()
        var values: [String: PersonalData] = [:]
        for name in EcommpayRisk.names { values[name] = PersonalData(Self.kinds[name] ?? Self.texts[name] ?? "01") }
        var risk = try EcommpayRisk(values)
        risk.giftCards = .init(1, Money(minorUnits: 2_500, .eur))
        let given = risk
        till.answers.handle(EcommpayRequestOptions.self) { _ in
            var answer = EcommpayRequestOptions.Answer()
            answer.risk = given
            return answer
        }
        var request = try EcommpayTill.gateRequest()
        let browser: [String: PersonalData] = [
            "java_enabled": "false", "js_enabled": "true", "color_depth": "24", "save": "true", "ssn": "123456789",
            "browser": "Mozilla/5.0", "accept_header": "text/html", "timezone_offset": "-60",
            "identify_doc_number": "AB123456",
        ]
        request.contact?.additional.merge(browser) { $1 }
        let asked = request
        #expect(try till.play { try await $0.sale(asked) }.payment != nil)
        let body = try #require(sent.withLock { $0.first?.body })
        let customer = try #require(body["customer"])
        for (name, due) in [("java_enabled", false), ("js_enabled", true), ("save", true), ("address_match", true)] {
            #expect(customer[name] == .bool(due), "\(name)")
        }
        #expect(customer["color_depth"] == 24 && customer["ssn"] == 123_456_789)
        for (name, due) in Self.kinds where name.hasPrefix("account.") {
            #expect(customer["account"]?[String(name.dropFirst(8))]?.int64 == Int64(due), "\(name)")
        }
        #expect(customer["identify"] == ["doc_number": "AB123456"])
        #expect(customer["billing"]?["region_code"] == "NY" && customer["billing_region_code"] == nil)
        #expect(body["payment"]?["challenge_indicator"] == "01")
    }

    @Test func recipientAtTheGate_hasThePublishedNames() throws {
        let (till, sent) = Self.till()
        var request = try EcommpayTill.gateRequest()
        var recipient = CustomerContact()
        (recipient.firstName, recipient.lastName) = ("Ada", "Byron")
        recipient.additional = ["country": "GB", "city": "London"]
        request.recipient = recipient
        let asked = request
        #expect(try till.play { try await $0.sale(asked) }.payment != nil)
        let due: JSON = ["card_holder": "Ada Byron", "city": "London", "country": "GB"]
        #expect(sent.withLock { $0.first?.body["recipient"] } == due)
        request.recipient?.additional["shoe_size"] = "44"
        let wrong = request
        let error = till.failure { _ = try await $0.sale(wrong) }
        #expect(error?.code == .invalidRequest && error?.detail.contains("shoe_size") == true)
    }

    @Test func valueOfTheWrongKind_isRefusedBeforeItIsSent() throws {
        let (till, sent) = Self.till()
        for (name, value) in [("java_enabled", "yes"), ("color_depth", "many"), ("ssn", "12-34")] {
            var request = try EcommpayTill.gateRequest()
            request.contact?.additional[name] = PersonalData(value)
            let asked = request
            let error = till.failure { _ = try await $0.sale(asked) }
            #expect(error?.code == .invalidRequest && error?.outcome == .notExecuted, "\(name)")
            #expect(error?.detail.contains(name) == true && error?.detail.contains(value) == false)
        }
        let wrong = [("account.purchase_number", "10000"), ("account.activity_day", "x"), ("address_match", "1")]
        for (name, value) in wrong {
            #expect(throws: PaymentError.self, "\(name)") { try EcommpayRisk([name: PersonalData(value)]) }
        }
        #expect(sent.withLock { $0.isEmpty })
    }
}

/// What the platform accepts at first and refuses afterwards, and what the customer pays with on a page.
@Suite struct EcommpayLaterTests {
    private static func gate() -> EcommpayTill {
        var till = EcommpayTill()
        till.configuration.link = .gate
        till.configuration.authenticatesCustomers = false
        return till
    }

    /// The payment is never shown; the request says that it was not registered.
    @Test func gateSale_acceptedAndThenRefused_movedNothingByItsRequest() throws {
        let till = Self.gate()
        #expect(till.backend.play("ecommpay.gate.refusal.by-request"))
        let request = try EcommpayTill.request(5_000, "5413330000000019")
        let result = try till.play { try await $0.sale(request) }
        guard case .declined(let decline) = result else {
            Issue.record("it is \(result)")
            return
        }
        #expect(decline.provider.code == "2004" && till.backend.ledger.movements.isEmpty)
    }

    /// The status itself says *error* with the codes of a list.
    private struct Erring: HTTPTransport {
        let inner: any HTTPTransport
        let backend: EcommpaySimulator
        let codes: [Int64]
        var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

        func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
            var response = try await inner.send(request)
            guard request.target == "/v2/payment/status", let said = try? JSONReader().read(response.body),
                let payment = said["payment"]
            else { return response }
            let bare = said.adding("payment", payment.adding("status", "error"))
                .adding("operations", [])
                .adding("errors", .array(codes.map { ["code": .number(JSONNumber($0)), "message": "m"] }))
            response.body = backend.sealed(bare).bytes()
            return response
        }
    }

    private static let errors: [([Int64], String)] = [
        ([2_004], "declined"), ([3_061], "open"), ([2_004, 3_062], "open"), ([0], "open"), ([], "open"),
    ]

    @Test(arguments: errors) func gateSale_whoseStatusSaysError_isDeclinedForAListedMistakeAlone(
        codes: [Int64], due: String
    ) throws {
        var till = Self.gate()
        till.tools.transport = Erring(inner: till.tools.transport, backend: till.backend, codes: codes)
        let request = try EcommpayTill.gateRequest()
        var said = ""
        do {
            switch try till.play({ try await $0.sale(request) }) {
            case .approved: said = "approved"
            case .declined(let decline): said = decline.provider.code == "2004" ? "declined" : "declined otherwise"
            case .cancelled: said = "cancelled"
            case .pending: said = "open"
            }
        } catch let error as PaymentError { said = error.outcome == .unknown ? "open" : "\(error)" }
        #expect(said == due)
    }

    /// A declined card whose answer is lost once, or each time.
    @Test(arguments: [EcommpayConfiguration.Integration.session, .gate], [1, 100])
    func declinedSale_replyLost_isDeclined(link: EcommpayConfiguration.Integration, losses: Int) throws {
        var till = Self.gate()
        till.configuration.link = link
        let path = link == .gate ? "/v2/payment/card/sale" : "/msdk/v1/pay"
        let line = InProcessTransport([till.configuration.gate: till.backend], clock: till.scheduler)
        till.tools.transport = LosingAnswers(line, path, losses)
        let request = try EcommpayTill.request(5_000, "5200000000000015")
        let id = try AttemptID("lost-1")
        let told = till.failure { _ = try await $0.sale(request, attempt: id) }
        #expect(told == nil || losses > 1 && told?.outcome == .unknown, "\(String(describing: told))")
        // No copy of it can arrive any more.
        till.scheduler.advance(by: 600_000)
        guard case .declined(let decline) = try till.play({ try await $0.status(id) }) else {
            Issue.record("its status is not declined")
            return
        }
        #expect(decline.provider.code == "10100" && till.backend.ledger.movements.isEmpty)
    }

    // MARK: What a page was paid with

    /// Sells on a page, whose customer pays as a reading has it.
    private static func sell(_ method: String) throws -> (EcommpayTill, Payment, Locked<[String]>) {
        var till = EcommpayTill()
        till.configuration.link = .page
        #expect(method == "card" || till.backend.play("ecommpay.page.method.\(method)"))
        let paths = Locked([String]())
        till.tools.transport = Watching(till.tools.transport) { path, _ in paths.withLock { $0.append(path) } }
        let backend = till.backend
        till.answers.handle(PaymentLink.self) { link in
            _ = backend.visit(page: link.address, card: "5555555555554444")
            return true
        }
        let request = SaleRequest(Money(minorUnits: 5_000, .eur), from: .hostedPage, reference: "o")
        return (till, try #require(try till.play { try await $0.sale(request) }.payment), paths)
    }

    @Test(arguments: [
        ("card", "card/refund"), ("apple-pay", "applepay/refund"), ("google-pay", "googlepay/refund"),
        ("other", "refund"),
    ]) func pagePayment_refunded_goesByThePathOfItsMethod(method: String, path: String) throws {
        let (till, payment, paths) = try Self.sell(method)
        let back = try till.play { try await $0.refund(payment.id, of: Money(minorUnits: 2_000, .eur)) }
        #expect(back.payment != nil)
        #expect(paths.withLock { $0 }.contains("/v2/payment/\(path)"))
        #expect(till.backend.ledger.balance(.merchant) == ["EUR": 3_000])
    }
}
