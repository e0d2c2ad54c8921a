import PaymentBase
import Testing

@testable import PaymentAbstraction

@Suite struct AdmissionTests {
    static let one = ProviderIdentity("one", adapter: "memory", environment: "sandbox", merchant: "m-1")
    static let others = [
        ProviderIdentity("two", adapter: "memory", environment: "sandbox", merchant: "m-1"),
        ProviderIdentity("one", adapter: "other", environment: "sandbox", merchant: "m-1"),
        ProviderIdentity("one", adapter: "memory", environment: "production", merchant: "m-1"),
        ProviderIdentity("one", adapter: "memory", environment: "sandbox", merchant: "m-2"),
    ]

    static func eur(_ minorUnits: Int64) -> Money { MadeFacts.eur(minorUnits) }

    static func record(
        _ name: String, _ operation: MoneyOperation = .sale, _ minorUnits: Int64 = 100,
        _ state: AttemptRecord.State = .begun, of payment: String? = nil, reference: String = "o", round: Int = 1,
        isTold: Bool = true
    ) throws -> AttemptRecord {
        let intent = try MadeFacts.intent(name, operation, minorUnits, of: payment, reference: reference)
        return AttemptRecord(MadeFacts.facts(intent, state, round: round, isTold: isTold))
    }

    static func approved(_ minorUnits: Int64) -> AttemptRecord.State { .concluded(MadeFacts.approved(minorUnits)) }
    static let pending = AttemptRecord.State.concluded(MadeFacts.pending)
    static let declined = AttemptRecord.State.concluded(MadeFacts.declined)
    static let cancelled = AttemptRecord.State.concluded(MadeFacts.cancelled)

    static func decide(
        _ record: AttemptRecord, existing: AttemptRecord? = nil, family: [AttemptRecord] = [],
        sameReference: [AttemptRecord] = [], captures: CaptureRule = .several, provider: ProviderIdentity = one,
        after: Set<AttemptID> = []
    ) -> JournalAnswer {
        var slice = JournalSlice()
        (slice.attempt, slice.family) = (existing?.facts, family.map(\.facts))
        slice.underReference = sameReference.map(\.facts)
        var terms = AdmissionTerms(provider, captures: captures, owner: "till")
        terms.after = after
        let entry = JournalEntry(record.intent.key, [.begin(record.intent, terms)])
        return JournalRules.decide(entry, slice, at: MadeFacts.at(9)).answer
    }

    static func names(_ answer: JournalAnswer) -> [String]? {
        guard case .refused(let refusal, _) = answer else { return nil }
        switch refusal {
        case .blocked(let by): return by.map(\.intent.attempt.text)
        case .exceeds(_, let open): return open.map(\.text)
        case .mayBeLost: return nil
        case .fenced, .unansweredSend, .notAllowed, .noSuchPayment, .otherProvider, .noProof: return nil
        }
    }

    static func refusal(_ answer: JournalAnswer) -> JournalRefusal? {
        if case .refused(let refusal, _) = answer { return refusal }
        return nil
    }

    @Test func everyStateOfTheSameAttemptIsAnswered() throws {
        for state in [AttemptRecord.State.begun, .submitted, .inDoubt] {
            let existing = try Self.record("a", .sale, 100, state)
            #expect(Self.decide(existing, existing: existing) == .known(existing.facts))
        }
        for state in [Self.approved(100), Self.pending, Self.declined, Self.cancelled] {
            let existing = try Self.record("a", .sale, 100, state)
            #expect(Self.decide(existing, existing: existing) == .known(existing.facts))
            #expect(Self.decide(existing, existing: existing, provider: Self.others[0]) == .known(existing.facts))
        }
        let closed = try Self.record("a", .sale, 100, .notMoved, round: 4)
        guard case .accepted(let begun) = Self.decide(closed, existing: closed) else {
            Issue.record("what moved nothing could not be begun anew")
            return
        }
        let fresh = AttemptRecord(begun)
        #expect(fresh.round == 5)
        #expect(fresh.state == .begun)
        #expect(fresh.submittedAt == nil)
    }

