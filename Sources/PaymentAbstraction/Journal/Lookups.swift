package import PaymentDriverKit

// What the answer to a question proves.
extension Transaction {
    mutating func lookup(
        _ result: LookupResult, _ held: Attempt, _ basis: Finding.Basis, _ terms: LookupTerms, _ names: [String]
    ) -> JournalRefusal? {
        let id = held.intent.attempt
        switch result {
        case .cannotTell(let why, _): return .noProof(why)
        case .changed where !terms.isExclusive:
            return .noProof("Others may work on the account, so the change need not be this attempt's.")
        case .found(let verdict), .changed(let verdict): return found(verdict, id, basis, terms, names)
        case .repeated(let approval):
            let other = otherHolder(names, id, basis.account)
            name(names, id, request: sentRequest(held, basis))
            return record(.approved(approval), .reply, id, run: basis.run, request: nil, claimedBy: other, names: names)
        case .notFound(let seesBack): return notFound(held, basis, terms, seesBack: seesBack)
        case .candidates(let seen): return candidates(seen, held, basis, terms)
        }
    }

    private mutating func notFound(
        _ held: Attempt, _ basis: Finding.Basis, _ terms: LookupTerms, seesBack: Int64?
    ) -> JournalRefusal? {
        let id = held.intent.attempt
        let isOfHiddenRun = held.hasHiddenDoubt && basis.run == held.runs.count
        if held.hasApproval, !isOfHiddenRun { return .noProof("It was approved.") }
        let wasPending = held.reports.contains { $0.run == basis.run && $0.isPending }
        if wasPending, !isDeclinedByName(held, basis) { return .noProof("The provider had accepted it.") }
        if let why = whyAbsenceProvesNothing(held, basis, quiet: terms.quietPeriod, seesBack: seesBack, isPerson: false)
        {
            return .noProof(why)
        }
        let others = couldBe(held)
        if !others.isEmpty { return .couldMatch(others) }
        append(
            .report(
                .init(
                    .notExecuted, .lookup(askedAt: basis.askedAt, known: basis.known), run: basis.run, entry: entry(id),
                    at: now)), id)
        return nil
    }

    /// Whether a decline was pushed by the name of the run's last request before the question was asked.
    private func isDeclinedByName(_ held: Attempt, _ basis: Finding.Basis) -> Bool {
        guard let last = held.requests.last(where: { $0.run == basis.run })?.number else { return false }
        let mine = held.names.filter { $0.request == last }.map(\.value)
        return held.reports.contains {
            $0.isDecline && $0.request == last && $0.entry <= basis.known && $0.carries(mine)
        }
    }

    /// The request to which an answer gives its names: what a run shows that sent nothing, another name of the account sent.
    private func sentRequest(_ held: Attempt, _ basis: Finding.Basis) -> Int? {
        if held.hasSent(basis.run) { return lastRequest(held, basis) }
        let sent = held.requests.last { $0.run == held.run(about: basis.account) && !$0.wasNotExecuted }
        return sent?.number ?? lastRequest(held, basis)
    }

    /// The last request of the run that was asked about.
    private func lastRequest(_ held: Attempt, _ basis: Finding.Basis) -> Int? {
        held.requests.prefix(basis.lastRequest).last { $0.run == basis.run }?.number
    }

