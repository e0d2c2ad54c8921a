import Foundation
import PaymentBase
import PaymentCLI
import Testing

@Suite struct BookCommandTests {
    @Test func paymentsAreListedByPageAndByCondition() async throws {
        let shop = try CommandShop()
        for number in 1...5 { _ = try await shop.sold("\(number)", "EUR", "--reference", "order-\(number)") }
        _ = try await shop.json("sale", "6", "EUR", "--card", "declined", "--reference", "order-6", status: 1)
        let first = try await shop.json("list", "--limit", "2")
        #expect(first["items"]?.array?.compactMap { $0["reference"]?.string } == ["order-6", "order-5"])
        let next = try #require(first["next"]?.string)
        let second = try await shop.json("list", "--limit", "2", "--after", next)
        #expect(second["items"]?.array?.compactMap { $0["reference"]?.string } == ["order-4", "order-3"])
        let declined = try await shop.json("list", "--status", "declined")
        #expect(declined["items"]?.array?.count == 1)
        let one = try await shop.json("list", "--reference", "order-3")
        #expect(one["items"]?.array?.count == 1)
        for (name, value, count) in [
            ("--from", "1970-01-02", 6), ("--to", "1970-01-02T00:00:00Z", 0), ("--part", "1 of 2", 0),
        ] {
            let some = try await shop.json("list", name, value)
            #expect(some["items"]?.array?.count == count, "\(name)")
        }
        _ = try await shop.json("list", "--from", "yesterday", status: 2)
        _ = try await shop.json("list", "--from", "2026-11-30", "--to", "2026-11-30", status: 2)
        let none = try await shop.json("list", "--provider", "halo")
        #expect(none["items"]?.array?.isEmpty == true)
        let wrong = await shop.run("list", "--status", "aproved")
        #expect(wrong.status == 2 && wrong.errors.first?.contains("did you mean approved?") == true)
    }

