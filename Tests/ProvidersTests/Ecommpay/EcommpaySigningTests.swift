import PaymentBase
import PaymentCore
import PaymentJournalKit
import PaymentLinux
import PaymentModel
import PaymentTestTill
import PaymentTesting
import PaymentTransport
import Testing

@testable import EcommpayProvider
@testable import PaymentProviderKit

@Suite struct EcommpaySigningTests {
    private let crypto = OpenSSLCrypto()

    private func read(_ text: String) throws -> JSON { try JSONReader().read(Array(text.utf8)) }

    @Test func everyPublishedSignatureIsMadeAgain() throws {
        let vectors = try #require(JSONReader().read(Golden.reply("Ecommpay/signatures.json").body).array)
        for vector in vectors {
            let name = vector["name"]?.string ?? ""
            let secret = Secret(vector["secret"]?.string ?? "")
            let parameters = try #require(vector["parameters"])
            let text = try EcommpaySigning.text(parameters)
            #expect(text == vector["text"]?.string, "\(name)")
            #expect(try EcommpaySigning.signature(text, secret, crypto) == vector["signature"]?.string, "\(name)")
            for order in EcommpaySigning.Order.allCases {
                #expect(try EcommpaySigning.text(parameters, order) == text, "\(name) \(order)")
            }
        }
        print("ecommpay: \(vectors.count) signatures")
        #expect(vectors.count == 20)
    }

