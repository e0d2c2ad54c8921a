import PaymentBase
import PaymentCore
import PaymentDriverKit
import PaymentJournalKit
import PaymentLinux
import PaymentSimulator
import PaymentTesting
import PaymentTransport
import Testing

@testable import ARISEProvider
@testable import PaymentProviderKit

@Suite struct ARISEInspectorTests {
    private let inspector = ARISEInspector()

    private static func reply(_ type: Int, _ status: String, _ number: Int, _ code: String = "Approve") -> String {
        #"{"transactionId":"t","typeId":\#(type),"statusId":\#(number),"status":"\#(status)","processedAmount":5.00,"details":{"code":"\#(code)","hostResponseCode":"00"},"transactionReceipt":{"transactionId":"t","currencyId":1}}"#
    }

    private static func news(_ kind: String) -> String {
        #"{"id":"w","type":"\#(kind)","created":1767225600,"apiVersion":"v2","data":{"object":{"id":"t","resourceType":"transaction"}}}"#
    }

    @Test func theEntryExplainsSignsAndNamesItsProof() {
        let entry = ProviderDefinition.arise
        #expect(entry.inspector != nil && entry.signatures != nil && entry.webhookCredential == "webhookSecret")
        #expect(entry.credentials.map(\.key).contains("webhookSecret"))
        #expect(entry.declines["N7"] == .incorrectSecurityCode && entry.declines["51"] == .insufficientFunds)
    }

