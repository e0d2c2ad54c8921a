/// The state of an attempt, computed from its events.
extension Attempt {
    var computedState: State {
        if runs.isEmpty { return .running }
        if absorbedBy != nil { return .reversed }
        switch held {
        case .amount: return .approved
        case .reversed: return .reversed
        case .declinedOffline: return .declined
        case nil: break
        }
        if hasOpenDispute { return .inDoubt }
        let (run, isRunning) = (runs[runs.count - 1].number, runs[runs.count - 1].end == nil)
        let said = reports.filter { $0.run == run && counts($0) }
        let isOnlyAnswered =
            requests.contains { $0.run == run && isAnswered($0) }
            && !said.contains { $0.isDecline || $0.isPending || $0.what == .notExecuted }
        if isInDoubt(run: run) || isOnlyAnswered { return isRunning ? .running : .inDoubt }
        if !pendingRuns.isEmpty { return isRunning ? .running : .pending }
        if said.contains(where: \.isDecline) { return .declined }
        return isRunning ? .running : .notExecuted
    }

    // MARK: - What is open

    /// The runs of which the provider accepted something, and nothing has answered that.
    ///
    /// A proof excludes only what was known when it was asked for: of its own run, and a person's of all runs. A decline
    /// answers its own run.
    public var pendingRuns: Set<Int> {
        var runs: Set<Int> = []
        for report in reports where report.isPending {
            let isAnswered = reports.contains { other in
                if other.isDecline { return other.run == report.run && counts(other) }
                guard other.what == .notExecuted, let known = other.evidence.known else { return false }
                return (other.evidence.isPerson || other.run == report.run) && known >= report.entry
            }
            if !isAnswered { runs.insert(report.run) }
        }
        return runs
    }

    /// The run that a lookup is about: the newest, or, if that one is not in doubt, an older one of which something is
    /// pending.
    public var runInQuestion: Int {
        guard let run = runs.last?.number else { return 0 }
        return isInDoubt(run: run) ? run : pendingRuns.min() ?? run
    }

    /// Whether a person has to say first which payment an approval belongs to.
    public var hasOpenDispute: Bool {
        disputes.contains { dispute in
            !reports.contains { report in
                report.what == .notExecuted && report.evidence.isPerson && (report.evidence.known ?? 0) >= dispute.entry
            }
        }
    }

    /// Whether a run may have executed something, or may still, although another run's approval decides the attempt. It is
    /// looked up as if it were open.
    package var hasHiddenDoubt: Bool {
        guard runs.count > 1, !isOpen, absorbedBy == nil, let newest = runs.last?.number else { return false }
        let open = isInDoubt(run: newest) ? pendingRuns.union([newest]) : pendingRuns
        return open.contains { run in !reports.contains { $0.run == run && $0.isApproval } }
    }

    /// Whether what it moves is not known for certain: it is open, or another run may have moved as much once more, or its own
    /// run may give a part back.
    package var isUndecided: Bool { isOpen || hasHiddenDoubt || mayReturnPart }

    /// Whether something of it is still to be found out, so that it is looked up, keeps its reference and is not pruned.
    package var isUnsettled: Bool { isOpen || isOfflineStill || hasHiddenDoubt }

    /// Whether some request of a run may have been executed.
    package func isInDoubt(run: Int) -> Bool {
        if reports.contains(where: { $0.run == run && $0.excludesExecution }) { return false }
        return requests.contains { $0.run == run && isInDoubt($0) }
    }

    /// Whether one request may have been executed. Requests under one idempotency key are one to the provider.
    package func isInDoubt(_ request: Request) -> Bool {
        switch request.ending {
        case .notSent, .refused, .answered: return false
        case .lost, nil:
            guard let key = request.key else { return !isAnswered(request) }
            return !requests.contains { $0.run == request.run && $0.key == key && isAnswered($0) }
        }
    }

    /// A decline that was pushed while the request was open counts once the request or its run has ended.
    private func isAnswered(_ request: Request) -> Bool {
        if request.ending == .answered { return true }
        guard request.ending != nil || runs[request.run - 1].end != nil else { return false }
        return reports.contains { $0.isDecline && $0.request == request.number && counts($0) }
    }

