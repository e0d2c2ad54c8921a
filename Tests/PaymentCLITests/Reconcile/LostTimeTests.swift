import Foundation
import PaymentBase
import PaymentCLI
import Testing

/// What a restore lost, brought back by the lines that `payctl reconcile` gives: then its keys begin nothing again.
@Suite struct LostTimeTests {
    private let shop: CommandShop

    init() throws { shop = try CommandShop() }

    /// In a process of its own, so that none uses the file any more when the backup goes back.
    private func run(_ words: [String]) throws -> (code: Int32, words: String, output: String) {
        try SandboxProcess.plain(words + ["--format", "json"] + shop.place)
    }

    private func json(_ words: [String]) throws -> JSON {
        let ended = try run(words)
        #expect(ended.code == 0, "\(words): \(ended)")
        return try JSONReader().read(Array(ended.output.utf8))
    }

    private func adopt(_ line: JSONObject) async {
        let run = await shop.run(
            "journal", "import", "-", input: String(decoding: JSON.object(line).bytes(), as: UTF8.self))
        let what = line["payment"] == nil ? "1 payment adopted" : "1 movement adopted"
        #expect(run.status == 0 && run.text.contains(what), "\(run.text) \(run.errors)")
    }

    private func closeGap() async throws {
        let closed = try await shop.json("journal", "accept-restored", "--gap-closed", "--by", "Ada")
        #expect(closed["gapClosed"]?.bool == true)
        let doctor = await shop.run("doctor")
        #expect(doctor.text.contains("Ada closed the gap of a restore"), "\(doctor.text)")
    }

    @Test func lostSale_importedAsReconcileSays_isNotChargedAgainOnceTheGapIsClosed() async throws {
        func sell(_ id: String) throws -> (code: Int32, words: String, output: String) {
            try run(["sale", "6", "EUR", "--provider", "adyen", "--reference", "o-\(id)", "--attempt", id])
        }
        #expect(try sell("early-1").code == 0)
        let backup = try JournalFiles(shop)
        #expect(try sell("lost-1").code == 0)
        let shown = try json(["show", "lost-1"])
        let name = try #require(shown["names"]?["psp"]?.string)
        let psp = name.split(separator: ".").last.map(String.init) ?? name
        let (merchant, at) = (shown["account"]?.string ?? "", try #require(shown["createdAt"]?.string))
        let (day, moment) = (String(at.prefix(10)), String(at.prefix(19).replacing("T", with: " ")))
        try backup.restore()
        #expect(try json(["journal", "accept-restored"])["restored"]?.bool == true)
        let rows = [
            StatementFileTests.accounting,
            StatementFileTests.booked(
                psp, "lost-1", "Authorised", authorised: "6.00", at: moment, merchant: merchant),
            StatementFileTests.booked(
                psp, "lost-1", "SentForSettle", captured: "6.00", name: "M", at: moment, merchant: merchant),
        ]
        let path = "\(shop.folder)/report.csv"
        try (rows.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let found = try await shop.json("reconcile", "adyen", "--from", day, "--to", day, "--file", path, status: 1)
        let line = try #require(found["differences"]?.array?.compactMap { $0["import"]?.object }.first)
        #expect(line["attempt"]?.string == "lost-1", "\(line)")
        await adopt(line)
        try await closeGap()
        let again = try sell("lost-1")
        #expect(again.code != 0 && !again.words.contains("Present the card"), "\(again)")
    }

    /// The list has only sums, and the backup has the payment.
    @Test(arguments: [[], ["--reference", "return-7"]])
    func lostRefund_importedAsReconcileSays_isNotRefundedAgainOnceTheGapIsClosed(_ more: [String]) async throws {
        _ = try json(["sale", "10", "EUR", "--reference", "order-1", "--attempt", "paid-1"])
        let backup = try JournalFiles(shop)
        let back = ["refund", "paid-1", "4", "--attempt", "back-1"] + more
        _ = try json(back)
        try backup.restore()
        _ = try json(["journal", "accept-restored"])
        let day = String(try #require(try json(["show", "paid-1"])["createdAt"]?.string).prefix(10))
        let found = try await shop.json("reconcile", "memory", "--from", day, "--to", day, status: 1)
        let line = try #require(found["differences"]?.array?.compactMap { $0["import"]?.object }.first)
        #expect(line["payment"]?.string == "paid-1" && line["operation"]?.string == "refund", "\(line)")
        #expect(line["minorUnits"]?.int64 == 400, "\(line)")
        await adopt(line)
        _ = try await shop.json("reconcile", "memory", "--from", day, "--to", day)
        try await closeGap()
        let again = try run(back)
        #expect(again.code == 5, "\(again)")
        _ = try await shop.json("reconcile", "memory", "--from", day, "--to", day)
    }

    /// A report has a row of the refund, under a name of its own.
    @Test func refundThatOnlyAReportHas_isImportedOntoItsPayment() async throws {
        let id = try await shop.sold("12.50", "EUR", "--provider", "adyen", "--reference", "order-1")
        let shown = try await shop.json("show", id)
        let name = try #require(shown["names"]?["psp"]?.string)
        let psp = name.split(separator: ".").last.map(String.init) ?? name
        let (merchant, at) = (shown["account"]?.string ?? "", try #require(shown["createdAt"]?.string))
        let (day, moment) = (String(at.prefix(10)), String(at.prefix(19).replacing("T", with: " ")))
        let rows = [
            StatementFileTests.accounting,
            StatementFileTests.booked(psp, id, "Authorised", authorised: "12.50", at: moment, merchant: merchant),
            StatementFileTests.booked(psp, id, "SentForSettle", captured: "12.50", at: moment, merchant: merchant),
            StatementFileTests.booked(
                psp, id, "SentForRefund", captured: "3.00", name: "LOST1", at: moment, merchant: merchant),
        ]
        let path = "\(shop.folder)/report.csv"
        try (rows.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let found = try await shop.json("reconcile", "adyen", "--from", day, "--to", day, "--file", path, status: 1)
        let line = try #require(found["differences"]?.array?.compactMap { $0["import"]?.object }.first)
        #expect(line["payment"]?.string == id && line["references"]?["psp"]?.string == "LOST1", "\(line)")
        await adopt(line)
        _ = try await shop.json("reconcile", "adyen", "--from", day, "--to", day, "--file", path)
        let again = await shop.run("refund", id, "3")
        #expect(again.status != 0 && again.errors.joined().contains("there-LOST1"), "\(again.text) \(again.errors)")
    }
}
