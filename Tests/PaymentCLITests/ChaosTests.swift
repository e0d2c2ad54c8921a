import Foundation
import PaymentBase
import Testing

/// The built-in simulation, as a person uses it to learn.
@Suite struct ChaosTests {
    private func sandbox(_ shop: CommandShop, _ words: String...) async -> CommandRun {
        await CommandRun.of(["sandbox"] + words + ["--state", shop.state])
    }

    @Test func theNightPassesByCommand() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("10", "USD", "--provider", "arise")
        let early = await shop.run("refund", id, "2")
        #expect(early.status == 5, "ARISE gives nothing back before the batch is closed: \(early.errors)")
        let clock = await sandbox(shop, "clock", "--advance", "1d")
        #expect(clock.status == 0 && clock.text.contains("1 d ahead of this machine"))
        let late = try await shop.json("refund", id, "2")
        #expect(late["status"]?.string == "approved")
        let still = await sandbox(shop, "clock")
        #expect(still.text.contains("1 d ahead"))
        for wrong in ["1", "d", "-1d", "1w", "4000d", "99999999999999999999d"] {
            #expect(await sandbox(shop, "clock", "--advance", wrong).status == 2, "\(wrong)")
        }
    }

    @Test func aFaultWaitsForTheNextCallAndIsPlayedSoOften() async throws {
        let shop = try CommandShop()
        let armed = await sandbox(
            shop, "fault", "status.503-before", "--provider", "halo", "--path", "/x", "--skip", "2")
        #expect(armed.status == 0 && armed.text.contains("status.503-before on 1 request(s) to halo at /x, after 2"))
        let cleared = await sandbox(shop, "fault", "--clear")
        #expect(cleared.text == "no fault waits")
        _ = try await shop.sold("1", "EUR")
        _ = await sandbox(shop, "fault", "request.lost", "--provider", "memory", "--times", "60")
        let lost = await shop.run("sale", "--unreferenced", "5", "EUR")
        #expect(lost.status == 4, "\(lost.errors)")
        #expect(lost.errors.contains { $0.contains("http://memory.sandbox:80: the connection ended without a reply") })
        #expect(lost.errors.contains("Nothing moved."))
        let left = await sandbox(shop, "fault")
        #expect(left.text.contains("request.lost on ") && !left.text.contains("on 60 request"), "\(left.text)")
        _ = await sandbox(shop, "fault", "--clear")
        #expect(await shop.run("sale", "--unreferenced", "5", "EUR").status == 0)
    }

    @Test func whatIsPendingIsDecidedByCommandEitherWay() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("12", "EUR", "--provider", "adyen")
        for (attempt, outcome, status, word) in [
            ("d-1", "succeeds", 0, "approved"), ("d-2", "fails", 1, "declined"),
        ] {
            let refund = await CommandRun.of(
                ["refund", id, "2", "--reference", attempt, "--attempt", attempt] + shop.place)
            #expect(refund.status == 6, "\(refund.errors)")
            let decided = await sandbox(shop, "decide", "adyen", attempt, outcome)
            #expect(decided.status == 0 && decided.text.contains("payctl status --attempt \(attempt)"))
            let after = try await shop.json("status", "--attempt", attempt, status: Int32(status))
            #expect(after["status"]?.string == word)
        }
        let later = await sandbox(shop, "decide", "adyen", "d-1", "failsLater")
        #expect(later.status == 0, "\(later.errors)")
        let failed = try await shop.json("status", "--attempt", "d-1", status: 1)
        #expect(failed["decline"]?["reason"]?.string == "failedLater")
        let nothing = await sandbox(shop, "decide", "adyen", "d-9", "succeeds")
        #expect(nothing.status == 5 && nothing.errors.first?.contains("nothing to decide") == true)
    }

    @Test func aPageIsPaidByCommandAndOnce() async throws {
        let shop = try CommandShop(
            configuration: """
                {"active": "ecommpay", "providers": {"ecommpay": {"adapter": "ecommpay", "environment": "simulated",
                 "merchant": "1234", "settings": {"link": "page"}}},
                 "journal": {"kind": "sqlite", "path": "state:journal.sqlite"}}
                """)
        for (attempt, card, status, word) in [
            ("g-1", "mastercard", 0, "approved"), ("g-2", "declined", 1, "declined"),
        ] {
            let begun = await shop.run(
                "sale", "12.50", "EUR", "--source", "page", "--attempt", attempt, "--reference", attempt)
            #expect(begun.status == 6, "\(begun.errors)")
            let hint = try #require(begun.errors.first { $0.contains("payctl sandbox visit ecommpay") })
            let address = try #require(hint.split(separator: "'").last.map(String.init))
            let paid = await sandbox(shop, "visit", "ecommpay", address, "--card", card, "--format", "json")
            #expect(paid.status == 0, "\(paid.errors)")
            #expect(try OutputSchemas.problems(["sandbox", "visit"], paid.json) == [])
            let after = try await shop.json("status", "--attempt", attempt, status: Int32(status))
            #expect(after["status"]?.string == word)
            let again = await sandbox(shop, "visit", "ecommpay", address)
            #expect(again.status == 5 && again.errors.first?.contains("takes no money") == true, "\(again.errors)")
        }
        let none = await sandbox(shop, "visit", "halo", "https://halo.example/pay")
        #expect(none.status == 5 && none.errors.first?.contains("no pages") == true, "\(none.errors)")
        #expect(await sandbox(shop, "visit", "ecommpay", "nowhere", "--card", "gold").status == 2)
        #expect(await sandbox(shop, "visit", "ecommpay", "nowhere").status == 5)
    }

    @Test func aRunningSandboxIsCommandedByItsAddress() async throws {
        let process = try SandboxProcess(["--provider", "memory"])
        let at = ["--at", "\(process.control)"]
        let clock = await CommandRun.of(["sandbox", "clock", "--advance", "36h"] + at)
        #expect(clock.status == 0 && clock.text.contains("1 d ahead"))
        let fault = await CommandRun.of(["sandbox", "fault", "reply.lost", "--times", "3"] + at)
        #expect(fault.status == 0 && fault.text.contains("reply.lost on 3 request(s)"))
        process.terminate()
        _ = process.end()
        let gone = await CommandRun.of(["sandbox", "clock"] + at)
        #expect(gone.status == 4 && gone.errors.first?.contains("nothing listens") == true, "\(gone.errors)")
        let wrong = await CommandRun.of(["sandbox", "clock", "--at", "here"])
        #expect(wrong.status == 2)
    }

    @Test func readersAndTerminalsSayWhatTheCustomerReads() async throws {
        let shop = try CommandShop()
        let reader = await shop.run("sale", "--unreferenced", "5", "ZAR", "--provider", "halo")
        #expect(reader.status == 0 && reader.errors.contains("reader: Present the card."), "\(reader.errors)")
        #expect(reader.errors.contains("reader: Take the card away."))
        let terminal = await shop.run("sale", "--unreferenced", "5", "EUR", "--provider", "adyen")
        #expect(terminal.errors.contains("terminal V400m-324688042: Present the card."), "\(terminal.errors)")
        let preparing = terminal.errors.firstIndex { $0.hasPrefix("preparing the reader") }
        let presenting = terminal.errors.firstIndex { $0.hasSuffix("Present the card.") }
        #expect(try #require(preparing) < (try #require(presenting)), "nobody presents a card before it is ready")
        let typed = await shop.run("sale", "--unreferenced", "5", "EUR", "--provider", "ecommpay")
        #expect(typed.status == 0 && !typed.errors.contains { $0.contains("present") })
        let none = await shop.run("sale", "--unreferenced", "0", "ZAR", "--provider", "halo")
        #expect(none.status == 2 && !none.errors.contains { $0.contains("prepar") }, "nothing is prepared for nothing")
    }

    @Test func sale_besideAConfigurationThatCanNotBeRead_isNotSimulated() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "providers.json").path, withDestinationPath: "nowhere.json")
        let sale = try SandboxProcess.plain(["sale", "5", "EUR", "--reference", "o", "--state", "state"], in: folder)
        #expect(sale.code == 2 && sale.words.contains("providers.json"), "\(sale)")
        let doctor = try SandboxProcess.plain(["doctor", "--state", "state"], in: folder)
        #expect(doctor.code != 0 && !doctor.output.contains("simulated"), "\(doctor)")
    }

    @Test func withoutAFileEverythingIsSimulatedAndThatIsSaid() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (code, words, output) = try SandboxProcess.plain(
            ["sale", "5", "EUR", "--reference", "o", "--state", "state"], in: folder)
        #expect(code == 0 && output.contains("approved: sale of 5.00 EUR"), "\(words)")
        #expect(words.contains("every provider is simulated"))
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "state").path)
        #expect(kept.contains("simulation.sqlite") && !kept.contains("journal.sqlite"))
        let plan = try SandboxProcess.plain(
            ["switch", "plan", "arise", "adyen", "--apply", "--state", "state"], in: folder)
        #expect(plan.code == 2 && plan.words.contains("payctl init"))
        let named = try SandboxProcess.plain(["list", "--config", "providers.json", "--state", "state"], in: folder)
        #expect(named.code == 2 && named.words.contains("payctl init"), "a file that is named has to be there")
    }
}
