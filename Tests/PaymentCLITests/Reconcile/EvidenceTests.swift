import Foundation
import PaymentBase
import PaymentDriverKit
import PaymentModel
import PaymentTestTill
import Testing

@testable import PaymentCLI

/// What a statement proves of an attempt that it doesn't show, and of rows that say less than they seem to.
@Suite struct CoverageTests {
    private func month(_ accident: ReconciledMonth.Accident = .requestLost) throws -> ReconciledMonth {
        let month = try ReconciledMonth()
        try month.sell(60, [20: accident])
        return month
    }

    private func item(_ month: ReconciledMonth, _ statement: Statement, _ attempt: String) throws -> ReconciledItem {
        let found = try month.reconciled(statement).items.filter { $0.attempt?.text == attempt }
        return try #require(found.count == 1 ? found.first : nil, "\(found)")
    }

    /// The same rows as a report that was made for other days: what is in it was booked before, or long after.
    @Test(arguments: [1, 25] as [Int64])
    func conclude_rowsOfOtherDaysAlone_provesNothing(_ day: Int64) throws {
        let month = try month()
        let listed = try month.listed()
        var report = Statement(.accounting, "a report", lists: listed.lists.union([.chargeback]))
        for listing in listed.listings {
            var booked = listing
            booked.at = ReconciledMonth.days.start + day * ReconciledDays.day
            report.add(booked, at: "line \(report.rows.count + 2)")
        }
        let tried = try month.concluded(by: month.reconciled(report))
        #expect(tried.count == 1 && tried.first?.refusal?.contains("a day after it") == true, "\(tried)")
    }

    /// The till's clock was 13 hours fast when the month's first sale was executed and its reply lost. The report begins after
    /// that sale, and before what the clock said.
    @Test func conclude_reportThatBeginsAfterTheSaleOfAFastClock_provesNothing() throws {
        let month = try ReconciledMonth()
        try month.sell(120, [0: .clockAhead])
        try month.noteLook(0)
        let listed = try month.listed()
        #expect(listed.payments.contains { $0.reference == "order-0" && $0.state == .charged })
        let report = listed.without(as: .accounting) { $0.reference == "order-0" }
        #expect(try item(month, report, "sale-0").proposal == .ask)
        let tried = try month.concluded(by: month.reconciled(report))
        #expect(tried.count == 1 && tried.first?.refusal?.contains("began before it") == true, "\(tried)")
    }

    @Test func conclude_reportThatShowsAnEarlierPayment_isConcluded() throws {
        let month = try month()
        try month.noteLook(20)
        let report = try month.listed().without(as: .accounting) { _ in false }
        #expect(try item(month, report, "sale-20").proposal == .resolve)
        let tried = try month.concluded(by: month.reconciled(report))
        #expect(tried.count == 1 && tried.first?.refusal == nil, "\(tried)")
    }

