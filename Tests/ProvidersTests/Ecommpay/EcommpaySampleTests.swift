import PaymentAbstraction
import PaymentBase
import PaymentProviderKit
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider

/// Messages of the documents are read, and what goes out stays as it was recorded.
@Suite struct EcommpaySampleTests {
    private func report(_ file: String) throws -> EcommpayReport {
        try #require(EcommpayReport(try JSONReader().read(try Golden.reply("Ecommpay/\(file)").body)))
    }

    @Test func theCallbackOfAPartialRefundIsRead() throws {
        let report = try report("refund.callback.json")
        #expect(report.payment == "pay-1" && report.sum == Money(minorUnits: 600, .eur) && report.project == "1234")
        #expect(report.operations.first?.id == "5028800010128225" && report.operations.first?.refund == "r-1")
        guard case .approved(let approval)? = try EcommpayMapping.refund(report, "r-1") else {
            Issue.record("it is not approved")
            return
        }
        #expect(approval.amount == Money(minorUnits: 400, .eur))
        #expect(try EcommpayMapping.refund(report, "r-2") == nil)
    }

    @Test func aPaymentThatIsNotConfirmedIsNeitherApprovedNorDeclined() throws {
        let report = try report("unconfirmed.status.json")
        guard case .doubtful = try EcommpayMapping.standing(report, .sale) else {
            Issue.record("it says something")
            return
        }
        #expect(report.errors.first?.code == "3061")
    }

    @Test func aStepOfTheAuthenticationIsRead() throws {
        let report = try report("method.step.json")
        guard case .method(let address, let fields)? = report.question else {
            Issue.record("there is no question")
            return
        }
        #expect(address == "https://acs.example/method")
        #expect(fields.keys.sorted() == ["3DSMethodData", "threeDSMethodData"])
    }

    @Test(arguments: ["canceled", "cancelled"]) func bothSpellingsOfCancelledAreKnown(_ word: String) throws {
        let body: JSON = [
            "payment": ["id": "p", "status": .string(word)],
            "operations": [["id": 1, "type": "sale", "status": .string(word), "code": "301", "message": "Cancelled"]],
        ]
        let report = try #require(EcommpayReport(body))
        guard case .verdict(.cancelled(let end)) = try EcommpayMapping.standing(report, .sale) else {
            Issue.record("it is not cancelled")
            return
        }
        #expect(end.provider?.code == "301")
    }

    @Test func aWordOfNoListProvesNothing() throws {
        let body: JSON = [
            "payment": ["id": "p", "status": "teleported"],
            "operations": [["id": 1, "type": "sale", "status": "success"]],
        ]
        let report = try #require(EcommpayReport(body))
        let error = #expect(throws: PaymentError.self) { try EcommpayMapping.standing(report, .sale) }
        #expect(error == PaymentError(.unreadableReply, outcome: .unknown))
        #expect(error?.provider?.code == "teleported")
    }

    @Test func whatGoesOutIsAsRecorded() throws {
        var till = EcommpayTill()
        let log = RecordedRequests(till.tools.transport)
        till.tools.transport = log
        till.answers.handle(Clarification.self) { _ in ["avs_post_code": "SW1", "avs_street_address": "Main"] }
        let client = try till.client()
        var request = try EcommpayTill.request(5_000, "5413330000000019")
        (request.customer, request.savesInstrument, request.displayText) = ("c-1", true, "A book")
        request.cardOnFile = CardOnFileTerms(.recurring)
        let (sale, id) = (request, try AttemptID("sale-1"))
        let asked = try EcommpayTill.request(5_031, reference: "p")
        let hold = try EcommpayTill.request(6_000, reference: "q")
        try till.scheduler.run {
            let payment = try #require(try await client.sale(sale, attempt: id).payment)
            _ = try await client.sale(asked, attempt: AttemptID("sale-2"))
            let part = Money(minorUnits: 400, .eur)
            _ = try await client.refund(payment.id, of: part, attempt: AttemptID("refund-1"))
            let saved = try #require(payment.saved)
            var debit = CardOnFileRequest(Money(minorUnits: 700, .eur), of: saved.id, reference: "d")
            debit.customer = "customer-1"
            _ = try await client.chargeCardOnFile(debit, attempt: AttemptID("debit-1"))
            let held = try #require(try await client.authorize(hold, attempt: AttemptID("hold-1")).payment)
            _ = try await client.adjust(
                held.id, to: Money(minorUnits: 7_000, .eur), attempt: AttemptID("adjust-1"))
            _ = try await client.adjust(
                held.id, to: Money(minorUnits: 6_500, .eur), attempt: AttemptID("adjust-2"))
            _ = try await client.capture(held.id, of: part, attempt: AttemptID("capture-1"))
            _ = try await client.provider("ecommpay").savedInstruments?.list(of: "c-1")
        }
        let files = [
            "/msdk/v1/init": "init", "/msdk/v1/pay": "pay", "/msdk/v1/status": "state",
            "/msdk/v1/3ds/check": "check", "/msdk/v1/3ds/result": "result",
            "/msdk/v1/clarification": "clarification", "/v2/payment/status": "status",
            "/v2/payment/card/refund": "refund", "/v2/payment/card/capture": "capture",
            "/v2/payment/card/recurring": "recurring", "/v2/payment/card/incremental": "incremental",
            "/v2/payment/card/cancel": "cancel", "/v2/customer/saved_account/list": "accounts",
        ]
        #expect(Set(log.requests.map(\.target)) == Set(files.keys))
        for (target, file) in files {
            let request = try #require(log.requests.first { $0.target == target })
            let (given, recorded) = try Golden.compare(request, "Ecommpay/\(file).request.txt")
            #expect(given == recorded, "\(target)")
        }
    }
}

/// Keeps what goes out.
private final class RecordedRequests: HTTPTransport {
    private let inner: any HTTPTransport
    private let seen = Locked([HTTPRequest]())

    init(_ inner: any HTTPTransport) { self.inner = inner }

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return try await inner.send(request)
    }
}
