import PaymentAbstraction
import PaymentBase
import PaymentTestTill
import Testing

@testable import PaymentCommand

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
        statement.payments.removeAll { hidden.contains($0.reference ?? "") }
        for index in statement.payments.indices {
            let reference = statement.payments[index].reference ?? ""
            if orders(amounts).contains(reference) { statement.payments[index].charged = .cents(1) }
            if orders(states).contains(reference) { statement.payments[index].state = .refused }
        }
        let found = try month.reconciled(statement, transit: ReconciledDays.day)
        func references(_ kind: BookDifference.Kind, _ proposal: BookDifference.Proposal) -> Set<String> {
            Set(found.differences.filter { $0.kind == kind && $0.proposal == proposal }.compactMap(\.reference))
        }
        #expect(found.differences.count == 25)
        #expect(references(.onlyThere, .import) == orders(elsewhere))
        #expect(references(.otherState, .recover) == orders(replies))
        #expect(references(.onlyHere, .recover) == orders(requests))
        #expect(references(.onlyHere, .ask) == orders(gone))
        #expect(references(.otherAmount, .ask) == orders(amounts))
        #expect(references(.otherState, .ask) == orders(states))
        #expect(references(.inTransit, .wait) == orders(late))
        #expect(found.notCompared.isEmpty && found.disagreements == 23)

        // Beside money that no attempt claims the statement proves of none that it never arrived.
        let tried = try month.concluded(by: found)
        #expect(tried.count == 3 && tried.allSatisfy { $0.refusal?.contains("claims") == true }, "\(tried)")
    }

    @Test func conclude_amongOtherDifferences_concludesWhatNeverArrived() throws {
        let month = try ReconciledMonth()
        let requests = [205, 306, 601]
        try month.sell(1_000, Dictionary(uniqueKeysWithValues: requests.map { ($0, .requestLost) }))
        var statement = try month.listed()
        statement.payments.removeAll { ["order-110", "order-998"].contains($0.reference ?? "") }
        for index in statement.payments.indices {
            let reference = statement.payments[index].reference ?? ""
            if reference == "order-120" { statement.payments[index].charged = .cents(1) }
            if reference == "order-130" { statement.payments[index].state = .refused }
        }
        var found = try month.reconciled(statement, transit: ReconciledDays.day)
        #expect(found.differences.count == 7)
        let tried = try month.concluded(by: found)
        #expect(tried.count == 3 && tried.allSatisfy { $0.refusal == nil }, "\(tried.compactMap(\.refusal))")
        found = try month.reconciled(statement, transit: ReconciledDays.day)
        #expect(
            Set(found.differences.compactMap(\.reference)) == ["order-110", "order-998", "order-120", "order-130"])
    }

    @Test func aStatementProvesNothingWithoutAWitnessBeforeAndAfter() throws {
        // The one that is lost comes first, then last; between the others it would have been proven.
        for (lost, why) in [(0, "without a witness"), (39, "before the round was over")] {
            let month = try ReconciledMonth()
            try month.sell(40, [lost: .requestLost])
            let tried = try month.concluded(by: month.reconciled(try month.listed()))
            #expect(tried.count == 1 && tried.first?.refusal?.contains(why) == true, "\(tried)")
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
            (like.names, like.reference, like.charged) = (["mp-unknown"], "elsewhere", .cents(7_000))
            statement.payments.append(like)
        }
        #expect(stranger?.contains("nobody here claims") == true)
        let unread = try refusal { $0.unreadable.append("line 3: it is cut off") }
        #expect(unread?.contains("can't be read") == true)
        let alone = try refusal { $0.payments = [] }
        #expect(alone?.contains("nothing of ours") == true)
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
            (row.names, row.reference, row.charged) = (["mp-unknown"], nil, .cents(3_500))
            switch self {
            case .part: break
            case .more: row.charged = .cents(7_700)
            case .sameReference: row.reference = "order-20"
            case .otherCurrency: row.charged = Money(minorUnits: 7_000, try Currency("USD"))
            case .held: (row.charged, row.held, row.state) = (nil, row.charged, .held)
            case .unread: row.state = .unread
            case .undated: row.at = nil
            case .refund, .chargeback:
                let kind: Statement.Movement.Kind = self == .refund ? .refund : .chargeback
                statement.movements.append(
                    .init(
                        kind: kind, names: ["back-unknown"], payment: nil, amount: row.charged, state: .charged,
                        words: "back", at: row.at, place: "item 99"))
                return
            }
            row.place = "item 99"
            statement.payments.append(row)
        }
    }

    @Test(arguments: Unclaimed.allCases)
    func conclude_moneyThatNoAttemptClaims_provesNothing(_ money: Unclaimed) throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        var statement = try month.listed()
        try money.add(to: &statement)
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.map(\.attempt.intent.attempt.text) == ["sale-20"])
        #expect(tried.first?.refusal?.contains("item 99") == true, "\(tried.map(\.refusal))")
    }

    @Test(arguments: ["sale-20", "order-20", "order-21"])
    func conclude_rowOfAnotherAccountCarriesAName_provesNothingOfThatAttempt(_ carried: String) throws {
        let month = try ReconciledMonth()
        try month.sell(40, [20: .requestLost])
        let rows = try month.listed().payments.filter { $0.state == .charged }.map { payment in
            let amount = try #require(payment.charged).decimalText
            return StatementFileTests.booked(
                try #require(payment.names.first), payment.reference ?? "", "SentForSettle", captured: amount)
        }
        let other = StatementFileTests.booked(
            "P99", carried, "SentForSettle", captured: "1.00", merchant: "AnotherShop")
        let text = ([StatementFileTests.accounting] + rows + [other]).joined(separator: "\n")
        let statement = try StatementFile(adapter: "adyen", merchant: "Shop").read(Array(text.utf8), "report.csv")
        let tried = try month.concluded(by: month.reconciled(statement))
        #expect(tried.map(\.attempt.intent.attempt.text) == ["sale-20"])
        let refusal = tried.first?.refusal
        if carried == "order-21" { return #expect(refusal == nil, "\(String(describing: refusal))") }
        #expect(refusal?.contains("line \(rows.count + 2)") == true, "\(String(describing: refusal))")
        #expect(refusal?.contains("another merchant account") == true, "\(String(describing: refusal))")
    }

    @Test func aSecondChargeUnderOneNameIsMoneyThatNobodyKnows() throws {
        let month = try ReconciledMonth()
        try month.sell(3)
        var statement = try month.listed()
        var twin = statement.payments[0]
        twin.place = "item 9"
        statement.payments.append(twin)
        let found = try month.reconciled(statement)
        #expect(found.differences.map(\.kind) == [.onlyThere] && found.differences.first?.place == "item 9")
    }
}