    /// Records what a lookup found, as far as it proves something.
    mutating func found(
        _ verdict: Verdict, _ id: AttemptID, _ basis: Finding.Basis, _ terms: LookupTerms, _ names: [String]
    ) -> JournalRefusal? {
        guard let held = attempts[id] else { return .noSuchAttempt }
        let other = otherHolder(names, id, basis.account)
        // A late failure always counts. It says nothing about the rest of the run, unless a decline would.
        let isOfRun =
            verdict.isLateFailure && !held.hasApproval
            && whyDeclineProvesNothing(held, verdict, basis, terms, names) == nil
        let isKnown = held.reports.last.map { last in
            last.what == .verdict(verdict) && last.evidence.isLookup && last.run == basis.run
        }
        if isKnown == true, !isOfRun { return nil }
        // What undid it as a whole has a name of its own.
        if verdict.isDecline, !verdict.wasReversed, !held.hasApproval, let other {
            return .noProof("It is the decline of \(other.text), which has its name.")
        }
        if verdict.isDecline, !verdict.isLateFailure {
            if let why = whyOfflineStays(held, verdict, basis) { return .noProof(why) }
            if held.hasApproval {
                guard held.intent.operation.canTurn || held.executions.contains(where: \.isOffline) else {
                    alert(.contradiction(id))
                    return .noProof("It was approved.")
                }
                let approvals = held.executions.filter(\.report.isApproval).map(\.report.entry)
                if let newest = approvals.max(), newest > basis.known {
                    return .noProof("It was asked before its approval was known.")
                }
            } else if let why = whyDeclineProvesNothing(held, verdict, basis, terms, names) {
                return .noProof(why)
            }
        }
        name(names, id, request: sentRequest(held, basis))
        let evidence = Attempt.Evidence.lookup(askedAt: basis.askedAt, known: basis.known)
        return record(
            verdict, evidence, id, run: basis.run, request: isOfRun ? lastRequest(held, basis) : nil, claimedBy: other,
            names: names, margin: terms.clockMargin)
    }

    /// Why a decline does not end an approval that a device gave without the issuer; nil if it does.
    private func whyOfflineStays(_ held: Attempt, _ verdict: Verdict, _ basis: Finding.Basis) -> String? {
        guard held.isOfflineStill else { return nil }
        let isForwarded =
            basis.isByTerminal || held.requests.contains(where: \.mayBeOffline) && whyStored(held, basis) == nil
        let isNamed = held.names.contains { verdict.references.values.contains($0.value) }
        return isForwarded || isNamed ? nil : "It need not be about what was approved offline."
    }

    /// Why a decline that was found does not decide; nil if nothing else of the run can still be executed.
    private func whyDeclineProvesNothing(
        _ held: Attempt, _ verdict: Verdict, _ basis: Finding.Basis, _ terms: LookupTerms, _ names: [String]
    ) -> String? {
        if let why = whyBasisIsOld(held, basis) ?? whyStored(held, basis) { return why }
        if held.hasOpenDispute { return "A person has to say first which payment it is." }
        if basis.run < held.runs.count, !basis.isByName {
            let all = names + verdict.references.values
            let isSame = held.reports.contains { $0.run == basis.run && $0.isPending && $0.carries(all) }
            guard isSame else { return "It need not be about the older run." }
        }
        let requests = held.requests.filter { $0.run == basis.run }
        if requests.contains(where: { $0.cards == .several && $0.ending != .answered }), !basis.isByTerminal {
            // Another card of the same call may have been approved since, unless the terminal says how the call ended.
            guard let ended = held.runs[basis.run - 1].endedAt,
                slice.clock.atLeast(ended, basis.askedAt, marks(held.intent.attempt))
                    >= terms.quietPeriod ?? Self.declineQuietMilliseconds
            else { return "It was asked too early." }
        }
        let unanswered = requests.filter { $0.ending != .answered && held.isInDoubt($0) }
        if held.requests.count == 1 || unanswered.isEmpty { return nil }
        // The id is used up: a request that arrives now is refused, so that waiting proves nothing more.
        if terms.takesIDOnce, verdict.references.values.contains(held.intent.attempt.text) { return nil }
        let quiet = terms.quietPeriod ?? Self.declineQuietMilliseconds
        return isQuiet(held, basis, quiet: quiet, isPerson: false) ? nil : "It was asked too early."
    }

    /// How long after the last of several requests, or of a call that shows several cards, a found decline counts, where no
    /// quiet period says so, in milliseconds: longer than any provider works on a request that has arrived. Halo takes card data
    /// for a minute, by a clock that may be a quarter of a minute apart.
    private static let declineQuietMilliseconds: Int64 = 75_000

