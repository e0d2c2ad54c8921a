import Foundation
import PaymentBase
import Testing

@Suite struct BookCommandTests {
    @Test func paymentsAreListedByPageAndByCondition() async throws {
        let shop = try CommandShop()
        for number in 1...5 { _ = try await shop.sold("\(number)", "EUR", "--reference", "order-\(number)") }
        _ = try await shop.json("sale", "6", "EUR", "--card", "declined", "--reference", "order-6", status: 1)
        let first = try await shop.json("list", "--limit", "2")
        #expect(first["payments"]?.array?.compactMap { $0["reference"]?.string } == ["order-6", "order-5"])
        let next = try #require(first["next"]?.string)
        let second = try await shop.json("list", "--limit", "2", "--after", next)
        #expect(second["payments"]?.array?.compactMap { $0["reference"]?.string } == ["order-4", "order-3"])
        let declined = try await shop.json("list", "--status", "declined")
        #expect(declined["payments"]?.array?.count == 1)
        let one = try await shop.json("list", "--reference", "order-3")
        #expect(one["payments"]?.array?.count == 1)
        let none = try await shop.json("list", "--provider", "halo")
        #expect(none["payments"]?.array?.isEmpty == true)
        let wrong = await shop.run("list", "--status", "aproved")
        #expect(wrong.status == 2 && wrong.errors.first?.contains("did you mean approved?") == true)
    }

