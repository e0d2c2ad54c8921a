import Foundation
import PaymentBase
import Testing

/// `payctl reconcile`, as somebody types it.
@Suite struct ReconcileCommandTests {
    @Test func theListOfAProviderAgreesWithTheJournal() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--reference", "order-1")
        _ = try await shop.json("refund", id, "5")
        _ = try await shop.json("sale", "--unreferenced", "10", "EUR", "--card", "declined", status: 1)
        let day = try await today(shop)
        let found = try await shop.json("reconcile", "memory", "--from", day, "--to", day)
        #expect(found["groups"]?["matched"]?["rows"]?.int64 == 2 && found["differences"]?.array?.isEmpty == true)
        #expect(found["groups"]?["matched"]?["movements"]?.int64 == 3)
        let text = await shop.run("reconcile", "memory", "--from", day, "--to", day)
        #expect(text.status == 0 && text.text.contains("nothing differs"))
        // What another till of the merchant's sold is there, and not here.
        let other = "\(shop.folder)/other.json"
        try String(contentsOfFile: shop.path, encoding: .utf8).replacing("simulation.sqlite", with: "other.sqlite")
            .write(toFile: other, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        let sold = await CommandRun.of([
            "sale", "7", "EUR", "--reference", "theirs", "--config", other, "--state", shop.state,
        ])
        #expect(sold.status == 0, "\(sold.errors)")
        let more = try await shop.json("reconcile", "memory", "--from", day, "--to", day, status: 1)
        #expect(more["differences"]?.array?.map { $0["reference"]?.string } == ["theirs"])
        #expect(more["groups"]?["onlyInStatement"]?["rows"]?.int64 == 1)
    }