    /// Why absence does not prove that nothing was executed; nil if it does.
    func whyAbsenceProvesNothing(
        _ held: Attempt, _ basis: Finding.Basis, quiet: Int64?, seesBack: Int64?, isPerson: Bool
    ) -> String? {
        if let why = whyBasisIsOld(held, basis) { return why }
        if !isPerson, let why = whyStored(held, basis) { return why }
        if let seesBack {
            let oldest = held.requests.first { $0.run == basis.run }?.openedAt ?? held.runs[basis.run - 1].begunAt
            guard let age = slice.clock.atMost(oldest, basis.askedAt), age < seesBack else {
                return "The provider does not look back so far."
            }
        }
        return isQuiet(held, basis, quiet: quiet, isPerson: isPerson) ? nil : "It was asked too early."
    }

    private func whyBasisIsOld(_ held: Attempt, _ basis: Finding.Basis) -> String? {
        guard held.isOpen || held.hasHiddenDoubt else { return "The attempt has a final result." }
        guard basis.run == held.runInQuestion, basis.lastRequest == held.requests.count else {
            return "It was asked about an older run or request."
        }
        return held.isEnded && basis.isEnded ? nil : "A process works on it, or did when the question was asked."
    }

    /// Why a terminal may still hold an approval of another card of the call; nil if it was asked, or has certainly forwarded.
    private func whyStored(_ held: Attempt, _ basis: Finding.Basis) -> String? {
        if basis.isByTerminal { return nil }
        let isStored = held.requests.contains { request in
            guard request.run == basis.run, request.cards == .several, request.mayBeOffline, !request.wasNotExecuted
            else {
                return false
            }
            guard let within = request.forwardsWithin, let ended = held.runs[basis.run - 1].endedAt else { return true }
            return slice.clock.atLeast(ended, basis.askedAt, marks(held.intent.attempt)) < within
        }
        return isStored ? "The terminal may hold an approval that it has not forwarded yet." : nil
    }

    /// Whether nothing of the run can still be executed: every request that may have arrived ended, or could last send a
    /// byte, at least the quiet period ago.
    ///
    /// A person may judge a request without a send limit, but never without a quiet period, and about all runs.
    private func isQuiet(_ held: Attempt, _ basis: Finding.Basis, quiet: Int64?, isPerson: Bool) -> Bool {
        guard let ended = held.runs[basis.run - 1].endedAt, let quiet, quiet > 0 || !isPerson else { return false }
        let marks = marks(held.intent.attempt)
        let requests = held.requests.filter { ($0.run == basis.run || isPerson) && !$0.wasNotExecuted }
        return requests.allSatisfy { request in
            guard let limit = request.sendLimit ?? (isPerson ? 0 : nil) else { return false }
            let runEnded = held.runs[request.run - 1].endedAt ?? ended
            let over = request.sendLimit == nil ? runEnded : request.endedAt ?? runEnded
            return slice.clock.atLeast(over, basis.askedAt, marks) >= quiet
                && slice.clock.atLeast(request.openedAt, basis.askedAt, marks) >= quiet.addingSaturating(limit)
        }
    }
}

extension Attempt {
    /// The runs that a message about the attempt can mean: those that sent something to a provider that can be asked, as many
    /// of the newest as are asked.
    package var runsToAsk: [Int] {
        let sent = Set(requests.map(\.run)).filter { runs[$0 - 1].canLookUp || $0 == runInQuestion }
        return sent.sorted().suffix(Self.runsAskedMax)
    }

    /// About how many runs a message makes the client ask.
    private static let runsAskedMax = 8