    /// Also what moved nothing keeps its content: the same id never means two things.
    @Test func everyFieldOfTheContentCounts() throws {
        let id = try AttemptID("a")
        let first = AttemptIntent(
            id, .refund, Self.eur(100), reference: "o", payment: try PaymentID("p"), source: .card, last4: "1111")
        let intents = [
            AttemptIntent(
                id, .unlinkedRefund, Self.eur(100), reference: "o", payment: first.payment, source: .card, last4: "1111"
            ),
            AttemptIntent(
                id, .refund, Self.eur(99), reference: "o", payment: first.payment, source: .card, last4: "1111"),
            AttemptIntent(
                id, .refund, Money(minorUnits: 100, .usd), reference: "o", payment: first.payment, source: .card,
                last4: "1111"),
            AttemptIntent(
                id, .refund, Self.eur(100), reference: "O", payment: first.payment, source: .card, last4: "1111"),
            AttemptIntent(
                id, .refund, Self.eur(100), reference: "o", payment: try PaymentID("q"), source: .card, last4: "1111"),
            AttemptIntent(id, .refund, Self.eur(100), reference: "o", source: .card, last4: "1111"),
            AttemptIntent(
                id, .refund, Self.eur(100), reference: "o", payment: first.payment, source: .bank, last4: "1111"),
            AttemptIntent(
                id, .refund, Self.eur(100), reference: "o", payment: first.payment, source: .card, last4: "1112"),
            AttemptIntent(id, .refund, Self.eur(100), reference: "o", payment: first.payment, source: .card),
        ]
        for state in [AttemptRecord.State.begun, .submitted, .inDoubt, .notMoved, Self.approved(100), Self.pending] {
            let existing = AttemptRecord(MadeFacts.facts(first, state))
            for intent in intents {
                let asked = AttemptRecord(MadeFacts.facts(intent))
                #expect(Self.decide(asked, existing: existing) == .conflict(existing.facts), "\(intent)")
            }
        }
    }

    @Test func anOpenOrPendingReferenceBlocks() throws {
        let asked = try Self.record("b")
        for state in [AttemptRecord.State.begun, .submitted, .inDoubt, Self.pending] {
            let other = try Self.record("a", .authorize, 5, state)
            #expect(Self.names(Self.decide(asked, sameReference: [other])) == ["a"], "\(state)")
        }
        for state in [AttemptRecord.State.notMoved, Self.approved(5), Self.declined, Self.cancelled] {
            let other = try Self.record("a", .sale, 5, state)
            #expect(Self.names(Self.decide(asked, sameReference: [other])) == nil, "\(state)")
        }
        // Itself, another reference, and an operation on a payment are not in the way.
        let itself = try Self.record("b", .sale, 100, .notMoved)
        let strangers = [itself, try Self.record("c", reference: "x"), try Self.record("d", .refund, 1, of: "p")]
        guard case .accepted = Self.decide(asked, existing: itself, sameReference: strangers) else {
            Issue.record("blocked by what is not in the way")
            return
        }
    }

    @Test func onlyTheAccountThatTookItIsAsked() throws {
        let origin = try Self.record("p", .sale, 100, Self.approved(100))
        for provider in Self.others {
            for operation in [MoneyOperation.capture, .adjust, .void, .refund, .tipAdjustment] {
                let asked = try Self.record("r", operation, 1, of: "p")
                let answer = Self.decide(asked, family: [origin], provider: provider)
                #expect(Self.refusal(answer) == .otherProvider(Self.one), "\(operation) at \(provider)")
            }
            let unlinked = try Self.record("r", .unlinkedRefund, 1, of: "p")
            guard case .accepted = Self.decide(unlinked, family: [origin], provider: provider) else {
                Issue.record("a refund without an original may go elsewhere")
                return
            }
        }
    }

    @Test func anUnlinkedRefundThatNamesAPaymentCountsAgainstIt() throws {
        let origin = try Self.record("p", .sale, 100, Self.approved(100))
        let given = try Self.record("u", .unlinkedRefund, 70, Self.approved(70), of: "p")
        let family = [origin, given]
        for operation in [MoneyOperation.refund, .unlinkedRefund] {
            let asked = try Self.record("r", operation, 31, of: "p")
            #expect(Self.refusal(Self.decide(asked, family: family)) == .exceeds(left: Self.eur(30), open: []))
            guard case .accepted = Self.decide(try Self.record("r", operation, 30, of: "p"), family: family) else {
                Issue.record("what is left could not be given back")
                return
            }
        }
    }

