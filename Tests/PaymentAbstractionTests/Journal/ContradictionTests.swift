import PaymentBase
import PaymentSandbox
import PaymentTestTill
import PaymentTesting
import Testing

@testable import PaymentAbstraction

/// What can't be true beside what is written is never lost in silence.
@Suite struct ContradictionTests {
    private static func facts(_ operation: MoneyOperation, _ state: AttemptRecord.State) throws -> AttemptFacts {
        MadeFacts.facts(try MadeFacts.intent("a", operation), state)
    }

    private func hear(_ facts: AttemptFacts, _ word: AttemptFacts.Word) throws -> (facts: AttemptFacts, raised: Bool) {
        var names: [String] = []
        if case .verdict(let verdict) = word.content { names = verdict.references.values.sorted() }
        let decision = try MadeFacts.play(facts, [.names(MadeFacts.one, names), .word(word)])
        return (decision.changes.last?.after ?? facts, decision.events.contains(.contradiction))
    }

    @Test(arguments: MoneyOperation.allCases) func whatWasProvenNotToHaveMovedIsStillHeard(
        _ operation: MoneyOperation
    ) throws {
        let facts = try Self.facts(operation, .notMoved)
        let done = try hear(facts, MadeFacts.word(.webhook, MadeFacts.approved()))
        #expect(done.raised && done.facts.standing == .moved && done.facts.isContradicted)
        let refused = try hear(facts, MadeFacts.word(.webhook, MadeFacts.declined))
        #expect(!refused.raised && refused.facts.standing == .notMoved)
    }

    @Test(arguments: [MoneyOperation.sale, .authorize, .debit]) func aMachineContradictsAPerson(
        _ operation: MoneyOperation
    ) throws {
        var facts = try Self.facts(operation, .inDoubt)
        facts = try hear(facts, MadeFacts.word(.person, MadeFacts.approved())).facts
        #expect(facts.standing == .moved)
        let refused = try hear(facts, MadeFacts.word(.webhook, MadeFacts.declined))
        #expect(refused.raised && refused.facts.standing == .moved)
        #expect(!(try hear(facts, MadeFacts.word(.webhook, MadeFacts.approved())).raised))
    }

    @Test func whatIsOpenIsContradictedByNothing() throws {
        for state in [AttemptRecord.State.begun, .submitted, .inDoubt] {
            for verdict in [MadeFacts.approved(), MadeFacts.declined, MadeFacts.cancelled, MadeFacts.pending] {
                #expect(!(try hear(try Self.facts(.sale, state), MadeFacts.word(.webhook, verdict)).raised))
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
            return MadeFacts.approved(100, ["name": name])
        }
        let pending = Verdict.pending(Pending(references: ["name": "two"], lookAgain: false))
        let heard = [pending, verdict("one", true), verdict("two", false)]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            var facts = try Self.facts(.refund, .submitted)
            for index in order {
                facts = try hear(facts, MadeFacts.word(.webhook, heard[index], theirs: 20)).facts
            }
            #expect(facts.verdict == heard[1], "\(order)")
            let twice = try hear(facts, MadeFacts.word(.webhook, verdict("three", true), theirs: 30))
            #expect(twice.raised, "done twice")
            #expect(AttemptRecord(twice.facts).approval?.amount == MadeFacts.eur(200), "both moved")
        }
    }

    /// A refund that came twice on its way was done twice, and one of the two failed afterwards: the other one stays, in
    /// whatever order that is heard, and also where nobody has heard yet that the failed one was done.
    @Test func ofTwoExecutionsTheFailureOfOneLeavesTheOther() throws {
        let failure = Verdict.declined(
            Decline(.failedLater, provider: ProviderMessage(code: "back"), references: ["name": "two"]))
        let (one, two) = (MadeFacts.approved(100, ["name": "one"]), MadeFacts.approved(100, ["name": "two"]))
        let orders = [
            [one, failure], [one, two, failure], [two, failure, one], [one, failure, two], [failure, two, one],
        ]
        for heard in orders {
            var (facts, raised) = (try Self.facts(.refund, .submitted), 0)
            for (number, verdict) in heard.enumerated() {
                // The failure is the last by the provider's time, and the order of arrival is any.
                let theirs = verdict == failure ? 40 : 20 + Int64(number)
                let now = try hear(facts, MadeFacts.word(.webhook, verdict, theirs: theirs))
                (facts, raised) = (now.facts, raised + (now.raised ? 1 : 0))
            }
            #expect(facts.verdict == one, "\(heard)")
            #expect(raised > 0, "somebody has to look: \(heard)")
        }
        var failed = try Self.facts(.refund, .submitted)
        for verdict in [two, failure] { failed = try hear(failed, MadeFacts.word(.webhook, verdict, theirs: 20)).facts }
        #expect(failed.verdict == failure, "its own failure is heard")
    }

    /// It was given up at one provider and done by another, and then the first had done it, too.
    @Test func whatTwoProvidersDidMovedTwiceWhateverTheyCallIt() throws {
        let two = ProviderIdentity("two", adapter: "other", environment: "sandbox", merchant: "m-2")
        var facts = MadeFacts.facts(try MadeFacts.intent("a"), .notMoved)
        facts.append(.round(.init(number: 2, provider: two, owner: "till", begunAt: MadeFacts.at(5))))
        facts.append(.send(.init(round: 2, number: 1, key: nil, leavesWithin: 0, openedAt: MadeFacts.at(6))))
        var reply = MadeFacts.word(.reply, MadeFacts.approved(100, ["capture": "c-1"]))
        (reply.round, reply.send) = (2, 1)
        facts.append(.word(reply))
        facts.append(.name(.init(provider: two, value: "c-1", send: 1)))
        var late = MadeFacts.word(.webhook, MadeFacts.approved(100, ["payment": "p-1"]))
        late.round = 1
        let heard = try hear(facts, late)
        #expect(heard.raised, "somebody has to give one of them back")
        #expect(AttemptRecord(heard.facts).approval?.amount == MadeFacts.eur(200))
        let again = try hear(heard.facts, late)
        #expect(AttemptRecord(again.facts).approval?.amount == MadeFacts.eur(200), "the same message once more")
    }

    @Test func onlyAPersonsOwnWordIsTakenBackAndByAPersonAlone() throws {
        var facts = try Self.facts(.sale, .inDoubt)
        facts = try hear(facts, MadeFacts.word(.person, MadeFacts.approved())).facts
        let withdrawal = AttemptFacts.Word(.person, .withdrawn, at: MadeFacts.at(9))
        let withdrawn = try hear(facts, withdrawal).facts
        #expect(withdrawn.standing == .inDoubt)
        let told = try hear(withdrawn, MadeFacts.word(.webhook, MadeFacts.approved())).facts
        #expect(try hear(told, withdrawal).facts.standing == .moved, "the provider's word can't be taken back")
    }
}
