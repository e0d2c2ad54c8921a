import PaymentAbstraction
import PaymentBase
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

    @Test func rowWithoutReadableAmount_isNotMatched() throws {
        var statement = Statement.list(of: ProviderID(rawValue: "ni"), "ni")
        var row = PaymentDetails("SUCCESS", references: ["order": "o-1"])
        statement.add(row, "ni", "item 1")
        (row.amount, row.refunded) = (.cents(1_000), nil)
        statement.add(row, "ni", "item 2")
        row.refunded = .cents(0)
        statement.add(row, "ni", "item 3")
        #expect(statement.listings.map { $0.problem == nil } == [false, false, true])
    }

    @Test func nameFromOutside_isQuotedInTheLineToType() {
        #expect(Invocation.quoted("8815$(id)") == "'8815$(id)'")
        #expect(Invocation.quoted("8815-A") == "8815-A")
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