    /// Whether what a provider shows of a decided attempt's run has to be written: it failed, or more moved than is known.
    ///
    /// What a run sent nothing for, such as a cancelled tap, is another system's payment under the same id. Another amount
    /// of a known execution is no news: a tip or a refund changes it, and stands beside it as an operation of its own. Only
    /// what a person said gives way, while nothing followed.
    package func isNews(_ verdict: Verdict, _ basis: Finding.Basis, names: [String], isAlone: Bool) -> Bool {
        let run = basis.run
        let isApproved = reports.contains { $0.run == run && $0.isApproval }
        if verdict.isDecline {
            let isOfRun = isApproved || verdict.isLateFailure && run == runInQuestion
            return state == .approved && isOfRun
        }
        guard requests.contains(where: { $0.run == run }) else { return false }
        guard hasApproval, state != .declined else { return true }
        let evidence = Evidence.lookup(askedAt: basis.askedAt, known: basis.known)
        let report = Report(.verdict(verdict), evidence, run: run, entry: basis.known, at: basis.askedAt)
        guard verdict.approval != nil else { return !isOfKnownExecution(report) }
        var after = self
        for name in names where !self.names.contains(where: { $0.value == name }) {
            after.apply(.named(.init(account: basis.account, value: name, request: nil)))
        }
        after.apply(.report(report))
        let (before, now) = (executions, after.executions)
        if now.count > before.count { return true }
        return isAlone
            && zip(before, now).contains { before, now in
                before.report.evidence.isPerson && before.amount != now.amount
                    && !isSaidByProvider(verdict.approval?.amount, before: .max)
            }
    }
}

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
    package let begunAt: Attempt.Instant
    package let isOpen: Bool
    /// Until when a request of it could be executed, by the wall clock; nil if it runs.
    package let until: Int64?
    /// Whether its last request had a send limit; if not, the quiet period is added to `until`.
    package let hasLimit: Bool
    /// Whether it was declined without a name, so that what is found and is no approval may be its own.
    package let isDeclined: Bool
    /// Whether it is approved under names that a person alone gave, who may be wrong.
    package var isNamedByPerson = false
    /// Whether it is decided, and a person's word alone says that a run was not executed: what was executed all the same was
    /// executed in the run's time.
    package var isFreedByPerson = false

    /// The row of an attempt that is open with a request, approved or declined without a name of the provider's, or of which a
    /// person alone says that a run was not executed, who may be wrong; else nil.
    package init?(_ attempt: Attempt) {
        // It may have run again since, also elsewhere: only what the provider says of the run itself frees the row.
        let no = attempt.reports.last { no in
            no.what == .notExecuted && no.evidence.isPerson && attempt.absorbedBy == nil
                && !attempt.reports.contains { $0.run == no.run && $0.decidesRun }
        }
        let isNameless = attempt.hasApproval && attempt.names.allSatisfy(\.isByPerson) && !attempt.isImported
        let couldMatch = (attempt.isOpen || no != nil) && !attempt.requests.isEmpty || isNameless
        let isDeclined = attempt.state == .declined && attempt.names.isEmpty && !attempt.requests.isEmpty
        guard couldMatch || isDeclined, !attempt.isByProvider, let newest = attempt.newest else { return nil }
        let intent = attempt.intent
        self.isDeclined = !couldMatch
        isNamedByPerson = !attempt.isOpen && isNameless && !attempt.names.isEmpty && no == nil
        isFreedByPerson = !attempt.isOpen && no != nil && (!isNameless || !attempt.names.isEmpty)
        // An attempt has one row: what is open or has no name is surely there. What a person called not executed at another
        // account is no rival there in the meantime.
        let run = attempt.isOpen || isNameless ? newest : no.map { attempt.runs[$0.run - 1] } ?? newest
        (self.attempt, operation, amount, account) = (intent.attempt, intent.operation, intent.amount, run.account)
        (scope, reference, begunAt, isOpen) = (intent.scope, intent.reference, attempt.runs[0].begunAt, attempt.isOpen)
        let last = attempt.requests.last { $0.run <= run.number }
        hasLimit = last?.sendLimit != nil
        let end = run.endedAt.map { last?.sendLimit == nil ? $0 : last?.endedAt ?? $0 }
        until = end.map { $0.wall.addingSaturating(last?.sendLimit ?? 0) }
    }

    /// Whether what was paid at a time can be it.
    func isWithin(_ time: Int64, _ terms: LookupTerms) -> Bool {
        guard time >= begunAt.wall.addingSaturating(-terms.clockMargin) else { return false }
        // A person's word is taken so long after the end, and may be wrong about all before, whatever limit was set.
        let personal = isFreedByPerson ? Self.personsQuietMilliseconds : nil
        guard let until, let quiet = hasLimit ? personal ?? 0 : terms.quietPeriod ?? personal else { return true }
        return time <= until.addingSaturating(quiet).addingSaturating(terms.clockMargin)
    }

    /// How long after a run's end something of it can be executed where a person alone says that nothing was, in milliseconds.
    private static let personsQuietMilliseconds: Int64 = 180_000

    /// Whether what was executed for this decided attempt, so much as far as is known, can look like an open one's.
    func resembles(_ open: Attempt, moved: Money?) -> Bool {
        let asked = open.intent
        guard operation == asked.operation, !open.isByProvider, open.runs.contains(where: { $0.account == account }),
            let begun = open.runs.first?.begunAt.wall
        else { return false }
        if let until, until < begun.addingSaturating(-Self.pruneMarginMilliseconds) { return false }
        if amount == asked.amount { return true }
        // What was not executed as a whole can look like a part of more.
        return !isDeclined && moved != amount && amount.currency == asked.amount.currency
    }

    /// How long before an open attempt began what it is compared with can have ended, in milliseconds: more than clocks differ
    /// and a provider works on a request.
    static let pruneMarginMilliseconds: Int64 = 600_000
}

