import AdyenProvider
import Foundation
import PaymentProviderKit
import Testing

@Suite struct AdyenInspectorTests {
    private func inspect(_ bytes: [UInt8], _ operation: PaymentOperation? = nil, _ status: Int? = nil)
        -> [Inspection]
    {
        var message = InspectedMessage(bytes)
        (message.operation, message.httpStatus) = (operation, status)
        return AdyenInspector().inspect(message)
    }

    /// One sample with what has to be said of it.
    private struct Sample {
        let name: String
        let body: JSON
        let due: JSON

        var bytes: [UInt8] { body.string.map { Array($0.utf8) } ?? body.bytes() }
        var operation: PaymentOperation? {
            due["as"]?.string.flatMap { PaymentOperation(rawValue: $0) }
        }
        var status: Int? { due["http"]?.int64.map { Int($0) } }
    }

    private func samples() throws -> [Sample] {
        let json = try JSONReader().read(try AdyenTill.fixture("inspections.json"))
        return try #require(json.array).map { due in
            Sample(name: due["name"]?.string ?? "", body: due["body"] ?? .null, due: due)
        }
    }

    @Test func everyKindOfMessageIsExplained() throws {
        let samples = try samples()
        #expect(samples.count == 146)
        for sample in samples {
            let found = inspect(sample.bytes, sample.operation, sample.status)
            #expect(found.count == 1, "\(sample.name)")
            guard let only = found.first else { continue }
            #expect(only.status.rawValue == sample.due["status"]?.string, "\(sample.name): \(only)")
            #expect(only.money.rawValue == sample.due["money"]?.string, "\(sample.name): \(only)")
            #expect(only.providerReference == sample.due["providerReference"]?.string, "\(sample.name): \(only)")
            if let attempt = sample.due["attempt"]?.string { #expect(only.attempt == attempt, "\(sample.name)") }
            if let amount = sample.due["amount"]?.string {
                #expect("\(only.amount, default: "")" == amount, "\(sample.name)")
            }
            #expect(only.decline?.reason.rawValue == sample.due["reason"]?.string, "\(sample.name): \(only)")
            if let code = sample.due["code"]?.string {
                #expect((only.decline?.provider.code ?? only.problem?.code) == code, "\(sample.name): \(only)")
            }
            let isListed = !sample.name.hasPrefix("a message that no document")
            #expect(only.unknownFields.isEmpty == isListed, "\(sample.name): \(only.unknownFields)")
        }
    }

    @Test func theFixturesHoldOnlyMembersOfTheDocuments() throws {
        for name in [
            "payment.approved", "payment.request", "reversal.request", "status.repeated", "webhook.captureFailed",
        ] {
            let found = inspect(try AdyenTill.fixture(name + ".json"))
            #expect(found.flatMap(\.unknownFields).isEmpty, "\(name): \(found.flatMap(\.unknownFields))")
        }
    }

    @Test func membersThatNoDocumentNamesAreListed() throws {
        let text = """
            {"extra":{"inner":1},"notificationItems":[{"NotificationRequestItem":{"eventCode":"REFUND",\
            "pspReference":"P","success":"true","amount":{"value":5,"currency":"EUR","colour":"red"},\
            "additionalData":{"anything":"goes"}}}]}
            """
        let found = inspect(Array(text.utf8))
        #expect(found.map(\.unknownFields) == [["extra", "notificationItems.0.NotificationRequestItem.amount.colour"]])
    }

    /// Every member that the provider publishes for its terminals is one that the documents name.
    @Test func noPublishedMemberIsCalledUnnamed() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Contracts/adyen/terminal")
        let tables = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(tables.count > 30)
        var names: Set<String> = []
        for table in tables {
            for line in try String(contentsOf: table, encoding: .utf8).split(separator: "\n")
            where line.hasPrefix("$.") {
                let path = line.prefix { $0 != "\t" }.dropFirst(2).replacing("[]", with: "")
                names.formUnion(path.split(separator: ".").map(String.init).filter { $0 != "**" })
            }
        }
        var body = JSONObject()
        for name in names.sorted() { body[name] = .null }
        #expect(names.count > 280)
        #expect(inspect(JSON.object(body).bytes()).first?.unknownFields == [])
    }

    /// Every event that the provider publishes is known, and what a dispute takes is money that has moved.
    @Test func everyPublishedEventIsKnown() throws {
        let table = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Contracts/adyen/webhooks/CHARGEBACK.tsv"),
            encoding: .utf8)
        let row = try #require(table.split(separator: "\n").first { $0.contains(".eventCode\t") })
        let codes = try #require(row.split(separator: "\t").first { $0.contains("|") }).split(separator: "|")
        #expect(codes.count > 35)
        // Webhooks of the same document that its list of codes leaves out.
        let unlisted = """
            ACH_NOTIFICATION_OF_CHANGE DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION PAIDOUT_REVERSED
            PREARBITRATION_ACCEPTED PREARBITRATION_DECLINED PREARBITRATION_ISSUER_WITHDRAWN SCHEME_ARBITRATION
            SCHEME_ARBITRATION_LOST SCHEME_ARBITRATION_WON
            """
        for code in codes + unlisted.split(whereSeparator: \.isWhitespace) {
            let text = """
                {"notificationItems":[{"NotificationRequestItem":{"eventCode":"\(code)","pspReference":"P",\
                "success":"true","amount":{"value":5,"currency":"EUR"}}}]}
                """
            let found = try #require(inspect(Array(text.utf8)).first)
            #expect(found.status != .unknown, "\(code)")
            if ["CHARGEBACK", "SECOND_CHARGEBACK"].contains(code) { #expect(found.money == .executed, "\(code)") }
            if ["CANCELLATION", "TECHNICAL_CANCEL", "VOID_PENDING_REFUND"].contains(code) {
                #expect(found.status == .approved && found.money == .notExecuted, "\(code)")
            }
        }
    }

    @Test func everyItemOfAWebhookIsExplained() throws {
        let text = """
            {"notificationItems":[{"NotificationRequestItem":{"eventCode":"REFUND","pspReference":"P","success":"true",\
            "amount":{"value":5,"currency":"EUR"}}},{"NotificationRequestItem":{}}]}
            """
        #expect(inspect(Array(text.utf8)).map(\.status) == [.approved, .unknown])
    }

    @Test func whatLooksLikeACardNumberIsMasked() {
        let text = #"{"status":422,"errorCode":"101","message":"4111 1111 1111 1111 is not valid"}"#
        let found = inspect(Array(text.utf8))
        #expect(!"\(found)".contains("4111 1111"))
    }

    // MARK: Mutations

    /// What one change at one place makes of a message.
    private func mutations(_ json: JSON) -> [JSON] {
        let values: [JSON] = [.null, "Teleported", .object([:])]
        switch json {
        case .object(let object):
            return values
                + object.members.flatMap { member -> [JSON] in
                    var without = object
                    without[member.key] = nil
                    var renamed = without
                    renamed["odd" + member.key] = member.value
                    return [.object(without), .object(renamed)]
                        + mutations(member.value).map { value in
                            var changed = object
                            changed[member.key] = value
                            return .object(changed)
                        }
                }
        case .array(let items):
            return values
                + items.indices.flatMap { index in
                    mutations(items[index]).map { value in
                        var changed = items
                        changed[index] = value
                        return .array(changed)
                    }
                }
        case .null, .bool, .number, .string: return values
        }
    }

    /// Whatever is missing, misspelt or of another type: money that did not move is never said to have moved, and an
    /// amount that is said is the one that moved.
    @Test func noChangeOfAMessageMakesMoneyMove() throws {
        var count = 0
        for sample in try samples() where sample.body.string == nil {
            let hasMoved = sample.due["money"]?.string == "executed"
            for body in mutations(sample.body) {
                count += 1
                for found in inspect(body.bytes(), sample.operation, sample.status) where found.money == .executed {
                    // Without its kind a refund reads like a payment; only the operation shows it.
                    if !hasMoved, Self.hidesItsKind(sample.body, body) { continue }
                    if !hasMoved { Issue.record("\(sample.name): \(String(decoding: body.bytes(), as: UTF8.self))") }
                    let amount = found.amount.map { "\($0)" }
                    #expect(
                        amount == nil || amount == sample.due["amount"]?.string || Self.saysAnotherAmount(body),
                        "\(sample.name)")
                }
            }
        }
        #expect(count > 8_000, "\(count)")
    }

    private static func hidesItsKind(_ whole: JSON, _ changed: JSON) -> Bool {
        func kind(_ json: JSON) -> String? {
            json["SaleToPOIResponse"]?["PaymentResponse"]?["PaymentResult"]?["PaymentType"]?.string
        }
        return kind(whole) == "Refund" && kind(changed) == nil
    }

    /// The one change that is a good message about something else: the number 7 in the amount's place.
    private static func saysAnotherAmount(_ body: JSON) -> Bool {
        let item = body["notificationItems"]?[0]?["NotificationRequestItem"]
        let reply = body["SaleToPOIResponse"]?["PaymentResponse"]
        let repeated = body["SaleToPOIResponse"]?["TransactionStatusResponse"]?["RepeatedMessageResponse"]?[
            "RepeatedResponseMessageBody"]?["PaymentResponse"]
        return item?["amount"]?["value"]?.int64 == 7
            || [reply, repeated].contains {
                $0?["PaymentResult"]?["AmountsResp"]?["AuthorizedAmount"]?.int64 == 7
            }
    }

    /// Bytes that are cut off, or of which one bit is another, never crash it and never make money move.
    @Test func damagedBytesNeverMakeMoneyMove() throws {
        for sample in try samples() where sample.due["money"]?.string != "executed" {
            let bytes = sample.bytes
            for length in stride(from: 0, to: bytes.count, by: 41) {
                let found = inspect(Array(bytes.prefix(length)), sample.operation, sample.status)
                #expect(found.allSatisfy { $0.money != .executed }, "\(sample.name) \(length)")
            }
        }
    }
}
