// Matching by amount and time. Only for accounts that the configuration declares exclusive; everywhere else a person gets
// the list and says which movement it is. Nothing else in the rules knows about it.

/// What a store keeps of an attempt that something found could be. Rows are read for that, and no payments.
package struct MatchRow: Hashable, Sendable {
    package let attempt: AttemptID
    package let operation: PaymentOperation
    package let amount: Money
    package let account: ProviderIdentity
    package let scope: String
    package let reference: String?
    package let begunAt: JournalInstant
    package let isOpen: Bool
    /// Until when a request of it could be executed, by the wall clock; nil if it runs.
    package let until: Int64?
    /// Whether its last request had a send limit; if not, the quiet period is added to `until`.
    package let hasLimit: Bool

    /// The row of an attempt that is open with a request, or approved without a name; else nil.
    package init?(_ attempt: Attempt) {
        let couldMatch =
            attempt.isOpen && !attempt.requests.isEmpty
            || attempt.hasApproval && attempt.names.isEmpty && !attempt.isImported
        guard couldMatch, !attempt.isByProvider, let run = attempt.newest else { return nil }
        let intent = attempt.intent
        (self.attempt, operation, amount, account) = (intent.attempt, intent.operation, intent.amount, run.account)
        (scope, reference, begunAt, isOpen) = (intent.scope, intent.reference, attempt.runs[0].begunAt, attempt.isOpen)
        let last = attempt.requests.last
        hasLimit = last?.sendLimit != nil
        let end = run.endedAt.map { last?.sendLimit == nil ? $0 : last?.endedAt ?? $0 }
        until = end.map { $0.wall.addingSaturating(last?.sendLimit ?? 0) }
    }

    package init(
        attempt: AttemptID, operation: PaymentOperation, amount: Money, account: ProviderIdentity, scope: String,
        reference: String?, begunAt: JournalInstant, isOpen: Bool, until: Int64?, hasLimit: Bool
    ) {
        (self.attempt, self.operation, self.amount, self.account) = (attempt, operation, amount, account)
        (self.scope, self.reference, self.begunAt, self.isOpen) = (scope, reference, begunAt, isOpen)
        (self.until, self.hasLimit) = (until, hasLimit)
    }

    /// Whether what was paid at a time can be it.
    func isWithin(_ time: Int64, _ terms: LookupTerms) -> Bool {
        guard time >= begunAt.wall.addingSaturating(-terms.clockMargin) else { return false }
        guard let until, let quiet = hasLimit ? 0 : terms.quietPeriod else { return true }
        return time <= until.addingSaturating(quiet).addingSaturating(terms.clockMargin)
    }
}

extension Transaction {
    /// Takes a movement that looks like the attempt if it is the only free one, no other attempt could be it, and no known
    /// payment could have a second copy that looks the same.
    mutating func candidates(
        _ seen: [LookupResult.Candidate], _ held: Attempt, _ basis: Finding.Basis, _ terms: LookupTerms
    ) -> JournalRefusal? {
        let id = held.intent.attempt
        if seen.isEmpty { return .noProof("Nothing like it is shown, which proves nothing here.") }
        let free = seen.filter { candidate in !holders(candidate.name, basis.account).contains { $0 != id } }
        let list = free.map { JournalRefusal.Candidate($0.name, $0.verdict.approval?.amount) }
        // What a restore has lost can be at an account on which no other system works.
        guard terms.isExclusive, !slice.hasGap else { return .couldMatch(list) }
        guard held.isOpen, held.isEnded else { return .noProof("It is decided, or a process works on it.") }
        guard let only = free.first, free.count == 1 else { return .couldMatch(list) }
        let taken = seen.filter { $0.name != only.name }
        guard taken.allSatisfy({ isNoCopy(only, of: $0, held) }) else {
            return .noProof("A payment like it may have been executed twice.")
        }
        let isRival = { (other: MatchRow) -> Bool in
            guard other.attempt != id, other.account == basis.account, other.operation == held.intent.operation else {
                return false
            }
            if other.amount == held.intent.amount { return true }
            guard let part = only.verdict.approval, part.isPartial else { return false }
            return other.amount.currency == part.amount.currency && other.amount.minorUnits > part.amount.minorUnits
        }
        guard !slice.matches.contains(where: isRival) else { return .couldMatch(list) }
        return found(only.verdict, id, basis, terms, [only.name])
    }

    /// Whether both times prove that a movement is no second copy of another one's request: they are further apart than any
    /// request takes.
    private func isNoCopy(
        _ candidate: LookupResult.Candidate, of other: LookupResult.Candidate, _ held: Attempt
    ) -> Bool {
        guard let at = candidate.at, let otherAt = other.at else { return false }
        let limits = holders(other.name, held.newest?.account).compactMap { attempts[$0] }.flatMap(\.requests).map(
            \.sendLimit)
        guard limits.allSatisfy({ $0 != nil }) else { return false }
        let longest = limits.compactMap { $0 }.max() ?? 0
        return otherAt.until(at) > longest.addingSaturating(Self.copyMilliseconds)
    }

    /// How long after its last byte a copy of a request can be executed, in milliseconds.
    private static let copyMilliseconds: Int64 = 60_000
}
