import PaymentCore
import PaymentMobileSDKs
import PaymentProviderKit
import PaymentSimulator
import PaymentTesting
import Testing

@testable import EcommpayProvider

/// What the published pages say and no simulated provider plays.
@Suite struct EcommpayPublishedTests {
    private static func gate(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse?) -> EcommpayTill {
        var till = EcommpayTill()
        (till.configuration.link, till.configuration.returnAddress) = (.gate, "https://shop.example/back")
        till.configuration.notificationAddress = "https://shop.example/loaded"
        till.tools.transport = AnsweringTransport(
            inner: till.tools.transport, answer: { request, _ in answer(request) }, arrives: { answer($0) == nil })
        return till
    }

    private static func refusal(_ code: String) -> HTTPResponse {
        HTTPResponse(
            400, headers: ["Content-Type": "application/json"],
            body: Array(#"{"status":"error","code":"\#(code)","message":"m"}"#.utf8))
    }

    /// A refusal for good says nothing of another payment under the name: nothing moved, and no person has to look.
    @Test(arguments: ["402", "1401", "1410", "1450", "1499", "3183", "3356", "10404"])
    func sale_refusedForGood_movedNothing(_ code: String) throws {
        let till = Self.gate { $0.path == "/v2/payment/card/sale" ? Self.refusal(code) : nil }
        let request = try EcommpayTill.gateRequest()
        let error = till.failure { _ = try await $0.sale(request) }
        #expect(error?.outcome == .notExecuted && error?.provider?.code == code, "\(error.debugDescription)")
        #expect(till.backend.ledger.movements.isEmpty)
    }

    /// What may be the answer to a copy of the same request proves nothing.
    @Test(arguments: ["1434", "3613"]) func sale_refusedAsADuplicate_isUnknown(_ code: String) throws {
        let till = Self.gate { $0.path == "/v2/payment/card/sale" ? Self.refusal(code) : nil }
        let request = try EcommpayTill.gateRequest()
        #expect(till.failure { _ = try await $0.sale(request) }?.outcome == .unknown)
    }

    /// "Awaiting capture" is a hold, whatever the operation is called.
    @Test func sale_thatIsOnlyHeld_isNotReportedAsCharged() throws {
        let report = try #require(EcommpayReport(Self.report("awaiting capture", "sale")))
        #expect(throws: PaymentError.self) { _ = try EcommpayMapping.standing(report, .sale) }
        let debit = try #require(EcommpayReport(Self.report("awaiting capture", "recurring")))
        #expect(throws: PaymentError.self) { _ = try EcommpayMapping.standing(debit, .debit) }
        let hold = try #require(EcommpayReport(Self.report("awaiting capture", "auth")))
        guard case .verdict(.approved(let approval)) = try EcommpayMapping.standing(hold, .authorize) else {
            Issue.record("a hold is no approval")
            return
        }
        #expect(approval.amount == Money(minorUnits: 5_000, .eur))
    }

    private static func report(_ word: String, _ type: String) -> JSON {
        let sum: JSON = ["amount": 5_000, "currency": "EUR"]
        return [
            "project_id": 1234, "payment": ["id": "a-1", "status": .string(word), "sum": sum],
            "operations": [["id": 1, "type": .string(type), "status": "success", "sum_initial": sum, "code": "0"]],
        ]
    }

    /// The page's list of parameters calls the customer's id required.
    @Test(arguments: [nil, "customer-1"]) func page_ofEachPayer_namesACustomer(_ customer: String?) throws {
        var request = SaleRequest(Money(minorUnits: 5_000, .eur), from: .hostedPage, reference: "o")
        request.customer = customer
        let parameters = try EcommpayMapping.page(
            .sale, EcommpayMapping.Order(request), AttemptID("a-1"), until: 1_767_225_600_000,
            EcommpayConfiguration(gate: Origin(.http, "ecommpay.test"), project: 1234))
        #expect(parameters["customer_id"] == .string(customer ?? "a-1"))
    }

    /// By pp-3ds-data-formats: four parameters of Base64, and a region of the billing address that has none.
    @Test func page_ofAPaymentWithRiskData_hasThePublishedParameters() throws {
        let request = SaleRequest(Money(minorUnits: 5_000, .eur), from: .hostedPage, reference: "o")
        var order = EcommpayMapping.Order(request)
        var risk = try EcommpayRisk([
            "address_match": "true", "home_phone": "442055526608", "billing_region_code": "DEV",
            "account.purchase_number": "12", "shipping.city": "London", "mpi_result.authentication_flow": "01",
            "payment.challenge_indicator": "02",
        ])
        risk.giftCards = .init(1, Money(minorUnits: 12_345, .usd))
        order.extras.risk = risk
        let page = try Self.page(order)
        let due: [String: JSON] = [
            "payment_merchant_risk": [
                "payment": [
                    "challenge_indicator": "02", "gift_card": ["amount": 12_345, "currency": "USD", "count": 1],
                ]
            ],
            "customer_account_info": [
                "customer": ["account": ["purchase_number": 12], "address_match": "Y", "home_phone": "442055526608"]
            ],
            "customer_shipping": ["customer": ["shipping": ["city": "London"]]],
            "customer_mpi_result": ["customer": ["mpi_result": ["authentication_flow": "01"]]],
        ]
        for (name, value) in due {
            let bytes = try #require(page[name]?.string.flatMap { Base64.standard.decode($0) }, "\(name)")
            #expect(try JSONReader().read(bytes) == value, "\(name)")
        }
        #expect(page["billing_region_code"] == "DEV")
        order.extras.risk = try EcommpayRisk(["shipping.city": "London"])
        let names = try Self.page(order).members.map(\.key)
        #expect(names.contains("customer_shipping") && !names.contains("payment_merchant_risk"))
        #expect(!names.contains("customer_account_info") && !names.contains("customer_mpi_result"))
    }

    private static func page(_ order: EcommpayMapping.Order) throws -> JSONObject {
        try EcommpayMapping.page(
            .sale, order, AttemptID("a-1"), until: 1_767_225_600_000,
            EcommpayConfiguration(gate: Origin(.http, "ecommpay.test"), project: 1234))
    }

    /// The address for the card's bank is no member of a customer: `avs_data` of the Gate, `avs_…` of the page.
    @Test func addressCheck_standsWhereItIsPublished() throws {
        var request = try EcommpayTill.gateRequest()
        let fields: [String: PersonalData] = [
            "ip_address": "198.51.100.47", "avs_post_code": "SW1", "avs_street_address": "Main 1",
            "identify_doc_number": "AB1", "middle_name": "M",
        ]
        request.contact?.additional = fields
        let order = EcommpayMapping.Order(request)
        let page = try Self.page(order)
        #expect(page["avs_post_code"] == "SW1" && page["avs_street_address"] == "Main 1")
        #expect(page["identify_doc_number"] == "AB1" && page["customer_middle_name"] == "M")
        let gate = try EcommpayMapping.beginning(
            .sale, order, AttemptID("a-1"), EcommpayConfiguration(gate: Origin(.http, "ecommpay.test"), project: 1234)
        ).body
        #expect(gate["avs_data"] == ["avs_post_code": "SW1", "avs_street_address": "Main 1"])
        #expect(gate["customer"]?["avs_post_code"] == nil && gate["customer"]?["middle_name"] == "M")
    }

    /// The schema's 255 characters are code points: a family of seven is one character of Swift's.
    @Test func description_thatIsTooLong_isCutAtTheGateThePageAndTheKit() throws {
        let configuration = EcommpayConfiguration(gate: Origin(.http, "ecommpay.test"), project: 1234)
        var request = try EcommpayTill.gateRequest()
        request.contact?.additional["ip_address"] = "198.51.100.47"
        request.displayText = String(repeating: "é👩‍👩‍👧‍👦", count: 60)
        let (order, id) = (EcommpayMapping.Order(request), try AttemptID("a-1"))
        let gate = try EcommpayMapping.beginning(.sale, order, id, configuration).body["payment"]?["description"]
        let page = try EcommpayMapping.page(.sale, order, id, until: 1_767_225_600_000, configuration)
        let kit = EcommpayMapping.session(order, id, configuration)
        for text in [gate?.string, page["payment_description"]?.string, kit["payment_description"]?.string] {
            let text = try #require(text)
            #expect(text.unicodeScalars.count == 255 && request.displayText?.hasPrefix(text.prefix(30)) == true)
        }
    }

    @Test(arguments: [("de", "de"), ("nl-BE", "nl"), ("en_US", "en"), ("fil", nil), ("fil-PH", nil), ("", nil)])
    func language_ofTwoLetters_isHandedOn(_ given: String, _ due: String?) throws {
        var request = try EcommpayTill.gateRequest()
        request.language = given
        #expect(EcommpayMapping.language(EcommpayMapping.Order(request))?.string == due)
    }

    /// The published hold has no member for a recipient; the sale has.
    @Test func recipient_ofAHoldAtTheGate_isRefusedBeforeItIsSent() throws {
        let till = Self.gate { _ in nil }
        var request = try EcommpayTill.gateRequest()
        request.recipient = CustomerContact()
        request.recipient?.additional = ["card_holder": "Ada Byron", "pan": "4242424242424242"]
        let asked = request
        let error = till.failure { _ = try await $0.authorize(asked) }
        #expect(error == PaymentError(.unsupported, outcome: .notExecuted))
        #expect(try till.play { try await $0.sale(asked) }.payment != nil)
    }
}
