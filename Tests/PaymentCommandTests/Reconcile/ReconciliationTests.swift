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
        var found = try month.reconciled(statement, transit: ReconciledDays.day)
        func references(_ kind: BookDifference.Kind, _ proposal: BookDifference.Proposal) -> Set<String> {
            Set(found.differences.filter { $0.kind == kind && $0.proposal == proposal }.compactMap(\.reference))
        }
        #expect(found.differences.count == 25)
        #expect(references(.onlyThere, .import) == orders(elsewhere))
        #expect(references(.otherState, .recover) == orders(replies))
        #expect(references(.onlyHere, .resolve) == orders(requests))
        #expect(references(.onlyHere, .ask) == orders(gone))
        #expect(references(.otherAmount, .ask) == orders(amounts))
        #expect(references(.otherState, .ask) == orders(states))
        #expect(references(.inTransit, .wait) == orders(late))
        #expect(found.notCompared.isEmpty && found.disagreements == 23)

        // The statement proves that the three requests never arrived; what it shows otherwise is left alone.
        let tried = try month.concluded(by: found)
        #expect(tried.count == 3 && tried.allSatisfy { $0.refusal == nil }, "\(tried.compactMap(\.refusal))")
        found = try month.reconciled(statement, transit: ReconciledDays.day)
        #expect(found.differences.count == 22 && references(.onlyHere, .resolve).isEmpty)
        #expect(references(.otherState, .recover) == orders(replies))
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
