import Foundation
import PaymentBase
import PaymentCLI
import Testing

/// Payments from elsewhere that a customer's bank has taken back.
@Suite struct ChargebackImportTests {
    private static let day = "2025-11-10"
    private static let head =
        "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
        + "Received (PC),Authorised (PC),Captured (PC),Modification Psp Reference"

    private let shop: CommandShop

    init() throws { shop = try CommandShop() }

    private func row(_ hour: Int, _ type: String, _ authorised: String, _ captured: String, _ name: String) -> String {
        "TestMerchant,PSP1,old-1,\(Self.day) \(hour):00:00,UTC,\(type),EUR,,\(authorised),\(captured),\(name)"
    }

    private func reconcile() async throws -> CommandRun {
        let rows = [
            row(10, "Authorised", "12.50", "", ""), row(11, "SentForSettle", "", "12.50", ""),
            row(12, "SentForRefund", "", "2.00", "REF1"), row(13, "Chargeback", "", "5.00", "DSP1"),
        ]
        let path = "\(shop.folder)/report.csv"
        try Data((([Self.head] + rows).joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        let words = ["reconcile", "adyen", "--from", Self.day, "--to", Self.day, "--file", path, "--format", "json"]
        return await CommandRun.of(words + shop.place)
    }

    private func adopt(_ text: String, as name: String) async throws -> CommandRun {
        let path = "\(shop.folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return await shop.run("journal", "import", path)
    }

    private static func line(_ chargebacks: String, more: String = "") -> String {
        #"{"attempt": "old-1", "provider": "adyen", "adapter": "adyen", "environment": "simulated", "#
            + #""merchant": "TestMerchant", "reference": "old-1", "minorUnits": 1250, "currency": "EUR", "#
            + #""takenAt": "2025-11-10T10:00:00Z", "references": {"psp": "PSP1"}\#(more), "#
            + #""chargebacks": \#(chargebacks)}"# + "\n"
    }

    @Test func chargedBackPayment_reconciled_isProposedAdoptedAndMatched() async throws {
        let found = try await reconcile().json
        let differences = try #require(found["differences"]?.array)
        let line = try #require(differences.compactMap { $0["import"] }.first { $0.object != nil }, "\(found)")
        #expect(line["minorUnits"]?.int64 == 1_250)
        let chargebacks = try #require(line["chargebacks"]?.array, "\(line)")
        #expect(chargebacks.map { $0["name"]?.string } == ["DSP1"] && chargebacks[0]["minorUnits"]?.int64 == 500)
    }

    @Test func chargebackInALine_countsInTheSumsAndLeavesTheRestToRefund() async throws {
        let line = Self.line(#"[{"name": "DSP1", "minorUnits": 500, "at": "2025-11-10T13:00:00Z"}]"#)
        let adopted = try await adopt(line, as: "old.jsonl")
        #expect(adopted.status == 0 && adopted.text.contains("1 payment adopted"), "\(adopted.errors)")
        let again = try await adopt(line, as: "old.jsonl")
        #expect(again.status == 0 && again.text.contains("0 payments adopted"), "\(again.errors)")
        let shown = try await shop.json("show", "old-1")
        #expect(shown["amounts"]?["refunded"]?["value"]?.string == "5.00", "\(shown)")
        #expect(shown["amounts"]?["captured"]?["value"]?.string == "12.50")
        #expect(
            shown["amounts"]?["chargedBack"]?["value"]?.string == "5.00" && shown["status"]?.string == "chargedBack")
        let beside = await shop.run("refund", "old-1", "7")
        let attempts = shown["attempts"]?.array ?? []
        let taken = try #require(attempts.first { $0["operation"]?.string == "chargeback" }?["attempt"]?.string)
        #expect(beside.status == 5 && beside.errors.contains { $0.contains("chargeback \(taken)") }, "\(beside.errors)")
        let seen = await shop.run("resolve", taken, "--acknowledge", "chargeback", "--because", "another item")
        #expect(seen.status == 0, "\(seen.errors)")
        let much = await shop.run("refund", "old-1", "8")
        #expect(much.status == 5 && much.errors.contains { $0.contains("7.50 EUR is left") }, "\(much.errors)")
        // The report's refund of 2.00 is not in the line, so it alone is left.
        let found = try await reconcile().json
        let left = (found["differences"]?.array ?? []).map { "\($0["kind"]?.string ?? "") \($0["name"]?.string ?? "")" }
        #expect(left == ["onlyInStatement REF1"], "\(found)")
        let check = await shop.run("journal", "check")
        #expect(check.status == 0, "\(check.out)")
        let other = Self.line(#"[{"name": "DSP2", "minorUnits": 500, "at": "2025-11-10T13:00:00Z"}]"#)
        let refused = try await adopt(other, as: "old.jsonl")
        #expect(refused.status == 2 && refused.errors.contains { $0.contains("without the chargeback DSP2") })
    }

    @Test func chargebackInATable_isTheSameAsInALine() async throws {
        let table = """
            attempt,provider,adapter,environment,merchant,reference,amount,currency,takenAt,references.psp,\
            chargeback.name,chargeback.amount,chargeback.at
            old-1,adyen,adyen,simulated,TestMerchant,old-1,12.50,EUR,2025-11-10T10:00:00Z,PSP1,\
            DSP1,5.00,2025-11-10T13:00:00Z
            old-2,adyen,adyen,simulated,TestMerchant,old-2,3.00,EUR,2025-11-10T10:00:00Z,PSP2,,,

            """
        let adopted = try await adopt(table, as: "old.csv")
        #expect(adopted.status == 0 && adopted.text.contains("2 payments adopted"), "\(adopted.errors)")
        #expect(try await shop.json("show", "old-1")["amounts"]?["refunded"]?["value"]?.string == "5.00")
        #expect(try await shop.json("show", "old-2")["amounts"]?["refunded"]?["value"]?.string == "0.00")
    }

    @Test(arguments: [
        (#"{"name": "D"}"#, "", "is no list"), ("[{}]", "", "has no name of its own"),
        (#"[{"name": "D", "minorUnits": 1251, "at": "2025-11-10T13:00:00Z"}]"#, "", "from 1 up to the payment's"),
        (#"[{"name": "D", "minorUnits": 500}]"#, "", "at of the chargeback D is missing"),
        (#"[{"name": "D", "minorUnits": 500, "at": "2025-11-09T13:00:00Z"}]"#, "", "before takenAt"),
        (#"[{"name": "D", "minorUnits": 500, "at": "2025-11-10T13:00:00Z", "why": "x"}]"#, "", "and nothing else"),
        (
            #"[{"name": "D", "minorUnits": 500, "at": "2025-11-10T13:00:00Z"}]"#,
            #", "refunded": 800, "holdsUntil": "2025-11-11T00:00:00Z""#, "are more than minorUnits"
        ),
        (
            #"[{"name": "D", "minorUnits": 500, "at": "2025-11-10T13:00:00Z"}]"#,
            #", "holdsUntil": "2025-11-10T12:00:00Z""#, "holdsUntil is before a chargeback"
        ),
        (
            #"[{"name": "PSP1", "minorUnits": 500, "at": "2025-11-10T13:00:00Z"}]"#, "",
            "the payment's own name"
        ),
    ])
    func chargebackThatCannotBe_isRefusedWithItsLine(_ list: String, _ more: String, _ words: String) async throws {
        let refused = try await adopt(Self.line(list, more: more), as: "old.jsonl")
        #expect(refused.status == 2, "\(refused.out)")
        #expect(refused.errors.contains { $0.contains("line 1: ") && $0.contains(words) }, "\(refused.errors)")
    }
}