    /// Whoever is told that it exceeds must hear of everybody who could still let go of a part.
    @Test func exceedsNamesEverybodyWhoReserves() throws {
        let family = [
            try Self.record("p", .sale, 100, Self.approved(100)), try Self.record("r-1", .refund, 20, .begun, of: "p"),
            try Self.record("r-2", .refund, 20, .submitted, of: "p"),
            try Self.record("r-3", .refund, 20, Self.pending, of: "p"),
            try Self.record("r-4", .refund, 20, Self.approved(20), of: "p"),
            try Self.record("r-5", .refund, 20, Self.declined, of: "p"),
        ]
        let answer = Self.decide(try Self.record("r", .refund, 21, of: "p"), family: family)
        guard case .refused(.exceeds(let left, let open), _) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(left == Self.eur(20))
        #expect(open.map(\.text) == ["r-1", "r-2", "r-3"])
    }

    @Test func whoeverIsBlockedHearsByWhom() throws {
        let origin = try Self.record("p", .authorize, 100, Self.approved(100))
        for operation in [MoneyOperation.void, .adjust, .tipAdjustment] {
            for state in [AttemptRecord.State.begun, .submitted, .inDoubt, Self.pending] {
                let whole = try Self.record("w", operation, 50, state, of: "p")
                for next in [MoneyOperation.capture, .refund, .unlinkedRefund, .void, .adjust, .tipAdjustment] {
                    let asked = try Self.record("n", next, 10, of: "p")
                    let names = Self.names(Self.decide(asked, family: [origin, whole]))
                    #expect(names == ["w"], "\(next) while \(operation) is \(state)")
                }
            }
        }
    }

    @Test func anythingInDoubtBlocksThePayment() throws {
        let origin = try Self.record("p", .sale, 100, Self.approved(100))
        let doubtful = try Self.record("r-1", .refund, 1, .inDoubt, of: "p")
        let asked = try Self.record("r-2", .refund, 1, of: "p")
        #expect(Self.names(Self.decide(asked, family: [origin, doubtful])) == ["r-1"])
        for state in [AttemptRecord.State.begun, .submitted, .inDoubt] {
            let open = try Self.record("p", .sale, 100, state)
            #expect(Self.names(Self.decide(asked, family: [open])) == ["p"])
        }
        #expect(Self.refusal(Self.decide(asked, family: [])) == .noSuchPayment)
        #expect(Self.refusal(Self.decide(asked, family: [doubtful])) == .noSuchPayment)
    }

    @Test func whatMovedNothingIsAskedAgainWithoutItsOwnReservation() throws {
        let origin = try Self.record("p", .sale, 100, Self.approved(100))
        let closed = try Self.record("r", .refund, 100, .notMoved, of: "p", round: 2)
        guard case .accepted(let fresh) = Self.decide(closed, existing: closed, family: [origin, closed]) else {
            Issue.record("its own reservation was in its way")
            return
        }
        #expect(fresh.newest.number == 3)
        let rival = try Self.record("s", .refund, 1, Self.approved(1), of: "p")
        let answer = Self.decide(closed, existing: closed, family: [origin, closed, rival])
        #expect(Self.refusal(answer) == .exceeds(left: Self.eur(99), open: []), "what happened meanwhile counts")
    }

    /// Nobody moves money anew before he has heard; whoever names what moved has heard.
    @Test func whatMovedBlocksUntilItsCallerWasTold() throws {
        let asked = try Self.record("b")
        let untold = try Self.record("a", .authorize, 5, Self.approved(5), isTold: false)
        #expect(Self.names(Self.decide(asked, sameReference: [untold])) == ["a"])
        guard case .accepted = Self.decide(asked, sameReference: [untold], after: [untold.intent.attempt]) else {
            Issue.record("naming it was not enough")
            return
        }
        let origin = try Self.record("p", .sale, 100, Self.approved(100))
        let refund = try Self.record("r-1", .refund, 10, Self.approved(10), of: "p", isTold: false)
        let next = try Self.record("r-2", .refund, 10, of: "p")
        #expect(Self.names(Self.decide(next, family: [origin, refund])) == ["r-1"])
        guard case .accepted = Self.decide(next, family: [origin, refund], after: [refund.intent.attempt]) else {
            Issue.record("naming the refund was not enough")
            return
        }
    }

    @Test func anotherShopsReferenceIsNotInTheWay() throws {
        let open = try Self.record("a", .sale, 5, .inDoubt)
        var intent = try MadeFacts.intent("b")
        intent.scope = "another shop"
        guard case .accepted = Self.decide(AttemptRecord(MadeFacts.facts(intent)), sameReference: [open]) else {
            Issue.record("another scope's reference was in the way")
            return
        }
    }
}