    @Test func switchPlan_ofAJournalOfSeveralShops_countsThePaymentsOfAll() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR", "--reference", "s-1")
        let line = """
            {"attempt":"berlin-1","provider":"memory","adapter":"memory","environment":"sandbox","merchant":"m-1",\
            "reference":"o-9","scope":"berlin","minorUnits":500,"currency":"EUR","takenAt":1700000000000,\
            "references":{"payment":"mp_50"}}
            """
        let imported = await shop.run("journal", "import", input: line)
        #expect(imported.status == 0, "\(imported.errors)")
        let plan = try await shop.json("switch", "plan", "memory", "adyen")
        #expect(plan["refundable"]?.int64 == 2)
    }

    /// The plan says to capture or void what is held, also in the shops of `payctl serve`.
    @Test(arguments: ["capture", "void"])
    func followUp_ofAShopsPayment_isReachedByItsScope(_ command: String) async throws {
        let shop = try CommandShop()
        let line = """
            {"attempt":"berlin-1","provider":"memory","adapter":"memory","environment":"sandbox","merchant":"m-1",\
            "reference":"o-9","scope":"berlin","minorUnits":500,"currency":"EUR","takenAt":1700000000000,\
            "references":{"payment":"mp_50"}}
            """
        let imported = await shop.run("journal", "import", input: line)
        #expect(imported.status == 0, "\(imported.errors)")
        let elsewhere = await shop.run(command, "berlin-1")
        #expect(elsewhere.errors.joined().contains("capture and void take --scope NAME"), "\(elsewhere.errors)")
        let there = await shop.run(command, "berlin-1", "--scope", "berlin")
        // The payment is found: what is refused is said of its amount, or by the provider.
        let refused = there.errors.joined()
        #expect(!refused.contains("is of the scope") && !refused.contains("there is no option"), "\(refused)")
    }

    /// The entry got another merchant account in place: what the former one took can't be refunded by it.
    @Test func switchPlan_whoseNameMeansAnotherAccountNow_promisesNoRefundOfTheFormerOnes() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR", "--reference", "s-1")
        let fine = await shop.run("doctor")
        #expect(!fine.text.contains("no entry of the configuration means"), "\(fine.text)")
        let before = try String(contentsOfFile: shop.path, encoding: .utf8)
        let account = "\"adapter\": \"memory\",\n      \"environment\": \"sandbox\",\n      \"merchant\": \"m-"
        let after = before.replacing("\(account)1\"", with: "\(account)2\"")
        #expect(after != before)
        try Data(after.utf8).write(to: URL(fileURLWithPath: shop.path))
        let plan = try await shop.json("switch", "plan", "memory", "adyen")
        #expect(plan["refundable"]?.int64 == 0)
        let text = await shop.run("switch", "plan", "memory", "adyen", columns: 400).text
        #expect(text.contains("1 more were taken as memory by another account"), "\(text)")
        let doubtful = await shop.run("doctor", columns: 400)
        #expect(doubtful.text.contains("(memory, sandbox, m-1), which has 1 payment"), "\(doubtful.text)")
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

    /// Each sale of such a route would be refused from then on.
    @Test func switchPlan_appliedBesideARouteOfTheOldProvider_isRefusedAndWritesNothing() async throws {
        let plain = try CommandShop()
        let text = try String(contentsOfFile: plain.path, encoding: .utf8)
        let active = "\"active\": \"memory\","
        let route = "\n  \"routes\": [{\"currency\": \"EUR\", \"providers\": [\"memory\"]}],"
        let shop = try CommandShop(configuration: text.replacing(active, with: active + route))
        let before = try String(contentsOfFile: shop.path, encoding: .utf8)
        #expect(before.contains("routes"))
        let applied = await shop.run("switch", "plan", "memory", "adyen", "--apply")
        #expect(applied.status == 2 && applied.errors.joined().contains("draining"), "\(applied.errors)")
        #expect(try String(contentsOfFile: shop.path, encoding: .utf8) == before)
        let other = await plain.run("switch", "plan", "memory", "adyen", "--apply")
        #expect(other.status == 0 && other.text.contains("Start each till"), "\(other.text)")
    }

    /// Both accounts only receive captures and refunds, so that nothing differs. The new one has no webhooks yet.
    @Test func switchPlan_toAnotherAccountOfTheAdapter_saysToSetUpItsWebhooks() async throws {
        func entry(_ merchant: String, _ more: String) -> String {
            """
            {"adapter": "adyen", "environment": "test", "merchant": "\(merchant)",
             "settings": {"terminal": "V400m-324688042"}, "credentials": {"apiKey": "env:K"\(more)}}
            """
        }
        let shop = try CommandShop(
            configuration: """
                {"active": "old", "journal": {"kind": "memory"}, "providers": {
                  "old": \(entry("Old", ", \"webhookKey\": \"env:W\"")), "new": \(entry("New", ""))}}
                """)
        let plan = try await shop.json("switch", "plan", "old", "new")
        #expect(plan["webhooks"]?["needed"]?.bool == true && plan["webhooks"]?["configured"]?.bool == false)
        #expect(plan["decidedLater"]?.array?.isEmpty == true)
        let text = await shop.run("switch", "plan", "old", "new").text.replacing("\n", with: " ")
        #expect(text.contains("is NOT configured") && text.contains("refund"), "\(text)")
    }

    @Test func switchPlan_withAHoldAlone_saysToCaptureItOrLetItGo() async throws {
        let shop = try CommandShop()
        _ = try await shop.json("authorize", "5", "EUR", "--reference", "hold-1")
        let plan = await shop.run("switch", "plan", "memory", "adyen")
        #expect(plan.text.contains("payctl capture") && plan.text.contains("payctl void"), "\(plan.text)")
        #expect(!plan.text.contains("payctl recover"), "nothing is open that recovery could decide: \(plan.text)")
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
        #expect(adopted.status == 0 && adopted.text.contains("1 payment adopted"), "\(adopted.errors)")
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
        let recent = try #require(Timestamp(milliseconds: SystemClock().now - 29 * 86_400_000)).text()
        let early = await shop.run("journal", "prune", "--before", String(recent.prefix(10)))
        #expect(early.status == 2 && early.errors.first?.contains("30 days ago") == true, "\(early.errors)")
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
        let backup = try JournalFiles(shop)
        let lost = try sell("6")
        try backup.restore()
        let restored = await shop.run("sale", "7", "EUR", "--unreferenced")
        #expect(restored.status == 2 && restored.errors.joined().contains("accept-restored"), "\(restored.errors)")
        // A gap that is closed before would be open again afterwards.
        let early = await shop.run("journal", "accept-restored", "--gap-closed", "--by", "Ada")
        #expect(early.status != 0 && early.errors.joined().contains("accept-restored"), "\(early.text)")
        let accepted = try await shop.json("journal", "accept-restored")
        #expect(accepted["restored"]?.bool == true)
        func expectRefusal(_ attempt: String) async {
            let run = await shop.run("sale", "6", "EUR", "--unreferenced", "--attempt", attempt)
            #expect(run.status == 3 && run.errors.joined().contains("may have lost this attempt"), "\(run.errors)")
            #expect(!run.errors.contains { $0.contains("Present the card") }, "\(run.errors)")
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

    @Test func switchPlan_whereHoldsComeFromOtherSources_saysSo() async throws {
        let shop = try CommandShop()
        _ = try await shop.json("authorize", "30", "EUR", "--provider", "adyen", "--reference", "room-7")
        let plan = try await shop.json("switch", "plan", "adyen", "arise")
        #expect(plan["same"]?.array?.contains("authorize") == true)
        let changes = plan["changes"]?.array?.compactMap(\.string) ?? []
        #expect(changes.contains("holds from: reader becomes card, saved"), "\(changes)")
    }

    @Test func switchPlan_whatTheJournalDoesNotRecord_isNotCalledUnused() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR", "--tip", "2", "--display-text", "Thank you", "--reference", "t-1")
        let plan = await shop.run("switch", "plan", "memory", "halo")
        let unused = plan.text.replacing("\n", with: " ")
        #expect(!unused.contains("Nothing that you lose was ever used"), "\(plan.text)")
        #expect(unused.contains("request.tip (1×)"), "the journal has the tip: \(plan.text)")
        let after = unused.split(separator: "never used here:").dropFirst().first ?? ""
        let (never, silent) = (
            after.prefix(upTo: try #require(after.firstRange(of: "no journal records")).lowerBound), after
        )
        #expect(!never.contains("request.text") && silent.contains("request.text"), "\(plan.text)")
    }
}

/// What the journal shows about the past.
@Suite struct HistoryTests {
    @Test func everyStateIsReportedAsItsResult() async throws {
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
            #expect(some["items"]?.array?.count == count, "\(word)")
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
        #expect(list["items"]?.array?.isEmpty == true)
        #expect(try await shop.json("void", "…one-tail77")["payment"]?.string == "one-tail77")
    }

    @Test func aReferenceNamesAPaymentWhereNoOtherHasIt() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--reference", "table 4", "--part", "1 of 2")
        #expect(try await shop.json("show", "table 4")["payment"]?.string == id)
        #expect(try await shop.json("refund", "table 4", "5")["payment"]?.string == id)
        let other = try await shop.sold("20", "EUR", "--reference", "table 4", "--part", "2 of 2")
        let first = try await shop.json("list", "--reference", "table 4", "--part", "1  OF 2")
        #expect(first["items"]?.array?.compactMap { $0["payment"]?.string } == [id], "\(first)")
        let both = await shop.run("refund", "table 4", "5")
        #expect(both.status == 5, "\(both.errors)")
        #expect([id, other, "by its id"].allSatisfy { both.errors.joined().contains($0) }, "\(both.errors)")
        #expect(await shop.run("show", "table 5").status == 5)
    }

    @Test func onePaymentShowsWhoSaidWhatAndWhy() async throws {
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
        let words = shown["attempts"]?[1]?["reports"]?.array?.compactMap { $0["evidence"]?.string }
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
            again.errors.contains { $0.contains("whether the earlier one did is not known") }, "\(again.errors)")
        _ = await CommandRun.of(["sandbox", "fault", "--clear", "--state", shop.state])
        let recovered = await shop.run("recover")
        #expect(recovered.status == 0, "\(recovered.out)")
        #expect(recovered.text.contains("approved: sale of 15.00 EUR, executed, known by lookup"))
        let nothing = await shop.run("recover")
        #expect(nothing.out.first == "nothing is open" && nothing.out.last?.hasPrefix("looked at") == true)
        // A repeat whose first result was not printed gets that result, and charges nothing.
        let twice = await shop.run("sale", "15", "EUR", "--reference", "order-1")
        #expect(twice.status == 5 && twice.errors.contains { $0.contains("--attempt r-1") }, "\(twice.errors)")
        let list = try await shop.json("list", "--reference", "order-1")
        #expect(list["items"]?.array?.count == 1)
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

    /// Each process numbers what it writes for itself: the id is the place in the journal.
    @Test func tail_asJSON_givesEveryEventAnIDOfItsOwn() async throws {
        let shop = try CommandShop()
        for number in 0...1 { _ = try await shop.sold("1", "EUR", "--attempt", "t-\(number)") }
        let (began, heard, lines) = (Promise<Bool>(), Promise<Bool>(), Locked([String]()))
        let place = shop.place
        let following = Task {
            let console = Console(
                out: { line in
                    lines.withLock { $0.append(line) }
                    if line.contains(#""payment":"t-1""#) { began.fulfill(true) }
                    if line.contains(#""payment":"t-0""#), line.contains(#""kind":"approved""#) { heard.fulfill(true) }
                }, error: { _ in })
            return await Payctl.main(["tail", "--last", "1", "--format", "json"] + place, console: console)
        }
        _ = await began.value()
        _ = try await shop.json("refund", "t-0")
        _ = await heard.value()
        following.cancel()
        #expect(await following.value == 0)
        let written = lines.withLock { $0 }
        let ids = try written.map { try JSONReader().read(Array($0.utf8))["id"]?.string ?? "none" }
        #expect(ids.count >= 3 && Set(ids).count == ids.count && !ids.contains("none"), "\(written)")
    }

    /// What happens to a payment is printed, also if its former events were not.
    @Test func tail_refundOfAPaymentThatIsNotTheNewest_isPrinted() async throws {
        let shop = try CommandShop()
        for number in 0...1 { _ = try await shop.sold("1", "EUR", "--attempt", "t-\(number)") }
        let (began, heard) = (Promise<Bool>(), Promise<Bool>())
        let place = shop.place
        let following = Task {
            let console = Console(
                out: { line in
                    if line.contains("…t-1 ") { began.fulfill(true) }
                    if line.contains("…t-0 "), line.contains("approved") { heard.fulfill(true) }
                }, error: { _ in })
            return await Payctl.main(["tail", "--last", "1"] + place, console: console)
        }
        _ = await began.value()
        let refunded = await shop.run("refund", "t-0")
        #expect(refunded.status == 0, "\(refunded.errors)")
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
        // A charge needs them.
        let sale = await CommandRun.of(["sale", "--unreferenced", "1", "USD"] + place)
        #expect(sale.status == 2, "\(sale.errors)")
    }

    /// Adyen's terminal prints a receipt of a refund that it only received.
    @Test func receipt_ofARefundThatIsPendingOrFailed_saysSo() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR", "--provider", "adyen", "--reference", "w-2", "--attempt", "w-2")
        let refund = await shop.run("refund", "w-2", "2", "--attempt", "w-3")
        #expect(refund.status == 6, "\(refund.text) \(refund.errors)")
        let pending = await shop.run("receipt", "w-2")
        #expect(pending.out.contains("refund       2.00 EUR, pending: not decided yet"), "\(pending.text)")
        let decided = await CommandRun.of(["sandbox", "decide", "adyen", "w-3", "fails", "--state", shop.state])
        #expect(decided.status == 0, "\(decided.errors)")
        _ = await shop.run("recover")
        let failed = await shop.run("receipt", "w-2")
        let line = failed.out.first { $0.hasPrefix("refund       2.00 EUR") }
        #expect(line?.contains("EUR, ") == true && line?.contains("pending") == false, "\(failed.text)")
        let receipts = try await shop.json("receipt", "w-2")["receipts"]?.array ?? []
        #expect(receipts.first?["status"]?.string == "approved")
        #expect(["declined", "reversed"].contains(receipts.last?["status"]?.string), "\(receipts)")
    }

    @Test func receipt_ofAVoidedSale_saysSo() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("12", "EUR", "--provider", "adyen")
        let void = await shop.run("void", id)
        #expect([0, 6].contains(void.status), "\(void.errors)")
        _ = await CommandRun.of(["sandbox", "clock", "--advance", "1d", "--state", shop.state])
        _ = await shop.run("recover")
        let run = await shop.run("receipt", id)
        #expect(run.out.contains("sale         12.00 EUR, voided: nothing is charged"), "\(run.text)")
    }

    @Test func aReceiptNamesTheMerchantAndNoRawTags() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("12", "EUR", "--provider", "adyen")
        let run = await shop.run("receipt", id)
        #expect(run.text.contains("merchant     TestMerchant"), "\(run.text)")
        #expect(!run.out.contains { $0.contains(#/^[0-9A-F]{2,4} {2,}/#) }, "\(run.text)")
    }
}