    // MARK: - Which declines count

    /// Whether a report decides something.
    ///
    /// A pushed decline is a hint where the provider can be asked. Elsewhere it counts for the one request of its run that
    /// could have been executed, if that shows one card and the reason is none that a copy gets as well. Late failures
    /// count, and so does all that is said about the provider's own movements.
    package func counts(_ report: Report) -> Bool {
        guard report.evidence.isWebhook, report.isDecline, !isByProvider else { return true }
        if report.isLateFailure { return report.request.map { !mayShowMore(requests[$0 - 1]) } ?? true }
        guard !runs[report.run - 1].canLookUp, !report.isOfCopy, let number = report.request else { return false }
        let named = requests[number - 1]
        let possible = requests.filter { $0.run == report.run && !$0.wasNotExecuted }
        // The same request again, and then not sent: the decline is about the one before under its key.
        let isAmong = possible.contains { $0.number == number || named.key != nil && $0.key == named.key }
        return Self.isOne(possible) && isAmong && !mayShowMore(named)
    }

    /// Whether a request may still execute another card: its call shows several, and has not been answered.
    private func mayShowMore(_ request: Request) -> Bool { request.cards == .several && request.ending != .answered }

    /// Whether requests are one to the provider: only one, or all under one key of one run.
    package static func isOne(_ requests: [Request]) -> Bool {
        guard let first = requests.first else { return false }
        return requests.count == 1
            || first.key != nil && requests.allSatisfy { $0.key == first.key && $0.run == first.run }
    }

    // MARK: - Executions

    /// One execution at the provider, with the report that is valid for it.
    package struct Execution: Hashable {
        package var report: Report
        /// The account, under the name that sent something there.
        package let account: ProviderIdentity
        package var isOffline: Bool
        /// The runs that executed it, as its reports say.
        package var runs: Set<Int>
        /// The last entry that a person knew who said how much it is: what was said before that is answered.
        var answeredUpTo = 0

        package var amount: Money? { report.approval?.amount }
    }

    /// What became of everything that was approved.
    enum Held: Hashable {
        /// It counts, over this amount.
        case amount(Money)
        /// All of it failed or was undone later.
        case reversed
        /// A device approved it without the issuer, and the issuer declined: no money moved.
        case declinedOffline
    }

    /// The approvals that count: all but those that a person said and took back.
    private var approvals: [Report] {
        let withdrawn = reports.lastIndex { $0.what == .withdrawn } ?? -1
        var found: [Report] = []
        for (index, report) in reports.enumerated() where report.isApproval {
            if !report.evidence.isPerson || index > withdrawn { found.append(report) }
        }
        return found
    }

    /// Whether it was approved at some time.
    public var hasApproval: Bool { !approvals.isEmpty }

    /// The kind of reference under which a person's name for a payment is kept.
    package static let personReference = "payment"

    /// The note of a driver that only a part was approved: a person who gives no amount does not mean the whole.
    package static let partNote = "part"

    /// What a person called it at an account; nil if no person did.
    package func nameByPerson(at account: ProviderIdentity) -> String? {
        approvals.last { $0.evidence.isPerson && runs[$0.run - 1].account == account }?
            .verdict?.references[Self.personReference]
    }

    /// How often the provider executed the attempt, and what each execution became.
    package var executions: [Execution] {
        if let only { return [only] }
        let approvals = approvals
        if approvals.isEmpty { return [] }
        let called = self.called
        var found: [Execution] = []
        for report in approvals {
            let account = sender(report.run)
            let place = found.firstIndex { isSame($0, report, called) }
            if let place {
                found[place].runs.insert(report.run)
                turn(&found[place], report)
            } else {
                found.append(
                    Execution(
                        report: report, account: account, isOffline: report.approval?.isOffline ?? false,
                        runs: [report.run], answeredUpTo: report.evidence.isPerson ? report.evidence.known ?? 0 : 0))
            }
        }
        for report in reports where report.isDecline && !isHint(report) {
            if let place = ended(by: report, found, called) { turn(&found[place], report) }
        }
        return found
    }