    /// The gap may hold the attempt in doubt as well: the list may be cut, or may be another account's.
    @Test(arguments: ["order-19", "order-40"])
    func conclude_statementLacksAnExecutedSale_provesNothing(_ lacking: String) throws {
        let month = try month()
        try month.noteLook(20)
        let statement = try month.listed().without { $0.reference == lacking }
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.count == 1 && tried.first?.refusal?.contains("lacks sale-") == true, "\(tried)")
        #expect(try item(month, statement, "sale-20").proposal == .ask)
    }

    @Test func absentFromEmptyStatement_lookedUpInVain_isAskedAbout() throws {
        let month = try month()
        try month.noteLook(20)
        let nothing = try month.listed().without { _ in true }
        #expect(try item(month, nothing, "sale-20").proposal == .ask)
        #expect(try item(month, month.listed(), "sale-20").proposal == .resolve)
    }

    @Test func declinedHere_pendingThere_isADifference() throws {
        let month = try month(.none)
        var statement = try month.listed()
        #expect(try month.reconciled(statement).differences.isEmpty)
        for index in statement.listings.indices where statement.listings[index].reference == "order-49" {
            statement.listings[index].state = .pending
        }
        let found = try item(month, statement, "sale-49")
        #expect(found.group == .differs && found.what == .state, "\(found)")
    }

    @Test func rowOverAPartUnderADoubtfulReference_isNotImported() throws {
        let month = try month(.replyLost)
        var statement = try month.listed()
        for index in statement.listings.indices where statement.listings[index].reference == "order-20" {
            statement.listings[index].moved = .cents(1_000)
        }
        let found = try month.reconciled(statement).items.filter { $0.group == .onlyInStatement }
        #expect(found.count == 1 && found.first?.proposal == .ask && found.first?.line == nil, "\(found)")
    }

    /// Two adapters can be set to write the order, a tilde and the attempt.
    @Test func conclude_rowOfAnotherAccountWithOrderAndAttempt_provesNothing() throws {
        let month = try month()
        var statement = try month.listed()
        statement.leaveOut(
            "line 9", .cents(2_000), "rows of another merchant account", isOtherAccount: true,
            names: ["order-20~sale-20"])
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.count == 1 && tried.first?.refusal?.contains("carries its name") == true, "\(tried)")
    }

    @Test func rowWithOrderAndAttempt_isThatAttempts() throws {
        let month = try month(.replyLost)
        var statement = try month.listed()
        for index in statement.listings.indices where statement.listings[index].reference == "order-20" {
            statement.listings[index].reference = "order-20~sale-20"
        }
        let found = try month.reconciled(statement).differences
        #expect(found.count == 1 && found.first?.attempt?.text == "sale-20", "\(found)")
        #expect(found.first?.group == .differs, "\(found)")
    }

    @Test func merchantReference_isSplitAtItsLastTilde() {
        let whole = MerchantReference("a~b~K-1")
        #expect(whole.attempt == "K-1" && whole.order == "a~b" && whole.names == ["a~b~K-1", "a~b", "K-1"])
        #expect(MerchantReference("K-1").names == ["K-1"])
    }

    @Test func rowWithoutReadableAmount_isNotMatched() throws {
        let listed = DealMaker.declared(.totals)
        var statement = Statement.list(of: ProviderID(rawValue: "acme"), listed)
        var row = PaymentDetails("approved", references: ["order": "o-1"])
        statement.add(row, listed, "item 1")
        (row.amount, row.refunded) = (.cents(1_000), nil)
        statement.add(row, listed, "item 2")
        row.refunded = .cents(0)
        statement.add(row, listed, "item 3")
        #expect(statement.listings.map { $0.problem == nil } == [false, false, true])
    }

    @Test func nameFromOutside_isQuotedInTheLineToType() {
        #expect(Invocation.quoted("8815$(id)") == "'8815$(id)'")
        #expect(Invocation.quoted("8815-A") == "8815-A")
        #expect(Invocation.option("executed", "8815-A") == "--executed 8815-A")
        #expect(Invocation.option("executed", "--by x") == "--executed='--by x'")
    }

    @Test func rowOfMoneyWithoutTheProvidersName_cannotBeRead() throws {
        let line = ReportLine.accounting("", "order-1", "Refunded", "5.00")
        let statement = try AdyenReport.statement(
            Array((ReportLine.accountingHead + line).utf8), "a.csv", adapter: "adyen", merchant: ReportLine.merchant)
        #expect(statement.outside.count == 1 && statement.outside.first?.isUnreadable == true)
    }
}

/// A line of Adyen's accounting report.
private enum ReportLine {
    static let merchant = "Shop"
    static let accountingHead =
        "Merchant Account,Psp Reference,Merchant Reference,Booking Date,TimeZone,Record Type,Payment Currency,"
        + "Received (PC),Authorised (PC),Captured (PC)\n"

    static func accounting(_ psp: String, _ reference: String, _ type: String, _ amount: String) -> String {
        "\(merchant),\(psp),\(reference),2026-01-05 10:00:00,UTC,\(type),EUR,,,\(amount)\n"
    }
}

/// What `payctl reconcile` proposes for an attempt in doubt.
@Suite struct ProposalTests {
    private func proposed(
        _ month: ReconciledMonth, _ change: (inout Statement) -> Void = { _ in }
    ) throws -> ReconciledItem {
        var statement = try month.listed()
        change(&statement)
        let found = try month.reconciled(statement).differences.filter { $0.attempt?.text == "sale-20" }
        return try #require(found.count == 1 ? found.first : nil, "\(found)")
    }

    private func addUnclaimed(to statement: inout Statement) {
        var row = statement.payments[3]
        (row.names, row.payment, row.reference, row.moved) = (["mp-unknown"], "mp-unknown", nil, .cents(4_200))
        statement.add(row, at: "item 99")
    }

