import PaymentAbstraction
import PaymentBase

/// Facts of attempts that stand as a test wants them to.
enum MadeFacts {
    static let one = ProviderIdentity("one", adapter: "memory", environment: "sandbox", merchant: "m-1")
    static let declined = Verdict.declined(Decline(.doNotHonor, provider: ProviderMessage(code: "05")))
    static let cancelled = Verdict.cancelled(Cancellation(by: .customer))
    static let pending = Verdict.pending(Pending(lookAgain: false))
    static func approved(_ minorUnits: Int64 = 100, _ references: PaymentReferences = [:]) -> Verdict {
        .approved(Approval(eur(minorUnits), references: references))
    }

    static func eur(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, .eur) }
    static func at(_ instant: Int64) -> JournalInstant { JournalInstant(wall: instant, uptime: instant) }

    static func intent(
        _ name: String, _ operation: MoneyOperation = .sale, _ minorUnits: Int64 = 100, of payment: String? = nil,
        reference: String = "o"
    ) throws -> AttemptIntent {
        AttemptIntent(
            try AttemptID(name), operation, eur(minorUnits), reference: reference,
            payment: try payment.map { try PaymentID($0) }, source: payment == nil ? .card : nil)
    }

    /// An attempt that stands as a state says; what moved was told to its caller.
    static func facts(
        _ intent: AttemptIntent, _ state: AttemptRecord.State = .begun, round: Int = 1, isTold: Bool = true
    ) -> AttemptFacts {
        func fresh(_ number: Int) -> AttemptFacts.Round {
            .init(number: number, provider: one, owner: "till", begunAt: at(0))
        }
        var facts = AttemptFacts(intent, fresh(1))
        for number in 1..<round {
            facts.append(.end(.init(round: number, by: .owner, at: at(0))))
            facts.append(.round(fresh(number + 1)))
        }
        let isSent = state != .begun && state != .notMoved
        if isSent { facts.append(.send(.init(round: round, number: 1, key: nil, leavesWithin: 0, openedAt: at(1)))) }
        switch state {
        case .begun, .submitted: return facts
        case .inDoubt: facts.append(.close(.init(send: 1, proof: .lost, at: at(2))))
        case .notMoved: break
        case .concluded(let verdict):
            facts.append(.close(.init(send: 1, proof: .answered, at: at(2))))
            var word = AttemptFacts.Word(.reply, .verdict(verdict), at: at(2))
            (word.send, word.round) = (1, round)
            facts.append(.word(word))
            if isTold { facts.append(.told(at: at(2))) }
        }
        facts.append(.end(.init(round: round, by: .owner, at: at(2))))
        return facts
    }

    /// What the rules make of parts about an attempt.
    static func play(
        _ facts: AttemptFacts?, _ parts: [JournalEntry.Part], at instant: Int64 = 1_000_000,
        _ change: (inout JournalSlice) -> Void = { _ in }
    ) throws -> JournalDecision {
        var slice = JournalSlice()
        slice.attempt = facts
        change(&slice)
        let key = try facts?.intent.key ?? AttemptKey(AttemptID("x"))
        return JournalRules.decide(JournalEntry(key, parts), slice, at: at(instant))
    }

    /// A word of a source.
    static func word(
        _ source: AttemptFacts.Word.Source, _ verdict: Verdict, theirs: Int64? = nil, asked: Int64? = nil,
        at instant: Int64 = 10
    ) -> AttemptFacts.Word {
        var word = AttemptFacts.Word(source, .verdict(verdict), at: at(instant))
        (word.providerTime, word.askedAt) = (theirs, asked.map { at($0) })
        return word
    }
}
