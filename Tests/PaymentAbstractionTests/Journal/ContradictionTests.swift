import PaymentBase
import PaymentSandbox
import PaymentTestTill
import PaymentTesting
import Testing

@testable import PaymentAbstraction

/// What can't be true beside what is written is never lost in silence.
@Suite struct ContradictionTests {
    private static func record(_ operation: MoneyOperation, _ state: AttemptRecord.State) throws -> AttemptRecord {
        var record = try AdmissionTests.record("a", operation, 100, state)
        record.eventAt = 10
        return record
    }

    static let approved = Verdict.approved(Approval(AdmissionTests.eur(100)))
    static let declined = Verdict.declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))
    static let cancelled = Verdict.cancelled(Cancellation(by: .customer))
    static let pending = Verdict.pending(Pending(lookAgain: false))

    @Test(arguments: MoneyOperation.allCases) func whatWasProvenNotToHaveMovedCanNotBeDone(
        _ operation: MoneyOperation
    ) throws {
        let record = try Self.record(operation, .notMoved)
        #expect(record.isContradicted(by: Self.approved, at: 99))
        #expect(record.isContradicted(by: Self.pending, at: 99))
        #expect(!record.isContradicted(by: Self.declined, at: 99))
        #expect(!record.isContradicted(by: Self.cancelled, at: 99))
    }

    @Test(arguments: MoneyOperation.allCases) func aMachineContradictsAPerson(_ operation: MoneyOperation) throws {
        var moved = try Self.record(operation, .concluded(Self.approved))
        moved.evidence = .person
        #expect(moved.isContradicted(by: Self.declined, at: 99))
        #expect(!moved.isContradicted(by: Self.approved, at: 99))
        #expect(!moved.isContradicted(by: Self.pending, at: 99))
    }

    @Test func whatIsOpenIsContradictedByNothing() throws {
        for state in [AttemptRecord.State.begun, .submitted, .inDoubt] {
            for verdict in [Self.approved, Self.declined, Self.cancelled, Self.pending] {
                #expect(!(try Self.record(.sale, state).isContradicted(by: verdict, at: 0)))
            }
        }
    }

    /// The quiet time proved that the request never arrived; then the provider says that it charged the card.
    @Test func aChargeAfterTheProofOfNoneRaisesAnEventAndIsRecorded() throws {
        let till = Till()
        let client = try till.client()
        let events = client.events()
        let error = till.failure { _ = try await client.sale(.cents(1_014), from: .reader, reference: "o") }
        #expect(error == PaymentError(.neverArrived, outcome: .nothingMoved))
        let attempt = try #require(error?.attempt)
        let body: JSON = [
            "id": "mp_9", "attempt": .string(attempt.text), "state": "approved", "event": "sale",
            "amount": ["minorUnits": 1_014, "currency": "EUR"], "at": .number(JSONNumber(till.scheduler.now)),
        ]
        let kinds = try till.play {
            try await client.receive(
                body.bytes(), headers: ["x-memory-secret": "memory-webhook-secret"], from: "memory")
            client.services.events.finish()
            var kinds: [PaymentEvent.Kind] = []
            for await event in events { kinds.append(event.kind) }
            return kinds
        }
        #expect(kinds.filter { $0 == .contradiction }.count == 1)
        // The money is in the books, where it can be given back.
        let payment = try till.play { try await client.payment(PaymentID(attempt)) }
        #expect(payment.amounts.refundable == .cents(1_014))
    }

    /// A refund that came twice on its way: one is done and one refused, each under a name of the provider's.
    @Test func ofTwoExecutionsTheOneThatMovedMoneyCountsInAnyOrder() throws {
        func verdict(_ name: String, _ isDone: Bool) -> Verdict {
            guard isDone else {
                return .declined(
                    Decline(.refusedByProvider, provider: ProviderMessage(code: "no"), references: ["name": name]))
            }
            return .approved(Approval(AdmissionTests.eur(100), references: ["name": name]))
        }
        let pending = Verdict.pending(Pending(references: ["name": "two"], lookAgain: false))
        let heard = [pending, verdict("one", true), verdict("two", false)]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            var record = try Self.record(.refund, .submitted)
            for index in order {
                let word = Conclusion(.concluded(heard[index]), by: .webhook, at: 20)
                record = record.concluded(by: word, round: record.round) ?? record
            }
            #expect(record.state == .concluded(heard[1]), "\(order)")
            #expect(record.isContradicted(by: verdict("three", true), at: 30), "done twice")
            // What failed after it had been done is never another execution.
            let late = Verdict.declined(
                Decline(.failedLater, provider: ProviderMessage(code: "back"), references: ["name": "four"]))
            let word = Conclusion(.concluded(late), by: .webhook, at: 40)
            #expect(record.concluded(by: word, round: record.round)?.state == .concluded(late))
        }
    }

    @Test func aPersonsWordThatNothingMovedStays() throws {
        var record = try Self.record(.refund, .notMoved)
        let word = Conclusion(.concluded(Self.approved), by: .webhook, at: 99)
        #expect(record.concluded(by: word, round: record.round)?.state == .concluded(Self.approved))
        record.evidence = .person
        #expect(record.concluded(by: word, round: record.round) == nil)
    }
}
