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

    static func eur(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, .eur) }

    static func record(
        _ name: String, _ operation: MoneyOperation = .sale, _ minorUnits: Int64 = 100,
        _ state: AttemptRecord.State = .begun, of payment: String? = nil, reference: String = "o", round: Int = 1
    ) throws -> AttemptRecord {
        let intent = AttemptIntent(
            try AttemptID(name), operation, eur(minorUnits), reference: reference,
            payment: try payment.map { try PaymentID($0) }, source: payment == nil ? .card : nil)
        var record = AttemptRecord(intent, one, round: round, at: 0, owner: "till")
        record.state = state
        return record
    }

    static func approved(_ minorUnits: Int64) -> AttemptRecord.State {
        .concluded(.approved(Approval(eur(minorUnits))))
    }
    static let pending = AttemptRecord.State.concluded(.pending(Pending(lookAgain: false)))
    static let declined = AttemptRecord.State.concluded(
        .declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05"))))
    static let cancelled = AttemptRecord.State.concluded(.cancelled(Cancellation(by: .customer)))

    static func decide(
        _ record: AttemptRecord, existing: AttemptRecord? = nil, family: [AttemptRecord] = [],
        sameReference: [AttemptRecord] = [], captures: CaptureRule = .several, provider: ProviderIdentity = one
    ) -> Beginning {
        Admission.decide(
            record.intent, AdmissionTerms(provider, captures: captures, owner: "till"), existing: existing,
            family: family, sameReference: sameReference, at: 9)
    }

    static func names(_ beginning: Beginning) -> [String]? {
        switch beginning {
        case .refused(.blocked(let by)): by.map(\.text)
        case .refused(.exceeds(_, let open)): open.map(\.text)
        case .refused, .fresh, .recorded, .open, .conflict: nil
        }
    }

    @Test func everyStateOfTheSameAttemptIsAnswered() throws {
        for state in [AttemptRecord.State.begun, .submitted, .inDoubt] {
            let existing = try Self.record("a", .sale, 100, state)
            #expect(Self.decide(existing, existing: existing) == .open(existing))
        }
        for state in [Self.approved(100), Self.pending, Self.declined, Self.cancelled] {
            let existing = try Self.record("a", .sale, 100, state)
            #expect(Self.decide(existing, existing: existing) == .recorded(existing))
            #expect(Self.decide(existing, existing: existing, provider: Self.others[0]) == .recorded(existing))
        }
        let closed = try Self.record("a", .sale, 100, .notMoved, round: 4)
        guard case .fresh(let fresh) = Self.decide(closed, existing: closed) else {
            Issue.record("what moved nothing could not be begun anew")
            return
        }
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
            var existing = AttemptRecord(first, Self.one, round: 1, at: 0, owner: "till")
            existing.state = state
            for intent in intents {
                let asked = AttemptRecord(intent, Self.one, round: 1, at: 0, owner: "till")
                #expect(Self.decide(asked, existing: existing) == .conflict(existing), "\(intent)")
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
        guard case .fresh = Self.decide(asked, existing: itself, sameReference: strangers) else {
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
                #expect(answer == .refused(.otherProvider(Self.one)), "\(operation) at \(provider)")
            }
            let unlinked = try Self.record("r", .unlinkedRefund, 1, of: "p")
            guard case .fresh = Self.decide(unlinked, family: [origin], provider: provider) else {
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
            #expect(Self.decide(asked, family: family) == .refused(.exceeds(left: Self.eur(30), open: [])))
            guard case .fresh = Self.decide(try Self.record("r", operation, 30, of: "p"), family: family) else {
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
        guard case .refused(.exceeds(let left, let open)) = answer else {
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
        #expect(Self.decide(asked, family: []) == .refused(.noSuchPayment))
        #expect(Self.decide(asked, family: [doubtful]) == .refused(.noSuchPayment))
    }

    @Test func whatMovedNothingIsAskedAgainWithoutItsOwnReservation() throws {
        let origin = try Self.record("p", .sale, 100, Self.approved(100))
        let closed = try Self.record("r", .refund, 100, .notMoved, of: "p", round: 2)
        guard case .fresh(let fresh) = Self.decide(closed, existing: closed, family: [origin, closed]) else {
            Issue.record("its own reservation was in its way")
            return
        }
        #expect(fresh.round == 3)
        let rival = try Self.record("s", .refund, 1, Self.approved(1), of: "p")
        let answer = Self.decide(closed, existing: closed, family: [origin, closed, rival])
        #expect(answer == .refused(.exceeds(left: Self.eur(99), open: [])), "what happened meanwhile counts")
    }
}
