import Foundation
import PaymentBase
import PaymentModel
import Testing

@testable import PaymentCLI

/// `payctl reconcile`, as a person types it.
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

    @Test func aReportIsComparedWithTheJournalWithoutARequest() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--provider", "adyen", "--reference", "order-1")
        let shown = try await shop.json("show", id)
        let psp = try #require(shown["names"]?["psp"]?.string ?? shown["names"]?["transaction"]?.string)
        let merchant = try #require(shown["account"]?.string)
        let at = try #require(shown["createdAt"]?.string)
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
        #expect(all.status == 0 && all.text.contains("scopes         every one (the default one, pos)"), "\(all.text)")
        for scope in ["pos", ""] {
            let one = await run("--scope", scope)
            #expect(one.status == 0 && one.text.contains("rows of payments of other scopes"), "\(one.text)")
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

    /// The payment was taken in another month, and the entry of the import was made today.
    @Test func importedPayment_belongsToTheDayOnWhichItWasTaken() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--provider", "adyen", "--reference", "order-1")
        let day = String(try #require(try await shop.json("show", id)["createdAt"]?.string).prefix(10))
        let path = "\(shop.folder)/report.csv"
        try (StatementFileTests.accounting + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let words = ["--from", day, "--to", day, "--file", path, "--transit", "0"]
        func missing() async throws -> Int64? {
            let run = await CommandRun.of(["reconcile", "adyen", "--format", "json"] + words + shop.place)
            return try run.json["groups"]?["onlyInJournal"]?["movements"]?.int64
        }
        #expect(try await missing() == 1)
        let line = """
            {"attempt":"old-1","provider":"adyen","adapter":"adyen","environment":"simulated","merchant":"TestMerchant",\
            "reference":"old","minorUnits":500,"currency":"EUR","takenAt":1700000000000,"references":{"psp":"OLD1"}}
            """
        let adopted = await shop.run("journal", "import", "-", input: line)
        #expect(adopted.status == 0, "\(adopted.errors)")
        #expect(try await missing() == 1)
    }

    /// Each account needs a statement of its own, and the output says so.
    @Test func otherAccountsOfTheJournal_areNamed() async throws {
        let shop = try CommandShop()
        _ = try await shop.sold("20", "EUR", "--reference", "order-1")
        _ = try await shop.sold("20", "EUR", "--provider", "adyen", "--reference", "order-2")
        let day = try await today(shop)
        let found = try await shop.json("reconcile", "memory", "--from", day, "--to", day)
        #expect(found["otherAccounts"]?.array?.map { $0["provider"]?.string } == ["adyen"], "\(found)")
        #expect(found["discrepancy"]?.isNull == true && found["read"]?["rows"]?.int64 == 1)
    }

    /// A file of another merchant account alone says nothing about this one.
    @Test func fileOfAnotherAccountAlone_isNotFine() async throws {
        let shop = try CommandShop()
        let path = "\(shop.folder)/report.csv"
        let row = StatementFileTests.booked("P1", "o", "SentForSettle", captured: "1.00", merchant: "Other")
        try "\(StatementFileTests.accounting)\n\(row)\n".write(toFile: path, atomically: true, encoding: .utf8)
        let run = await shop.run("reconcile", "adyen", "--from", "2026-11-01", "--to", "2026-11-30", "--file", path)
        #expect(run.status == 1 && run.text.contains("no row is of this account"), "\(run.text)")
    }

    /// What is only in transit is not compared yet, and no reason to look.
    @Test func saleInTransit_alone_isPending() async throws {
        let shop = try CommandShop()
        let id = try await shop.sold("20", "EUR", "--provider", "adyen", "--reference", "order-1")
        let day = String(try #require(try await shop.json("show", id)["createdAt"]?.string).prefix(10))
        let path = "\(shop.folder)/report.csv"
        try (StatementFileTests.accounting + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let run = await shop.run("reconcile", "adyen", "--from", day, "--to", day, "--file", path)
        #expect(run.status == 6 && run.text.contains("1 in transit"), "\(run.text)")
    }

    /// The day by the simulated providers' clock.
    private func today(_ shop: CommandShop) async throws -> String {
        let listed = try await shop.json("list")
        return String(try #require(listed["items"]?.array?.first?["createdAt"]?.string).prefix(10))
    }
}

/// Reports of providers as files.
@Suite struct StatementFileTests {
    static let accounting =
        "Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Booking Date,TimeZone,"
        + "Main Currency,Main Amount,Record Type,Payment Currency,Received (PC),Authorised (PC),Captured (PC),"
        + "Settlement Currency,Payable (SC),Modification Psp Reference"
    static let settlement =
        "Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,"
        + "Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,"
        + "Net Debit (NC),Net Credit (NC),Commission (NC),Batch Number"

    /// A row of the accounting report: what is booked, into which register, under which name of its own.
    static func booked(
        _ psp: String, _ reference: String, _ type: String, received: String = "", authorised: String = "",
        captured: String = "", name: String = "", at: String = "2026-11-03 10:00:00", merchant: String = "Shop"
    ) -> String {
        "Co,\(merchant),\(psp),\"\(reference)\",visa,\(at),UTC,EUR,,\(type),EUR,\(received),\(authorised),\(captured),EUR,,\(name)"
    }

    private func read(_ lines: [String], _ adapter: String = "adyen") throws -> Statement {
        try AdyenReport.statement(
            Array(("\u{FEFF}" + lines.joined(separator: "\r\n") + "\r\n").utf8), "report.csv", adapter: adapter,
            merchant: "Shop")
    }

    @Test func aLifeOfRowsBecomesOnePayment() throws {
        let statement = try read([
            Self.accounting,
            Self.booked("P1", "order, 1", "Received", received: "12.50"),
            Self.booked("P1", "order, 1", "Authorised", received: "-12.50", authorised: "12.50"),
            Self.booked("P1", "order, 1", "SentForSettle", authorised: "-12.50", captured: "12.50", name: "M1"),
            Self.booked("P1", "order, 1", "Settled", captured: "-12.50", name: "M1"),
            Self.booked("P1", "order, 1", "SentForRefund", captured: "-2.50", name: "R1"),
            Self.booked("P1", "order, 1", "Refunded", captured: "2.50", name: "R1"),
            Self.booked("P2", "o2", "Received", received: "3.00"),
            Self.booked("P2", "o2", "Refused", received: "-3.00"),
            Self.booked("P3", "o3", "Authorised", authorised: "7.00"),
            Self.booked("P3", "o3", "Cancelled", authorised: "-7.00"),
            Self.booked("P4", "o4", "Received", received: "8.00"),
            Self.booked("P5", "o5", "Authorised", authorised: "8.00"),
            Self.booked("P6", "o6", "Chargeback", captured: "-8.00", name: "C1"),
            Self.booked("X", "o", "Authorised", authorised: "8.00", merchant: "Other"),
            "Co,Shop,,,,2026-11-03 10:00:00,UTC,EUR,,Fee,EUR,,,,EUR,1,",
        ])
        let payments = statement.payments
        #expect(payments.map(\.names) == [["P1"], ["P2"], ["P3"], ["P4"], ["P5"]])
        #expect(payments.map(\.state) == [.held, .refused, .undone, .pending, .held])
        #expect(payments[0].held?.minorUnits == 1_250 && payments[0].reference == "order, 1")
        #expect(payments[0].at == Timestamp("2026-11-03T10:00:00Z")?.milliseconds)
        let movements = statement.listings.filter { $0.subject != .payment }
        #expect(movements.map(\.names) == [["M1"], ["R1"], ["C1"]])
        #expect(movements.map(\.subject) == [.capture, .refund, .chargeback])
        #expect(movements.map(\.moved?.minorUnits) == [1_250, 250, 800] && movements[1].payment == "P1")
        let amounts = statement.rows.map { $0.amount?.minorUnits }
        #expect(amounts.prefix(7) == [1_250, 1_250, 1_250, -1_250, -250, 250, 300])
        #expect(statement.outside.count == 2 && statement.unreadable.isEmpty && statement.rows.count == 15)
    }

    @Test func aSettlementShowsWhatWasPaidOut() throws {
        func row(_ psp: String, _ type: String, _ debit: String, _ credit: String, _ name: String) -> String {
            "Co,Shop,\(psp),o-\(psp),visa,2026-11-03 10:00:00,CET,\(type),\(name),JPY,\(debit),\(credit),1,EUR,,,,4"
        }
        let statement = try read([
            Self.settlement, row("P1", "Settled", "", "500", "M1"), row("P1", "Refunded", "200", "", "R1"),
            row("P2", "Settled", "", "300", "M2"), row("P2", "Settled", "", "30", "M3"),
            row("P3", "Refunded", "90", "", "R2"), row("P3", "RefundedReversed", "", "90", "R2"),
            row("", "MerchantPayout", "830", "", ""),
        ])
        #expect(statement.kind == .settlement)
        let listings = statement.listings
        #expect(listings.map(\.names) == [["M1"], ["R1"], ["M2"], ["M3"], ["R2"]])
        #expect(listings.map(\.moved?.minorUnits) == [500, 200, 300, 30, 0])
        #expect(listings[0].at == Timestamp("2026-11-03T09:00:00Z")?.milliseconds)
        #expect(listings.map(\.state) == [.charged, .charged, .charged, .charged, .undone])
        #expect(statement.rows.map { $0.amount?.minorUnits } == [500, -200, 300, 30, -90, 90, -830])
    }

    @Test func whatCantBeReadIsSaidWithItsLine() throws {
        let statement = try read([
            Self.accounting,
            Self.booked("P1", "o", "Authorised", authorised: "1.005"),
            Self.booked("P2", "o", "Authorised", authorised: "1.00", at: "yesterday"),
            Self.booked("P3", "o", "TotallyNew", authorised: "1.00"),
            Self.booked("P4", "o", "Authorised", authorised: "1.00").replacing("UTC", with: "CST"),
            Self.booked("P5", "o", "Authorised", authorised: "1.00").replacing("EUR", with: "E?"),
        ])
        #expect(statement.unreadable.map { $0.prefix(6) } == ["line 2", "line 3", "line 4", "line 5", "line 6"])
        #expect(statement.unreadable[2].contains("TotallyNew") && statement.unreadable[3].contains("CST"))
    }

    /// One row, the sum of a payment's rows, and what is left of them.
    @Test func amountsThatNoPaymentHas_areNotCompared() throws {
        let most = "10000000000000.00"
        let statement = try read([
            Self.accounting,
            Self.booked("P1", "o", "Authorised", authorised: "10000000000000.01"),
            Self.booked("P2", "o", "SentForSettle", authorised: "-\(most)", captured: most, name: "M2"),
            Self.booked("P2", "o", "SentForSettle", authorised: "-\(most)", captured: most, name: "M2"),
            Self.booked("P3", "o", "SentForRefund", captured: "-1.00", name: "R3"),
            Self.booked("P3", "o", "RefundFailed", captured: "2.00", name: "R3"),
            Self.booked("P4", "o", "SentForSettle", authorised: "-\(most)", captured: most, name: "M4"),
        ])
        #expect(statement.unreadable.count == 1 && statement.unreadable[0].contains("no payment is over"))
        let problems = statement.listings.reduce(into: [:]) { $0[$1.payment ?? "", default: []].append($1.problem) }
        #expect(problems["P2"]?.contains { $0?.contains("add up to") == true } == true, "\(problems)")
        #expect(problems["P3"]?.contains { $0?.contains("more failed") == true } == true, "\(problems)")
        #expect(problems["P4"]?.allSatisfy { $0 == nil } == true, "\(problems)")
        let amounts = statement.listings.flatMap { [$0.held, $0.moved, $0.refunded] }.compactMap(\.self)
        #expect(amounts.allSatisfy { $0.isBelievable }, "\(amounts)")
    }

    @Test func whatIsNoReportOfTheProvidersIsRefusedByName() {
        func refusal(_ text: String, _ adapter: String = "adyen") -> String {
            do { return try "\(read([text], adapter))" } catch { return (error as? UsageError)?.message ?? "\(error)" }
        }
        for adapter in ["arise", "ecommpay", "halo", "ni", "memory"] {
            #expect(refusal(Self.accounting, adapter).hasPrefix("\(adapter) publishes no columns"))
        }
        #expect(refusal("Date,Amount").contains("neither the columns"))
        #expect(refusal(Self.accounting.replacing(",TimeZone", with: "")).contains("lacks TimeZone"))
        #expect(refusal("a,\"b").contains("never closed") && refusal("a,b\"c\"").contains("middle of a value"))
        #expect(refusal("A,A").contains("twice") && refusal("").contains("empty"))
        let bytes: [UInt8] = [0x41, 0xFF, 0x0A]
        #expect(throws: UsageError.self) {
            try AdyenReport.statement(bytes, "f", adapter: "adyen", merchant: "")
        }
    }

    @Test func fileOfAnotherAccountAlone_isRedInJUnitToo() async throws {
        let shop = try CommandShop()
        let (path, xml) = ("\(shop.folder)/report.csv", "\(shop.folder)/books.xml")
        let row = Self.booked("P1", "o", "SentForSettle", captured: "1.00", merchant: "Other")
        try "\(Self.accounting)\n\(row)\n".write(toFile: path, atomically: true, encoding: .utf8)
        let run = await shop.run(
            "reconcile", "adyen", "--from", "2026-11-01", "--to", "2026-11-30", "--file", path, "--report", xml)
        #expect(run.status == 1)
        let text = try String(contentsOfFile: xml, encoding: .utf8)
        #expect(!text.contains("failures=\"0\""), "\(text)")
    }
}

/// Reports that were changed, cut or made to mislead, as they are typed.
@Suite struct HostileReportTests {
    private static let head =
        "Company Account,Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,"
        + "Payment Currency,Received (PC),Authorised (PC),Captured (PC),Modification Psp Reference"

    private let shop: CommandShop
    private let psp: String
    private let refund: String
    private let day: String

    /// A sale of 12.50 with a refund of 2.00.
    init() async throws {
        shop = try CommandShop()
        let id = try await shop.sold("12.50", "EUR", "--provider", "adyen", "--reference", "order-1")
        _ = await shop.run("refund", id, "2", "--attempt", "back-1")
        _ = await CommandRun.of(["sandbox", "clock", "--advance", "1h", "--state", shop.state])
        let recovered = await shop.run("recover")
        #expect(recovered.status == 0, "\(recovered.text)")
        let shown = try await shop.json("show", id)
        let name = try #require(shown["names"]?["psp"]?.string)
        psp = name.split(separator: ".").last.map(String.init) ?? name
        let attempts = try #require(shown["attempts"]?.array)
        refund = try #require(attempts.last?["names"]?["modification"]?.string, "\(shown)")
        day = String(try #require(shown["createdAt"]?.string).prefix(10))
    }

    private func row(
        _ type: String, received: String = "", authorised: String = "", captured: String = "", name: String = "",
        psp: String? = nil
    ) -> String {
        "Co,TestMerchant,\(psp ?? self.psp),order-1,\(day) 12:00:00,UTC,\(type),EUR,\(received),\(authorised),\(captured),\(name)"
    }

    private var fine: [String] {
        [
            row("Authorised", authorised: "12.50"), row("SentForSettle", captured: "12.50"),
            row("SentForRefund", captured: "2.00", name: refund),
        ]
    }

    private func reconcile(_ text: String) async throws -> CommandRun {
        let path = "\(shop.folder)/report.csv"
        try Data(text.utf8).write(to: URL(filePath: path))
        return await shop.run("reconcile", "adyen", "--from", day, "--to", day, "--file", path)
    }

    private func reconcile(_ rows: [String]) async throws -> CommandRun {
        try await reconcile(([Self.head] + rows).joined(separator: "\r\n") + "\r\n")
    }

    @Test func report_ofTheSaleAndItsRefund_differsInNothing() async throws {
        let run = try await reconcile(fine)
        #expect(run.status == 0 && run.text.contains("nothing differs"), "\(run.text) \(run.errors)")
    }

    @Test func refunds_whoseSumIsOutOfRange_areReportedAndEndNoProcess() async throws {
        let run = try await reconcile([
            row("SentForSettle", captured: "10.00", psp: "OV"),
            row("SentForRefund", captured: "92233720368547758.07", name: "R1", psp: "OV"),
            row("SentForRefund", captured: "92233720368547758.07", name: "R2", psp: "OV"),
        ])
        #expect(run.status == 1 && run.text.contains("OV"), "\(run.text)")
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func laterRow_thatSaysSomethingElse_isNotEqual(_ number: Int) async throws {
        let rows = [
            fine + [row("Refunded", captured: "200.00", name: refund)],
            [fine[0], row("SentForSettle", captured: "-12.50"), fine[2]],
            [row("Authorised", authorised: "9999.00"), fine[1], fine[2]],
            [fine[0], fine[1], row("Settled", captured: "1.50"), fine[2]],
            fine + [row("RefundFailed", captured: "0.01", name: refund)],
            fine + fine,
        ][number]
        let run = try await reconcile(rows)
        #expect(run.status == 1 && !run.text.contains("nothing differs"), "\(run.text)")
    }

    /// Each names the line and says what to do.
    @Test func file_thatIsCutOrOddlyEnded_isRefusedWithItsLine() async throws {
        let whole = ([Self.head] + fine).joined(separator: "\r\n") + "\r\n"
        func once(_ old: String, _ new: String) -> String { whole.replacing(old, with: new, maxReplacements: 1) }
        let files: [(String, String, String)] = [
            ("lines end in CR", whole.replacing("\r\n", with: "\r"), "line 1 contains a carriage return without"),
            ("a CR in a value", whole.replacing("2.00", with: "2\r.00"), "line 4 contains a carriage return without"),
            ("two kinds of ends", once("\r\nCo", "\nCo"), "line 2 ends in another"),
            ("the last line is cut", String(whole.dropLast(5)), "line 4 has no end"),
            ("the last row is short", String(whole.dropLast(refund.count + 2)) + "\r\n", "line 4 has 11 values"),
            ("a row is long", whole.replacing(",\(refund)", with: ",\(refund),x"), "line 4 has 13 values"),
            ("a line is empty", once("\r\nCo", "\r\n\r\nCo"), "line 2 has 1 value"),
            ("a quote is open", once("Co,", "\"Co,"), "a quote is never closed"),
            ("text after a quote", once("Co,", "\"Co\"x,"), "line 2: there is a quote"),
            ("a column twice", whole.replacing("Company Account", with: "Captured (PC)"), "is there twice"),
            ("a zero byte", once("Co,", "C\0,"), "line 2 contains a zero byte"),
        ]
        for (what, text, words) in files {
            let run = try await reconcile(text)
            #expect(run.status == 2, "\(what): \(run.text)")
            let error = run.errors.joined(separator: " ")
            #expect(error.contains(words) && error.contains("download"), "\(what): \(error)")
        }
    }
}
