import Foundation
import PaymentBase
import PaymentCore
import PaymentSimulator
import PaymentTransport
import Testing

@testable import NetworkInternationalProvider
@testable import PaymentProviderKit

@Suite struct NIInspectorTests {
    private let inspector = NIInspector()

    private static func fixture(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/NetworkInternational")
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private static func payment(_ state: String, _ success: Bool = true, code: String = "00") -> String {
        #"{"reference":"p","state":"\#(state)","orderReference":"o","amount":{"currencyCode":"AED","value":500},"authResponse":{"success":\#(success),"resultCode":"\#(code)","resultMessage":"m"}}"#
    }

    private static func event(_ name: String, state: String = "PURCHASED") -> String {
        #"{"outletId":"x","eventId":"e","eventName":"\#(name)","order":{"reference":"o","_embedded":{"payment":[{"reference":"p","state":"\#(state)","amount":{"currencyCode":"AED","value":500}}]}}}"#
    }

    @Test func theEntryExplainsAndNamesItsProof() {
        let entry = ProviderDefinition.ni
        #expect(entry.inspector != nil && entry.signatures == nil && entry.webhookCredential == "webhookValue")
        #expect(entry.credentials.map(\.key).contains("webhookValue"))
        #expect(entry.declines["51"] == .insufficientFunds && entry.declines["114"] == .cardNotSupported)
    }

    @Test func theFixturesAreJudged() throws {
        let due: [(String, [String])] = [
            ("authorise.reply.json", ["approved/executed"]), ("capture.reply.json", ["approved/executed"]),
            ("list.reply.json", ["approved/executed"]),
            ("order.reply.json", ["approved/executed", "approved/executed"]),
            ("refund.reply.json", ["approved/executed"]), ("void.reply.json", ["approved/executed"]),
        ]
        for (name, said) in due {
            let found = inspector.inspected(try Self.fixture(name))
            #expect(found.map { "\($0.status.rawValue)/\($0.money.rawValue)" } == said, "\(name)")
            #expect(found.allSatisfy { $0.unknownFields.isEmpty }, "\(name) \(found.flatMap(\.unknownFields))")
        }
        let line = try #require(inspector.inspected(try Self.fixture("list.reply.json")).first)
        #expect(line.amount == Money(minorUnits: 10_000, .aed), "the report writes major units")
        let order = inspector.inspected(try Self.fixture("order.reply.json"))
        #expect(order.map { $0.amount?.minorUnits } == [10_100, 3_300])
        let parts = inspector.inspected(try Self.fixture("order.reply.json"), .refund)
        #expect(parts.map(\.status) == [.unknown], "there is no refund in it")
    }

    @Test(arguments: [
        (payment("PURCHASED"), "approved/executed"), (payment("AUTHORISED"), "approved/executed"),
        (payment("FAILED", false, code: "51"), "declined/notExecuted"), (payment("FAILED"), "unknown/unknown"),
        (payment("PURCHASED", false), "unknown/unknown"), (payment("PENDING"), "pending/unknown"),
        (payment("REVERSED"), "cancelled/notExecuted"), (payment("TELEPORTED"), "unknown/unknown"),
        (payment("PARTIALLY_CAPTURED"), "unknown/unknown"), (payment("AWAIT_3DS"), "unknown/unknown"),
        (#"{"refundId":"r","status":"REQUESTED"}"#, "pending/unknown"),
        (#"{"refundId":"r","status":"FAILED"}"#, "failed/notExecuted"),
        (#"{"voidId":"v","status":"SENT"}"#, "unknown/unknown"),
        (#"{"items":[]}"#, "none/unknown"),
        (#"{"items":[{"reference":"r","action":"PURCHASE","status":"FAILED"}]}"#, "declined/notExecuted"),
        (#"{"items":[{"reference":"r","action":"PURCHASE","status":"SUCCESS"}]}"#, "unknown/unknown"),
        (#"{"items":[{"reference":"r"}]}"#, "unknown/unknown"),
        (event("PURCHASED"), "approved/executed"), (event("PURCHASED", state: "FAILED"), "unknown/unknown"),
        (event("PURCHASE_DECLINED", state: "FAILED"), "declined/notExecuted"),
        (event("CAPTURE_FAILED"), "failed/notExecuted"),
        (event("REFUND_FAILED"), "failed/notExecuted"), (event("REFUND_REQUESTED"), "pending/unknown"),
        (event("FULL_AUTH_REVERSED", state: "REVERSED"), "approved/executed"),
        (event("ORDER_CLOSED"), "none/notExecuted"),
        (event("ABDUCTED"), "unknown/unknown"), (#"{"eventName":"PURCHASED"}"#, "unknown/unknown"),
        (#"{"message":"m","code":422,"errors":[{"errorCode":"118","message":"too much"}]}"#, "declined/notExecuted"),
        (#"{"message":"m","code":422,"errors":[{"errorCode":"119","message":"no"}]}"#, "failed/notExecuted"),
        (#"{"message":"m","code":400,"errors":[{"errorCode":"113","message":"PAN"}]}"#, "declined/notExecuted"),
        (#"{"message":"m","code":500,"errors":[{"errorCode":"118"}]}"#, "unknown/unknown"),
        (#"{"message":"m","errors":[{"errorCode":"4711"}]}"#, "unknown/unknown"),
        (#"{"language":"EN","locale":"","tid":"t","payment":"p"}"#, "none/unknown"),
        (#"{"amount":{"currencyCode":"AED","value":5}}"#, "none/unknown"),
        (#"{"currency":"AED"}"#, "none/notExecuted"), (#"{"access_token":"t","expires_in":300}"#, "none/notExecuted"),
        (#"{"deviceCode":"d","userCode":"u","tid":"t","deviceIdentifier":"i"}"#, "none/notExecuted"),
        ("", "unknown/unknown"), ("<html>", "unknown/unknown"), ("{}", "unknown/unknown"), ("[]", "unknown/unknown"),
    ]) func everyKindOfMessageIsJudged(_ text: String, _ due: String) {
        #expect(inspector.said(text) == [due])
    }

    @Test func whatItBelongsToAndItsStatusCount() {
        #expect(inspector.said(Self.payment("REVERSED"), .void) == ["approved/executed"])
        #expect(inspector.said(Self.payment("CANCELLED"), .void) == ["unknown/unknown"])
        #expect(inspector.said("{}", .void) == ["none/unknown"])
        #expect(inspector.said(Self.payment("AUTHORISED"), .sale) == ["unknown/unknown"])
        #expect(inspector.said(Self.payment("PURCHASED"), status: 502) == ["unknown/unknown"])
        #expect(inspector.said("", status: 204) == ["none/notExecuted"])
        #expect(inspector.said("", status: 403) == ["unknown/unknown"])
    }

    @Test func anAmountWithOtherDecimalsThanOursIsNotBelieved() throws {
        let order = try Self.fixture("order.reply.json").replacingOccurrences(
            of: #""minorUnit": 2"#, with: #""minorUnit": 3"#)
        #expect(inspector.said(order) == ["unknown/unknown"])
    }

    /// Every event that the documents name has a meaning.
    @Test func everyEventIsListed() {
        let names = """
            AUTHORISED DECLINED APM_PAYMENT_ACCEPTED AUTHORISATION_FAILED FULL_AUTH_REVERSED FULL_AUTH_REVERSAL_FAILED
            PURCHASED PURCHASE_DECLINED PURCHASE_FAILED PURCHASE_REVERSED PURCHASE_REVERSAL_FAILED CAPTURED
            CAPTURE_FAILED CAPTURE_VOIDED CAPTURE_VOID_FAILED CANCELLATION_REQUESTED CANCELLATION_FAILED CANCELLED
            ORDER_CLOSED PARTIALLY_CAPTURED PARTIAL_CAPTURE_FAILED REFUNDED REFUND_FAILED PARTIALLY_REFUNDED
            REFUND_REQUESTED REFUND_REQUEST_FAILED PARTIAL_REFUND_FAILED PARTIAL_REFUND_REQUESTED
            PARTIAL_REFUND_REQUEST_FAILED REFUND_VOIDED REFUND_VOID_FAILED REFUND_VOID_REQUESTED
            GATEWAY_RISK_PRE_AUTH_REJECTED PRE_AUTH_FRAUD_CHECK_REJECTED POST_AUTH_FRAUD_CHECK_REJECTED
            POST_AUTH_FRAUD_CHECK_REVIEW POST_AUTH_FRAUD_CHECK_ACCEPTED
            """.split(whereSeparator: \.isWhitespace)
        #expect(names.count == 37)
        for name in names {
            let found = inspector.inspected(Self.event(String(name)))
            #expect(found.map(\.status) != [.unknown], "\(name)")
        }
    }

    /// Every reply that the provider really gives.
    @Test func whatTheProviderSaysIsJudgedAsItsBooksAre() throws {
        var till = NITill()
        let heard = Locked([(path: String, json: JSON)]())
        till.tools.transport = Overhearing(till.tools.transport) { path, body in
            heard.withLock { $0.append((path, body)) }
        }
        try till.play { client in
            let held = try #require(try await client.authorize(.aed(2_500), from: .reader, reference: "h").payment)
            _ = try await client.capture(held.id, of: .aed(1_000))
            let sale = try #require(try await client.sale(.aed(900), from: .reader, reference: "s").payment)
            _ = try await client.void(sale.id)
            _ = try await client.sale(.aed(151), from: .reader, reference: "d")
            _ = try await client.provider("ni").transactions?.list()
        }
        let told = heard.withLock { $0 }
        #expect(told.count > 8)
        for message in told {
            for item in inspector.inspect(InspectedMessage(message.json.bytes())) {
                #expect(item.status != .unknown && item.unknownFields.isEmpty, "\(message.path) \(item)")
            }
        }
        let actions = told.filter { $0.path.hasSuffix("/cancel") || $0.path.hasSuffix("/capture") }
        #expect(
            actions.flatMap { inspector.inspect(InspectedMessage($0.json.bytes())) }.map(\.money) == [
                .executed, .executed,
            ])
    }

    @Test func mutatedMessagesNeverBecomeMovements() throws {
        let samples = [
            Self.payment("FAILED", false, code: "51"), Self.payment("PENDING"), Self.event("PURCHASE_DECLINED"),
            Self.event("CAPTURE_FAILED"), #"{"refundId":"r","status":"FAILED"}"#,
            #"{"items":[{"reference":"r","action":"PURCHASE","currencyCode":"AED","amount":"5.00","status":"FAILED"}]}"#,
            try Self.fixture("order.reply.json").replacingOccurrences(of: "PARTIALLY_CAPTURED", with: "FAILED")
                .replacingOccurrences(of: "SUCCESS", with: "FAILED"),
            #"{"message":"m","code":422,"errors":[{"errorCode":"118","message":"too much"}]}"#,
        ]
        var mutation = MessageMutation(
            seed: 5, words: ["FAILED", "PENDING", "REVERSED", "REQUESTED", "AUTH", "51", "DECLINED"])
        var count = 0
        for sample in samples {
            count += try mutation.judge(inspector, sample, rounds: 500) { item, _, text in
                #expect(item.money != .executed && item.status != .approved, "\(text)")
            }
        }
        print("ni: \(count) mutated messages")
        #expect(count == 8_000)
    }

    @Test func aMutatedApprovalStillSaysSoOrIsNone() throws {
        var mutation = MessageMutation(seed: 6, words: ["FAILED", "PENDING", "REVERSED", "51"])
        var moved = 0
        _ = try mutation.judge(inspector, Self.payment("PURCHASED"), rounds: 2_000) { item, json, text in
            guard item.money == .executed else { return }
            moved += 1
            #expect(json?["state"] == "PURCHASED" && item.status == .approved, "\(text)")
            let value = json?["amount"]?["value"]
            let units = value?.int64 ?? value?.string.flatMap { Int64($0) }
            #expect(item.amount != nil && item.amount?.minorUnits == units, "\(text)")
        }
        #expect(moved > 0)
    }
}
