import Foundation
import PaymentBase
import PaymentModel
import PaymentTestTill
import Testing

@testable import PaymentCLI

/// Our journal against the provider's books.
@Suite struct ReconciliationTests {
    @Test func ofTenThousandPaymentsExactlyTheTwentyFiveThatDifferAreFound() throws {
        let month = try ReconciledMonth()
        let elsewhere = [111, 2_222, 5_555, 7_777, 9_111], replies = [1_003, 4_004, 8_008],
            requests = [2_005, 3_006, 6_001]
        var accidents: [Int: ReconciledMonth.Accident] = [:]
        for number in elsewhere { accidents[number] = .elsewhere }
        for number in replies { accidents[number] = .replyLost }
        for number in requests { accidents[number] = .requestLost }
        try month.sell(10_000, accidents)
        var statement = try month.listed()
        #expect(statement.payments.count == 10_000 - requests.count)
        // What is planted in the statement: gone, over another amount, in another state, not booked yet.
        let gone = [10, 1_010, 2_010, 3_010, 4_010], amounts = [20, 1_020, 2_020, 3_020, 4_020]
        let states = [30, 1_030], late = [9_990, 9_995]
        func orders(_ numbers: [Int]) -> Set<String> { Set(numbers.map { "order-\($0)" }) }
        let hidden = orders(gone + late)
        statement = statement.without { hidden.contains($0.reference ?? "") }
        for index in statement.listings.indices {
            let reference = statement.listings[index].reference ?? ""
            if orders(amounts).contains(reference) { statement.listings[index].moved = .cents(1) }
            if orders(states).contains(reference) { statement.listings[index].state = .refused }
        }
        let found = try month.reconciled(statement, transit: ReconciledDays.day)
        func references(
            _ group: ReconciledItem.Group, _ proposal: ReconciledItem.Action,
            _ what: ReconciledItem.Difference? = nil
        ) -> Set<String> {
            let some = found.differences.filter { $0.group == group && $0.proposal == proposal && $0.what == what }
            return Set(some.compactMap(\.reference))
        }
        #expect(found.differences.count == 25)
        #expect(references(.onlyInStatement, .import) == orders(elsewhere))
        #expect(references(.differs, .recover, .state) == orders(replies))
        #expect(references(.onlyInJournal, .recover) == orders(requests))
        #expect(references(.onlyInJournal, .ask) == orders(gone))
        #expect(references(.differs, .ask, .amount) == orders(amounts))
        #expect(references(.differs, .ask, .state) == orders(states))
        #expect(references(.inTransit, .wait) == orders(late))
        #expect(!found.items.contains { $0.group == .notComparable && $0.isOpen })
        try found.expectIdentity()

        // Beside money that no attempt claims the statement proves of none that it never arrived.
        let tried = try month.concluded(by: found)
        #expect(tried.count == 3 && tried.allSatisfy { $0.refusal?.contains("claims") == true }, "\(tried)")
    }

    @Test func conclude_amongOtherDifferences_concludesWhatNeverArrived() throws {
        let month = try ReconciledMonth()
        let requests = [205, 306, 601]
        try month.sell(1_000, Dictionary(uniqueKeysWithValues: requests.map { ($0, .requestLost) }))
        var statement = try month.listed()
        statement = statement.without { $0.reference == "order-998" }
        for index in statement.listings.indices {
            let reference = statement.listings[index].reference ?? ""
            if reference == "order-120" { statement.listings[index].moved = .cents(1) }
            if reference == "order-130" { statement.listings[index].state = .refused }
        }
        var found = try month.reconciled(statement, transit: ReconciledDays.day)
        #expect(found.differences.count == 6)
        let tried = try month.concluded(by: found)
        #expect(tried.count == 3 && tried.allSatisfy { $0.refusal == nil }, "\(tried.compactMap(\.refusal))")
        found = try month.reconciled(statement, transit: ReconciledDays.day)
        #expect(Set(found.differences.compactMap(\.reference)) == ["order-998", "order-120", "order-130"])
    }