    /// The account of a run under the name that sent something there: one name of an account sends, and others may show it.
    private func sender(_ run: Int) -> ProviderIdentity {
        let own = runs[run - 1].account
        if runs.count == 1 || hasSent(run) { return own }
        return runs.last { $0.account == own && hasSent($0.number) }?.account ?? own
    }

    /// Whether a run sent something that may have been executed.
    package func hasSent(_ run: Int) -> Bool { requests.contains { $0.run == run && !$0.wasNotExecuted } }

    /// An account under the name that executed the attempt there, or ran it.
    package func named(_ account: ProviderIdentity) -> ProviderIdentity {
        let held = executions.last { $0.account == account }?.account
        return held ?? run(about: account).map { runs[$0 - 1].account } ?? account
    }

    /// The run that an account speaks of: the last one that sent something there, else the last one.
    package func run(about account: ProviderIdentity) -> Int? {
        let there = runs.filter { $0.account == account }.map(\.number)
        return there.last(where: hasSent) ?? there.last
    }

    /// Whether an approval is about an execution: it has the same name, or none.
    private func isSame(_ held: Execution, _ report: Report, _ called: Set<String>) -> Bool {
        held.account == runs[report.run - 1].account && compare(held.report, report, called) != .other
    }

    /// Whether a report has the name of an execution.
    private func isNamed(_ held: Execution, in report: Report, _ called: Set<String>) -> Bool {
        held.account == runs[report.run - 1].account && compare(held.report, report, called) == .same
    }

    /// Whether what a run's account says is about an execution that is known: it has the same name, or none.
    package func isOfKnownExecution(_ report: Report) -> Bool {
        let called = self.called
        return executions.contains { isSame($0, report, called) }
    }

    /// The one execution of an attempt of which nothing but an approval was said, as of nearly all.
    private var only: Execution? {
        guard reports.count == 1, let approval = reports[0].approval else { return nil }
        let run = reports[0].run
        return Execution(report: reports[0], account: sender(run), isOffline: approval.isOffline, runs: [run])
    }

    /// Whether a pushed decline of what was approved only hints: the provider can be asked.
    private func isHint(_ report: Report) -> Bool {
        report.evidence.isWebhook && !report.isLateFailure && !isByProvider && runs[report.run - 1].canLookUp
            && !reports.contains { $0.approval?.isOffline == true }
    }

    /// What is true of everything that was approved; nil if nothing was.
    var held: Held? {
        if reports.count == 1, let approval = reports[0].approval { return .amount(approval.amount) }
        let all = executions
        if all.isEmpty { return nil }
        let standing = all.filter(\.report.isApproval).compactMap(\.amount)
        guard let first = standing.first, let last = standing.last else {
            return all.allSatisfy(\.isOffline) ? .declinedOffline : .reversed
        }
        guard intent.operation.addsUp else { return .amount(last) }
        var sum = first
        for other in standing.dropFirst() where other.currency == sum.currency { sum.increase(by: other) }
        return .amount(sum)
    }

    /// What it moved as far as is known; nil if nothing is approved now.
    public var moved: Money? {
        guard state == .approved, case .amount(let amount)? = held else { return nil }
        return amount
    }

    /// What one account holds of it.
    package func moved(at account: ProviderIdentity) -> Money? {
        guard state == .approved else { return nil }
        let amounts = executions.filter { $0.account == account && $0.report.isApproval }.compactMap(\.amount)
        guard var sum = amounts.first, intent.operation.addsUp else { return amounts.last }
        for other in amounts.dropFirst() where other.currency == sum.currency { sum.increase(by: other) }
        return sum
    }

    /// The accounts at which it was executed and counts.
    package var holders: [ProviderIdentity] {
        if reports.count == 1 { return reports[0].isApproval ? [sender(reports[0].run)] : [] }
        return executions.filter(\.report.isApproval).reduce(into: []) {
            if !$0.contains($1.account) { $0.append($1.account) }
        }
    }

