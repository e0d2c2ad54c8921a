import Foundation
import PaymentBase
import Testing

/// What a hostile user brought about: money of two worlds in one sum, claims about a journal that lacks payments, and lines
/// to type that make a wrong record.
@Suite struct NinthAttackTests {
    /// A folder with several configurations over one state folder.
    private let shop: CommandShop
    private let day: String

    init() async throws {
        shop = try CommandShop()
        let listed = try await shop.json("day")
        day = try #require(listed["date"]?.string)
    }

    private static let simulated =
        #""memory": {"adapter": "memory", "environment": "sandbox", "merchant": "m-1"}"#

    /// An account of the real Adyen; nothing is sent to it.
    private static func till(_ environment: String) -> String {
        let checkout = "https://abc-checkout-live.adyenpayments.com/checkout/v72"
        return #""till": {"adapter": "adyen", "environment": "\#(environment)", "merchant": "Shop", "#
            + #""credentials": {"apiKey": "env:NEVER_READ"}, "settings": {"terminal": "V400m-324688042""#
            + (environment == "live" ? #", "checkout": "\#(checkout)""# : "") + "}}"
    }

    /// Runs a command with other providers over the journal `books.sqlite`.
    private func run(_ providers: String, _ active: String, _ words: String..., input: String = "") async throws
        -> CommandRun
    {
        let path = "\(shop.folder)/\(UUID().uuidString).json"
        let text = """
            {"active": "\(active)", "providers": {\(providers)}, "journal": {"kind": "sqlite", "path": "books.sqlite"}}
            """
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return await CommandRun.of(words + ["--config", path, "--state", shop.state], input: input)
    }

    private func line(_ id: String, _ environment: String) -> String {
        #"{"attempt": "\#(id)", "provider": "till", "adapter": "adyen", "environment": "\#(environment)", "#
            + #""merchant": "Shop", "reference": "\#(id)", "minorUnits": 1250, "currency": "EUR", "#
            + #""takenAt": "\#(day)T00:00:00Z", "references": {"psp": "PSP-\#(id)"}}"# + "\n"
    }

    private func sandbox(_ words: String...) async {
        let run = await CommandRun.of(["sandbox"] + words + ["--state", shop.state])
        #expect(run.status == 0, "\(run.errors)")
    }

    /// Loses what is exchanged at a path of memory, and lets no lookup tell what became of it.
    private func lose(_ fault: String, _ path: String) async {
        await sandbox("fault", fault, "--provider", "memory", "--path", path, "--times", "9")
        await sandbox(
            "fault", "status.503-before", "--provider", "memory", "--path", "/attempts/:attempt", "--times", "400")
    }

    // MARK: Two worlds

    @Test func import_realPayment_intoSimulatedJournal_isRefused() async throws {
        let sale = try await run(Self.simulated, "memory", "sale", "5", "EUR", "--reference", "s-1")
        #expect(sale.status == 0, "\(sale.errors)")
        let adopted = try await run(Self.till("test"), "till", "journal", "import", input: line("old-1", "test"))
        #expect(adopted.status == 2 && adopted.errors.joined().contains("never share"), "\(adopted)")
        let listed = try await run(Self.simulated, "memory", "list")
        #expect(!listed.text.contains("old-1"), "\(listed.text)")
    }

    @Test func saleAtASimulation_journalOfARealAdapterNotConfigured_isRefused() async throws {
        let adopted = try await run(Self.till("test"), "till", "journal", "import", input: line("old-1", "test"))
        #expect(adopted.status == 0, "\(adopted.errors)")
        let sale = try await run(Self.simulated, "memory", "sale", "5", "EUR", "--reference", "s-1")
        #expect(sale.status == 2 && sale.errors.joined().contains("real payments (old-1"), "\(sale)")
    }

    @Test func day_paymentsOfTestAndLive_addsThemUpNowhere() async throws {
        for (id, environment) in [("old-1", "test"), ("old-2", "live")] {
            let adopted = try await run(
                Self.till(environment), "till", "journal", "import", input: line(id, environment))
            #expect(adopted.status == 0, "\(adopted.errors)")
        }
        let summed = try await run(Self.till("test"), "till", "day", "--date", day)
        #expect(summed.text.contains("12.50 EUR") && !summed.text.contains("25.00 EUR"), "\(summed.text)")
        #expect(summed.text.contains("all, till (live)"), "\(summed.text)")
        let table = try await run(Self.till("live"), "till", "day", "--date", day, "--format", "csv")
        #expect(table.text.contains("not known at till (test),1,12.50"), "\(table.text)")
        #expect(table.text.contains("not known at till,1,12.50"), "\(table.text)")
    }

    /// A pilot at one provider's test environment beside the shop's real account at another.
    @Test(arguments: ["till", "shop"])
    func day_testOfOneAdapterAndLiveOfAnother_addsThemUpNowhere(_ active: String) async throws {
        let real =
            #""shop": {"adapter": "arise", "environment": "production", "merchant": "m-1", "#
            + #""credentials": {"clientSecret": "env:NEVER_READ"}, "settings": {"clientId": "C"}}"#
        let both = "\(real), \(Self.till("test"))"
        let live = line("old-2", "production").replacing("\"till\"", with: "\"shop\"")
            .replacing("\"adyen\"", with: "\"arise\"").replacing("\"Shop\"", with: "\"m-1\"")
            .replacing("\"psp\"", with: "\"transaction\"")
        let adopted = try await run(both, active, "journal", "import", input: line("old-1", "test") + live)
        #expect(adopted.status == 0, "\(adopted.errors)")
        let summed = try await run(both, active, "day", "--date", day)
        #expect(summed.text.contains("12.50 EUR") && !summed.text.contains("25.00 EUR"), "\(summed.text)")
        let apart = active == "shop" ? "all, till (test)" : "all, shop (production)"
        #expect(summed.text.contains(apart), "\(summed.text)")
    }

    @Test func reconcile_rowThatAnotherAccountHas_isNotProposedForImport() async throws {
        let adopted = try await run(Self.till("live"), "till", "journal", "import", input: line("old-1", "live"))
        #expect(adopted.status == 0, "\(adopted.errors)")
        let report = "\(shop.folder)/report.csv"
        let rows = [
            "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
                + "Received (PC),Authorised (PC),Captured (PC)",
            "Shop,PSP-old-1,old-1,\(day) 10:00:00,UTC,Authorised,EUR,,12.50,",
            "Shop,PSP-old-1,old-1,\(day) 10:00:00,UTC,SentForSettle,EUR,,-12.50,12.50",
        ]
        try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: report))
        let run = try await run(
            Self.till("test"), "till", "reconcile", "till", "--from", day, "--to", day, "--file", report)
        #expect(run.status == 1 && !run.text.contains("journal import"), "\(run.text)")
        #expect(run.text.contains("this journal has the name at till (adyen, live, Shop)"), "\(run.text)")
    }

    // MARK: A journal that lacks payments

    @Test func journalThatContinuesElsewhere_dayAndRecover_claimNothing() async throws {
        let sale = try SandboxProcess.plain(["sale", "5", "EUR", "--reference", "s-1"] + shop.place)
        #expect(sale.code == 0, "\(sale)")
        let from = "\(shop.state)/simulation.sqlite"
        let moved = await CommandRun.of(["journal", "copy", from, "\(shop.folder)/moved.sqlite", "--move"])
        #expect(moved.status == 0, "\(moved.errors)")
        let recovered = await shop.run("recover")
        #expect(recovered.status == 2 && !recovered.text.contains("nothing is open"), "\(recovered.text)")
        #expect(recovered.errors.contains { $0.contains("continues in another one") }, "\(recovered.errors)")
        let summed = await shop.run("day")
        #expect(summed.status == 1 && !summed.text.contains("Nothing of the day"), "\(summed.text)")
        #expect(summed.text.contains("may lack payments") && summed.text.contains("5.00 EUR"), "\(summed.text)")
        let listed = try await shop.json("list")
        #expect(listed["lookedAt"]?["lack"]?.string?.contains("continues in another one") == true, "\(listed)")
    }

    @Test func journalRestoredFromABackup_dayAndRecover_claimNothing() async throws {
        func sell(_ reference: String) throws {
            let sale = try SandboxProcess.plain(["sale", "5", "EUR", "--reference", reference] + shop.place)
            #expect(sale.code == 0, "\(sale)")
        }
        try sell("s-1")
        let backup = try JournalFiles(shop)
        try sell("s-2")
        try backup.restore()
        let recovered = await shop.run("recover")
        #expect(recovered.status == 1 && !recovered.text.contains("nothing is open"), "\(recovered.text)")
        let summed = await shop.run("day")
        #expect(summed.status == 1 && summed.text.contains("may lack payments"), "\(summed.text)")
        let advice = "payctl journal accept-restored --config \(shop.path) --state \(shop.state)"
        #expect(summed.text.contains(advice), "\(summed.text)")
        // Until a person has closed the gap, what the backup lost may be open.
        #expect(await shop.run("journal", "accept-restored").status == 0)
        let accepted = await shop.run("recover")
        #expect(accepted.status == 1 && accepted.text.contains("--gap-closed --by NAME"), "\(accepted.text)")
        let doctor = await shop.run("doctor")
        #expect(doctor.text.contains("--gap-closed --by NAME"), "\(doctor.text)")
        #expect(await shop.run("journal", "accept-restored", "--gap-closed", "--by", "Ada").status == 0)
        let closed = await shop.run("recover")
        #expect(closed.status == 0 && closed.text.contains("nothing is open"), "\(closed.text)")
    }

    // MARK: Decisions

    @Test func resolve_executedOverAnotherAmount_saysTheAmountThatWasRecorded() async throws {
        let sale = try await shop.sold("1", "EUR", "--reference", "s-1")
        await lose("request.lost", "/payments/:id/refund")
        let refund = await shop.run("refund", sale, "0.40", "--attempt", "back-1")
        #expect(refund.status == 3, "\(refund.errors)")
        let decided = await shop.run(
            "resolve", "back-1", "--executed", "mp_9", "--amount", "0.90", "--because", "their letter")
        #expect(decided.status == 0 && decided.text == "approved: refund of 0.90 EUR", "\(decided)")
        #expect(!decided.errors.contains { $0.hasSuffix(": ") }, "\(decided.errors)")
    }

    @Test func resolve_executedAfterTheProviderSaidNo_repeated_isRefusedUnlessThePersonInsists() async throws {
        let sale = try await shop.sold("1", "EUR", "--reference", "s-1")
        await lose("request.lost", "/payments/:id/refund")
        let refund = await shop.run("refund", sale, "0.40", "--attempt", "back-1")
        #expect(refund.status == 3, "\(refund.errors)")
        await sandbox("fault", "--clear")
        await sandbox("clock", "--advance", "1h")
        let recovered = await shop.run("recover")
        #expect(recovered.text.contains("notExecuted"), "\(recovered.text)")
        let again = await shop.run("resolve", "back-1", "--executed", "mp_9", "--because", "x")
        #expect(again.status == 3 || again.status == 5, "\(again)")
        #expect(again.errors.joined().contains("--anyway"), "\(again.errors)")
        let insists = await shop.run("resolve", "back-1", "--executed", "mp_9", "--because", "x", "--anyway")
        #expect(insists.status == 0, "\(insists.errors)")
    }

    @Test func reconcile_saleThatAPersonRecordedUnderAWrongName_isNotMatched() async throws {
        _ = try await shop.sold("1", "EUR", "--reference", "s-1")
        await lose("reply.lost", "/payments")
        let sale = await shop.run("sale", "10", "EUR", "--reference", "s-2", "--attempt", "s-2")
        #expect(sale.status == 3, "\(sale.errors)")
        let decided = await shop.run("resolve", "s-2", "--executed", "mp_99", "--because", "x", "--anyway")
        #expect(decided.status == 0 && !decided.errors.joined().contains("rawValue"), "\(decided.errors)")
        await sandbox("fault", "--clear")
        let run = await shop.run("reconcile", "memory", "--from", day, "--to", day)
        #expect(run.status == 1 && run.text.contains("a person recorded it as mp_99"), "\(run.text)")
    }

    // MARK: What is said of rows

    @Test func reconcile_rowsOfASaleThatCantBeRead_saleIsNotCalledInTransit() async throws {
        let id = try await shop.sold("12.50", "EUR", "--provider", "adyen", "--reference", "o-1")
        let psp = try #require(try await shop.json("show", id)["names"]?["psp"]?.string)
        let report = "\(shop.folder)/report.csv"
        let rows = [
            "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
                + "Received (PC),Authorised (PC),Captured (PC)",
            "TestMerchant,\(psp),o-1,\(day) 10:00:00,UTC,Authorised,JPY,,12.50,",
        ]
        try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: report))
        let run = await shop.run("reconcile", "adyen", "--from", day, "--to", day, "--file", report)
        #expect(run.status == 1 && !run.text.contains("wait for the next statement"), "\(run.text)")
        #expect(run.text.contains("a row about it can't be read"), "\(run.text)")
    }

    @Test func reconcile_paymentWithARefundThatOnlyTheReportHas_lineIsTakenAndMatches() async throws {
        let report = "\(shop.folder)/report.csv"
        let head =
            "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
            + "Received (PC),Authorised (PC),Captured (PC),Modification Psp Reference"
        let rows = [
            ("Authorised", "5.00", "", ""), ("SentForSettle", "-5.00", "5.00", "S1"),
            ("SentForRefund", "", "-2.00", "R1"),
            ("Refunded", "", "2.00", "R1"),
        ].map { "TestMerchant,P1,o-1,\(day) 00:00:00,UTC,\($0),EUR,,\($1),\($2),\($3)" }
        try Data(([head] + rows).map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: report))
        let words = ["reconcile", "adyen", "--from", day, "--to", day, "--file", report] + shop.place
        let found = try await CommandRun.of(words + ["--format", "json"]).json
        let line = try #require(found["differences"]?.array?.compactMap { $0["import"] }.first { $0.object != nil })
        #expect(line["refunded"]?.int64 == 200, "\(line)")
        let adopted = await shop.run("journal", "import", input: String(decoding: line.bytes(), as: UTF8.self) + "\n")
        #expect(adopted.status == 0 && adopted.text.contains("1 payment adopted"), "\(adopted.errors)")
        let again = await CommandRun.of(words)
        #expect(again.status == 0 && again.text.contains("nothing differs"), "\(again.text)")
    }

    @Test func reconcile_referenceThatIsACardNumber_isMaskedAndNotProposed() async throws {
        let report = "\(shop.folder)/report.csv"
        let text = """
            Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,\
            Received (PC),Authorised (PC),Captured (PC)
            TestMerchant,P1,4111111111111111,\(day) 10:00:00,UTC,Authorised,EUR,,5.00,
            TestMerchant,P1,4111111111111111,\(day) 10:00:00,UTC,SentForSettle,EUR,,-5.00,5.00

            """
        try Data(text.utf8).write(to: URL(filePath: report))
        for format in ["text", "json", "csv"] {
            let run = await shop.run(
                "reconcile", "adyen", "--from", day, "--to", day, "--file", report, "--format", format)
            #expect(run.status == 1 && !run.text.contains("4111111111111111"), "\(run.text)")
            #expect(run.text.contains("1111"), "\(run.text)")
        }
    }

    @Test func reconcile_refundWithoutAPayment_isMatched() async throws {
        let refund = await shop.run("refund", "7", "EUR", "--unlinked", "--reference", "u-1")
        #expect(refund.status == 0, "\(refund.errors)")
        let run = await shop.run("reconcile", "memory", "--from", day, "--to", day)
        #expect(run.status == 0 && run.text.contains("-7.00 EUR"), "\(run.text)")
    }

    @Test func reconcileAsTable_matchedRow_namesTheAttemptAndBothAmounts() async throws {
        let id = try await shop.sold("3", "EUR", "--reference", "s-1")
        let run = await shop.run("reconcile", "memory", "--from", day, "--to", day, "--format", "csv")
        let row = try #require(run.out.last { $0.hasPrefix("matched") } ?? run.out.first, "\(run.out)")
        #expect(run.status == 0 && row.contains("s-1,\(id)"), "\(run.out)")
        #expect(row.contains("approved,3.00,EUR,sale approved,3.00,EUR"), "\(row)")
    }

    @Test func show_partlyApprovedSale_saysTheApprovedAmountInItsTable() async throws {
        let id = try await shop.sold(
            "100.20", "USD", "--provider", "arise", "--source", "card", "--card", "visa", "--accept-partial",
            "--reference",
            "s-1")
        let page = "\(shop.folder)/page.txt"
        let shown = await shop.run("show", id, "--report", page)
        let row = try #require(shown.out.first { $0.contains("sale") && $0.hasSuffix(id) }, "\(shown.out)")
        #expect(row.contains("50.10 of 100.20 USD"), "\(row)")
        #expect(try String(contentsOfFile: page, encoding: .utf8).contains("50.10 of 100.20 USD"))
    }

    @Test func referenceOfARefundWithoutAPayment_isNotSaidToBePaid() async throws {
        let refund = await shop.run("refund", "7", "EUR", "--unlinked", "--reference", "u-1")
        #expect(refund.status == 0, "\(refund.errors)")
        let again = await shop.run("refund", "7", "EUR", "--unlinked", "--reference", "u-1")
        #expect(again.status == 5 && !again.errors.joined().contains("was paid"), "\(again.errors)")
        #expect(again.errors.joined().contains("refunded without a payment"), "\(again.errors)")
    }

    // MARK: Mistakes

    @Test func attemptOfAnotherScope_isNotSaidToBeAbsent() async throws {
        _ = try await shop.sold("3", "EUR", "--reference", "s-1")
        let line =
            #"{"attempt": "pos-1", "provider": "memory", "adapter": "memory", "environment": "sandbox", "#
            + #""merchant": "m-1", "reference": "o-9", "scope": "pos", "minorUnits": 500, "currency": "EUR", "#
            + #""takenAt": "\#(day)T00:00:00Z", "references": {"payment": "mp_50"}}"# + "\n"
        #expect(await shop.run("journal", "import", input: line).status == 0)
        for words in [["show", "pos-1"], ["show", "o-9"], ["status", "--attempt", "pos-1"]] {
            let run = await CommandRun.of(words + shop.place)
            #expect(run.status == 5 && run.errors.joined().contains("is of the scope pos"), "\(run.errors)")
            let there = await CommandRun.of(words + ["--scope", "pos"] + shop.place)
            #expect(there.status == 0 && there.text.contains("5.00 EUR"), "\(there.text) \(there.errors)")
        }
        let list = await shop.run("list", "--scope", "pos")
        #expect(list.text.contains("o-9") && !list.text.contains("3.00 EUR"), "\(list.text)")
        #expect(await shop.run("recover", "--scope", "pos").text.contains("the scope pos"))
    }

    /// The owner of the link chose where the copy would lie, and who could read it.
    @Test func copyOfAJournal_behindALinkThatLeadsNowhere_isNotMade() async throws {
        _ = try await shop.sold("3", "EUR", "--reference", "s-1")
        let (link, target) = ("\(shop.folder)/copy.sqlite", "\(shop.folder)/elsewhere.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let name = try FileManager.default.contentsOfDirectory(atPath: shop.state).first { $0.hasSuffix(".sqlite") }
        let run = await CommandRun.of(["journal", "copy", "\(shop.state)/\(try #require(name))", link])
        #expect(run.errors.joined().contains("can't be trusted"), "\(run.errors)")
        #expect(run.status != 0 && !FileManager.default.fileExists(atPath: target), "\(run.text) \(run.errors)")
    }

    /// The refusals of a shop's payment name `payctl resolve`: it reaches that shop's payment.
    @Test func attemptOfAShop_isShownAndAcknowledgedUnderItsScope() async throws {
        _ = try await shop.sold("3", "EUR", "--reference", "s-1")
        let line =
            #"{"attempt": "pos-1", "provider": "memory", "adapter": "memory", "environment": "sandbox", "#
            + #""merchant": "m-1", "reference": "o-9", "scope": "pos", "minorUnits": 500, "currency": "EUR", "#
            + #""takenAt": "\#(day)T00:00:00Z", "references": {"payment": "mp_50"}, "#
            + #""chargebacks": [{"name": "dis-1", "minorUnits": 200, "at": "\#(day)T00:00:01Z"}]}"# + "\n"
        let imported = await shop.run("journal", "import", input: line)
        #expect(imported.status == 0, "\(imported.errors)")
        let shown = await shop.run("show", "pos-1", "--scope", "pos")
        #expect(shown.status == 0 && shown.text.contains("5.00 EUR"), "\(shown.text) \(shown.errors)")
        let words = [
            "resolve", "pos-1", "--acknowledge", "reference", "--by", "Ann", "--because", "the dispute is lost",
        ]
        let without = await CommandRun.of(words + shop.place)
        #expect(without.status == 5 && without.errors.joined().contains("--scope NAME"), "\(without.errors)")
        let done = await CommandRun.of(words + ["--scope", "pos"] + shop.place)
        #expect(done.status == 0, "\(done.text) \(done.errors)")
    }

    @Test func scopeThatNothingHas_messageNamesThoseThereAre() async throws {
        _ = try await shop.sold("3", "EUR", "--reference", "s-1")
        for words in [["day"], ["reconcile", "memory", "--from", day, "--to", day]] {
            let run = await CommandRun.of(words + ["--scope", "tills"] + shop.place)
            #expect(run.status == 2, "\(run)")
            #expect(run.errors.joined().contains("only the default one, typed as --scope \"\""), "\(run.errors)")
        }
    }

    @Test func cardNumberTypedAsAPayment_isMasked() async throws {
        for words in [["show", "4111111111111111"], ["status", "--attempt", "4111111111111111"]] {
            let run = await CommandRun.of(words + shop.place)
            #expect(run.status == 5 && !run.errors.joined().contains("4111111111111111"), "\(run.errors)")
        }
    }

    @Test(arguments: [
        ["journal", "copy", "postgres://u:Secret7890@h/db", "x.sqlite"],
        ["journal", "init", "postgres://u:Secret7890@h/db"], ["sale", "1.00", "EUR", "postgres://u:Secret7890@h/db"],
    ]) func loginTypedInAWrongPlace_isNotPrinted(_ words: [String]) async throws {
        let run = await CommandRun.of(words + shop.place)
        #expect(run.status != 0 && !run.text.contains("Secret7890"), "\(run.text)")
        #expect(!run.errors.joined().contains("Secret7890"), "\(run.errors)")
    }

    @Test(arguments: [
        ["sale", "4111111111111111", "EUR", "--reference", "a"],
        ["sale", "1.00", "EUR", "--reference", "a", "--tip", "4111111111111111"],
        ["sale", "1.00", "EUR", "--reference", "a", "--config", "4111111111111111"],
        ["4111111111111111"], ["journal", "4111111111111111"], ["explain", "adyen", "4111111111111111"],
        ["explain", "4111111111111111", "05"], ["saved", "4111111111111111"],
        ["key", "new", "--shop", "4111111111111111"], ["doctor", "--config", "4111111111111111"],
    ]) func cardNumberTypedInAWrongPlace_isNotPrinted(_ words: [String]) async throws {
        let place = words.contains("--config") || words[0] == "key" || words.count == 1 ? [] : shop.place
        let run = await CommandRun.of(words + place)
        #expect(!run.text.contains("4111111111111111"), "\(run.text)")
        #expect(!run.errors.joined().contains("4111111111111111"), "\(run.errors)")
    }

    @Test func attemptIdThatBeginsWithAHyphen_isRefused() async throws {
        for id in ["--help", "-h", "--not-executed"] {
            let run = await shop.run("sale", "3", "EUR", "--reference", "s-1", "--attempt=\(id)")
            #expect(run.status == 2 && run.errors.joined().contains("begins with a hyphen"), "\(run)")
        }
    }

    /// What was charged is in the lost journal alone.
    @Test func journalThatIsGone_examined_isNotMadeAgain() async throws {
        let words = ["sale", "5", "EUR", "--reference", "s-1", "--attempt", "a-1"] + shop.place
        // In a process of its own, so that no process uses the journal any more.
        let sale = try SandboxProcess.plain(words)
        #expect(sale.code == 0, "\(sale)")
        for name in try FileManager.default.contentsOfDirectory(atPath: shop.state)
        where name.hasPrefix("simulation.sqlite") {
            try FileManager.default.removeItem(atPath: "\(shop.state)/\(name)")
        }
        for examined in [["check"], ["export"], ["init"], ["personal"], ["accept-restored"]].map({ ["journal"] + $0 })
            + [["doctor"]]
        {
            let run = await CommandRun.of(examined + shop.place)
            let said = run.text + run.errors.joined()
            #expect(run.status != 0 && said.contains("was used here before"), "\(examined): \(said)")
        }
        let again = await CommandRun.of(words)
        #expect(again.status == 2 && again.errors.joined().contains("was used here before"), "\(again.text)")
    }

    /// The list says what was refunded, and not of which payment.
    @Test func reconcile_refundThatNamesNoPayment_keepsTheSaleFromBeingImportedWhole() async throws {
        let shop = try CommandShop()
        let other = "\(shop.folder)/other.json"
        try String(contentsOfFile: shop.path, encoding: .utf8).replacing("simulation.sqlite", with: "other.sqlite")
            .write(toFile: other, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: other)
        func elsewhere(_ words: String...) async throws -> JSON {
            let run = await CommandRun.of(words + ["--config", other, "--state", shop.state, "--format", "json"])
            #expect(run.status == 0, "\(words): \(run.text) \(run.errors)")
            return try run.json
        }
        _ = try await elsewhere("sale", "49.99", "USD", "--provider", "arise", "--reference", "theirs")
        let begun = try await elsewhere("list")["items"]?[0]?["createdAt"]?.string
        let day = String(try #require(begun).prefix(10))
        let night = await CommandRun.of(["sandbox", "clock", "--advance", "1d", "--state", shop.state])
        #expect(night.status == 0, "\(night.errors)")
        func sale() async throws -> (isThere: Bool, line: JSON) {
            let found = try await shop.json("reconcile", "arise", "--from", day, "--to", day, status: 1)
            let one = found["differences"]?.array?.first { $0["thereAmount"] != nil || $0["import"] != nil }
            return (one != nil, one?["import"] ?? .null)
        }
        let whole = try await sale()
        #expect(whole.isThere && whole.line["minorUnits"]?.int64 == 4_999, "\(whole.line)")
        _ = try await elsewhere("refund", "theirs", "9.99")
        let refunded = try await sale()
        #expect(refunded.isThere && refunded.line.isNull, "\(refunded.line)")
    }
}
