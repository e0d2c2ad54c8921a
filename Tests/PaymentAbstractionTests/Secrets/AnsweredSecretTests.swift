import PaymentBase
import PaymentDriverKit
import PaymentTestTill
import PaymentTransport
import Testing

@testable import PaymentCore
@testable import PaymentModel

/// What a provider asks on the way, and what it answers where nothing moves: a person sees both.
@Suite struct AnsweredSecretTests {
    private static let scrub = SecretScrubber([Secret("sk_live_abcdef12345"), Secret("4111111111111111")])
    private static let secrets = ["sk_live_abcdef12345", "4111111111111111", "4111-1111-1111-1111"]

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://a.example/", "", "https://",
        "https:///x",
        "https://user:pw@evil.example/", "https://evil.example\\@ok.example/", "https://ok.example/\r\nX: y",
        "https://ok.example/\u{202E}", "https://ok.example/ x",
        "https://ok.example/" + String(repeating: "x", count: 8_192), "https://ok.example/?t=sk_live_abcdef12345",
        "https://ok.example/?t=sk%5flive%5fabcdef12345", "https://ok.example/4111-1111-1111-1111",
    ])
    func page_thatIsNone_isNotShown(_ address: String) throws {
        #expect(Self.scrub(PaymentLink(try AttemptID("a"), address: address)) == nil)
        #expect(Self.scrub(ThreeDSecureChallenge(.challenge, address: address)) == nil)
    }

    @Test(arguments: [
        "https://ok.example/pay?id=4&x=a@b", "HTTPS://ok.example:8443/", "http://127.0.0.1:8080/page",
        "https://ok.example",
    ])
    func page_isShownAsItIs(_ address: String) throws {
        #expect(Self.scrub(PaymentLink(try AttemptID("a"), address: address))?.address == address)
        let step = ThreeDSecureChallenge(.method, address: address, fields: ["MD": "x"])
        #expect(Self.scrub(step)?.address == address)
        #expect(Self.scrub(ThreeDSecureChallenge(.method, address: address, fields: ["MD": Self.secrets[0]])) == nil)
    }

    @Test func page_thatAKitHasBuilt_isAskedFor() {
        let page = ThreeDSecureChallenge(.challenge, address: "about:blank", fields: ["content": "<form></form>"])
        #expect(Self.scrub(page)?.fields == page.fields)
        #expect(Self.scrub(ThreeDSecureChallenge(.challenge, address: "about:blank")) == nil)
        let back = ThreeDSecureChallenge(
            .challenge, address: "https://a.example/", returnAddress: "app://\(Self.secrets[0])")
        #expect(Self.scrub(back) == nil)
    }

    /// What is compared is whole or not there: a part of a name is another name.
    @Test func reference_isNotMasked() {
        var details = PaymentDetails("ok", references: ["psp": "p"])
        details.reference = "01890a5d-ac96-7abc-babc-300000000004"
        #expect(Self.scrub(details).reference == details.reference)
        details.reference = "order 5555555555554444"
        #expect(Self.scrub(details).reference == nil)
    }

    @Test func fields_withSecrets_areNotAskedFor_andTheirWordsAreClean() throws {
        var field = RequestedFields.Field("street")
        (field.label, field.hint, field.options) = (Self.secrets[0], Self.secrets[1], ["a", Self.secrets[2]])
        let many = (0..<2_000).map { RequestedFields.Field("f-\($0)") }
        let asked =
            [field] + Self.secrets.map { RequestedFields.Field($0) } + [
                RequestedFields.Field(String(repeating: "x", count: 5_000))
            ]
        let fields = try #require(Self.scrub(RequestedFields(asked + many))?.fields)
        #expect(fields.first?.name == "street" && fields.first?.options == ["a"] && fields.count < 256)
        let text = "\(fields)"
        #expect(Self.secrets.allSatisfy { !text.contains($0) } && fields.allSatisfy { $0.name.utf8.count <= 256 })
        #expect(Self.scrub(PartialApprovalOffer(approved: .cents(1), of: .cents(2)))?.approved == .cents(1))
    }

    @Test func details_showNoSecret() throws {
        let said = "x \(Self.secrets.joined(separator: " "))"
        var details = PaymentDetails(said, references: ["payment": said, "psp": "p-1"])
        (details.kind, details.batch, details.source, details.reference) = (said, said, said, said)
        details.device = DeviceSummary("d-1", name: said)
        details.operations = [PaymentDetails.AvailableOperation(said, .refund)]
        details.refunds = [PaymentDetails.Movement(said, .cents(1), state: said)]
        details.additional = ["note": said, "originalTransactionId": "4000000000000002"]
        details.card = CardSummary(brand: said)
        let shown = Self.scrub(PaymentDetailsPage([details], next: "2", total: 1))
        let text = "\(shown)"
        #expect(Self.secrets.allSatisfy { !text.contains($0) }, "\(text)")
        #expect(shown.next == "2" && shown.total == 1 && shown.items.first?.references == ["psp": "p-1"])
        #expect(shown.items.first?.additional == ["originalTransactionId": "4000000000000002"])
        #expect(Self.scrub(DeviceSummary(said)) == nil)
    }

    /// A provider that says back what the request went out with.
    @Test func settingsAndDevices_ofAProviderThatSaysTheTokenBack_showNothing() throws {
        let till = Till()
        let client = try till.client(
            HookTransport(till.transport) { (request, next) async throws(TransportFailure) in
                guard request.target == "/settings" else { return try await next(request) }
                let token = request.headers["Authorization"] ?? ""
                let said = "\(token.split(separator: " ").last ?? "") memory-client-secret 4111111111111111"
                let body: JSON = ["company": .string(said), "currencies": [.string(said)], "tips": true]
                return HTTPResponse(200, body: body.bytes())
            })
        let settings = try till.play { try await client.provider("memory").settings?.read() }
        #expect(settings?.company == "<secret> <secret> ************1111" && settings?.tipsEnabled == true)
        #expect(settings?.currencies == ["<secret> <secret> ************1111"])
    }
}