    @Test func theFixturesAreJudged() throws {
        let approved = try #require(
            inspector.inspect(InspectedMessage(try ARISEBench.fixture("reply.approved.json").bytes())).first)
        #expect(approved.status == .approved && approved.money == .executed && approved.unknownFields.isEmpty)
        #expect(approved.amount == Money(minorUnits: 12_345, .usd))
        let declined = try #require(
            inspector.inspect(InspectedMessage(try ARISEBench.fixture("reply.declined.json").bytes())).first)
        #expect(declined.status == .declined && declined.money == .notExecuted)
        #expect(declined.decline?.reason == .doNotHonor)
        for name in ["sale.keyed", "sale.tap", "void", "tip", "capture.part", "bank.debit", "refund.part"] {
            let json = try ARISEBench.fixture("\(name).json")
            let found = try #require(inspector.inspect(InspectedMessage(json.bytes())).first)
            #expect(found.status == .none && found.money == .unknown && found.unknownFields.isEmpty, "\(name)")
            #expect(found.attempt == json["referenceId"]?.string)
        }
    }

    @Test(arguments: [
        (reply(2, "Captured", 2), "approved/executed"), (reply(1, "Authorized", 1), "approved/executed"),
        (reply(2, "Voided", 3), "approved/executed"), (reply(1, "Captured", 2), "approved/executed"),
        (reply(5, "Refunded", 4), "approved/executed"), (reply(2, "Declined", 91, "Decline"), "declined/notExecuted"),
        (reply(2, "Failed", 92, "Error"), "unknown/unknown"), (reply(2, "Pending", 24), "pending/unknown"),
        (reply(2, "Captured", 1), "unknown/unknown"), (reply(2, "Captured", 2, "Decline"), "unknown/unknown"),
        (reply(2, "Teleported", 99), "unknown/unknown"), (reply(6, "Verified", 5), "unknown/unknown"),
        (#"{"transactionId":"t","operationTypeId":2,"statusId":3,"status":"Voided"}"#, "cancelled/notExecuted"),
        (#"{"transactionId":"t","operationTypeId":2,"statusId":92,"status":"Failed"}"#, "unknown/unknown"),
        (#"{"items":[],"total":0}"#, "none/unknown"),
        (#"{"items":[{"id":"t","typeId":2,"statusId":6,"status":"Settled","totalAmount":5.00}]}"#, "approved/executed"),
        (#"{"items":[{"id":"t","typeId":2,"statusId":6,"status":"Settled"}]}"#, "unknown/unknown"),
        (#"{"transactionId":"t","transactionOutcome":"APPROVED","authorizedAmount":"5.00"}"#, "approved/executed"),
        (#"{"transactionId":"t","transactionOutcome":"APPROVED"}"#, "unknown/unknown"),
        (
            #"{"transactionId":"t","transactionOutcome":"DECLINED","authorisationResponseCode":"51"}"#,
            "declined/notExecuted"
        ),
        (#"{"transactionId":"t","transactionOutcome":"PENDING"}"#, "pending/unknown"),
        (news("transaction.card.captured"), "approved/executed"),
        (news("transaction.card.declined"), "declined/notExecuted"),
        (news("transaction.ach.failed"), "failed/notExecuted"), (news("transaction.card.voided"), "approved/executed"),
        (news("transaction.card.abducted"), "unknown/unknown"), (news("ping"), "none/notExecuted"),
        (news("settlement.batch.completed"), "none/notExecuted"), (news("surprise"), "unknown/unknown"),
        (#"{"statusCode":400,"errorCode":"V0000","details":"no","errors":{"Amount":["x"]}}"#, "failed/notExecuted"),
        (#"{"StatusCode":404,"ErrorCode":"N0000","Details":"none"}"#, "failed/notExecuted"),
        (#"{"type":"t","title":"no","status":403,"traceId":"x"}"#, "unknown/unknown"),
        (#"{"statusCode":500,"errorCode":"V0000","details":"x"}"#, "unknown/unknown"),
        (#"{"statusCode":400,"errors":{"IsDuplicate":["true"]}}"#, "failed/notExecuted"),
        (#"{"error":"invalid_client","error_description":"x"}"#, "failed/notExecuted"),
        (#"{"errorCode":"EC_02"}"#, "unknown/unknown"), (#"{"errorCode":"X9"}"#, "unknown/unknown"),
        (#"{"access_token":"a","token_type":"Bearer","expires_in":900}"#, "none/notExecuted"),
        (#"{"permissions":[0,1]}"#, "none/notExecuted"), (#"{"devices":[]}"#, "none/notExecuted"),
        (#"{"creditCard":{"totalAmount":1},"debitCard":{}}"#, "none/notExecuted"),
        ("", "unknown/unknown"), ("<html>", "unknown/unknown"), ("{}", "unknown/unknown"), ("[]", "unknown/unknown"),
    ]) func everyKindOfMessageIsJudged(_ text: String, _ due: String) {
        #expect(inspector.said(text) == [due])
    }

    @Test func whatItBelongsToAndItsStatusCount() {
        let voided =
            #"{"transactionId":"t","operationTypeId":2,"statusId":3,"status":"Voided","amount":{"totalAmount":5}}"#
        #expect(inspector.said(voided, .void) == ["approved/executed"])
        #expect(inspector.said(Self.reply(2, "Captured", 2), .refund) == ["unknown/unknown"])
        #expect(inspector.said(Self.reply(2, "Captured", 2), status: 500) == ["unknown/unknown"])
        #expect(inspector.said("<html>", status: 401) == ["unknown/unknown"])
        #expect(inspector.said(#"{"errorCode":"V0000"}"#, status: 504) == ["unknown/unknown"])
    }

    @Test func whatNoDocumentNamesIsListed() {
        let text = #"{"transactionId":"t","typeId":2,"statusId":2,"details":{"Code":"Approve","odd":1},"extra":2}"#
        #expect(inspector.inspected(text).first?.unknownFields == ["details.odd", "extra"])
    }

    /// Every reply that the provider really gives.
    @Test func whatTheProviderSaysIsJudgedAsItsBooksAre() throws {
        let bench = ARISEBench()
        let heard = Locked([(path: String, json: JSON)]())
        let line = Overhearing(InProcessTransport([ARISEBench.origin: bench.backend], clock: bench.scheduler)) {
            path, body in heard.withLock { $0.append((path, body)) }
        }
        var dependencies = ClientOptions(journal: InMemoryJournal())
        (dependencies.clock, dependencies.executor) = (bench.scheduler, bench.scheduler)
        dependencies.random = SeededRandom(seed: 1)
        let driver = ARISEDriver(bench.configuration, line, crypto: OpenSSLCrypto())
        let client = try PaymentClient(driver, dependencies)
        let source = try ARISEBench.card()
        try bench.scheduler.run {
            let held = try #require(try await client.authorize(.dollars(2_500), from: source, reference: "h").payment)
            _ = try await client.capture(held.id, of: .dollars(1_000))
            let sale = try #require(try await client.sale(.dollars(900), from: source, reference: "s").payment)
            _ = try await client.void(sale.id)
            _ = try await client.sale(.dollars(21), from: source, reference: "d")
            _ = try await client.provider("arise").transactions?.list()
        }
        let told = heard.withLock { $0 }
        #expect(told.count > 8)
        for message in told {
            for item in inspector.inspect(InspectedMessage(message.json.bytes())) {
                #expect(item.status != .unknown && item.unknownFields.isEmpty, "\(message.path) \(item)")
            }
        }
        func money(_ ending: String) -> [Inspection.MoneyEffect] {
            told.filter { $0.path.hasSuffix(ending) }
                .flatMap { inspector.inspect(InspectedMessage($0.json.bytes())) }.map(\.money)
        }
        #expect(money("/capture") == [.executed] && money("/void") == [.executed])
        #expect(money("/sale") == [.executed, .notExecuted])
    }

    // MARK: Signatures

    @Test func aWebhookSignedByHandIsTheOneThatTheAdapterTakes() throws {
        let (scheme, crypto, secret) = (ARISESignatures(), OpenSSLCrypto(), Secret("s-1"))
        let body = Self.news("transaction.card.captured")
        let raw = Array("w-1.1767225600.\(body)".utf8)
        let form: JSON = ["id": "w-1", "timestamp": "1767225600", "body": .string(body)]
        let signature = try scheme.sign(raw, secret: secret, crypto: crypto)
        #expect(signature.hasPrefix("v1,"))
        #expect(try scheme.sign(form.bytes(), secret: secret, crypto: crypto) == signature)
        #expect(try scheme.sign(raw + [0x0A], secret: secret, crypto: crypto) == signature)
        #expect(try scheme.verifies(raw, signature: signature, secret: secret, crypto: crypto))
        #expect(try !scheme.verifies(raw, signature: signature, secret: Secret("s-2"), crypto: crypto))
        #expect(try !scheme.verifies(raw, signature: String(signature.dropFirst(3)), secret: secret, crypto: crypto))
        let whole = form.adding("signature", .string(signature))
        #expect(try scheme.verifies(whole.bytes(), signature: nil, secret: secret, crypto: crypto))
        let moved = whole.adding("timestamp", "1767225601")
        #expect(try !scheme.verifies(moved.bytes(), signature: nil, secret: secret, crypto: crypto))

        var configuration = ARISEBench().configuration
        configuration.webhookSecret = secret
        let driver = ARISEDriver(configuration, InProcessTransport([:]), crypto: crypto)
        let headers = [
            "flute-webhook-id": "w-1", "flute-webhook-timestamp": "1767225600", "flute-webhook-signature": signature,
        ]
        let message = WebhookMessage(headers: headers, body: Array(body.utf8), at: 1_767_225_600_000)
        #expect(try driver.notices(in: message).count == 1)
    }

    @Test func whatCanNotBeSignedIsRefused() {
        let (scheme, crypto, secret) = (ARISESignatures(), OpenSSLCrypto(), Secret("s-1"))
        for text in ["", "{}", #"{"id":"w","timestamp":"1"}"#, "no dots", "w.soon.{}", ".1.{}", "[]"] {
            #expect(throws: PaymentError.self, "\(text)") {
                try scheme.sign(Array(text.utf8), secret: secret, crypto: crypto)
            }
        }
        #expect(throws: PaymentError.self) { try scheme.sign(Array("w.1.{}".utf8), secret: Secret(""), crypto: crypto) }
        #expect(throws: PaymentError.self, "there is no signature inside") {
            try scheme.verifies(Array("w.1.{}".utf8), signature: nil, secret: secret, crypto: crypto)
        }
    }

    // MARK: Mutations

    @Test func mutatedMessagesNeverBecomeMovements() throws {
        let samples = [
            Self.reply(2, "Declined", 91, "Decline"), Self.reply(2, "Failed", 92, "Error"),
            Self.reply(5, "Pending", 24), Self.news("transaction.card.declined"), Self.news("ping"),
            #"{"transactionId":"t","operationTypeId":2,"statusId":91,"status":"Declined","amount":{"totalAmount":5}}"#,
            #"{"items":[{"id":"t","typeId":2,"statusId":91,"status":"Declined","totalAmount":5.00}],"total":1}"#,
            #"{"transactionId":"t","transactionOutcome":"DECLINED","authorizedAmount":"5.00"}"#,
            #"{"statusCode":400,"errorCode":"V0000","details":"no","errors":{"Amount":["x"]}}"#,
            try String(decoding: ARISEBench.fixture("sale.keyed.json").bytes(), as: UTF8.self),
        ]
        var mutation = MessageMutation(
            seed: 8, words: ["Declined", "Failed", "Pending", "Decline", "Error", 24, 91, 92, 5, "V0000", "DECLINED"])
        var count = 0
        for sample in samples {
            count += try mutation.judge(inspector, sample, rounds: 400) { item, _, text in
                #expect(item.money != .executed && item.status != .approved, "\(text)")
            }
        }
        print("arise: \(count) mutated messages")
        #expect(count == 8_000)
    }

    @Test func aMutatedApprovalStillSaysSoOrIsNone() throws {
        var mutation = MessageMutation(seed: 9, words: ["Declined", "Failed", 24, 91, "51", "Error"])
        var moved = 0
        _ = try mutation.judge(inspector, Self.reply(2, "Captured", 2), rounds: 2_000) { item, json, text in
            guard item.money == .executed else { return }
            moved += 1
            let (word, number) = (json?["status"] ?? .null, json?["statusId"] ?? .null)
            #expect(word == "Captured" || word.isNull && number == 2, "\(text)")
            #expect(number == 2 || number.isNull && word == "Captured", "\(text)")
            #expect(item.amount != nil && item.status == .approved, "\(text)")
        }
        #expect(moved > 0)
    }
}
