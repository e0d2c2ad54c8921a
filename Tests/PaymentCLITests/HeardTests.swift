import Foundation
import PaymentBase
import PaymentTestPrograms
import Testing

/// What a program says when its own line, its answer or its time is cut off, as a shell sees it.
@Suite struct HeardTests {
    /// A shell in a folder of its own, where `P` is the program and every call has a state of its own there.
    private func shell(_ line: String) throws -> (code: Int32, output: String, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = try TestProgram.run(
            "/bin/bash", ["-c", "P() { \"$PAYCTL\" \"$@\" --state s; }\n" + line], in: folder.path,
            environment: ProcessInfo.processInfo.environment.merging(["PAYCTL": try SandboxProcess.program().path]) {
                $1
            })
        return (run.code, run.output, run.errors)
    }

    @Test func whatIsNoTextIsRefusedBeforeAnythingElse() throws {
        let run = try shell(#"P sale 1 EUR --reference $'order-\xe9'"#)
        #expect(run.code == 2 && run.errors.contains("argument 5 is no UTF-8"), "\(run)")
        let two = try shell(
            #"P sale 1 EUR --reference $'order-\xc3\xa9' && P list --format json | grep -c order-"#)
        #expect(two.code == 0 && two.output.hasSuffix("1\n"), "\(two)")
    }

    @Test(arguments: [">/dev/full", ">&-", "> >(exec true)"])
    func answerThatWasNotRead_isNotTakenForRead(_ place: String) throws {
        let line = "P sale 10 EUR --reference r1 --attempt a1 --format json"
        let wait = place.contains("true") ? "; sleep 0.2" : ""
        let run = try shell(
            "P list >/dev/null; exec 9>&1; { \(line) \(place.isEmpty ? "" : place); }; echo $? >&9\(wait)")
        // A pipe's reader may still be there for the first line.
        if place.contains("true"), run.output == "0\n" { return }
        #expect(run.output == "3\n", "\(run)")
        #expect(run.errors.contains("the answer could not be written"), "\(run)")
        #expect(run.errors.contains("status --attempt a1"), "\(run)")
    }

    @Test func sameLine_afterAnAnswerThatWasNotRead_isRefused() throws {
        let run = try shell(
            """
            P sale 10 EUR --reference r1 >/dev/full 2>/dev/null; echo $?
            P sale 10 EUR --reference r1; echo $?
            P refund r1 1 >/dev/full 2>/dev/null; echo $?
            P refund r1 1; echo $?
            P list --format json | grep -o '"refunded":{"value":"[0-9.]*' || P show r1
            """)
        #expect(run.output.hasPrefix("3\n5\n3\n5\n"), "\(run)")
        #expect(
            run.errors.contains("Nothing was charged now") && run.errors.contains("Nothing was refunded now"), "\(run)")
    }

    @Test func whatMovesNothingAndIsNotReadIsStatusTwo() throws {
        let run = try shell(
            """
            P sale 10 EUR --card declined --reference r1 >/dev/full; echo $?
            P list >/dev/full; echo $?
            P journal export >/dev/full; echo $?
            "$PAYCTL" --help >/dev/full; echo $?
            P list | head -0; echo ${PIPESTATUS[0]} | grep -v 13[0-9]
            """)
        #expect(run.output.hasPrefix("2\n2\n2\n2\n"), "\(run)")
        #expect(run.errors.contains("no space is left there"), "\(run)")
    }

    @Test func programThatMustStop_saysHowFarItCame() throws {
        let open = try shell(
            """
            P sale 1 EUR --reference r0 >/dev/null 2>&1
            P sandbox fault reply.never --provider memory --times 50 --path /payments >/dev/null
            "$PAYCTL" sale 10 EUR --attempt the-attempt --reference r1 --state s & p=$!
            # Told only when the simulated provider has it, however busy the machine is.
            for i in $(seq 600); do sleep 0.1; grep -q the-attempt s/companies.json && break; done
            kill -TERM $p; wait $p; echo $?
            """)
        #expect(open.output == "3\n" && open.errors.contains("status --attempt the-attempt"), "\(open)")
        #expect(open.errors.contains("payctl recover"), "\(open)")
        let before = try shell(
            """
            P list >/dev/null 2>&1; mkdir -p s; exec 9>s/companies.lock; flock 9
            "$PAYCTL" sale 10 EUR --attempt a1 --reference r1 --state s 9>&- & p=$!
            sleep 1; kill -INT $p; kill -TERM $p; wait $p; echo $?
            """)
        #expect(["4\n", "143\n"].contains(before.output), "\(before)")
    }

    /// The earlier card payment may have been executed: a script that reads 4 would take cash for the same order.
    @Test func programThatMustStop_whileAnOpenOrderHoldsItUp_endsWithThree() throws {
        let run = try shell(
            """
            P sale 1 EUR --reference r0 >/dev/null 2>&1
            for path in /payments /attempts/:attempt; do
              P sandbox fault reply.never --provider memory --times 50 --path $path >/dev/null
            done
            P sale 10 EUR --attempt a1 --reference r1 --within 2 >/dev/null 2>&1; echo $?
            "$PAYCTL" sale 10 EUR --attempt a2 --reference r1 --state s & p=$!
            # Once it holds the state, it asks what became of the first one, which takes ten seconds.
            for i in $(seq 600); do sleep 0.1; flock -n s/companies.lock true || break; done
            sleep 2; kill -TERM $p; wait $p; echo $?
            """)
        #expect(run.output == "3\n3\n" && run.errors.contains("a1"), "\(run)")
    }

    @Test func theTimeThatIsGivenCoversTheWaitForTheState() throws {
        let run = try shell(
            """
            mkdir -p s; exec 9>s/companies.lock; flock 9
            P sale 10 EUR --within 1 --reference r1 9>&-; echo $?
            """)
        #expect(run.output == "4\n" && run.errors.contains("timedOut"), "\(run)")
    }
}

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
        let id = try #require(list["items"]?[0]?["payment"]?.string)
        let again = await shop.run("sale", "--unreferenced", "10", "EUR")
        #expect(again.status == 3, "\(again.errors)")
        let said = again.errors.joined(separator: "\n")
        for word in ["attempt \(id)", "without a reference", "resolve"] {
            #expect(said.contains(word), "\(word): \(said)")
        }
        #expect(!said.contains("Present the card") && !said.contains("preparing"), "\(said)")
        #expect(try await shop.json("list")["items"]?.array?.count == 2)
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
        #expect(try await shop.json("list")["items"]?.array?.isEmpty == true)
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

/// How a command line names a payment: no payment's money moves because a text fits another one's.
@Suite struct NameTests {
    @Test func anEndIsAnEndOnlyBehindAMark() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("10", "EUR", "--attempt", "till-2-order-1001", "--reference", "r1")
        let bare = await shop.run("refund", "order-1001", "5")
        #expect(bare.status == 5, "\(bare.out)")
        #expect(bare.errors.first?.contains("did you mean till-2-order-1001?") == true, "\(bare.errors)")
        #expect(try await shop.json("refund", "…order-1001", "5")["payment"]?.string == "till-2-order-1001")
        #expect(try await shop.json("show", "...order-1001")["payment"]?.string == "till-2-order-1001")
        #expect(await shop.run("show", "…1001").status == 2)
    }