    @Test func aReportIsHeldAgainstTheJournalWithoutAskingAnybody() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--provider", "adyen", "--reference", "order-1")
        let shown = try await shop.json("show", id)
        let psp = try #require(shown["references"]?["psp"]?.string ?? shown["references"]?["transaction"]?.string)
        let merchant = try #require(shown["merchant"]?.string)
        let at = try #require(shown["begunAt"]?.string)
        let (day, moment) = (String(at.prefix(10)), String(at.prefix(19).replacing("T", with: " ")))
        let path = "\(shop.folder)/report.csv"
        func write(_ rows: [String]) throws {
            try (([StatementFileTests.accounting] + rows).joined(separator: "\n") + "\n")
                .write(toFile: path, atomically: true, encoding: .utf8)
        }
        func booked(_ psp: String, _ amount: String) -> [String] {
            [
                StatementFileTests.booked(
                    psp, "order-1", "Authorised", authorised: amount, at: moment, merchant: merchant),
                StatementFileTests.booked(
                    psp, "order-1", "SentForSettle", captured: amount, name: "M", at: moment, merchant: merchant),
            ]
        }
        let name = psp.split(separator: ".").last.map(String.init) ?? psp
        try write(booked(name, "20.00"))
        let words = ["--from", day, "--to", day, "--file", path]
        let same = try await shop.json("reconcile", "adyen", words[0], words[1], words[2], words[3], words[4], words[5])
        #expect(same["groups"]?["matched"]?["movements"]?.int64 == 1, "\(same)")
        try write(booked(name, "21.00") + booked("HLVQ5PV8NXSFWR82", "3.00"))
        let run = await shop.run("reconcile", "adyen", words[0], words[1], words[2], words[3], words[4], words[5])
        #expect(run.status == 1 && run.text.contains("differs (amount)"), "\(run.text)")
        #expect(run.text.contains("only in the statement"), "\(run.text)")
        #expect(run.text.contains("payctl journal import -"))
        let differing = try await shop.json(
            "reconcile", "adyen", words[0], words[1], words[2], words[3], words[4], words[5], status: 1)
        let line = try #require(differing["differences"]?.array?.compactMap { $0["import"] }.first { !$0.isNull })
        let adopted = await shop.run("journal", "import", "-", input: String(decoding: line.bytes(), as: UTF8.self))
        #expect(adopted.status == 0, "\(adopted.errors)")
        try write(booked(name, "20.00") + booked("HLVQ5PV8NXSFWR82", "3.00"))
        let after = try await shop.json(
            "reconcile", "adyen", words[0], words[1], words[2], words[3], words[4], words[5], "--conclude")
        #expect(after["concluded"]?.array?.isEmpty == true)
    }

    @Test func whatCantBeReconciledIsRefused() async throws {
        let shop = try CommandShop()
        func refusal(_ words: String...) async -> String {
            let run = await CommandRun.of(["reconcile"] + words + shop.place)
            #expect(run.status == 2, "\(words): \(run.text)")
            return run.errors.first ?? ""
        }
        let month = ["--from", "2026-11-01", "--to", "2026-11-30"]
        #expect(await refusal("memory", "--from", "2026-11-01").contains("--to DAY is missing"))
        #expect(await refusal("memory", "--from", "1.11.", "--to", "2026-11-30").contains("not 1.11."))
        #expect(await refusal("memory", "--from", "2026-12-01", "--to", "2026-11-30").contains("is before"))
        #expect(await refusal("memory", "--from", "2024-12-01", "--to", "2026-11-30").contains("366 days"))
        #expect(await refusal("memori", month[0], month[1], month[2], month[3]).contains("did you mean memory?"))
        #expect(await refusal("adyen", month[0], month[1], month[2], month[3]).contains("lists no transactions"))
        #expect(
            await refusal("halo", month[0], month[1], month[2], month[3], "--file", shop.path)
                .contains("publishes no columns"))
        #expect(
            await refusal("adyen", month[0], month[1], month[2], month[3], "--file", "\(shop.folder)/none")
                .contains("can't be opened"))
    }

    /// The other till's payment is imported as one of another scope.
    @Test func attemptsOfAnotherScope_areCompared_unlessAScopeIsNamed() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR", "--reference", "order-1")
        let other = "\(shop.folder)/other.json"
        try String(contentsOfFile: shop.path, encoding: .utf8).replacing("simulation.sqlite", with: "other.sqlite")
            .write(toFile: other, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        let sold = await CommandRun.of([
            "sale", "7", "EUR", "--reference", "theirs", "--config", other, "--state", shop.state,
        ])
        #expect(sold.status == 0, "\(sold.errors)")
        let day = try await today(shop)
        let words = ["reconcile", "memory", "--from", day, "--to", day]
        let found = try await shop.json("reconcile", "memory", "--from", day, "--to", day, status: 1)
        let line = try #require(found["differences"]?.array?.compactMap { $0["import"]?.object }.first)
        var imported = line
        imported["scope"] = "pos"
        let text = String(decoding: JSON.object(imported).bytes(), as: UTF8.self)
        #expect(await shop.run("journal", "import", "-", input: text).status == 0)
        func run(_ more: String...) async -> CommandRun { await CommandRun.of(words + more + shop.place) }
        let all = await run()
        #expect(all.status == 0 && all.text.contains("scopes       every one (the default one, pos)"), "\(all.text)")
        for scope in ["pos", ""] {
            let one = await run("--scope", scope)
            #expect(one.status == 0 && one.text.contains("1 rows of payments of other scopes"), "\(one.text)")
        }
        #expect(await run("--scope", "po").status == 2)
    }

    @Test func everyFormat_saysWhatWasCompared() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR", "--reference", "order-1")
        let day = try await today(shop)
        let files = ["txt", "html", "md", "xml", "json"].map { "\(shop.folder)/books.\($0)" }
        let run = await CommandRun.of(
            ["reconcile", "memory", "--from", day, "--to", day] + shop.place + files.flatMap { ["--report", $0] })
        #expect(run.status == 0, "\(run.text) \(run.errors)")
        for file in files.prefix(4) {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let words = ["memory (memory, ", "simulated", "every one (the default one)", "\(day) to \(day), UTC"]
            for word in words { #expect(text.contains(word), "\(file) lacks \(word): \(text)") }
        }
        let json = try JSONReader().read(Array(try Data(contentsOf: URL(filePath: files[4]))))
        #expect(json["isSimulated"]?.bool == true && json["isEveryScope"]?.bool == true)
        #expect(json["scopes"]?.array?.map(\.string) == [""] && json["environment"]?.string?.isEmpty == false)
    }

    /// What is only in transit is not compared yet, and no reason to look.
    @Test func saleInTransit_alone_isPending() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--provider", "adyen", "--reference", "order-1")
        let day = String(try #require(try await shop.json("show", id)["begunAt"]?.string).prefix(10))
        let path = "\(shop.folder)/report.csv"
        try (StatementFileTests.accounting + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let run = await shop.run("reconcile", "adyen", "--from", day, "--to", day, "--file", path)
        #expect(run.status == 6 && run.text.contains("1 in transit"), "\(run.text)")
    }

    /// The day by the simulated providers' clock.
    private func today(_ shop: CommandShop) async throws -> String {
        let listed = try await shop.json("list")
        return String(try #require(listed["payments"]?.array?.first?["begunAt"]?.string).prefix(10))
    }
}
