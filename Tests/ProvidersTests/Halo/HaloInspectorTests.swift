import PaymentBase
import PaymentCore
import PaymentSimulator
import PaymentTransport
import Testing

@testable import HaloProvider
@testable import PaymentProviderKit

@Suite struct HaloInspectorTests {
    private let inspector = HaloInspector()

    private static let approved =
        #"{"onlineAuthorizationResponse":{"type":"Approved","haloReference":"h-1","errorCode":0,"isoResponseCode":"00","amount":1500,"currency":"ZAR","merchantReference":"a-1"}}"#
    private static let declined =
        #"{"onlineAuthorizationResponse":{"type":"Declined","haloReference":"h-1","errorCode":209,"isoResponseCode":"51","amount":1500,"currency":"ZAR","merchantReference":"a-1","isSingleTapAndPin":false}}"#
    private static let pin =
        #"{"onlineAuthorizationResponse":{"type":"Declined","haloReference":"h-1","errorCode":65,"isoResponseCode":"65","isSingleTapAndPin":true,"pinToken":"t","merchantReference":"a-1"}}"#
    private static let news =
        #"{"id":"h-1","merchantReference":"a-1","disposition":"Declined","errorCode":209,"amount":1500,"currency":"ZAR","haloReference":"h-1","paymentProviderFields":{"any":1}}"#

    @Test func theEntryExplainsAndNamesNoProof() {
        let entry = ProviderDefinition.halo
        #expect(entry.inspector != nil && entry.signatures == nil && entry.webhookCredential == nil)
        #expect(entry.declines["51"] == .insufficientFunds && entry.declines["211"] == .incorrectPIN)
    }