    @Test func absent_neverLookedUp_isRecovered() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        let found = try proposed(month)
        #expect(found.group == .onlyInJournal && found.proposal == .recover)
    }

    @Test func absent_lookedUpInVain_isResolvedOnlyBesideNoUnclaimedMoney() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        try month.noteLook(20)
        let alone = try proposed(month)
        #expect(alone.group == .onlyInJournal && alone.proposal == .resolve && alone.name == nil)
        let beside = try proposed(month) { addUnclaimed(to: &$0) }
        #expect(beside.proposal == .ask && beside.because?.contains("item 99") == true, "\(beside)")
        let unread = try proposed(month) { $0.refuse("line 3", "it is cut off") }
        #expect(unread.proposal == .ask, "\(unread)")
    }

    /// Where another row or a word that can't be read stands in the way, a person decides: to ask once more brings nothing new.
    @Test func sameReferenceAndAmount_lookedUpInVain_namesThatRowOrAsks() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .replyLost])
        let row = try #require(try month.listed().payments.first { $0.reference == "order-20" })
        #expect(try proposed(month).proposal == .recover)
        try month.noteLook(20)
        let found = try proposed(month)
        #expect(found.proposal == .resolve && found.name != nil && found.name == row.names.first, "\(found)")
        // It is no longer the only row that could be it.
        let two = try proposed(month) { statement in
            var other = row
            (other.names, other.payment, other.moved) = (["mp-unknown"], "mp-unknown", .cents(1))
            statement.add(other, at: "item 99")
        }
        #expect(two.proposal == .ask, "\(two)")
        // It moved nothing there, as far as its word can be read.
        let pending = try proposed(month) { statement in
            for index in statement.listings.indices where statement.listings[index].reference == "order-20" {
                statement.listings[index].state = .pending
            }
        }
        #expect(pending.proposal == .ask, "\(pending)")
    }

    /// The same in every format, as a person types it.
    @Test func statementShowsUnclaimedMoney_lineToTypeNeverSaysNotMoved() async throws {
        let plain = try CommandShop()
        let text = try String(contentsOfFile: plain.path, encoding: .utf8)
        let merchant = "\"adapter\": \"arise\","
        let shop = try CommandShop(
            configuration: text.replacing(
                merchant,
                with: "\(merchant) \"settings\": { \"soleUser\": false, \"referenceEcho\": \"none\" },"))
        func fault(_ words: String...) async {
            _ = await CommandRun.of(["sandbox", "fault"] + words + ["--state", shop.state])
        }
        func silenceLookups() async {
            await fault(
                "status.503-before", "--provider", "arise", "--path", "/pay-api/v1/transactions", "--times", "60")
        }
        await fault("reply.lost", "--provider", "arise", "--path", "*/sale")
        await silenceLookups()
        let sale = await shop.run(
            "sale", "100", "USD", "--provider", "arise", "--source", "card", "--card", "visa", "--reference",
            "order-5", "--attempt", "doubt-1")
        #expect(sale.status == 3, "\(sale.errors)")
        await fault("--clear")

        /// What is proposed, after a look at every format.
        func proposal() async throws -> String? {
            let began = try await shop.json("show", "doubt-1")["createdAt"]?.string ?? ""
            let day = String(began.prefix(10))
            let formats = ["txt", "json", "html", "md", "xml"]
            let files = formats.map { "\(shop.folder)/books.\($0)" }
            let run = await CommandRun.of(
                ["reconcile", "arise", "--from", day, "--to", day] + shop.place + files.flatMap { ["--report", $0] })
            #expect(run.status == 1, "\(run.errors)")
            for file in files {
                let text = try String(contentsOfFile: file, encoding: .utf8)
                #expect(text.contains("doubt-1") && !text.contains("not-executed"), "\(file): \(text)")
            }
            let json = try JSONReader().read(Array(try Data(contentsOf: URL(filePath: files[1]))))
            return json["differences"]?.array?.first { $0["attempt"]?.string == "doubt-1" }?["proposal"]?.string
        }
        #expect(try await proposal() == "recover")
        // A look that the provider doesn't answer is none.
        await silenceLookups()
        #expect(await shop.run("recover").status == 3)
        await fault("--clear")
        #expect(try await proposal() == "recover")
        #expect(await shop.run("recover").status == 3)
        #expect(try await proposal() == "ask")
    }
}

/// Lines to type that rows of the same statement contradict, and money that no attempt claims.
@Suite struct ReadyLineTests {
    private func strangers(_ rows: [String]) throws -> [ReconciledItem] {
        let text = ([StatementFileTests.accounting] + rows).joined(separator: "\n") + "\n"
        let statement = try AdyenReport.statement(Array(text.utf8), "r.csv", adapter: "adyen", merchant: "Shop")
        let maker = DealMaker(.accounting, SeededRandom(seed: 1))
        let books = try OwnBooks([], maker.account)
        return Reconciliation(books, statement, ReconciledMonth.days, transit: 0).items
    }

    private func row(_ type: String, _ captured: String, name: String = "", merchant: String = "Shop") -> String {
        StatementFileTests.booked(
            "P1", "order-1", type, captured: captured, name: name, at: "2026-01-10 10:00:00", merchant: merchant)
    }

    @Test func unknownPayment_alone_isOfferedForImport() throws {
        let lines = try strangers([row("SentForSettle", "10.00", name: "M1")]).compactMap(\.line)
        #expect(lines.count == 1 && lines[0]["attempt"]?.string == "order-1", "\(lines)")
    }