    /// The accounts that executed it, also where that failed later; the one that was asked last where none did.
    package var takers: [ProviderIdentity] {
        let found: [ProviderIdentity] = executions.reduce(into: []) {
            if !$0.contains($1.account) { $0.append($1.account) }
        }
        return found.isEmpty ? [account] : found
    }

    /// Whether the run that works on it may still offer the part that was approved, or give it back: a webhook may have
    /// reported it before.
    package var mayReturnPart: Bool {
        guard state == .approved, let moved, newest?.end == nil, moved.currency == intent.amount.currency else {
            return false
        }
        return moved.minorUnits < intent.amount.minorUnits
    }

    /// Whether a run asked the provider to take back the part that was approved: nothing else says what became of that.
    package func returnsPart(in run: Int) -> Bool {
        requests.contains { $0.run == run && $0.returnsMoney && !$0.wasNotExecuted }
    }

    /// The account that executed it, or was asked last.
    public var account: ProviderIdentity { holders.first ?? newest?.account ?? .none }

    /// Whether a device approved it without the issuer, and nothing says yet that it was forwarded.
    public var isOfflineStill: Bool {
        guard state == .approved, reports.contains(where: { $0.approval?.isOffline == true }) else { return false }
        return executions.contains { $0.report.isApproval && $0.isOffline }
    }

    /// The report that is valid now; nil while nothing is decided or pending.
    private var valid: Report? {
        switch state {
        case .running, .inDoubt: return nil
        case .notExecuted: return reports.last { $0.what == .notExecuted }
        case .pending: return reports.last(where: \.isPending)
        case .declined:
            let run = runs.last?.number
            return reports.last { $0.run == run && $0.isDecline && counts($0) } ?? reports.last(where: \.isDecline)
        case .reversed: return executions.last?.report
        case .approved:
            if reports.count == 1 { return reports[0] }
            let standing = executions.filter(\.report.isApproval)
            return (intent.operation.addsUp ? standing.first : standing.last)?.report
        }
    }

    /// The verdict that is valid now, with the whole sum as its amount; nil while nothing is decided or pending.
    public var verdict: Verdict? {
        let verdict = valid?.verdict
        guard reports.count > 1, let approval = verdict?.approval, let moved else { return verdict }
        return .approved(approval.over(moved))
    }

    /// The approval that is valid now.
    public var approval: Approval? { state == .approved ? verdict?.approval : nil }

    /// How the verdict came to be known.
    public var evidence: Evidence? { valid?.evidence }

    // MARK: - Comparing reports

    /// Under which name a run notes a provider's name that is too long to be one.
    package static let longNameNote = "name"

    /// The provider's names that are too long to lead a message here; they still tell two executions apart.
    package var longNames: [String] { notes.filter { $0.name == Self.longNameNote }.map(\.value) }

    /// Everything that the provider calls it.
    private var called: Set<String> { Set(names.map(\.value) + longNames) }

    private enum Sameness { case same, other, unknown }

    /// Whether two reports name the same execution. Two different values of one kind tell two executions apart if one of them
    /// is a name of the attempt.
    private func compare(_ one: Report, _ other: Report, _ called: Set<String>) -> Sameness {
        let (mine, theirs) = (one.verdict?.references ?? [:], other.verdict?.references ?? [:])
        // A person gives a name without its kind: at some providers the payment's, the order's and the operation's differ.
        if one.evidence.isPerson || other.evidence.isPerson {
            let given = Set(mine.values).intersection(called)
            if theirs.values.contains(where: given.contains) { return .same }
        }
        var result = Sameness.unknown
        for (kind, value) in mine {
            guard let known = theirs[kind], called.contains(known) || called.contains(value) else { continue }
            if known != value { return .other }
            result = .same
        }
        return result
    }