    /// The provider is asked for a list from the first day on; a report says nothing of the time before its first row.
    @Test(arguments: [
        (0, Statement.Kind.list, String?.none), (0, .accounting, "no rows from before it and from a day after it"),
        (39, .list, "no rows from before it and from a day after it"),
        (39, .accounting, "no rows from before it and from a day after it"),
    ])
    func conclude_attemptAtAnEndOfTheRows_isConcludedOnlyAtTheBeginningOfAList(
        _ lost: Int, _ kind: Statement.Kind, _ why: String?
    ) throws {
        let month = try ReconciledMonth()
        try month.sell(40, [lost: .requestLost])
        let statement = try month.listed().without(as: kind) { _ in false }
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.count == 1, "\(tried)")
        if let why {
            #expect(tried.first?.refusal?.contains(why) == true, "\(tried)")
        } else {
            #expect(tried.first?.refusal == nil && tried.first?.witnesses.count == 1, "\(tried)")
        }
    }

    @Test func whatCouldBeTheMissingOneIsNeverConcludedAway() throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        func refusal(_ change: (inout Statement) -> Void) throws -> String? {
            var statement = try month.listed()
            change(&statement)
            return try month.concluded(by: month.reconciled(statement)).first?.refusal
        }
        let stranger = try refusal { statement in
            var like = statement.payments[3]
            (like.names, like.payment, like.reference) = (["mp-unknown"], "mp-unknown", "elsewhere")
            like.moved = .cents(7_000)
            statement.add(like, at: "item 99")
        }
        #expect(stranger?.contains("no attempt here claims") == true)
        let unread = try refusal { $0.refuse("line 3", "it is cut off") }
        #expect(unread?.contains("can't be read") == true)
        let alone = try refusal { $0 = $0.without { _ in true } }
        #expect(alone?.contains("no rows from before it") == true)
        // And with nothing in its way it is concluded, once.
        let plain = try month.concluded(by: month.reconciled(try month.listed()))
        #expect(plain.count == 1 && plain.first?.refusal == nil)
        #expect(try month.concluded(by: month.reconciled(try month.listed())).isEmpty)
    }

    /// Money that no attempt claims, none of it over the amount of the attempt that is missing.
    enum Unclaimed: CaseIterable {
        case part, more, sameReference, otherCurrency, held, unread, undated, refund, chargeback

        func add(to statement: inout Statement) throws {
            var row = statement.payments[3]
            (row.names, row.payment, row.reference, row.moved) = (["mp-unknown"], "mp-unknown", nil, .cents(3_500))
            switch self {
            case .part: break
            case .more: row.moved = .cents(7_700)
            case .sameReference: row.reference = "order-20"
            case .otherCurrency: row.moved = Money(minorUnits: 7_000, try Currency("USD"))
            case .held: (row.moved, row.held, row.state) = (nil, row.moved, .held)
            case .unread: row.state = .unread
            case .undated: row.at = nil
            case .refund, .chargeback:
                (row.subject, row.names, row.payment) = (self == .refund ? .refund : .chargeback, ["back-unknown"], nil)
            }
            statement.add(row, at: "item 99")
        }
    }

    @Test(arguments: Unclaimed.allCases)
    func conclude_moneyThatNoAttemptClaims_provesNothing(_ money: Unclaimed) throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        var statement = try month.listed()
        try money.add(to: &statement)
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.map(\.attempt.attempt.text) == ["sale-20"])
        #expect(tried.first?.refusal?.contains("item 99") == true, "\(tried.map(\.refusal))")
    }

    @Test(arguments: ["sale-20", "order-20", "order-21"])
    func conclude_rowOfAnotherAccountCarriesAName_provesNothingOfThatAttempt(_ carried: String) throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        let rows = try month.listed().payments.filter { $0.state == .charged }.flatMap { payment -> [String] in
            let (name, amount) = (try #require(payment.names.first), try #require(payment.moved).decimalText)
            let reference = payment.reference ?? ""
            return [
                StatementFileTests.booked(name, reference, "Received", received: amount),
                StatementFileTests.booked(name, reference, "SentForSettle", captured: amount),
            ]
        }
        let other = StatementFileTests.booked(
            "P99", carried, "SentForSettle", captured: "1.00", merchant: "AnotherShop")
        let text = ([StatementFileTests.accounting] + rows + [other]).joined(separator: "\n") + "\n"
        var statement = try AdyenReport.statement(
            Array(text.utf8), "report.csv", adapter: "adyen", merchant: "Shop")
        // Booked over the whole month, as they were sold.
        let pause = (ReconciledMonth.days.end - ReconciledMonth.days.start) / Int64(statement.listings.count)
        for index in statement.listings.indices {
            statement.listings[index].at = ReconciledMonth.days.start + Int64(index) * pause
        }
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.map(\.attempt.attempt.text) == ["sale-20"])
        let refusal = tried.first?.refusal
        if carried == "order-21" { return #expect(refusal == nil, "\(String(describing: refusal))") }
        #expect(refusal?.contains("line \(rows.count + 2)") == true, "\(String(describing: refusal))")
        #expect(refusal?.contains("another merchant account") == true, "\(String(describing: refusal))")
    }

    @Test func total_beyondEveryNumber_isNone() {
        let (most, one) = (Money?(Money(minorUnits: .max, .eur)), Money?(Money(minorUnits: 1, .eur)))
        #expect([most, one].total == nil && [one, one].total?.minorUnits == 2)
    }

    @Test func secondChargeUnderOneName_isOnlyInTheStatement() throws {
        let month = try ReconciledMonth()
        try month.sell(3)
        var statement = try month.listed()
        statement.add(statement.payments[0], at: "item 9")
        let found = try month.reconciled(statement)
        #expect(found.differences.map(\.group) == [.onlyInStatement] && found.differences.first?.place == "item 9")
        try found.expectIdentity()
    }
}