    /// Two payments can't both be the attempt that their reference names.
    @Test func unknownPayments_underOneReference_getIDsOfTheirOwn() throws {
        let lines = try strangers([
            row("SentForSettle", "10.00", name: "M1"),
            row("SentForSettle", "4.00", name: "M2").replacing("P1", with: "P2"),
        ]).compactMap(\.line)
        #expect(Set(lines.map { $0["attempt"]?.string }) == ["there-P1", "there-P2"], "\(lines)")
    }

    @Test func unknownPayment_underOrderAndAttempt_isOfferedAsThatAttemptOfTheOrder() throws {
        let row = row("SentForSettle", "10.00", name: "M1").replacing("order-1", with: "order-1~K-1")
        let lines = try strangers([row]).compactMap(\.line)
        #expect(lines.count == 1 && lines[0]["attempt"]?.string == "K-1", "\(lines)")
        #expect(lines.first?["reference"]?.string == "order-1", "\(lines)")
    }

    @Test(arguments: [
        ("Chargeback", "11.00", "Shop", "X1"), ("SecondChargeback", "1.00", "Shop", ""),
        ("SentForRefund", "11.00", "Shop", "X1"), ("SentForSettle", "10.00", "Other", "X1"),
    ])
    func unknownPayment_besideARowThatContradicts_isNotOfferedForImport(
        _ type: String, _ amount: String, _ merchant: String, _ name: String
    ) throws {
        let items = try strangers([
            row("SentForSettle", "10.00", name: "M1"), row(type, amount, name: name, merchant: merchant),
        ])
        #expect(items.allSatisfy { $0.line == nil }, "\(items.compactMap(\.line))")
    }

    @Test(arguments: [("Chargeback", "10.00"), ("SecondChargeback", "1.00")])
    func unknownPayment_withANamedChargeback_isOfferedWithIt(_ type: String, _ amount: String) throws {
        let items = try strangers([row("SentForSettle", "10.00", name: "M1"), row(type, amount, name: "X1")])
        let lines = items.compactMap(\.line)
        #expect(lines.count == 1 && lines[0]["chargebacks"]?[0]?["name"]?.string == "X1", "\(lines)")
    }

    @Test func conclude_rowOverMoreThanItsAttempt_provesNothing() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        var statement = try month.listed()
        statement.listings[3].moved = .cents(99_900)
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.count == 1 && tried.first?.refusal?.contains("no attempt here claims") == true, "\(tried)")
    }

    /// A sum says no day of a refund: it belongs to the last day that is compared, however late the list is read.
    @Test func refundFromASum_ofAListThatIsReadLater_isOfferedForTheLastDay() throws {
        let month = try ReconciledMonth()
        try month.sell(40)
        var statement = try month.listed()
        let index = try #require(statement.listings.firstIndex { $0.reference == "order-3" })
        statement.listings[index].refunded = .cents(100)
        statement.saidAt = ReconciledMonth.days.end + 5 * ReconciledDays.day
        let lines = try month.reconciled(statement).items.compactMap(\.line)
        try #require(lines.count == 1 && lines[0]["minorUnits"]?.int64 == 100, "\(lines)")
        #expect(lines[0]["takenAt"]?.int64 == ReconciledMonth.days.end - 1, "\(lines)")
        #expect(lines[0]["holdsUntil"]?.int64 == statement.saidAt, "\(lines)")
    }

    @Test(arguments: ["refund", "check", "Levitation"])
    func itemThatIsNoCharge_isNotOfferedForImport(_ kind: String) throws {
        var item = PaymentDetails("Captured", references: ["transaction": "T1"])
        (item.kind, item.at, item.amount, item.captured) = (kind, DealMaker.noon(10), .cents(500), .cents(500))
        let listed = DealMaker.declared(.rows)
        var statement = Statement.list(of: ProviderID(rawValue: "acme"), listed)
        statement.add(item, listed, "item 1")
        let maker = DealMaker(.rows, SeededRandom(seed: 1))
        let found = Reconciliation(try OwnBooks([], maker.account), statement, ReconciledMonth.days, transit: 0)
        #expect(found.items.allSatisfy { $0.line == nil }, "\(found.items)")
    }

    @Test func heldMoney_thatASettlementDoesNotShow_isNotFine() async throws {
        let shop = try CommandShop()
        _ = try await shop.json("authorize", "20", "EUR", "--provider", "adyen", "--reference", "order-1")
        let begun = try await shop.json("list")["items"]?[0]?["createdAt"]?.string
        let day = String(try #require(begun).prefix(10))
        let path = "\(shop.folder)/report.csv"
        try (StatementFileTests.settlement + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let run = await shop.run("reconcile", "adyen", "--from", day, "--to", day, "--file", path)
        #expect(run.status != 0, "\(run.text)")
    }
}
