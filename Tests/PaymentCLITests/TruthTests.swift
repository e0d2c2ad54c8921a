import Foundation
import PaymentBase
import Testing

/// What commands tell is so.
@Suite struct TruthTests {
    private func sandbox(_ shop: CommandShop, _ words: String...) async -> CommandRun {
        await CommandRun.of(["sandbox"] + words + ["--state", shop.state])
    }

    @Test func aCopiedJournalAndAMovedOneAreWrong() async throws {
        let shop = try CommandShop()
        // In a process of its own, so that no process uses it any more.
        let sale = try SandboxProcess.plain(["sale", "--unreferenced", "5", "EUR"] + shop.place)
        #expect(sale.code == 0, "\(sale)")
        let file = "\(shop.state)/journal.sqlite"
        let name = try FileManager.default.contentsOfDirectory(atPath: shop.state).first { $0.hasSuffix(".sqlite") }
        let from = name.map { "\(shop.state)/\($0)" } ?? file
        let copy = await CommandRun.of(["journal", "copy", from, "\(shop.folder)/copy.sqlite"])
        #expect(copy.status == 0, "\(copy.errors)")
        let text = try String(contentsOfFile: shop.path, encoding: .utf8)
        func configuration(_ journal: String, _ name: String) throws -> [String] {
            let path = "\(shop.folder)/\(name).json"
            let changed = text.replacing(#/"path": *"[^"]*"/#, with: "\"path\": \"\(journal)\"")
            try Data(changed.utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            return ["--config", path, "--state", shop.state]
        }
        let copied = try configuration("\(shop.folder)/copy.sqlite", "copied")
        let doctor = await CommandRun.of(["doctor"] + copied)
        #expect(doctor.status == 1 && doctor.text.contains("begins nothing"), "\(doctor.out)")
        #expect(doctor.out.last?.contains("payctl journal accept-restored --config") == true, "\(doctor.out)")
        let check = await CommandRun.of(["journal", "check"] + copied)
        #expect(check.status == 1 && check.text.contains("begins nothing"), "\(check.out)")
        let move = await CommandRun.of(["journal", "copy", from, "\(shop.folder)/moved.sqlite", "--move"])
        #expect(move.status == 0, "\(move.errors)")
        let left = await shop.run("doctor")
        #expect(left.status == 1 && left.text.contains("continues in another one"), "\(left.out)")
        #expect(await shop.run("journal", "check").status == 1)
    }

    @Test func aFaultFitsTheEndOfAPathAndNamesItsProvider() async throws {
        let shop = try CommandShop()
        let fault = await sandbox(shop, "fault", "reply.lost", "--provider", "adyen", "--path", "*/sync")
        #expect(fault.status == 0, "\(fault.errors)")
        _ = await shop.run("sale", "5", "EUR", "--provider", "adyen", "--reference", "f-1")
        let left = await sandbox(shop, "fault")
        #expect(left.text.contains("no fault waits"), "\(left.out)")
        for words in [
            ["fault", "reply.lost", "--provider", "adyem"], ["decide", "adyem", "x", "fails"],
            ["visit", "adyem", "http://x"],
        ] {
            let run = await CommandRun.of(["sandbox"] + words + ["--state", shop.state])
            #expect(run.status == 2 && run.errors.contains { $0.contains("did you mean adyen?") }, "\(run.errors)")
        }
        let none = await sandbox(shop, "fault", "reply.lost", "--provider", "zzzzzz")
        #expect(none.errors.contains { $0.contains("there are adyen, arise") }, "\(none.errors)")
    }

    @Test func aDecisionSaysWhatBecameOfIt() async throws {
        let shop = try CommandShop()
        let id =
            try await shop.json("authorize", "--unreferenced", "10", "EUR", "--provider", "adyen")["payment"]?.string
            ?? ""
        _ = try await shop.json("capture", id, "10", "--attempt", "c1", status: 6)
        let decided = await sandbox(shop, "decide", "adyen", "c1", "succeeds", "--config", shop.path)
        #expect(decided.status == 0 && decided.text.contains("it succeeds"), "\(decided.out) \(decided.errors)")
        let next = try #require(decided.out.first { $0.hasPrefix("next") })
        #expect(next.contains("--config \(shop.path) --state \(shop.state)"), "\(next)")
    }

    @Test func aHoldSaysHowMuchOfItWasCaptured() async throws {
        let shop = try CommandShop()
        let id = try await shop.json("authorize", "300", "EUR", "--reference", "room-7")["payment"]?.string ?? ""
        _ = try await shop.json("capture", id, "180")
        // The word of the API over HTTP.
        let listed = try await shop.json("list", "--status", "captured")["items"]?[0]
        #expect(listed?["status"]?.string == "captured")
        for columns in [80, 200] {
            let list = await shop.run("list", columns: columns)
            #expect(list.text.contains("180.00 of 300.00 EUR") && list.text.contains("captured"), "\(list.out)")
            let captured = await shop.run("list", "--status", "captured")
            #expect(captured.text.contains("room-7"), "\(captured.out)")
            #expect(list.out.allSatisfy { $0.count <= columns }, "\(list.out)")
        }
    }

    @Test func aPageThatWaitsForItsCustomerSaysWhatWasAskedFor() async throws {
        let shop = try CommandShop(
            configuration: #"""
                {"active": "ecommpay", "journal": {"kind": "sqlite", "path": "state:p.sqlite"},
                  "providers": {"ecommpay": {"adapter": "ecommpay", "environment": "simulated", "merchant": "1234",
                    "settings": {"link": "page"}}}}
                """#)
        let sale = await shop.run("sale", "--unreferenced", "5", "EUR", "--source", "page", "--attempt", "page-1")
        #expect(sale.status == 6, "\(sale.out) \(sale.errors)")
        let shown = await shop.run("show", "page-1")
        #expect(shown.text.contains("nothing yet; 5.00 EUR was asked for"), "\(shown.out)")
    }

    @Test func aCaptureThatIsPendingIsNoReasonToVoid() async throws {
        let shop = try CommandShop()
        let id =
            try await shop.json("authorize", "--unreferenced", "10", "EUR", "--provider", "adyen")["payment"]?.string
            ?? ""
        _ = try await shop.json("capture", id, "10", "--attempt", "c1", status: 6)
        let refund = await shop.run("refund", id, "1")
        #expect(refund.status != 0 && !refund.errors.joined().contains("void"), "\(refund.errors)")
        let all = try await shop.sold("5", "EUR")
        _ = try await shop.json("refund", all)
        let again = await shop.run("refund", all)
        #expect(again.errors.first?.contains("Nothing is left to refund.") == true, "\(again.errors)")
    }

    @Test func aFileThatIsThereIsNotWrittenOver() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "write-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/providers.json"
        let process = try SandboxProcess(["--provider", "memory", "--write-config", path])
        #expect(FileManager.default.fileExists(atPath: "\(folder)/providers.schema.json"))
        process.terminate()
        _ = process.end()
        let twice = try SandboxProcess.refusal(["--provider", "memory", "--write-config", path])
        #expect(twice.code == 2 && twice.words.contains("--force"), "\(twice)")
        let nowhere = try SandboxProcess.refusal(["--write-config", "\(folder)/none/providers.json"])
        #expect(nowhere.code == 2 && !nowhere.words.contains(" at http"), "\(nowhere)")
        for words in [["--provider", "zzzzzz"], ["--reading", "zzzzzz"]] {
            let unknown = try SandboxProcess.refusal(words)
            #expect(unknown.code == 2 && unknown.words.contains("there are "), "\(unknown)")
        }
    }

    @Test func aClockThatIsADayAheadIsSeen() async throws {
        let shop = try CommandShop()
        let path = "\(shop.folder)/ports.json"
        let process = try SandboxProcess(["--provider", "memory", "--write-config", path])
        let place = ["--config", path, "--state", shop.state]
        let before = await CommandRun.of(["doctor"] + place)
        #expect(before.status == 0 && !before.text.contains("clock:"), "\(before.out)")
        let ahead = await CommandRun.of(["sandbox", "clock", "--advance", "1d", "--at", "\(process.control)"])
        #expect(ahead.status == 0, "\(ahead.errors)")
        let after = await CommandRun.of(["doctor"] + place)
        #expect(after.out.contains { $0.contains(#/^doubtful clock: .* 86[34]\d\d s away/#) }, "\(after.out)")
        process.terminate()
        _ = process.end()
    }

    @Test func aJournalIsNamedWithoutAProviderToo() async throws {
        let shop = try CommandShop()
        let path = "\(shop.folder)/other.json"
        let run = await CommandRun.of(["init", "--config", path, "--journal", "till.sqlite"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains(#""path": "till.sqlite""#))
    }

    @Test func linesThatCouldNeverBeUsedAreNotAdopted() async throws {
        let shop = try CommandShop()
        func line(_ changes: (String, String)...) -> String {
            changes.reduce(
                #"{"attempt":"old-1","provider":"memory","adapter":"memory","environment":"sandbox","merchant":"m-1","#
                    + #""reference":"before","minorUnits":500,"currency":"EUR","takenAt":1700000000000,"#
                    + #""references":{"payment":"p9"}}"#
            ) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        for (wrong, word) in [
            (line(("1700000000000", "253402300800000")), "year 9999"),
            (line((#""before""#, #""before ""#)), "white space"),
            (line((#""provider":"memory""#, #""provider":"gone""#)), "gone is not configured"),
        ] {
            let run = await shop.run("journal", "import", input: line(("old-1", "old-0")) + "\n" + wrong)
            #expect(run.status == 2 && run.errors.first?.contains("line 2") == true, "\(run.errors)")
            #expect(run.errors.first?.contains(word) == true, "\(run.errors)")
        }
        #expect(await shop.run("journal", "import", input: line()).status == 0)
    }

    @Test func aListingRefusesWhatItDoesNotKnowAndMakesNothing() async throws {
        let shop = try CommandShop()
        #expect(await shop.run("list").status == 0)
        #expect(await shop.run("show", "x").status == 5)
        #expect(!FileManager.default.fileExists(atPath: shop.state))
        let unknown = await shop.run("list", "--provider", "nosuch")
        #expect(unknown.status == 2 && unknown.errors.first?.contains("there are ") == true, "\(unknown.errors)")
        #expect(await shop.run("list", "--after", "-1").status == 2)
    }

    @Test func recoveryNamesAProviderThatIsNotConfigured() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("1", "EUR", "--provider", "adyen")
        let text = try String(contentsOfFile: shop.path, encoding: .utf8)
        let id =
            try await shop.json("authorize", "--unreferenced", "10", "EUR", "--provider", "adyen")["payment"]?.string
            ?? ""
        _ = try await shop.json("capture", id, "--attempt", "c1", status: 6)
        let journal = try JSONReader().read(Array(text.utf8))["journal"]?["path"]?.string ?? ""
        let only =
            #"{"active": "memory", "journal": {"kind": "sqlite", "path": "JOURNAL"}, "providers": {"memory": "#
            + #"{"adapter": "memory", "environment": "sandbox", "merchant": "merchant-1"}}}"#
        let path = "\(shop.folder)/memory.json"
        try Data(only.replacing("JOURNAL", with: journal).utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let run = await CommandRun.of(["recover", "--config", path, "--state", shop.state])
        #expect(run.text.contains("adyen is not configured here"), "\(run.out) \(run.errors)")
    }

    @Test func adviceIsGivenWhereItHelps() async throws {
        let shop = try CommandShop()
        let id =
            try await shop.json("authorize", "--unreferenced", "10", "EUR", "--provider", "adyen")["payment"]?.string
            ?? ""
        _ = try await shop.json("capture", id, "--attempt", "c1", status: 6)
        #expect(await sandbox(shop, "decide", "adyen", "c1", "fails").status == 0)
        let failed = await shop.run("status", "c1")
        #expect(failed.status == 1 && !failed.text.contains("another card"), "\(failed.out)")
        let folder = await CommandRun.of(["list", "--config", shop.folder])
        #expect(folder.status == 2 && folder.errors.first?.contains("is a folder") == true, "\(folder.errors)")
        let page = await shop.run("sale", "--unreferenced", "5", "EUR", "--provider", "ecommpay", "--source", "page")
        #expect(page.status == 2 && page.errors.first?.contains(#""link": "page""#) == true, "\(page.errors)")
        let help = await CommandRun.of(["verify", "--help"])
        let example = try #require(help.out.first { $0.contains("payctl verify EUR") })
        let words = example.split(separator: " ").dropFirst().map(String.init)
        let run = await CommandRun.of(words + shop.place)
        #expect(run.status == 0, "\(run.errors)")
    }
}
