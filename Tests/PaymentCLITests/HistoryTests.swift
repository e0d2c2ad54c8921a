import Foundation
import PaymentBase
import PaymentCLI
import Testing

/// What the journal tells about what was.
@Suite struct HistoryTests {
    @Test func everyStateIsToldAsWhatItCameTo() async throws {
        let shop = try CommandShop()
        for number in 1...4 { _ = try await shop.sold("20", "EUR", "--attempt", "h-\(number)") }
        _ = try await shop.json("authorize", "--unreferenced", "30", "EUR", "--attempt", "h-5")
        _ = try await shop.json(
            "sale", "--unreferenced", "5", "EUR", "--card", "declined", "--attempt", "h-6", status: 1)
        _ = try await shop.json("refund", "h-2", "5")
        _ = try await shop.json("refund", "h-3")
        _ = try await shop.json("void", "h-4")
        let list = await shop.run("list")
        let states = list.out.reversed().compactMap { line -> String? in
            guard line.hasPrefix("h-") else { return nil }
            let cells = line.split(separator: "  ", omittingEmptySubsequences: true).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return "\(cells[0]) \(cells[5])"
        }
        #expect(
            states == [
                "h-1 approved", "h-2 partly refunded", "h-3 refunded", "h-4 voided", "h-5 held", "h-6 declined",
            ], "\(list.out)")
        for (word, count) in [("held", 1), ("refunded", 1), ("partlyRefunded", 1), ("voided", 1), ("open", 0)] {
            let some = try await shop.json("list", "--status", word)
            #expect(some["payments"]?.array?.count == count, "\(word)")
        }
    }

    @Test func aListFitsItsTerminalAndItsShortIdsAreTaken() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--reference", String(repeating: "long ", count: 12) + "name")
        let list = await shop.run("list", columns: 80)
        #expect(list.out.allSatisfy { $0.count <= 80 }, "\(list.out)")
        let short = try #require(list.out.first { $0.hasPrefix("…") }?.split(separator: " ").first.map(String.init))
        #expect(id.hasSuffix(short.dropFirst()) && short.count == 9)
        let shown = try await shop.json("show", short)
        #expect(shown["payment"]?.string == id)
        let refund = try await shop.json("refund", "..." + short.dropFirst(), "5")
        #expect(refund["payment"]?.string == id)
        let none = try await shop.json("show", "…00000000", status: 5)
        #expect(none["error"]?["code"]?.string == "notFound")
        let wide = await shop.run("list", columns: 200)
        #expect(wide.text.contains(id))
    }

    @Test func anEndingThatFitsSeveralIsRefused() async throws {
        let shop = try CommandShop()
        for name in ["one-tail77", "two-tail77"] { _ = try await shop.sold("1", "EUR", "--attempt", name) }
        let both = await shop.run("void", "…tail77")
        #expect(both.status == 5 && both.errors.first?.contains("names 2 payments") == true)
        let list = try await shop.json("list", "--status", "voided")
        #expect(list["payments"]?.array?.isEmpty == true)
        #expect(try await shop.json("void", "…one-tail77")["payment"]?.string == "one-tail77")
    }

    @Test func aReferenceNamesAPaymentWhereNoOtherHasIt() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--reference", "table 4", "--part", "1 of 2")
        #expect(try await shop.json("show", "table 4")["payment"]?.string == id)
        #expect(try await shop.json("refund", "table 4", "5")["payment"]?.string == id)
        let other = try await shop.sold("20", "EUR", "--reference", "table 4", "--part", "2 of 2")
        let both = await shop.run("refund", "table 4", "5")
        #expect(both.status == 5, "\(both.errors)")
        #expect([id, other, "by its id"].allSatisfy { both.errors.joined().contains($0) }, "\(both.errors)")
        #expect(await shop.run("show", "table 5").status == 5)
    }

    @Test func onePaymentTellsWhoSaidWhatAndWhy() async throws {
        let shop = try CommandShop()
        _ = try await shop.json(
            "sale", "--unreferenced", "5", "EUR", "--card", "expired", "--attempt", "w-1", status: 1)
        let declined = await shop.run("show", "w-1")
        #expect(declined.text.contains("sale: expiredCard"), "\(declined.text)")
        _ = try await shop.sold("12", "EUR", "--provider", "adyen", "--attempt", "w-2")
        let refund = try await shop.json("refund", "w-2", "2", "--attempt", "w-3", status: 6)
        #expect(refund["status"]?.string == "pending")
        let open = await shop.run("show", "w-2")
        #expect(open.text.contains("approved, open") && open.text.contains("status --attempt w-3"))
        #expect(open.text.contains("receipt w-2"))
        let decided = await CommandRun.of(["sandbox", "decide", "adyen", "w-3", "succeeds", "--state", shop.state])
        #expect(decided.status == 0, "\(decided.errors)")
        let recovered = try await shop.json("recover")
        #expect((recovered["news"]?.int64 ?? 0) >= 1 && recovered["open"]?.array?.isEmpty == true)
        #expect(recovered["looked"]?[0]?["status"]?.string == "approved")
        let shown = try await shop.json("show", "w-2")
        let words = shown["attempts"]?[1]?["known"]?.array?.compactMap { $0["source"]?.string }
        #expect(words?.contains("webhook") == true, "\(shown)")
        let text = await shop.run("show", "w-2", columns: 80)
        #expect(text.text.contains("webhook") && text.text.contains("partly refunded"))
        #expect(text.out.allSatisfy { $0.count <= 80 || $0.contains("payctl ") }, "\(text.out)")
    }

    @Test func recoveryNamesWhatBecameOfEach() async throws {
        let shop = try CommandShop()
        let fault = ["sandbox", "fault", "reply.lost", "--provider", "memory", "--times", "400", "--state", shop.state]
        _ = try await shop.sold("1", "EUR", "--attempt", "r-0")
        _ = await CommandRun.of(fault + ["--path", "/payments"])
        _ = await CommandRun.of(fault + ["--path", "/attempts/:attempt"])
        let lost = await shop.run("sale", "15", "EUR", "--attempt", "r-1", "--reference", "order-1")
        #expect(lost.status == 3, "\(lost.out) \(lost.errors)")
        #expect(lost.errors.contains { $0.hasPrefix("repeat     payctl sale 15 EUR --attempt r-1") }, "\(lost.errors)")
        let again = await shop.run("sale", "15", "EUR", "--reference", "order-1")
        #expect(
            again.status == 3 && again.errors.contains { $0.contains("payctl status --attempt r-1") }, "\(again.errors)"
        )
        #expect(
            again.errors.contains { $0.contains("whether the earlier one did, nobody knows yet") }, "\(again.errors)")
        _ = await CommandRun.of(["sandbox", "fault", "--clear", "--state", shop.state])
        let recovered = await shop.run("recover")
        #expect(recovered.status == 0, "\(recovered.out)")
        #expect(recovered.text.contains("approved: sale of 15.00 EUR, executed, known by lookup"))
        let nothing = await shop.run("recover")
        #expect(nothing.out == ["nothing is open"])
        // Whoever repeats what nobody told him of is told, and charges nothing.
        let twice = await shop.run("sale", "15", "EUR", "--reference", "order-1")
        #expect(twice.status == 5 && twice.errors.contains { $0.contains("--attempt r-1") }, "\(twice.errors)")
        let list = try await shop.json("list", "--reference", "order-1")
        #expect(list["payments"]?.array?.count == 1)
        let heard = try await shop.json("sale", "15", "EUR", "--attempt", "r-1", "--reference", "order-1")
        #expect(heard["payment"]?.string == "r-1" && heard["status"]?.string == "approved")
    }

    @Test func eventsOfOtherProcessesAreFollowed() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("1", "EUR", "--attempt", "t-1")
        let first = try await shop.json("tail", "--once", "--last", "1")
        #expect(first["payment"]?.string == "t-1")
        let (began, heard) = (Promise<Bool>(), Promise<Bool>())
        let place = shop.place
        let following = Task {
            let console = Console(
                out: { line in
                    if line.contains("t-1") { began.fulfill(true) }
                    if line.contains("t-2"), line.contains("approved") { heard.fulfill(true) }
                }, error: { _ in })
            return await Payctl.main(["tail", "--last", "1"] + place, console: console)
        }
        _ = await began.value()
        _ = try await shop.sold("2", "EUR", "--attempt", "t-2")
        _ = await heard.value()
        following.cancel()
        #expect(await following.value == 0)
    }

    @Test(arguments: ["adyen=test", "adyen=live", "arise=uat", "ecommpay=production", "halo=sandbox", "ni=sandbox"])
    func readingTheJournalNeedsNoCredentials(_ provider: String) async throws {
        let shop = try CommandShop()
        let path = "\(shop.folder)/real.json"
        let written = await CommandRun.of(["init", "--provider", provider, "--config", path, "--merchant", "1234"])
        #expect(written.status == 0, "\(written.errors)")
        let file = URL(fileURLWithPath: path)
        let text = try String(contentsOf: file, encoding: .utf8).replacingOccurrences(of: "REPLACE-ME", with: "x-1")
        try Data(text.utf8).write(to: file)
        let place = ["--config", path, "--state", shop.state]
        for words in [["list"], ["tail", "--once"], ["providers"], ["journal", "check"]] {
            let run = await CommandRun.of(words + place)
            #expect(run.status == 0, "\(words): \(run.errors)")
        }
        // Whoever wants to charge needs them.
        let sale = await CommandRun.of(["sale", "--unreferenced", "1", "USD"] + place)
        #expect(sale.status == 2, "\(sale.errors)")
    }

    @Test func aReceiptNamesTheMerchantAndNoRawTags() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("12", "EUR", "--provider", "adyen")
        let run = await shop.run("receipt", id)
        #expect(run.text.contains("merchant     TestMerchant"), "\(run.text)")
        #expect(!run.out.contains { $0.contains(#/^[0-9A-F]{2,4} {2,}/#) }, "\(run.text)")
    }
}
