import PaymentBase
import Testing

/// What is done once is not done twice, however a line is typed again.
@Suite struct OnceTests {
    private func lost(_ shop: CommandShop, _ paths: [String] = ["/payments", "/attempts/:attempt"]) async {
        for path in paths {
            let fault = ["sandbox", "fault", "reply.lost", "--provider", "memory", "--times", "400", "--path", path]
            #expect(await CommandRun.of(fault + ["--state", shop.state]).status == 0)
        }
    }

    @Test(arguments: [" r", "r ", "r\u{A0}", "a\u{A0}b", "a\u{200B}b", "a\tb", "a\u{3000}b", "a\u{FFFD}b", "a\u{FEFF}"])
    func aReferenceThatLooksLikeAnotherIsRefused(_ reference: String) async throws {
        let shop = try CommandShop()
        for words in [
            ["sale", "1", "EUR"], ["authorize", "1", "EUR"],
            ["refund", "--unlinked", "1", "ZAR", "--provider", "halo"],
        ] {
            let run = await CommandRun.of(words + ["--reference", reference] + shop.place)
            #expect(run.status == 2 && run.errors.first?.contains("--reference") == true, "\(words): \(run.errors)")
        }
        #expect(await shop.run("sale", "1", "EUR", "--reference", "Tisch 4 – Ü").status == 0)
    }

    @Test func aSaleWithoutANameIsNotRepeatedWhileOneLikeItIsOpen() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("1", "EUR")
        await lost(shop)
        let first = await shop.run("sale", "--unreferenced", "10", "EUR")
        #expect(first.status == 3, "\(first.errors)")
        let list = try await shop.json("list", "--status", "open")
        let id = try #require(list["payments"]?[0]?["attempt"]?.string)
        let again = await shop.run("sale", "--unreferenced", "10", "EUR")
        #expect(again.status == 3, "\(again.errors)")
        let said = again.errors.joined(separator: "\n")
        for word in ["attempt \(id)", "without a reference", "resolve"] {
            #expect(said.contains(word), "\(word): \(said)")
        }
        #expect(!said.contains("present the card") && !said.contains("preparing"), "\(said)")
        #expect(try await shop.json("list")["payments"]?.array?.count == 2)
        // Another amount, or a reference, is another one.
        _ = await CommandRun.of(["sandbox", "fault", "--clear", "--state", shop.state])
        _ = try await shop.sold("11", "EUR")
        _ = try await shop.sold("10", "EUR", "--reference", "other")
        // Once it is known what became of it, the same line charges again.
        let known = try await shop.json("status", "--attempt", id)
        #expect(known["status"]?.string == "approved")
        _ = try await shop.sold("10", "EUR")
    }

    @Test func theJournalIsAskedBeforeTheReader() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("1", "EUR")
        await lost(shop)
        #expect(await shop.run("sale", "10", "EUR", "--attempt", "d-1", "--reference", "dbl").status == 3)
        _ = await CommandRun.of([
            "sandbox", "fault", "reply.lost", "--provider", "memory", "--times", "400", "--state", shop.state,
        ])
        let again = await shop.run("sale", "10", "EUR", "--reference", "dbl")
        #expect(again.status == 3 && again.errors.joined().contains("d-1"), "\(again.errors)")
        #expect(!again.errors.contains { $0.contains("preparing") || $0.contains("present") }, "\(again.errors)")
    }

    @Test func theCommandThatIsPrintedWorks() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("1", "EUR")
        await lost(shop)
        #expect(await shop.run("sale", "10", "EUR", "--attempt", "w1", "--reference", "w").status == 3)
        _ = await CommandRun.of(["sandbox", "fault", "--clear", "--state", shop.state])
        #expect(await shop.run("recover").status == 0)
        for (words, next) in [
            (["sale", "12", "EUR", "--reference", "w"], "payctl status --attempt w1"),
            (["authorize", "10", "EUR", "--reference", "w"], "payctl status --attempt w1"),
            (["sale", "10", "EUR", "--reference", "w"], "payctl status --attempt w1"),
        ] {
            let run = await CommandRun.of(words + shop.place)
            #expect(run.status == 5, "\(words): \(run.errors)")
            let line = try #require(run.errors.first { $0.hasPrefix("next") }, "\(words): \(run.errors)")
            #expect(line.contains(next) && line.contains("--attempt w1"), "\(words): \(line)")
            let typed = line.split(separator: " ").dropFirst(2).map(String.init)
            #expect(await CommandRun.of(typed).status == 0, "\(line)")
        }
    }

    @Test func aCardNumberIsNoAttempt() async throws {
        let shop = try CommandShop()
        let run = await shop.run("sale", "--unreferenced", "1", "EUR", "--attempt", "4111111111111111")
        #expect(run.status == 2 && !run.errors.joined().contains("411111"), "\(run.errors)")
        #expect(try await shop.json("list")["payments"]?.array?.isEmpty == true)
    }

    @Test func anOptionThatMeansOneThingIsGivenOnce() async throws {
        let shop = try CommandShop()
        let run = await shop.run("sale", "1", "EUR", "--reference", "a", "--reference", "b")
        #expect(run.status == 2 && run.errors.first?.contains("--reference is given twice") == true, "\(run.errors)")
    }

    @Test func idsAndAmountsCanBeReadInAMessage() async throws {
        let shop = try CommandShop()
        let id = "01a20d61-1111-7111-8111-111111111117"
        let unknown = await shop.run("sale", "--unreferenced", "1", "EUR", "--provider", id)
        #expect(unknown.errors.first?.contains(id) == true, "\(unknown.errors)")
        let card = await shop.run("sale", "--unreferenced", "1", "EUR", "--provider", "4111-1111-1111-1111")
        #expect(card.errors.first?.contains("4111-1111-1111") == false, "\(card.errors)")
    }

    @Test func aPercentageAboveTheWholeIsNoPrice() async throws {
        let shop = try CommandShop()
        for option in ["--discount-percent", "--tip-percent", "--surcharge-percent"] {
            let run = await shop.run("quote", "100", "USD", "--provider", "arise", option, "150")
            #expect(run.status == 2 && run.errors.first?.contains("at most 100") == true, "\(option): \(run.errors)")
        }
        #expect(await shop.run("quote", "100", "USD", "--provider", "arise", "--discount-percent", "100").status == 0)
    }
}
