import Foundation
import PaymentBase
import Testing

/// Reports that were changed, cut or made to mislead, as they are typed.
@Suite struct HostileReportTests {
    private static let head =
        "Company Account,Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,"
        + "Payment Currency,Received (PC),Authorised (PC),Captured (PC),Modification Psp Reference"

    private let shop: CommandShop
    private let psp: String
    private let refund: String
    private let day: String

    /// A sale of 12.50 with a refund of 2.00.
    init() async throws {
        shop = try CommandShop()
        let id = try await shop.sold("12.50", "EUR", "--provider", "adyen", "--reference", "order-1")
        _ = await shop.run("refund", id, "2", "--attempt", "back-1")
        _ = await CommandRun.of(["sandbox", "clock", "--advance", "1h", "--state", shop.state])
        let recovered = await shop.run("recover")
        #expect(recovered.status == 0, "\(recovered.text)")
        let shown = try await shop.json("show", id)
        let name = try #require(shown["references"]?["psp"]?.string)
        psp = name.split(separator: ".").last.map(String.init) ?? name
        let attempts = try #require(shown["attempts"]?.array)
        refund = try #require(attempts.last?["references"]?["modification"]?.string, "\(shown)")
        day = String(try #require(shown["begunAt"]?.string).prefix(10))
    }

    private func row(
        _ type: String, received: String = "", authorised: String = "", captured: String = "", name: String = "",
        psp: String? = nil
    ) -> String {
        "Co,TestMerchant,\(psp ?? self.psp),order-1,\(day) 12:00:00,UTC,\(type),EUR,\(received),\(authorised),\(captured),\(name)"
    }

    private var fine: [String] {
        [
            row("Authorised", authorised: "12.50"), row("SentForSettle", captured: "12.50"),
            row("SentForRefund", captured: "2.00", name: refund),
        ]
    }

    private func reconcile(_ text: String) async throws -> CommandRun {
        let path = "\(shop.folder)/report.csv"
        try Data(text.utf8).write(to: URL(filePath: path))
        return await shop.run("reconcile", "adyen", "--from", day, "--to", day, "--file", path)
    }

    private func reconcile(_ rows: [String]) async throws -> CommandRun {
        try await reconcile(([Self.head] + rows).joined(separator: "\r\n") + "\r\n")
    }

    @Test func report_ofTheSaleAndItsRefund_differsInNothing() async throws {
        let run = try await reconcile(fine)
        #expect(run.status == 0 && run.text.contains("nothing differs"), "\(run.text) \(run.errors)")
    }

    @Test func refunds_whoseSumIsOutOfRange_areToldAndEndNoProcess() async throws {
        let run = try await reconcile([
            row("SentForSettle", captured: "10.00", psp: "OV"),
            row("SentForRefund", captured: "92233720368547758.07", name: "R1", psp: "OV"),
            row("SentForRefund", captured: "92233720368547758.07", name: "R2", psp: "OV"),
        ])
        #expect(run.status == 1 && run.text.contains("OV"), "\(run.text)")
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func laterRow_thatSaysSomethingElse_isNotEqual(_ number: Int) async throws {
        let rows = [
            fine + [row("Refunded", captured: "200.00", name: refund)],
            [fine[0], row("SentForSettle", captured: "-12.50"), fine[2]],
            [row("Authorised", authorised: "9999.00"), fine[1], fine[2]],
            [fine[0], fine[1], row("Settled", captured: "1.50"), fine[2]],
            fine + [row("RefundFailed", captured: "0.01", name: refund)],
            fine + fine,
        ][number]
        let run = try await reconcile(rows)
        #expect(run.status == 1 && !run.text.contains("nothing differs"), "\(run.text)")
    }

    /// Each names the line and says what to do.
    @Test func file_thatIsCutOrOddlyEnded_isRefusedWithItsLine() async throws {
        let whole = ([Self.head] + fine).joined(separator: "\r\n") + "\r\n"
        func once(_ old: String, _ new: String) -> String { whole.replacing(old, with: new, maxReplacements: 1) }
        let files: [(String, String, String)] = [
            ("lines end in CR", whole.replacing("\r\n", with: "\r"), "line 1 contains a carriage return without"),
            ("a CR in a value", whole.replacing("2.00", with: "2\r.00"), "line 4 contains a carriage return without"),
            ("two kinds of ends", once("\r\nCo", "\nCo"), "line 2 ends in another"),
            ("the last line is cut", String(whole.dropLast(5)), "line 4 has no end"),
            ("the last row is short", String(whole.dropLast(refund.count + 2)) + "\r\n", "line 4 has 11 values"),
            ("a row is long", whole.replacing(",\(refund)", with: ",\(refund),x"), "line 4 has 13 values"),
            ("a line is empty", once("\r\nCo", "\r\n\r\nCo"), "line 2 has 1 value"),
            ("a quote is open", once("Co,", "\"Co,"), "a quote is never closed"),
            ("text after a quote", once("Co,", "\"Co\"x,"), "line 2: there is a quote"),
            ("a column twice", whole.replacing("Company Account", with: "Captured (PC)"), "is there twice"),
            ("a zero byte", once("Co,", "C\0,"), "line 2 contains a zero byte"),
        ]
        for (what, text, words) in files {
            let run = try await reconcile(text)
            #expect(run.status == 2, "\(what): \(run.text)")
            let error = run.errors.joined(separator: " ")
            #expect(error.contains(words) && error.contains("download"), "\(what): \(error)")
        }
    }
}