    /// Which execution a decline is about: the one whose name it carries, or the only one if it names no other.
    ///
    /// Without a name a pushed decline ends nothing unless it is a late failure: it may be the refusal of another card or of
    /// a copy.
    private func ended(by report: Report, _ all: [Execution], _ called: Set<String>) -> Int? {
        let account = runs[report.run - 1].account
        if let named = all.firstIndex(where: { isNamed($0, in: report, called) }) { return named }
        // What undid it as a whole is an operation beside it, with a name of its own.
        let isUndone = report.verdict?.wasReversed == true
        guard all.count == 1, let only = all.first, only.account == account else { return nil }
        guard isUndone || compare(only.report, report, called) == .unknown else { return nil }
        if report.evidence.isLookup || report.isLateFailure && !only.isOffline { return 0 }
        // A reply speaks of its own run's request alone.
        if report.evidence == .reply, !only.runs.contains(report.run) { return nil }
        return report.evidence.isWebhook || only.isOffline ? nil : 0
    }

    /// Whether a decline is about one of the executions, and may end it.
    package func isAboutExecution(_ report: Report) -> Bool {
        ended(by: report, executions, called) != nil
    }

    /// Takes a further final report of one execution: valid where the operation can turn or fails late; else the approval
    /// stays.
    private func turn(_ held: inout Execution, _ report: Report) {
        let order = Self.order(report, held.report)
        if report.isApproval == held.report.isApproval {
            // What a person said gives way to the provider's word, unless that had been said before.
            let givesWay =
                held.report.evidence.isPerson && report.isApproval
                && !isSaidByProvider(report.approval?.amount, before: report.entry)
            guard order != .earlier || givesWay else {
                held.report = held.report.keepingWhatWasSaid(in: report)
                return
            }
            if report.evidence.isPerson { held.answeredUpTo = report.evidence.known ?? 0 }
        } else {
            let canTurn = intent.operation.canTurn || held.isOffline
            guard canTurn || report.isLateFailure || held.report.isLateFailure else { return }
            if held.report.verdict?.wasReversed == true { return }
            if report.isApproval {
                guard order == .later else { return }
            } else {
                let hasTimes = report.evidence.providerTime != nil && held.report.evidence.providerTime != nil
                let isAnswered = report.entry <= held.answeredUpTo
                guard !isAnswered, order != .earlier || report.isLateFailure && !hasTimes else { return }
            }
        }
        held.report = report.keepingWhatWasSaid(in: held.report)
        if let approval = report.approval { held.isOffline = approval.isOffline }
    }

    /// Whether the provider has approved just that amount before an entry.
    package func isSaidByProvider(_ amount: Money?, before entry: Int) -> Bool {
        reports.contains { !$0.evidence.isPerson && $0.isApproval && $0.approval?.amount == amount && $0.entry < entry }
    }

    private enum Order { case earlier, later, unknown }

    /// Which of two reports was said later, without comparing the clocks of two machines.
    private static func order(_ one: Report, _ other: Report) -> Order {
        if let mine = one.evidence.providerTime, let theirs = other.evidence.providerTime {
            return mine == theirs ? .unknown : mine > theirs ? .later : .earlier
        }
        // A lookup, or a person, is later than all that was known when it was asked.
        if let known = one.evidence.known, other.entry <= known { return .later }
        if let known = other.evidence.known, one.entry <= known { return .earlier }
        if other.evidence == .reply, one.evidence != .reply { return .later }
        if one.evidence == .reply, other.evidence != .reply { return .earlier }
        return .unknown
    }

    // MARK: - What an import counted

    /// Whether the import of the payment had counted this movement: then it is in no sum, and its failure takes it off.
    package var isCountedByImport: Bool {
        guard let upTo = runs.first?.countedUpTo else { return false }
        return !reports.contains { report in
            report.isApproval && (report.evidence.isPerson || (report.executedAt ?? upTo) > upTo)
        }
    }

    /// Whether it failed after the import had counted it.
    var isTakenOffImport: Bool {
        guard let upTo = runs.first?.countedUpTo, isCountedByImport, state == .reversed || state == .declined else {
            return false
        }
        return reports.contains { report in
            report.isDecline && (report.isLateFailure || hasApproval) && (report.evidence.providerTime ?? upTo) > upTo
        }
    }