extension Attempt.Report {
    /// Whether it says that the run was executed, or the provider's answer to a lookup says that it was not.
    fileprivate var decidesRun: Bool {
        isApproval || evidence.isLookup && (what == .notExecuted || isDecline && !isLateFailure)
    }
}

extension Transaction {
    /// Takes a movement that looks like the attempt if it is the only free one, no other attempt could be it, and no known
    /// payment could have a second copy that looks the same.
    mutating func candidates(
        _ seen: [LookupResult.Candidate], _ held: Attempt, _ basis: Finding.Basis, _ terms: LookupTerms
    ) -> JournalRefusal? {
        let id = held.intent.attempt
        if seen.isEmpty {
            return .noProof("The provider shows no such payment, which does not prove that there is none.")
        }
        let free = seen.filter { candidate in
            !slice.forgotten.contains(ProviderName(basis.account, candidate.name))
                && !holders(candidate.name, basis.account).contains { $0 != id }
        }
        let list = free.map { JournalRefusal.Candidate($0.name, $0.verdict.approval?.amount) }
        // What a restore has lost can be at an account on which no other system works.
        guard terms.isExclusive, !slice.hasGap else { return .couldMatch(list) }
        guard held.isOpen, held.isEnded else { return .noProof("It is decided, or a process works on it.") }
        guard let only = free.first, free.count == 1 else { return .couldMatch(list) }
        let taken = seen.filter { $0.name != only.name }
        // A payment like it may have been executed twice: a person who says that this one was not has to name it.
        guard taken.allSatisfy({ isNoCopy(only, of: $0, held) }) else { return .couldMatch(list) }
        let beside = Set(taken.flatMap { holders($0.name, basis.account) })
        let isRival = { (other: MatchRow) -> Bool in
            guard other.attempt != id, other.account == basis.account, other.operation == held.intent.operation else {
                return false
            }
            let isWithin = only.at.map { other.isWithin($0, terms) } ?? true
            if other.isFreedByPerson, !isWithin { return false }
            // A person's name is right if its payment is beside this one; if it is wrong, the times tell them apart.
            if other.isNamedByPerson, beside.contains(other.attempt) || !isWithin { return false }
            if other.isDeclined {
                return only.verdict.approval == nil && other.amount == held.intent.amount && isWithin
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
        let known = holders(other.name, held.newest?.account).compactMap { attempts[$0] }
        // Of what was pruned no limit is known: the attempt's own is as good as any.
        let limits = (known.isEmpty ? [held] : known).flatMap(\.requests).map(\.sendLimit)
        guard limits.allSatisfy({ $0 != nil }) else { return false }
        let longest = limits.compactMap { $0 }.max() ?? 0
        return otherAt.until(at) > longest.addingSaturating(Self.copyMilliseconds)
    }

    /// How long after its last byte a copy of a request can be executed, in milliseconds.
    private static let copyMilliseconds: Int64 = 60_000
}