    @Test(arguments: [
        (approved, "approved/executed"), (declined, "declined/notExecuted"), (pin, "pending/unknown"),
        (
            #"{"onlineAuthorizationResponse":{"type":"Approved","haloReference":"h-1","errorCode":0}}"#,
            "approved/executed"
        ),
        (#"{"onlineAuthorizationResponse":{"type":"DeclinedOffline","errorCode":2}}"#, "declined/notExecuted"),
        (#"{"onlineAuthorizationResponse":{"type":"Indeterminate"}}"#, "pending/unknown"),
        (#"{"onlineAuthorizationResponse":{"type":"UnableToGoOnline"}}"#, "pending/unknown"),
        (#"{"onlineAuthorizationResponse":{"type":"Voided"}}"#, "cancelled/notExecuted"),
        (#"{"onlineAuthorizationResponse":{"type":"Beamed"}}"#, "unknown/unknown"),
        (#"{"onlineAuthorizationResponse":{}}"#, "unknown/unknown"),
        (#"{"type":"Approved","haloReference":"r-1","errorCode":0,"isoResponseCode":0}"#, "approved/executed"),
        (#"{"type":"Declined","haloReference":"r-1","errorCode":212}"#, "declined/notExecuted"),
        (#"{"type":"Approved","haloReference":"r-1","errorCode":212}"#, "unknown/unknown"),
        (#"{"id":"h","merchantReference":"a","disposition":"Approved","errorCode":0}"#, "approved/executed"),
        (
            #"{"id":"h","merchantReference":"a","disposition":"Approved","errorCode":0,"haloReference":"h"}"#,
            "approved/executed"
        ),
        (news, "declined/notExecuted"),
        (#"{"id":"h","merchantReference":"a","disposition":"Declined","errorCode":65}"#, "pending/unknown"),
        (#"{"id":"h","merchantReference":"a","disposition":"Lost"}"#, "unknown/unknown"),
        (#"{"merchantReference":"a","generalCardData":"g","paymentCardData":"p"}"#, "none/unknown"),
        (#"{"amount":5,"refundReference":"r"}"#, "none/unknown"),
        (#"{"deviceId":"d","amount":500,"currency":"ZAR","merchantReference":"a"}"#, "none/unknown"),
        (#"{"reference":"x","status":"sent"}"#, "pending/unknown"),
        (#"{"merchantReference":"a"}"#, "none/notExecuted"), (#"{"callbackUrl":"https://x"}"#, "none/notExecuted"),
        (#"{"token":"t","expiresAt":"2026-01-01T00:00:00Z","issuedAt":"x","jwtId":"j"}"#, "none/notExecuted"),
        (#"{"httpStatusCode":400,"errorCode":104,"message":"E104: wrong"}"#, "failed/notExecuted"),
        (#"{"httpStatusCode":400,"errorCode":124,"message":"duplicate"}"#, "unknown/unknown"),
        (#"{"httpStatusCode":500,"errorCode":104,"message":"x"}"#, "unknown/unknown"),
        (#"{"errorCode":9999,"message":"x"}"#, "unknown/unknown"), (#"{"error":"Internal"}"#, "unknown/unknown"),
        ("[]", "none/unknown"), (#"[{"id":"d-1","name":"till","enabled":true}]"#, "none/notExecuted"),
        ("", "unknown/unknown"), ("<html>", "unknown/unknown"), ("{}", "unknown/unknown"), ("7", "unknown/unknown"),
    ]) func everyKindOfMessageIsJudged(_ text: String, _ due: String) {
        #expect(inspector.said(text) == [due])
    }

    @Test func theStatusOfTheReplyCounts() {
        #expect(inspector.said(Self.approved, status: 201) == ["approved/executed"])
        #expect(inspector.said(Self.approved, status: 500) == ["unknown/unknown"])
        #expect(inspector.said("", status: 401) == ["unknown/unknown"])
        #expect(inspector.said("", status: 503) == ["unknown/unknown"])
        #expect(inspector.said(#"{"errorCode":201}"#, status: 400) == ["unknown/unknown"])
    }

    @Test func namesAmountsAndUnnamedMembersAreReported() throws {
        let found = try #require(inspector.inspected(Self.declined).first)
        #expect(found.attempt == "a-1" && found.providerReference == "h-1")
        #expect(found.amount == Money(minorUnits: 1_500, .zar) && found.decline?.reason == .insufficientFunds)
        let odd = #"{"onlineAuthorizationResponse":{"type":"Beamed","odd":1,"customValues":{"x":1}}}"#
        #expect(inspector.inspected(odd).first?.unknownFields == ["onlineAuthorizationResponse.odd"])
        #expect(inspector.inspected(Self.news).first?.unknownFields == [])
    }

    /// Every reply and every record that the provider really gives.
    @Test func whatTheProviderSaysIsJudgedAsItsBooksAre() throws {
        let till = HaloTill()
        let heard = Locked([(path: String, json: JSON)]())
        var watched = till
        watched.tools.transport = Overhearing(till.tools.transport) { path, body in
            heard.withLock { $0.append((path, body)) }
        }
        try watched.play { client in
            let sale = try #require(try await HaloTill.sale(client).payment)
            _ = try await client.refund(sale.id, of: Money(minorUnits: 500, .zar), attempt: AttemptID("r-1"))
            _ = try await HaloTill.sale(client, 151, "a-2")
            _ = try await client.provider("halo").transactions?.list()
        }
        let told = heard.withLock { $0 }
        func all(_ ending: String) -> [Inspection] {
            told.filter { $0.path.prefix { $0 != "?" }.hasSuffix(ending) }.flatMap { message in
                inspector.inspect(InspectedMessage(message.json.bytes()))
            }
        }
        #expect(all("/proximity-token").allSatisfy { $0.status == .none && $0.money == .notExecuted })
        #expect(all("/transactions/apple").map(\.money).contains(.executed))
        #expect(all("/refund").map(\.status) == [.approved])
        let records = all("/transactions")
        #expect(records.count == 3 && records.count { $0.money == .executed } >= 2)
        #expect(records.contains { $0.attempt == "r-1" && $0.originalReference != nil })
        for message in told {
            for item in inspector.inspect(InspectedMessage(message.json.bytes())) {
                #expect(item.status != .unknown && item.unknownFields.isEmpty, "\(message.path) \(item)")
            }
        }
    }

    @Test func mutatedMessagesNeverBecomeMovements() throws {
        let samples = [
            Self.declined, Self.pin, Self.news, #"{"type":"Declined","haloReference":"r-1","errorCode":212}"#,
            #"[{"id":"h","merchantTransactionReference":"a","transactionDispositionId":"Declined","amount":"100","currency":"ZAR","responseCode":"51"}]"#,
            #"{"httpStatusCode":400,"errorCode":124,"message":"duplicate"}"#,
            #"{"merchantReference":"a","generalCardData":"g","paymentCardData":"p"}"#,
        ]
        var mutation = MessageMutation(seed: 3, words: ["Declined", "Voided", "Indeterminate", "65", 65, "0", "51"])
        var count = 0
        for sample in samples {
            count += try mutation.judge(inspector, sample, rounds: 500) { item, _, text in
                #expect(item.money != .executed && item.status != .approved, "\(text)")
            }
        }
        print("halo: \(count) mutated messages")
        #expect(count == 7_000)
    }

    @Test func aMutatedApprovalStillSaysSoOrIsNone() throws {
        var mutation = MessageMutation(seed: 4, words: ["Declined", "Voided", 65, "51"])
        var moved = 0
        _ = try mutation.judge(inspector, Self.approved, rounds: 2_000) { item, json, text in
            guard item.money == .executed else { return }
            moved += 1
            let said = json?["onlineAuthorizationResponse"] ?? json
            #expect(said?["type"] == "Approved" && item.status == .approved, "\(text)")
            #expect(item.amount == nil || item.amount?.minorUnits == said?["amount"]?.int64, "\(text)")
        }
        #expect(moved > 0)
    }
}