    /// The amount of a movement, said by a person because the provider's message did not say it or named another currency.
    ///
    /// The last statement counts, and what the provider says in that currency counts before it.
    package var acknowledgedAmount: Money? {
        // Of any other attempt a person says only that more than was asked for may stay.
        guard isByProvider else { return nil }
        for case .amount(let money) in acknowledged.reversed() {
            if case .amount(let told)? = held, told.currency == money.currency, !told.isZero { return nil }
            return money
        }
        return nil
    }

    /// How much it is: as a person says it, else as the provider moved it, else as it was asked for.
    package var lastKnownAmount: Money { acknowledgedAmount ?? moved ?? intent.amount }

    /// Whether the provider did it over an amount that nothing says yet: it may be all there is.
    package var isAmountUnknown: Bool { isByProvider && isOpen && (acknowledgedAmount ?? intent.amount).isZero }

    // MARK: - Contradictions

    /// Whether a new report can't be true beside what is recorded.
    package func isContradicted(by report: Report) -> Bool {
        guard report.verdict != nil, !isByProvider || hasApproval else { return false }
        // What is said of an older run may be what the newest one sent to the same account: certainly if the older one sent
        // nothing.
        let newest = runs[runs.count - 1]
        let isTied = report.evidence == .reply || report.evidence.isWebhook && report.request != nil
        let isUnsent = !isTied && !hasSent(report.run) && !pendingRuns.contains(report.run)
        let mayBeOfNewest = isUnsent || report.evidence.isLookup && !hasApproval && isInDoubt(run: newest.number)
        let isAtNewest = newest.account == runs[report.run - 1].account
        let isOfNewest = report.run == newest.number || isAtNewest && mayBeOfNewest
        if report.isPending {
            var after = self
            after.apply(.report(report))
            let isNew = !pendingRuns.contains(report.run) && after.pendingRuns.contains(report.run)
            return isNew && (!isOfNewest || state == .notExecuted || state == .declined)
        }
        let called = self.called
        if report.isApproval {
            if state == .declined, intent.operation.canTurn { return false }
            if !isOfNewest, !executions.contains(where: { isNamed($0, in: report, called) }) { return true }
            if hasApproval {
                let like = executions.filter { compare($0.report, report, called) != .other }
                // What failed later is approved once more, and nothing shows which of the two was said last.
                let isUnordered = like.contains { held in
                    !held.report.isApproval && compare(held.report, report, called) == .unknown
                        && Self.order(report, held.report) == .unknown
                }
                return like.isEmpty || isUnordered
            }
            return state == .declined || state == .notExecuted
        }
        // What was declined and never approved has moved nothing, whichever of the two it was.
        if report.isLateFailure {
            // A part that its own run returned was never recorded as taken.
            if report.evidence == .reply, !hasApproval { return false }
            return (hasApproval || state != .declined) && !isAboutExecution(report)
        }
        return hasApproval && !intent.operation.canTurn && !executions.contains(where: \.isOffline)
    }
}

extension Attempt.Report {
    /// The verdict, if it is one.
    public var verdict: Verdict? {
        if case .verdict(let verdict) = what { return verdict }
        return nil
    }

    package var approval: Approval? { verdict?.approval }
    /// Whether it says that it was executed.
    public var isApproval: Bool { if case .verdict(.approved) = what { true } else { false } }
    /// Whether it says that it was refused, cancelled, failed later or undone.
    public var isDecline: Bool {
        switch what {
        case .verdict(.declined), .verdict(.cancelled): true
        case .verdict, .notExecuted, .withdrawn: false
        }
    }
    /// Whether it says that the provider accepted it and it is not final.
    public var isPending: Bool { if case .verdict(.pending) = what { true } else { false } }
    /// Whether it says that something failed after it had been executed.
    package var isLateFailure: Bool { verdict?.isLateFailure == true }
    /// Whether a second copy of an executed request is refused like this.
    var isOfCopy: Bool { verdict?.isOfCopy == true }
    /// When the provider executed it, by its own clock.
    package var executedAt: Int64? { approval?.executedAt ?? evidence.providerTime }
    /// The same, or when it was recorded. A message may name a time that is still to come, to be later than another one.
    package var happenedAt: Int64 { min(executedAt ?? at.wall, at.wall) }

