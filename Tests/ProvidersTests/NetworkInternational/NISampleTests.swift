import NetworkInternationalProvider
import PaymentCore
import PaymentProviderKit
import PaymentSimulator
import Testing

/// The document's own answers are read, and what goes out stays as it was recorded.
@Suite struct NISampleTests {
    private static let gateway = "/softpos"

    private func till(_ more: [String: String]) throws -> (NITill, ScriptedTransport) {
        let token = HTTPResponse(
            200, body: Array(#"{"access_token":"t","expires_in":28800,"token_type":"bearer"}"#.utf8))
        var till = NITill()
        var replies: [String: HTTPResponse] = [
            "POST /identity/auth/access-token": token,
            "POST /identity/outlets/\(till.configuration.outlet)/devices/auth": token,
            "POST /softpos/payment-card-reader-token": HTTPResponse(200, body: Array(#"{"token":"r"}"#.utf8)),
        ]
        for (request, file) in more { replies[request] = try Golden.reply("NetworkInternational/\(file)") }
        let transport = ScriptedTransport(replies)
        till.tools.transport = transport
        return (till, transport)
    }

    @Test func theAuthorisationOfTheDocumentIsRead() throws {
        let (till, _) = try till(["POST /softpos/payment/card/authorise": "authorise.reply.json"])
        let result = try till.play { try await $0.authorize(.aed(2_500), from: .reader, reference: "r") }
        let payment = try #require(result.payment)
        #expect(payment.approved == .aed(2_500) && payment.receipt?.authorizationCode == "448430")
        #expect(payment.references["order"] == "c4155842-84b1-4025-8890-f9a6b5c14f32")
        #expect(payment.references["payment"] == "d2994a07-da67-49dc-8bf1-f3c4173b7329")
        #expect(payment.receipt?.at == 1_689_761_303_725)
    }

    @Test func theOrderOfTheDocumentIsRead() throws {
        let name = "616241a9-c4ba-42e2-a35d-db2ac48213bd"
        let (till, _) = try till(["GET /softpos/reporting/orders/\(name)": "order.reply.json"])
        let found = try till.play { try await $0.provider("ni").transactions?.details(["order": name]) }
        let details = try #require(found)
        #expect(details.amount == .aed(10_100) && details.captured == .aed(6_600) && details.refunded == .aed(0))
        #expect(details.captures.map(\.amount) == [.aed(3_300)] && details.captures.first?.followUp == "VOID_CAPTURE")
        #expect(details.card?.last4 == "1118" && details.card?.expiry == "12/25")
        #expect(details.operations.map(\.name) == ["refund", "capture"])
    }

    @Test func theReportOfTheDocumentIsRead() throws {
        let (till, _) = try till(["GET /softpos/reporting/payments": "list.reply.json"])
        let page = try till.play { try await $0.provider("ni").transactions?.list() }
        let item = try #require(page?.items.first)
        #expect(item.amount == .aed(10_000) && item.refunded == .aed(0) && item.state == "SUCCESS")
        #expect(item.receipt?.retrievalReference == "123456789" && item.receipt?.authorizationCode == "987654")
        #expect(item.card?.last4 == "1234" && item.card?.holder == "John Doe" && page?.next == "1")
        #expect(!"\(item)".contains("John"))
    }

    /// The document's example of a capture shows another amount than it asks for; that proves nothing.
    @Test func aCaptureThatShowsAnotherAmountIsNotBelieved() throws {
        let till = NITill()
        var other = till
        other.tools.transport = ReplacedText(
            till.tools.transport, #""value":1000},"createdTime""#, #""value":200},"createdTime""#)
        let told = try other.play { client in
            let held = try await client.authorize(.aed(2_500), from: .reader, reference: "r").payment
            guard let held else { return PaymentResult?.none }
            return try await client.capture(held.id, of: .aed(1_000))
        }
        // It was looked up instead, and found.
        #expect(told?.payment?.approved == .aed(1_000))
        #expect(told?.payment?.amounts.captured == .aed(1_000))
    }

    @Test func whatGoesOutIsAsRecorded() throws {
        var till = NITill()
        let seen = Locked([HTTPRequest]())
        till.tools.transport = Remembering(till.tools.transport, seen)
        try till.play { [backend = till.backend] client in
            let sale = try await client.sale(.aed(12_550), from: .reader, reference: "o").payment
            let held = try await client.authorize(.aed(2_500), from: .reader, reference: "r").payment
            guard let sale, let held else { return }
            try await client.capture(held.id, of: .aed(1_000))
            try await client.void(held.id)
            backend.settleNow()
            try await client.refund(sale.id, of: .aed(2_550))
            _ = try await client.provider("ni").transactions?.list(ListQuery(limit: 5))
            try await client.provider("ni").devices?.unbind(terminal: "434334344299")
        }
        let names = [
            "access-token", "auth", "payment-card-reader-token", "purchase", "authorise", "capture", "refund", "cancel",
            "payments", "unbind",
        ]
        for name in names {
            let request = try #require(
                seen.withLock { $0.first { $0.target.prefix { $0 != "?" }.hasSuffix("/\(name)") } }, "\(name)")
            let (given, recorded) = try Golden.compare(request, "NetworkInternational/\(name).request.txt")
            #expect(given == recorded)
        }
        let order = try #require(seen.withLock { $0.first { $0.target.contains("/reporting/orders/") } })
        let (given, recorded) = try Golden.compare(order, "NetworkInternational/order.request.txt")
        #expect(given == recorded)
    }
}

/// Remembers every request.
struct Remembering: HTTPTransport {
    let inner: any HTTPTransport
    let seen: Locked<[HTTPRequest]>

    init(_ inner: any HTTPTransport, _ seen: Locked<[HTTPRequest]>) { (self.inner, self.seen) = (inner, seen) }

    var sendLimitMilliseconds: Int64? { inner.sendLimitMilliseconds }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return try await inner.send(request)
    }
}

@Suite struct NICodeTests {
    @Test func everyNumberOfTheDocumentsIsInTheTable() throws {
        let listed = try Golden.table("NetworkInternational/codes.sdk.tsv").map { $0[0] }
        let statuses = try Golden.table("NetworkInternational/codes.http.tsv").map { "http.\($0[0])" }
        let rows = ProviderDefinition.ni.errors.rows.map(\.code)
        #expect(Set(rows).symmetricDifference(listed + statuses).isEmpty)
        #expect(Set(rows).count == rows.count)
        print("ni: \(listed.count) numbers of the kit, \(statuses.count) statuses")
        #expect(listed.count == 32)
        #expect(statuses.count == 13)
    }

    @Test func theTableSaysWhatTheDocumentsSay() throws {
        for row in try Golden.table("NetworkInternational/codes.sdk.tsv") {
            let found = try #require(ProviderDefinition.ni.errors[row[0]])
            #expect(found.category.rawValue == row[1], "\(row[0])")
        }
    }

    @Test func everyResultCodeBecomesItsReason() throws {
        let table = try Golden.table("NetworkInternational/codes.result.tsv")
        print("ni: \(table.count) result codes")
        for row in table {
            let till = NITill()
            till.backend.setCards(["4111111111111111": row[0]])
            let result = try till.play { try await $0.sale(.aed(5_000), from: .reader, reference: "o") }
            guard case .declined(let decline) = result else {
                Issue.record("\(row[0]): \(result)")
                continue
            }
            #expect(decline.reason.rawValue == row[1] && decline.provider.code == row[0])
        }
        #expect(table.count == 17)
    }

    @Test func aFailureOfTheServerProvesNothingWhateverItNames() async throws {
        let driver = NIDriver(NITill().configuration, NITill().tools)
        let body: JSON = ["errors": [["errorCode": "112"]]]
        for (status, delivery) in [(422, Delivery.refused), (503, .maybeSent), (302, .maybeSent)] {
            let named = HTTPErrorResponse(HTTPResponse(status), body)
            let bare = HTTPErrorResponse(HTTPResponse(status), nil)
            #expect(driver.classify(bare).delivery == delivery)
            if status >= 400 { #expect(driver.classify(named).delivery == delivery) }
        }
    }
}