    @Test func anIdThatIsAnothersReferenceIsRefusedUntilOneSaysWhich() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("10", "EUR", "--attempt", "order-5", "--reference", "alpha")
        _ = try await shop.sold("20", "EUR", "--attempt", "zz", "--reference", "order-5")
        for words in [["refund", "order-5", "1"], ["show", "order-5"], ["status", "order-5"], ["void", "order-5"]] {
            let both = await CommandRun.of(words + shop.place)
            #expect(both.status == 5, "\(words): \(both.out)")
            let said = both.errors.joined(separator: "\n")
            for name in ["the id of order-5", "the reference of zz", "id:order-5", "reference:order-5", "payctl list"] {
                #expect(said.contains(name), "\(words): \(said)")
            }
        }
        #expect(try await shop.json("refund", "id:order-5", "1")["payment"]?.string == "order-5")
        #expect(try await shop.json("refund", "reference:order-5", "1")["payment"]?.string == "zz")
        #expect(try await shop.json("show", "zz")["payment"]?.string == "zz")
        // What is called like its own reference is itself.
        _ = try await shop.sold("3", "EUR", "--attempt", "order-6", "--reference", "order-6")
        #expect(try await shop.json("show", "order-6")["payment"]?.string == "order-6")
    }

    @Test func whatFollowedAPaymentIsNoPayment() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("10", "EUR", "--attempt", "p-1")
        _ = try await shop.json("refund", "p-1", "2", "--attempt", "p-2")
        let refund = await shop.run("refund", "p-2", "1")
        #expect(refund.status == 5 && refund.errors.first?.contains("of the payment p-1") == true, "\(refund.errors)")
        #expect(refund.errors.contains { $0.hasPrefix("next") && $0.contains("payctl show p-1") }, "\(refund.errors)")
        #expect(try await shop.json("status", "p-2")["operation"]?.string == "refund")
    }

    @Test func everyCommandTakesEveryFormOfAName() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("10", "EUR", "--reference", "table 4")
        let short = "…" + id.suffix(8)
        for name in [id, "table 4", short] {
            #expect(try await shop.json("status", name)["attempt"]?.string == id)
            #expect(try await shop.json("status", "--attempt", name)["attempt"]?.string == id)
            let decided = await shop.run("resolve", name, "--not-executed", "--because", "b")
            #expect(decided.status == 5 && decided.errors.first?.hasPrefix("conflict") == true, "\(decided.errors)")
            let other = await shop.run("resolve", id, "--same-as", name, "--because", "b")
            #expect(other.status == 5 && other.errors.first?.hasPrefix("conflict") == true, "\(other.errors)")
        }
    }

    @Test func whatIsNotThereIsStatusFiveEverywhere() async throws {
        let shop = try CommandShop()
        for words in [
            ["status", "nosuch"], ["status", "--attempt", "nosuch"], ["show", "nosuch"], ["refund", "nosuch", "1"],
            ["resolve", "nosuch", "--not-executed", "--because", "b"], ["receipt", "nosuch"], ["void", "nosuch"],
            ["capture", "nosuch"], ["adjust", "nosuch", "5"], ["show", "no such table"],
        ] {
            let run = await CommandRun.of(words + shop.place)
            #expect(run.status == 5 && run.errors.contains { $0.hasPrefix("notFound") }, "\(words): \(run.errors)")
        }
        let asked = try await shop.json("status", "nosuch", status: 5)
        #expect(asked["error"]?["outcome"]?.string == "unknown", "it may stand in another journal")
        #expect(try await shop.json("list")["items"]?.array?.isEmpty == true)
    }
}
