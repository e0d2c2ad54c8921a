import MemoryProvider
import PaymentBase
import PaymentSimulator
import PaymentTestTill
import PaymentTransport
import Testing

@testable import PaymentCore
@testable import PaymentDriverKit
@testable import PaymentModel

@Suite struct SilentValueTests {
    private static let eur = Money(minorUnits: 1_000, .eur)

    private static var bytes: [UInt8] { Array(Planted.everything.map(\.text).joined(separator: " ").utf8) }

    private static var headers: HTTPHeaders {
        var headers: HTTPHeaders = ["Authorization": "Bearer \(Planted.access)"]
        for needle in Planted.everything { headers.add("X-Field", needle.text) }
        return headers
    }

    private static func requests() throws -> [Any] {
        var all: [Any] = [try Planted.card(), Planted.read, Planted.bank, Planted.contact, Planted.address]
        for source in try Planted.sources() {
            var refund = UnlinkedRefundRequest(eur, to: source, reference: "o")
            refund.displayText = "why"
            var check = VerificationRequest(source, in: .eur, reference: "o")
            (check.contact, check.billing) = (Planted.contact, Planted.address)
            all +=
                [source, Planted.sale(eur, from: source), refund, check, RetryPrompt.Answer.retryWith(source)] as [Any]
        }
        return all
    }

    private static func results() throws -> [Any] {
        var card = CardSummary(brand: "visa", maskedNumber: Planted.number)
        card.holder = PersonalData("\(Planted.firstName) \(Planted.lastName)")
        var receipt = Receipt()
        receipt.add([
            Receipt.EMVTag("5A", Planted.number), Receipt.EMVTag("57", Planted.track2),
            Receipt.EMVTag("56", Planted.track1),
            Receipt.EMVTag("99", Planted.pinBlock), Receipt.EMVTag("5F20", Planted.firstName),
            Receipt.EMVTag("9f6b", Planted.track2),
        ])
        let saved = SavedInstrument(.init(rawValue: "i-1"), token: Secret(Planted.token), card: card)
        var approval = Approval(eur, references: ["payment": "mp_1"], card: card, receipt: receipt)
        approval.saved = saved
        var details = PaymentDetails("approved", references: [:])
        (details.customer, details.card) = (Planted.contact, card)
        let said = ProviderMessage(code: Planted.number, message: "card \(Planted.number) and \(Planted.track2)")
        let error = PaymentError(.network, outcome: .unknown, provider: said, detail: "it failed")
        let read = CardReadResult(
            id: "r-1", generalCardData: Secret(Planted.tags), paymentCardData: Secret(Planted.cardData), at: 0)
        return [
            card, receipt, saved, approval, Verdict.approved(approval), details, PaymentDetailsPage([details]), said,
            error,
            read, ThreeDSecureChallenge.Answer(result: Secret(Planted.token)), Planted.accessToken,
            Transmission(number: 1, access: Planted.accessToken), Secret(Planted.signature),
            PersonalData(Planted.email),
        ]
    }

    private static func wire() throws -> [Any] {
        var request = HTTPRequest("POST", Till.origin, "/payments", headers: headers, body: bytes)
        request.target += "?card=\(Planted.number)&token=\(Planted.access)"
        let response = HTTPResponse(400, headers: headers, body: bytes)
        let json: JSON = [
            "number": .string(Planted.number), "list": .array([.string(Planted.track2)]),
            "digits": .number(try JSONNumber(Planted.number)), "person": .string(Planted.email),
        ]
        let object: JSONObject = ["number": .string(Planted.number), "token": .string(Planted.access)]
        let message = WebhookMessage(headers: ["x-memory-secret": Planted.webhookSecret], body: bytes, at: 0)
        return [
            request, response, headers, json, object, try JSONNumber(Planted.number), HTTPErrorResponse(response, json),
            message, UnreadableResponseBody(status: 200),
        ]
    }

    private static func dependencies() throws -> [Any] {
        let till = Till()
        var dependencies = till.dependencies
        let tokens = InMemoryTokenStore()
        let silent = Silent(line: till.transport)
        let driver = till.driver(silent)
        try till.play { try await tokens.save(Planted.accessToken, for: driver.identity) }
        dependencies.tokens = tokens
        (dependencies.reader, dependencies.executor) = (nil, nil)
        var configuration = MemoryConfiguration(endpoint: Till.origin, secret: Secret(Planted.clientSecret))
        configuration.webhookSecret = Secret(Planted.webhookSecret)
        let client = try PaymentClient(driver, dependencies)
        return [configuration, tokens, dependencies, driver, client, JSONClient(silent, Till.origin, headers: headers)]
    }

    /// What throws on a text that holds a secret.
    private static func refusals() -> [Any] {
        var all: [Any] = []
        func refused(_ body: () throws -> Void) { do { try body() } catch { all.append(error) } }
        refused { _ = try KeyedCard(number: Planted.number + "X", expiryMonth: 1, expiryYear: 30) }
        refused {
            _ = try KeyedCard(number: Planted.number, expiryMonth: 13, expiryYear: 30, securityCode: Planted.code)
        }
        refused { _ = try AttemptID(Planted.track2) }
        refused { _ = try AttemptID(Planted.token) }
        refused { _ = try JSONReader().read(bytes) }
        refused { _ = try JSONReader().read(Array("{\"a\": \(Planted.number)x}".utf8)) }
        refused { _ = try JSONReader().read(Array("{\"a\": \"\(Planted.access)".utf8)) }
        refused { _ = try JSONNumber(Planted.track2) }
        return all
    }

    @Test func noValueShowsWhatWasPlantedInIt() throws {
        var walk = SecretWalk()
        let refusals = Self.refusals()
        #expect(refusals.count == 8)
        let values = try Self.requests() + Self.results() + Self.wire() + Self.dependencies() + refusals
        for value in values { walk.walk(value) }
        #expect(walk.leaks.isEmpty, "\(walk.leaks)")
        #expect(walk.count > 1_000)
        print("secrets: \(values.count) values, \(walk.count) parts walked")
    }

    /// The walk itself must see through what hides nothing.
    @Test func theWalkFindsWhatIsNotHidden() {
        struct Open { let more: [String: [String?]] }
        for needle in Planted.everything {
            for form in needle.forms {
                var walk = SecretWalk([needle])
                walk.walk(Open(more: ["a": [nil, "<\(form.text)>"]]))
                #expect(walk.leaks.contains { $0.needle == needle.name }, "\(needle) as \(form.form)")
            }
        }
    }
}

/// A line that shows nothing of what is at its other end.
struct Silent: HTTPTransport, CustomReflectable, CustomStringConvertible {
    let line: any HTTPTransport
    var description: String { "a line" }
    var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
    var sendLimitMilliseconds: Int64? { 0 }

    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse { try await line.send(request) }
}
