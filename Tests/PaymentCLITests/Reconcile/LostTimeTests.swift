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
        #expect(run.status == 0 && run.text.contains("1 payment adopted"), "\(run.text) \(run.errors)")
    }

    private func closeGap() async throws {
        let closed = try await shop.json("journal", "accept-restored", "--gap-closed", "--by", "Ada")
        #expect(closed["gapClosed"]?.bool == true)
    }

    @Test func lostSale_importedAsReconcileSays_isNotChargedAgainOnceTheGapIsClosed() async throws {
        func sell(_ id: String) throws -> (code: Int32, words: String, output: String) {
            try run(["sale", "6", "EUR", "--provider", "adyen", "--reference", "o-\(id)", "--attempt", id])
        }
        #expect(try sell("early-1").code == 0)
        let backup = try JournalFiles(shop)
        #expect(try sell("lost-1").code == 0)
        let shown = try json(["show", "lost-1"])
        let name = try #require(shown["references"]?["psp"]?.string)
        let psp = name.split(separator: ".").last.map(String.init) ?? name
        let (merchant, at) = (shown["merchant"]?.string ?? "", try #require(shown["begunAt"]?.string))
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
}