    @Test func everyKindOfValueHasItsText() throws {
        let cases = [
            (
                #"{"a":{"b":1111111111111111,"c":2},"d":false,"f":["g",{"h":7,"i":{"k":8}}],"e":[4,5],"j":null}"#,
                "a:b:1111111111111111;a:c:2;d:0;e:0:4;e:1:5;f:0:g;f:1:h:7;f:1:i:k:8;j:"
            ),
            (#"{"0":null,"a":{"b":1},"l":{"m":[{"n":9}]}}"#, "0:;a:b:1;l:m:0:n:9"),
            (#"{"a":[],"b":{},"c":"","d":false,"e:f":1}"#, "c:;d:0;e::f:1"),
            (
                #"{"id":5028800010128225,"float":1.10,"deep":[{"signature":"x","a":1,"frame_mode":"y"}]}"#,
                "deep:0:a:1;float:1.10;id:5028800010128225"
            ),
        ]
        for (json, text) in cases { #expect(try EcommpaySigning.text(try read(json)) == text) }
    }

    @Test func theThreeOrdersDifferWhereTheDocumentsDo() throws {
        let keys = try read(#"{"a":1,"a-b":3,"a1":2}"#)
        #expect(try EcommpaySigning.text(keys, .natural) == "a:1;a-b:3;a1:2")
        #expect(try EcommpaySigning.text(keys, .paths) == "a:1;a-b:3;a1:2")
        #expect(try EcommpaySigning.text(keys, .leaves) == "a-b:3;a1:2;a:1")
        let long = JSON.object(["arr": .array((0..<11).map { .number(JSONNumber(Int64($0))) })])
        #expect(try EcommpaySigning.text(long).hasSuffix("arr:9:9;arr:10:10"))
        #expect(try EcommpaySigning.text(long, .paths).hasPrefix("arr:0:0;arr:1:1;arr:10:10;arr:2:2"))
    }

    @Test func aMessageInEachOfTheOrdersIsBelievedAndNothingElseIs() throws {
        let secret = Secret("secret")
        let message = try read(#"{"project_id":12,"a":1,"a-b":3,"a1":2,"operation":{"id":5028800010128225}}"#)
        for order in EcommpaySigning.Order.allCases {
            let proof = try EcommpaySigning.signature(EcommpaySigning.text(message, order), secret, crypto)
            let top = message.adding("signature", .string(proof))
            #expect(EcommpaySigning.isGenuine(top, secret, crypto), "\(order)")
            #expect(!EcommpaySigning.isGenuine(top, Secret("another"), crypto))
            #expect(!EcommpaySigning.isGenuine(top, Secret(""), crypto))
            #expect(!EcommpaySigning.isGenuine(top.adding("extra", 1), secret, crypto))
            let flipped = String(proof.dropFirst()) + "A"
            #expect(!EcommpaySigning.isGenuine(message.adding("signature", .string(flipped)), secret, crypto))
        }
        #expect(!EcommpaySigning.isGenuine(message, secret, crypto))
        let inner = try read(#"{"general":{"project_id":1},"status":"x"}"#)
        let proof = try EcommpaySigning.signature(EcommpaySigning.text(inner), secret, crypto)
        let general = JSON.object(["project_id": 1, "signature": .string(proof)])
        #expect(EcommpaySigning.isGenuine(inner.adding("general", general), secret, crypto))
    }

    @Test func theOrderOfMembersDoesNotMatter() throws {
        let one = try read(#"{"a":{"x":1,"y":2},"b":3}"#)
        let two = try read(#"{"b":3,"a":{"y":2,"x":1}}"#)
        #expect(try EcommpaySigning.text(one) == EcommpaySigning.text(two))
    }

    /// What a server may change, and what it must not.
    private struct Server: EcommpaySigner {
        let change: @Sendable (JSONObject) -> JSONObject

        func sign(_ request: EcommpaySigningRequest) async throws -> EcommpaySignedParameters {
            guard let object = request.parameters.object else { throw CancellationError() }
            return EcommpaySignedParameters(.object(change(object)), signature: "made elsewhere")
        }

        func isGenuine(_ message: JSON) async throws -> Bool { false }
    }

    @Test func aServerMaySupplementASessionButNotChangeItsAmountOrNames() async throws {
        let parameters: JSONObject = [
            "project_id": 1, "payment_id": "p", "payment_amount": 400, "payment_currency": "EUR",
        ]
        let generous = EcommpaySignatureMode.server(
            Server { object in
                var object = object
                object["customer_id"] = "c"
                return object
            }, crypto)
        let signed = try await generous.signed(session: parameters)
        #expect(signed["customer_id"] == "c" && signed["signature"] == "made elsewhere")
        for (name, value) in [
            ("payment_amount", JSON.number(1)), ("payment_currency", "USD"), ("payment_id", "q"), ("project_id", 2),
        ] {
            let dishonest = EcommpaySignatureMode.server(
                Server { object in
                    var object = object
                    object[name] = value
                    return object
                }, crypto)
            let error = await #expect(throws: PaymentError.self) {
                _ = try await dishonest.signed(session: parameters)
            }
            #expect(error == PaymentError(.mismatch, outcome: .notExecuted), "\(name)")
        }
    }

    /// Who has such a signature can send a callback by which an order is paid.
    @Test(arguments: [
        #"{"payment":{"id":"a-1","status":"success"},"operation":{"id":1,"type":"sale","status":"success"}}"#,
        #"{"general":{"project_id":1234,"payment_id":"a-1"},"payment":{"status":"success"}}"#,
        #"{"project_id":1234,"request":{"id":"r","action":"tokenize","status":"decline"}}"#,
        #"{"project_id":1234,"accounts":[{"id":1}]}"#,
        #"{"customer_id":"c;operation:id:1;payment:status:success","payment_amount":1,"payment_id":"a-1"}"#,
    ])
    func server_askedToSignAnAnswerOrACallback_refuses(_ message: String) async throws {
        let request = try EcommpaySigningRequest(read(message))
        let server = SigningServer(secret: Secret("s"), way: .signs)
        let error = await #expect(throws: PaymentError.self) { _ = try await server.sign(request) }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
    }

    /// The server checks the parameters, and what counts at the provider is the text.
    @Test func server_askedToSignAnotherTextThanThatOfTheParameters_refuses() throws {
        let order: JSON = ["payment_amount": 5_000, "payment_id": "a-1", "project_id": 1_234]
        let other: JSON = ["payment_amount": 1, "payment_id": "a-1", "project_id": 1_234]
        let own = try EcommpaySigningRequest(order)
        let signed = try own.signed(with: Secret("s"), crypto)
        let message = order.adding("signature", .string(signed.signature))
        #expect(EcommpaySignedParameters.isGenuine(message, Secret("s"), crypto))
        let bent = EcommpaySigningRequest(order, text: try EcommpaySigning.text(other))
        let error = #expect(throws: PaymentError.self) { _ = try bent.signed(with: Secret("s"), crypto) }
        #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
    }

    /// A value that the customer chooses ends no parameter: it could say another amount.
    @Test func session_whoseValueHasASemicolon_isRefusedBeforeItIsSigned() async throws {
        let parameters: JSONObject = [
            "project_id": 1, "payment_id": "p", "payment_amount": 400, "payment_currency": "EUR",
            "customer_id": "c;payment_amount:1",
        ]
        let asked = Locked(0)
        let server = EcommpaySignatureMode.server(
            Server { object in
                asked.withLock { $0 += 1 }
                return object
            }, crypto)
        for seal in [server, EcommpaySignatureMode.local(Secret("s"), crypto)] {
            let error = await #expect(throws: PaymentError.self) { _ = try await seal.signed(session: parameters) }
            #expect(error == PaymentError(.invalidRequest, outcome: .notExecuted))
            #expect(error?.detail.contains("customer_id") == true)
        }
        #expect(asked.withLock { $0 } == 0)
    }

    /// A shop's own text stays usable: it gets a comma.
    @Test func description_withASemicolon_isSignedWithAComma() {
        #expect(EcommpayMapping.description("two books; one pen") == "two books, one pen")
    }

    @Test func aSignerOfBytesSignsAndVerifiesWithoutTheSecretBeingHere() async throws {
        let crypto = crypto
        let seal = EcommpaySignatureMode.bytes(
            { bytes in
                Secret(Base64.standard.encode(try crypto.authenticate(.sha512, key: Secret("far away"), bytes)))
            }, crypto)
        #expect(seal.secret == nil)
        let message = try await seal.signed(["general": ["project_id": 1], "payment": ["amount": 5]])
        #expect(EcommpaySigning.isGenuine(message, Secret("far away"), crypto))
        #expect(try await seal.isGenuine(message))
        #expect(try await !seal.isGenuine(message.adding("payment", ["amount": 6])))
    }

    @Test func signaturesAreMadeAndCheckedByHand() throws {
        let scheme = EcommpaySignatures()
        let (secret, crypto) = (Secret("secret"), crypto)
        let message = #"{"general":{"project_id":1,"signature":"old"},"a":1,"a-b":3,"a1":2}"#
        let bytes = Array(message.utf8)
        let proof = try scheme.sign(bytes, secret: secret, crypto: crypto)
        #expect(try scheme.verifies(bytes, signature: proof, secret: secret, crypto: crypto))
        #expect(try !scheme.verifies(bytes, signature: nil, secret: secret, crypto: crypto))
        #expect(try !scheme.verifies(bytes, signature: proof, secret: Secret("another"), crypto: crypto))
        let signed = Array(message.replacing("old", with: proof).utf8)
        #expect(try scheme.verifies(signed, signature: nil, secret: secret, crypto: crypto))
        for order in EcommpaySigning.Order.allCases {
            let other = try EcommpaySigning.signature(EcommpaySigning.text(read(message), order), secret, crypto)
            #expect(try scheme.verifies(bytes, signature: other, secret: secret, crypto: crypto), "\(order)")
        }
        for (text, code) in [("[]", PaymentError.Code.invalidRequest), ("x", .invalidRequest)] {
            let error = #expect(throws: PaymentError.self) {
                _ = try scheme.sign(Array(text.utf8), secret: secret, crypto: crypto)
            }
            #expect(error?.code == code)
        }
        let bare = #expect(throws: PaymentError.self) {
            _ = try scheme.verifies(Array("{}".utf8), signature: nil, secret: secret, crypto: crypto)
        }
        #expect(bare?.code == .invalidRequest)
        let missing = #expect(throws: PaymentError.self) {
            _ = try scheme.sign(bytes, secret: secret, crypto: UnavailableCrypto())
        }
        #expect(missing?.code == .unsupported)
    }

    /// The published kit for PHP sorts paths by natural order, in which a hyphen comes before a digit.
    @Test func naturalOrderIsThatOfThePublishedKit() throws {
        let message = try read(#"{"b":{"10":1,"9":1,"2":1},"a1":1,"a":1,"a-b":1,"a10":1,"a2":1,"a:b":1,"A":1}"#)
        #expect(try EcommpaySigning.text(message) == "A:1;a:1;a-b:1;a1:1;a2:1;a10:1;a::b:1;b:2:1;b:9:1;b:10:1")
    }

    /// A text that is left out, because it is known already, is the same as one that is there.
    @Test(arguments: [
        #"{}"#, #"{"a":1}"#, #"{"b":2,"a":1}"#, #"{"a":1,"a-b":3,"a1":2}"#, #"{"a10":1,"a9":2,"a09":3,"a009":4}"#,
        #"{"a:b":1,"a":{"":{"b":2}}}"#, #"{"x":[0,1,2,3,4,5,6,7,8,9,10,11],"x:1":"y"}"#,
        #"{"a":{"signature":1,"b":"é;:"},"ä":null,"":true,"frame_mode":2}"#, #"{"1":"x","01":"y","1a":"z","10":"w"}"#,
    ])
    func aMessageHasTheTextsOfItsOrders(_ message: String) throws {
        let json = try read(message)
        let due = try EcommpaySigning.Order.allCases.map { try EcommpaySigning.text(json, $0) }
        let texts = try EcommpaySigning.texts(json)
        #expect(Set(texts) == Set(due) && texts.count == Set(due).count && texts.first == due.first)
    }

    @Test func withoutASignerThereIsNoDriver() {
        let configuration = EcommpayConfiguration(gate: Origin(.http, "e.test"), project: 1)
        let error = #expect(throws: PaymentError.self) {
            _ = try EcommpayDriver(configuration, ProviderDependencies(transport: FixedTransport.none))
        }
        #expect(error == PaymentError(.configuration, outcome: .notExecuted))
    }
}

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
        till.answers.handle(RequestedFields.self) { _ in ["avs_post_code": "SW1", "avs_street_address": "Main"] }
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

@Suite struct EcommpayCodeTests {
    private let table = ProviderDefinition.ecommpay.errors

    @Test func everyPublishedCodeIsInTheTableOnce() throws {
        let codes = try Golden.table("Ecommpay/codes.result.tsv")
        let kit = try Golden.table("Ecommpay/codes.sdk.tsv")
        let statuses = try Golden.table("Ecommpay/codes.http.tsv").map { "http.\($0[0])" }
        let rows = table.rows.map(\.code)
        let listed = codes.map { $0[0] } + kit.map { $0[0] } + statuses
        #expect(Set(rows).symmetricDifference(listed).isEmpty)
        #expect(Set(rows).count == rows.count)
        print("ecommpay: \(codes.count) result codes, \(kit.count) names of the kit, \(statuses.count) statuses")
        #expect(codes.count == 378 && kit.count == 20 && statuses.count == 11)
    }

    @Test func theTableSaysWhatTheDocumentsSay() throws {
        for row in try Golden.table("Ecommpay/codes.result.tsv") + Golden.table("Ecommpay/codes.sdk.tsv") {
            let found = try #require(table[row[0]])
            #expect(found.category.rawValue == row[1], "\(row[0])")
            #expect(found.outcome.rawValue == row[2], "\(row[0])")
        }
    }

    @Test func whatIsThereAlreadyAndWhatIsNotFoundProveNothing() {
        for code in ["3041", "3230", "3061", "3062", "PAYMENT_ALREADY_EXIST", "PAYMENT_NOT_FOUND"] {
            let fault = table.failure(code: code)
            #expect(fault.delivery == .maybeSent && !fault.isRetryable)
        }
    }

    @Test func theDocumentsAdviceIsKeptAsItsWordsAndIsNotOurs() throws {
        let till = EcommpayTill()
        let driver = try EcommpayDriver(till.configuration, till.tools)
        #expect(EcommpayAdvice.byCode.count == 17)
        for (code, advice) in EcommpayAdvice.byCode {
            let fault = driver.classify(ProviderCodeError(code))
            #expect(fault.provider?.message == advice && fault.detail != advice, "\(code)")
        }
        // The document says to take a new identifier; while the outcome is unknown, that would charge twice.
        let there = driver.classify(ProviderCodeError("PAYMENT_ALREADY_EXIST"))
        #expect(there.delivery == .maybeSent && !there.isRetryable)
    }

    /// The document says *retry later* of a session that is refused, and with a new one that is right: nothing moved.
    @Test func refusedSession_namedByTheKit_movedNothing() {
        let fault = table.failure(code: "SERVER_UNAUTHORIZED")
        #expect(fault.delivery == .refused && fault.retry == .safe && !fault.isRetryable)
    }

    /// A gateway gives this status as well, whatever the platform behind it has done.
    @Test func status401_withoutACode_provesNothing() {
        let fault = table.failure(code: "http.401")
        #expect(fault.delivery == .maybeSent && fault.retry != .safe && !fault.isRetryable)
    }

    /// What was asked for is answered once more, and the payment waits: no sentence may advise to pay again.
    @Test func everyNameOfTheKitHasASentence() throws {
        for row in try Golden.table("Ecommpay/codes.sdk.tsv") {
            #expect(try #require(table[row[0]]).summary.count > 8, "\(row[0])")
        }
    }

    @Test func aCodeThatIsInNoTableIsUnknown() throws {
        let fault = table.failure(code: "4711")
        #expect(fault.code == .unreadableReply && fault.delivery == .maybeSent)
        #expect(EcommpayDeclineCodes.reason("4711") == .unmapped)
    }

    @Test func everyShapeOfARefusalIsRead() throws {
        func said(_ text: String) throws -> EcommpayRefusal {
            EcommpayRefusal(try JSONReader().read(Array(text.utf8)))
        }
        #expect(try said(#"{"status":"error","code":"2004","message":"Required"}"#).code == "2004")
        let item = try said(#"{"errors":[{"code":3061,"message":"Transaction not found","field":"x"}]}"#)
        #expect(item.code == "3061" && item.message == "Transaction not found")
        let session = try said(
            #"{"status":"validation","code":"501","errors":{"sid":"Make payment before check status"}}"#)
        #expect(session.code == "501" && session.message == "Make payment before check status")
        #expect(EcommpayRefusal(nil).code.isEmpty)
    }
}