    package func carries(_ names: [String]) -> Bool {
        verdict?.references.values.contains(where: names.contains) == true
    }

    /// Whether it excludes that anything of its run is still to be executed.
    var excludesExecution: Bool { what == .notExecuted || isDecline && !isLateFailure && evidence.isAsked }

    /// The same with what an earlier report says and it does not: references, card, receipt and saved instrument. A message
    /// about what a reply approved has less of them, and takes none away.
    func keepingWhatWasSaid(in earlier: Self) -> Self {
        guard let verdict, let known = earlier.verdict else { return self }
        return Self(
            .verdict(verdict.keeping(known)), evidence, run: run, request: request, entry: entry, at: at)
    }
}

extension Attempt.Evidence {
    /// The number of the payment's last entry when a question was asked or a person spoke.
    var known: Int? {
        switch self {
        case .lookup(_, let known), .person(_, _, let known): known
        case .reply, .webhook, .imported: nil
        }
    }

    var isAsked: Bool { known != nil }
    package var isLookup: Bool { if case .lookup = self { true } else { false } }
    package var isWebhook: Bool { if case .webhook = self { true } else { false } }
    package var isPerson: Bool { if case .person = self { true } else { false } }
    package var providerTime: Int64? { if case .webhook(_, let time) = self { time } else { nil } }
}

extension Verdict {
    package var approval: Approval? { if case .approved(let approval) = self { approval } else { nil } }
    package var isPending: Bool { if case .pending = self { true } else { false } }

    /// Whether it says that the attempt was not executed, or no longer is.
    package var isDecline: Bool {
        switch self {
        case .declined, .cancelled: true
        case .approved, .pending: false
        }
    }

    /// Whether it says that something failed after it had been executed, or was undone as a whole.
    package var isLateFailure: Bool {
        if case .declined(let decline) = self { return decline.reason == .failedAfterApproval }
        return wasReversed
    }

    /// Whether it was executed and then undone as a whole.
    package var wasReversed: Bool {
        if case .cancelled(let cancellation) = self { return cancellation.wasReversed }
        return false
    }

    /// Whether a second copy of an executed request is refused like this.
    package var isOfCopy: Bool {
        if case .declined(let decline) = self { return decline.reason == .duplicate }
        return false
    }

    /// The same with what it does not say itself, from an earlier verdict about the same.
    func keeping(_ earlier: Verdict) -> Verdict {
        switch self {
        case .approved(var approval):
            approval.references.merge(earlier.references) { mine, _ in mine }
            approval.card = approval.card ?? earlier.card
            approval.receipt = approval.receipt ?? earlier.approval?.receipt
            approval.saved = approval.saved ?? earlier.approval?.saved
            return .approved(approval)
        case .declined(var decline):
            decline.references.merge(earlier.references) { mine, _ in mine }
            decline.card = decline.card ?? earlier.card
            return .declined(decline)
        case .cancelled, .pending: return self
        }
    }

    /// The card that it shows.
    package var card: CardSummary? {
        switch self {
        case .approved(let approval): approval.card
        case .declined(let decline): decline.card
        case .cancelled, .pending: nil
        }
    }

    /// What belongs on paper.
    package var receipt: Receipt? {
        switch self {
        case .approved(let approval): approval.receipt
        case .declined(let decline): decline.receipt
        case .pending(let pending): pending.receipt
        case .cancelled: nil
        }
    }
}

extension Approval {
    /// The same over another amount.
    func over(_ amount: Money) -> Approval {
        var copy = self
        copy.amount = amount
        return copy
    }
}

extension Money {
    /// Adds without wrapping: a sum that can't be held stays at the top, where every check refuses.
    package mutating func increase(by other: Money) {
        self = Money(minorUnits: minorUnits.addingSaturating(other.minorUnits), currency)
    }
}