    @Test func aSwitchKeepsTheOldPaymentsWhereTheyWereTaken() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR")
        let plan = try await shop.json("switch", "plan", "memory", "adyen")
        #expect(plan["applied"]?.bool == false && plan["refundable"]?.int64 == 1)
        #expect(plan["lost"]?.array?.contains("source.card") == true)
        let before = try String(contentsOfFile: shop.path, encoding: .utf8)
        #expect(before.contains("\"active\": \"memory\""))
        _ = try await shop.json("switch", "plan", "memory", "adyen", "--apply")
        let after = try String(contentsOfFile: shop.path, encoding: .utf8)
        #expect(after.contains("\"active\": \"adyen\"") && after.contains("\"draining\": [\"memory\"]"))
        #expect(after.contains("//active"), "the comments stay")
        let sale = try await shop.json("sale", "--unreferenced", "3", "EUR")
        #expect(sale["provider"]?.string == "adyen")
        let refund = try await shop.json("refund", id, "5")
        #expect(refund["provider"]?.string == "memory" && refund["status"]?.string == "approved")
        let drained = await shop.run("sale", "--unreferenced", "3", "EUR", "--provider", "memory")
        #expect(drained.status == 2 && drained.errors.joined().contains("draining"))
        // Back again: the list of draining providers is changed where it stands.
        _ = try await shop.json("switch", "plan", "adyen", "memory", "--apply")
        let back = try String(contentsOfFile: shop.path, encoding: .utf8)
        #expect(back.contains("\"active\": \"memory\"") && back.contains("\"draining\": [\"adyen\"]"))
    }

    @Test func theJournalIsCheckedExportedImportedAndPruned() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR")
        let check = try await shop.json("journal", "check")
        #expect(check["attempts"]?.int64 == 1 && check["problems"]?.array?.isEmpty == true)
        let export = await shop.run("journal", "export")
        #expect(export.status == 0 && export.out.allSatisfy { $0.hasPrefix("{") } && export.text.contains(id))
        let old = """
            {"attempt":"old-1","provider":"memory","adapter":"memory","environment":"sandbox","merchant":"m-1",\
            "reference":"before","minorUnits":500,"currency":"EUR","takenAt":1700000000000,"references":{"payment":"p9"}}
            """
        let adopted = await shop.run("journal", "import", input: old)
        #expect(adopted.status == 0 && adopted.text.contains("1 payments adopted"), "\(adopted.errors)")
        // The same lines again adopt nothing, whatever process reads them; another payment under the id is refused.
        let file = "\(shop.folder)/old.jsonl"
        try Data(old.utf8).write(to: URL(fileURLWithPath: file))
        let again = try SandboxProcess.plain(["journal", "import", file] + shop.place)
        #expect(again.code == 0 && again.output.contains("0 payments adopted"), "\(again)")
        let other = await shop.run("journal", "import", input: old.replacing("500", with: "600"))
        #expect(other.status != 0 && other.errors.joined().contains("its attempt is known already"), "\(other.errors)")
        // The newest payment is never forgotten, so that its number is used once.
        _ = try await shop.sold("20", "EUR")
        let pruned = try await shop.json("journal", "prune", "--before", "2024-01-01")
        #expect(pruned["payments"]?.int64 == 1)
        // What was pruned is no damage, and its name is not free again.
        let same = await shop.run("sale", "--unreferenced", "5", "EUR", "--attempt", "old-1")
        #expect(same.status == 3 && same.errors.joined().contains("old-1 is over and was pruned"), "\(same.errors)")
        let accepted = await shop.run("journal", "accept-restored")
        #expect(accepted.status == 0 && accepted.text.contains("was not restored"))
        let wrong = await shop.run("journal", "prune", "--before", "yesterday")
        #expect(wrong.status == 2 && wrong.errors.first?.contains("2026-01-31") == true)
    }

    /// An id from before a restoration may have been charged in the lost time.
    @Test func journal_restoredFromACopy_beginsFormerIdsOnceAPersonClosedTheGap() async throws {
        let shop = try CommandShop()
        // In processes of their own, so that none of them uses the file any more.
        func sell(_ amount: String) throws -> String {
            let sale = try SandboxProcess.plain(
                ["sale", amount, "EUR", "--unreferenced", "--format", "json"] + shop.place)
            #expect(sale.code == 0, "\(sale)")
            return try #require(try JSONReader().read(Array(sale.output.utf8))["payment"]?.string)
        }
        _ = try sell("5")
        let name = try FileManager.default.contentsOfDirectory(atPath: shop.state).first { $0.hasSuffix(".sqlite") }
        let path = "\(shop.state)/\(try #require(name))"
        // A backup of a file in use: the file, and what is not carried over into it yet.
        let files = [path, path + "-wal"].map { URL(fileURLWithPath: $0) }
        let backup = try files.map { try Data(contentsOf: $0) }
        let lost = try sell("6")
        for (file, bytes) in zip(files, backup) { try bytes.write(to: file) }
        try FileManager.default.removeItem(atPath: path + "-shm")
        let restored = await shop.run("sale", "7", "EUR", "--unreferenced")
        #expect(restored.status == 2 && restored.errors.joined().contains("accept-restored"), "\(restored.errors)")
        let accepted = try await shop.json("journal", "accept-restored")
        #expect(accepted["restored"]?.bool == true)
        func expectRefusal(_ attempt: String) async {
            let run = await shop.run("sale", "6", "EUR", "--unreferenced", "--attempt", attempt)
            #expect(run.status == 3 && run.errors.joined().contains("may have lost this attempt"), "\(run.errors)")
            #expect(!run.errors.contains { $0.contains("present the card") }, "\(run.errors)")
        }
        await expectRefusal(lost)
        await expectRefusal("till-9")
        // Ids that are drawn now are of the new generation.
        _ = try await shop.sold("8", "EUR")
        let unsigned = await shop.run("journal", "accept-restored", "--gap-closed")
        #expect(unsigned.status == 2 && unsigned.errors.first?.contains("--by NAME") == true, "\(unsigned.errors)")
        await expectRefusal("till-9")
        let closed = try await shop.json("journal", "accept-restored", "--gap-closed", "--by", "Ada")
        #expect(closed["gapClosed"]?.bool == true)
        #expect(try await shop.sold("6", "EUR", "--attempt", "till-9") == "till-9")
    }

    @Test func theDoctorSaysWhatIsWrongAndWhatToDo() async throws {
        let shop = try CommandShop()
        let fine = try await shop.json("doctor")
        #expect(fine["findings"]?.array?.allSatisfy { $0["status"]?.string == "good" } == true)
        let real = """
            {"active": "till", "journal": {"kind": "memory"}, "providers": {"till": {
              "adapter": "adyen", "environment": "test", "merchant": "M", "endpoint": "https://localhost:1",
              "settings": {"terminal": "V400m-1"}, "credentials": {"apiKey": "env:NO_SUCH_VARIABLE_HERE"}}}}
            """
        let ill = try CommandShop(configuration: real)
        let found = try await ill.json("doctor", status: 1)["findings"]?.array ?? []
        func finding(_ check: String) -> JSON? { found.first { $0["check"]?.string == check } }
        #expect(finding("credentials")?["status"]?.string == "bad")
        #expect(finding("credentials")?["detail"]?.string?.contains("NO_SUCH_VARIABLE_HERE") == true)
        #expect(finding("till")?["status"]?.string == "bad" && finding("till")?["advice"]?.string?.isEmpty == false)
        #expect(finding("journal")?["status"]?.string == "doubtful")
        let broken = try CommandShop(configuration: "{")
        let unreadable = await broken.run("doctor")
        #expect(unreadable.status == 2)
    }

    @Test func aStartingFileIsMadeOfAnswers() async throws {
        let shop = try CommandShop()
        let path = "\(shop.folder)/asked.json"
        let asked = await CommandRun.of(["init", "--config", path], answers: ["halo", "sandbox", "merchant-9"])
        #expect(asked.status == 0, "\(asked.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"environment\": \"sandbox\"") && text.contains("\"merchant\": \"merchant-9\""))
        #expect(!text.contains("\"adyen\""))
        let wrong = await CommandRun.of(["init", "--config", path, "--force"], answers: ["haloo", ""])
        #expect(wrong.status == 2 && wrong.errors.first?.contains("did you mean halo?") == true)
        let all = await CommandRun.of(["init", "--config", path, "--force"], answers: [""])
        #expect(all.status == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"adyen\""))
    }

    @Test func aStartingFileIsReadable() async throws {
        let shop = try CommandShop()
        let path = "\(shop.folder)/new.json"
        let written = await CommandRun.of(["init", "--config", path])
        #expect(written.status == 0 && written.errors.isEmpty, "\(written.errors)")
        let sale = await CommandRun.of([
            "sale", "--unreferenced", "5", "EUR", "--config", path, "--state", "\(shop.folder)/s",
        ])
        #expect(sale.status == 0, "\(sale.errors)")
        let again = await CommandRun.of(["init", "--config", path])
        #expect(again.status == 2 && again.errors.first?.contains("--force") == true)
        for adapter in ["adyen", "arise", "ecommpay", "halo", "ni"] {
            let environments = await CommandRun.of(["init", "--provider", adapter, "--environment", "nowhere"])
            #expect(environments.status == 2)
            let real = await CommandRun.of([
                "init", "--config", path, "--force", "--provider", adapter, "--environment", "production",
            ])
            // A real world's account has to be filled in, and that is said.
            #expect(real.status == 0 || adapter == "adyen")
        }
    }
}
