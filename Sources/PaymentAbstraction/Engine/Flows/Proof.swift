internal import PaymentBase

/// What a lookup proves about an attempt; pure, and the only way to remove doubt without a person.
enum Proof: Hashable {
    /// The provider's answer stands.
    case verdict(Verdict, claim: String?)
    /// It never arrived and never will.
    case notMoved
    /// Nothing yet.
    case nothing
    /// Something is there, and it isn't final or could be another attempt's.
    case something
    /// The answer is about something else than was asked: another currency, more, or silently less.
    case mismatch(String)

    /// Judges a sighting.
    ///
    /// - Parameters:
    ///   - holders: Attempts of the provider that hold one of the candidates' references.
    ///   - rivals: Other attempts of the provider that could be what was seen.
    static func of(
        _ sighting: LookupResult, _ record: AttemptRecord, _ plan: LookupPlan, now: Int64,
        holders: [AttemptRecord], rivals: [AttemptRecord]
    ) -> Proof {
        switch sighting {
        case .found(let verdict): return of(verdict, record, claim: nil)
        case .candidates(let seen):
            let taken = holders.filter { $0.intent.attempt != record.intent.attempt }
            let free = seen.filter { candidate in !taken.contains { $0.handles.contains(candidate.reference) } }
            guard let only = free.first else { return .nothing }
            if free.count > 1 || rivals.contains(where: { $0.couldBe(only.verdict, insteadOf: record) }) {
                return .something
            }
            return of(only.verdict, record, claim: only.reference)
        case .notSeen:
            guard let quiet = plan.quietTime, let submitted = record.submittedAt, now - submitted >= quiet else {
                return .nothing
            }
            return .notMoved
        case .cannotTell: return .nothing
        }
    }

    /// Judges a verdict: the amount and the currency must be what was asked.
    static func of(_ verdict: Verdict, _ record: AttemptRecord, claim: String?) -> Proof {
        switch verdict {
        case .approved(let approval): return of(approval, record, claim)
        case .declined, .cancelled: return .verdict(verdict, claim: claim)
        case .pending(let pending): return pending.lookAgain ? .something : .verdict(verdict, claim: claim)
        }
    }

    private static func of(_ approval: Approval, _ record: AttemptRecord, _ claim: String?) -> Proof {
        let asked = record.intent.amount
        guard approval.amount.currency == asked.currency else {
            return .mismatch("the answer is in \(approval.amount.currency.code), asked was \(asked.currency.code)")
        }
        guard !approval.amount.isNegative, approval.amount.minorUnits <= asked.minorUnits else {
            return .mismatch("the answer is over \(approval.amount), asked was \(asked)")
        }
        if approval.amount.minorUnits < asked.minorUnits, !approval.isPartial {
            return .mismatch("the answer is over \(approval.amount), asked was \(asked), and it doesn't say partial")
        }
        return .verdict(.approved(approval), claim: claim)
    }
}

extension AttemptRecord {
    /// Whether what was seen could be this attempt as well as the one that was looked for.
    fileprivate func couldBe(_ verdict: Verdict, insteadOf record: AttemptRecord) -> Bool {
        guard intent.attempt != record.intent.attempt, provider == record.provider, mayHaveMoved,
            intent.operation == record.intent.operation
        else { return false }
        if intent.amount == record.intent.amount { return true }
        // A part of a larger amount looks like the whole of a smaller one.
        guard case .approved(let approval) = verdict, approval.isPartial else { return false }
        let (seen, asked) = (approval.amount, intent.amount)
        return seen.currency == asked.currency && seen.minorUnits < asked.minorUnits
    }
}
