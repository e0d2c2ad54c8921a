package import PaymentDriverKit

/// Every rule about what may be written. Pure: no I/O, no clock, no store.
///
/// Beginning (ids and references), sending and finishing are here. What is learned otherwise is in `Reports.swift`,
/// messages and the provider's own movements in `Movements.swift`, lookups and matching by amount and time in
/// `Lookups.swift`, and what may follow a payment in `FollowUpRules.swift`.
package enum JournalRules {
    /// The shortest time for which a payment can keep its reference, in milliseconds.
    package static let holdsForMin: Int64 = 600_000
    /// The most operations that can follow a payment.
    package static let followUpsMax = 1_000
    /// The most provider names that one entry records.
    package static let namesMax = 32

    /// What a store has to load for an entry.
    package static func reads(_ entry: JournalEntry) -> JournalReads {
        var reads = JournalReads()
        func begin(_ terms: Begin?) {
            guard let terms else { return }
            reads.payments.insert(terms.intent.paymentID)
            (reads.reference, reads.part) = (PaymentRecord.Reference(terms.intent), terms.intent.part)
        }
        func name(_ values: some Sequence<String>, _ account: ProviderIdentity) {
            for value in values where Transaction.isName(value) { reads.names.insert(ProviderName(account, value)) }
        }
        switch entry.command {
        case .request(let open):
            reads.attempts = [open.attempt]
            begin(open.begin)
            name(open.names + (open.closing?.names ?? []), open.account)
        case .finish(let finish):
            reads.attempts = [finish.attempt]
            begin(finish.begin)
            name(finish.closing?.names ?? [], finish.account)
        case .report(let attempt, let finding):
            reads.attempts = [attempt]
            switch finding {
            case .lookup(let result, let basis, _, let names):
                name(names, basis.account)
                if case .candidates(let seen) = result {
                    name(seen.map(\.name), basis.account)
                    reads.matches = basis.account
                }
            case .person(.executed(let given, _), let basis, _, _, _): name([given], basis.account)
            case .person(.isTheSame(let other), _, _, _, _): reads.attempts.insert(other)
            case .person: break
            case .imported(let movement):
                begin(movement.begin)
                if let refund = movement.refunded { reads.attempts.insert(refund.attempt) }
                reads.attempts.formUnion(movement.chargebacks.map(\.intent.attempt))
                name(movement.names + movement.chargebacks.map(\.name), movement.begin.account)
                reads.matches = movement.begin.account
            }
        case .notice(let notice):
            name(notice.everyName, notice.account)
            if case .attempt(let attempt) = notice.subject { reads.attempts = [attempt] }
        case .takeOver(let attempt, _, _): reads.attempts = [attempt]
        case .closeGap: break
        }
        return reads
    }

    /// What an entry changes, and the answer to it.
    package static func decide(
        _ entry: JournalEntry, _ slice: JournalSlice, _ reads: JournalReads, at now: Attempt.Instant
    ) -> JournalDecision {
        var transaction = Transaction(slice, reads, now)
        let answer = transaction.play(entry.command)
        transaction.applyWaiting()
        transaction.raiseExcess()
        if case .refused = answer {
            var decision = JournalDecision(answer: answer)
            decision.needs = transaction.decision.needs
            return decision
        }
        return transaction.decided(answer)
    }

    /// Why an outcome that no journal has taken yet will not count; nil if it will, as far as its own attempt shows.
    package static func refusal(
        of finish: Finish, _ known: Attempt, owner: String, at now: Attempt.Instant
    ) -> JournalRefusal? {
        let entry = JournalEntry(.finish(finish))
        var slice = JournalSlice()
        (slice.attempts, slice.living, slice.generation) = ([known], [owner], known.newest?.generation ?? "")
        switch decide(entry, slice, reads(entry), at: now).answer {
        case .written(_, let receipt): return receipt.refusal
        case .refused, .known, .kept, .hint: return nil
        }
    }

    // MARK: - When to look again

    /// Whether a report settles the lookup that a message owes: one about all runs that was asked later, with the run over, and
    /// was recorded or found the attempt decided. Two machines' clocks differ: what another one asked has to be later by more.
    package static func settles(
        _ command: JournalCommand, owedSince since: Attempt.Instant, _ decision: JournalDecision, isOpen: Bool
    ) -> Bool {
        guard case .report(_, .lookup(_, let basis, _, _)) = command, basis.isEnded, let asked = basis.allAskedSince
        else {
            return false
        }
        let isLater =
            since.boot == asked.boot
            ? since.uptime < asked.uptime : since.wall.addingSaturating(lookupClockMargin) < asked.wall
        guard isLater else { return false }
        return !isOpen || !decision.countsForNothing
    }

    /// How long to wait for the first, the second and each further lookup, in milliseconds.
    package static let lookupScheduleMilliseconds: [Int64] = [5_000, 30_000, 300_000, 3_600_000, 86_400_000]

    /// When an attempt that was looked up so often is looked up next, in milliseconds since 1970.
    package static func nextLookup(after looks: Int, at now: Attempt.Instant) -> Int64 {
        let index = min(max(0, looks), lookupScheduleMilliseconds.count - 1)
        return now.wall.addingSaturating(lookupScheduleMilliseconds[index])
    }

    /// When a lookup is due that a message owes: at once, whatever the clock of the process that heard it says.
    package static let lookupAtOnce: Int64 = 0

    /// By how much the clocks of two processes can differ before one of them is taken for wrong, in milliseconds.
    package static let lookupClockMargin: Int64 = 60_000

    /// Whether a lookup is due; one that is further off than the interval after so many looks was set by a clock that ran ahead.
    package static func isDue(_ next: Int64, after looks: Int, at now: Attempt.Instant) -> Bool {
        next <= now.wall || next > nextLookup(after: looks - 1, at: now).addingSaturating(lookupClockMargin)
    }

    /// The same as a condition of SQL: `looks` and `next_look` are columns, and `now` is what the statement calls the time.
    package static func isDue(sql now: String) -> String {
        let waits = lookupScheduleMilliseconds.map { $0 + lookupClockMargin }
        let cases = waits.dropLast().enumerated().map { "WHEN looks <= \($0 + 1) THEN \($1)" }.joined(separator: " ")
        return "(next_look <= \(now) OR next_look > \(now) + CASE \(cases) ELSE \(waits.last ?? 0) END)"
    }
}

/// One transaction while it is being decided.
package struct Transaction {
    let slice: JournalSlice
    let reads: JournalReads
    let now: Attempt.Instant
    private(set) var attempts = PlayedAttempts()
    var decision = JournalDecision(answer: .kept)
    /// Names that the entry gave, of which messages may wait.
    var waiting: [(value: String, account: ProviderIdentity, attempt: AttemptID, request: Int?)] = []
    /// Whether no run of a client shows what becomes of the attempts.
    private var announces = false
    /// Whether it ends a run that says nothing of its own.
    private var endsWithoutVerdict = false
    private var isMessage = false

    init(_ slice: JournalSlice, _ reads: JournalReads, _ now: Attempt.Instant) {
        (self.slice, self.reads, self.now) = (slice, reads, now)
        var ids: Set<AttemptID> = []
        for attempt in slice.attempts where slice.attempts.count == 1 || ids.insert(attempt.intent.attempt).inserted {
            attempts.add(attempt)
        }
    }

    /// Whether a text can be a provider's name: a longer one is a note.
    package static func isName(_ text: String) -> Bool { !text.isEmpty && text.utf8.count <= Attempt.Name.bytesMax }

    /// What a store writes.
    func decided(_ answer: JournalAnswer) -> JournalDecision {
        var decision = decision
        for (id, after, events) in attempts.changed {
            // A run that ends in doubt says so in this entry: a step that comes later waits for the payment's next one.
            let before = slice.attempt(id)
            // A part is final only once its run has an end.
            let isFinalPart = before?.mayReturnPart == true && !after.mayReturnPart
            let isNews = announces || after.state == .inDoubt || isFinalPart && endsWithoutVerdict
            let isChanged = before?.state != after.state || isFinalPart
            if isNews, isChanged, !after.runs.isEmpty { decision.news.append(after) }
            decision.changes.append(
                .init(
                    after: after, events: events, match: MatchRow(after),
                    // What a message decided while its process lives is seen again until that run has an end.
                    isLookedUpAgain: after.isUnsettled || after.newest.map { $0.end == nil } ?? false,
                    clearsMarks: events.contains(where: \.isOfRun)))
        }
        if isMessage, decision.filed != nil || !decision.alerts.isEmpty {
            decision.about = answer.attempt?.intent.paymentID
        }
        if let payment = decision.payment {
            let row = record(payment).referenceRow
            decision.row = row
            if let row { raiseActiveTwice(row, &decision) }
        }
        switch answer {
        case .written(let attempt, var receipt):
            let (id, payment) = (attempt.intent.attempt, attempt.intent.paymentID)
            receipt.alerts = decision.alerts
            receipt.isEmpty = decision.isEmpty
            receipt.entry = entry(id) - (decision.isEmpty ? 1 : 0)
            receipt.isAlone = attempts.all.count { $0.intent.paymentID == payment } == 1
            decision.answer = .written(attempts[id] ?? attempt, receipt)
        case .hint(let attempt, _):
            decision.answer = .hint(attempts[attempt.intent.attempt] ?? attempt, decision.alerts)
        case .known, .refused, .kept: decision.answer = answer
        }
        return decision
    }

    /// Raises sums that can't be true, whichever entry brought them: more refunded than captured, or something executed after
    /// the payment had ended.
    mutating func raiseExcess() {
        let changed = attempts.ids(where: \.isAboutMoney)
        var payments: [PaymentID] = []
        for id in changed { raiseMadeAgain(id) }
        for id in changed {
            guard let payment = attempts[id]?.intent.paymentID, !payments.contains(payment) else { continue }
            payments.append(payment)
            let before = PaymentRecord(slice.attempts.filter { $0.intent.paymentID == payment })
            guard record(payment).excess.isMore(than: before.excess) else { continue }
            let isRaised = decision.alerts.contains { alert in
                guard case .contradiction(let about) = alert else { return false }
                return attempts[about]?.intent.paymentID == payment
            }
            if !isRaised { contradict(id) }
        }
    }

    /// A payment that did not keep its reference keeps it now, or is captured although its hold had let the reference go: no
    /// other one may have it.
    private func raiseActiveTwice(_ row: PaymentRecord.ReferenceRow, _ decision: inout JournalDecision) {
        let before = PaymentRecord(slice.attempts.filter { $0.intent.paymentID == row.payment })
        let isCaptured = !before.attempts.isEmpty && wasCaptured(since: before)
        guard row.blocks(at: now) || isCaptured else { return }
        if before.referenceRow?.blocks(at: now) == true, !isCaptured { return }
        guard reads.reference == row.reference else {
            decision.needs.reference = row.reference
            return
        }
        let others = slice.underReference.filter { $0.blocks(row, at: now) }.map(\.payment)
        if others.isEmpty { return }
        decision.alerts.append(.activeTwice(before.attempts.isEmpty ? others + [row.payment] : [row.payment] + others))
    }

    /// Whether this entry says that a hold was captured.
    private func wasCaptured(since before: PaymentRecord) -> Bool {
        attempts.all.contains { after in
            guard after.intent.operation == .capture, after.state == .approved else { return false }
            return before.attempts.first { $0.intent.attempt == after.intent.attempt }?.state != .approved
        }
    }

    mutating func play(_ command: JournalCommand) -> JournalAnswer {
        switch command {
        case .request: break
        case .finish(let finish): endsWithoutVerdict = finish.verdict == nil
        case .report, .takeOver, .closeGap: announces = true
        case .notice: (announces, isMessage) = (true, true)
        }
        switch command {
        case .request(let open): return request(open)
        case .finish(let finish): return self.finish(finish)
        case .report(let id, let finding): return report(id, finding)
        case .notice(let notice): return self.notice(notice)
        case .takeOver(let id, let run, let why): return takeOver(id, run, why)
        case .closeGap(let person):
            decision.gapClosedBy = person
            if slice.hasGap { decision.keeps.append(.ofClosedGap(by: person, at: now)) }
            return .kept
        }
    }

    /// The answer, with what this entry wrote of one attempt; of no other one that it changed as well.
    func written(_ id: AttemptID, _ refusal: JournalRefusal? = nil) -> JournalAnswer {
        var receipt = WriteReceipt(refusal: refusal)
        for event in attempts.events(of: id) {
            if case .run(let run) = event { receipt.run = run.number }
            if case .request(let request) = event { (receipt.run, receipt.request) = (request.run, request.number) }
        }
        guard let attempt = attempts[id] else { return .refused(.noSuchAttempt, nil) }
        return .written(attempt, receipt)
    }

    /// The number that this entry has in the attempt's payment.
    func entry(_ id: AttemptID) -> Int { (attempts[id].flatMap { slice.entries[$0.intent.paymentID] } ?? 0) + 1 }

    mutating func append(_ event: Attempt.Event, _ id: AttemptID) { attempts.append(event, id) }

    mutating func create(_ intent: Attempt.Intent) {
        attempts.add(Attempt(intent))
        append(.created(intent), intent.attempt)
    }

    /// Begins an attempt that asked no provider: the provider did it on its own, or a list shows it.
    mutating func create(
        _ intent: Attempt.Intent, at account: ProviderIdentity, isImported: Bool = false, countedUpTo: Int64? = nil
    ) {
        let id = intent.attempt
        create(intent)
        var run = Attempt.Run(
            number: 1, account: account, owner: isImported ? "import" : Attempt.Run.provider, begunAt: now,
            end: isImported ? .imported : .provider)
        (run.entry, run.generation, run.countedUpTo) = (entry(id), slice.generation, countedUpTo)
        append(.run(run), id)
    }

    /// Records what is said of an attempt that asked no provider.
    mutating func say(_ verdict: Verdict, _ evidence: Attempt.Evidence, of id: AttemptID) {
        append(.report(.init(.verdict(verdict), evidence, run: 1, entry: entry(id), at: now)), id)
    }

    mutating func alert(_ alert: JournalAlert) { decision.alerts.append(alert) }

    func record(_ payment: PaymentID) -> PaymentRecord {
        let isOne = attempts.all.allSatisfy { $0.intent.paymentID == payment }
        return PaymentRecord(isOne ? attempts.all : attempts.all.filter { $0.intent.paymentID == payment })
    }

    func isOver(_ moment: Int64?) -> Bool { moment.map { now.wall >= $0 } ?? false }
    func marks(_ id: AttemptID) -> JournalClock.Marks { slice.marks[id] ?? [:] }

    /// Ends a run of another process. The run of a living one is never taken over; a person may end it while no request of
    /// it is open.
    private mutating func takeOver(_ id: AttemptID, _ number: Int, _ why: TakeOver) -> JournalAnswer {
        guard let held = attempts[id], let newest = held.newest else { return .refused(.noSuchAttempt, nil) }
        guard newest.number == number else { return .refused(.fenced, held) }
        if newest.end != nil { return written(id) }
        // An owner of an earlier generation of the journal is gone, whatever its name is.
        let isAlive = slice.living.contains(newest.owner) && newest.generation == slice.generation
        switch why {
        case .died: if isAlive { return .refused(.runs(at: newest.owner), held) }
        case .abandoned(let owner):
            if isAlive, newest.owner != owner { return .refused(.runs(at: newest.owner), held) }
        case .isGone(let person, let reason):
            if isAlive { return .refused(.runs(at: newest.owner), held) }
            append(.note(.init(run: number, name: "isGone", value: "\(person): \(reason)")), id)
        case .idle:
            let isBusy = held.requests.contains { $0.run == number && $0.ending == nil }
            if isAlive, isBusy { return .refused(.runs(at: newest.owner), held) }
        }
        append(.ended(run: number, why.cause, at: now), id)
        return written(id)
    }

    // MARK: - Beginning

    /// Begins an attempt or a further run of it. All rules apply to a request. For a finish only the rule about the id applies,
    /// and for a finish that approves none does.
    private mutating func begin(
        _ terms: Begin, owner: String, isRequest: Bool, isApproved: Bool = false, spendsID: Bool = false
    ) -> JournalAnswer? {
        let (intent, id) = (terms.intent, terms.intent.attempt)
        if id.isReserved {
            return .refused(.notAllowed("Ids that begin with \(AttemptID.reservedPrefix) are the journal's own."), nil)
        }
        let held = attempts[id]
        let isFollowed = held.map { terms.follows($0, of: owner) } ?? false
        if let held {
            guard held.intent.isSame(as: intent) else { return .refused(.conflict, held) }
            // What another process has ended since, its callers have read as over.
            guard isFollowed || held.state == .notExecuted && terms.follows == nil else { return .known(held) }
            // Everything was another amount when it began, and the provider knows the id with that one.
            guard held.intent.amount == intent.amount else { return .refused(.conflict, held) }
        }
        if isRequest {
            if let other = held.flatMap({ sentElsewhere($0, terms.account) }) {
                let why = "\(other) has sent it to the same account. Repeat it there, or begin another attempt."
                return .refused(.notAllowed(why), held)
            }
            if held == nil, isUsed(id, besides: terms.account) { return .refused(.conflict, nil) }
            if mayBeLost(id, held) { return .refused(.mayBeLost, held) }
            if let refusal = refusal(terms) { return .refused(refusal, held) }
        } else if spendsID, mayBeLost(id, held) {
            // A spent id is never looked for again, and a restore may have lost that it was executed.
            return .refused(.mayBeLost, held)
        } else if !intent.isOrigin, record(intent.paymentID).origin == nil, !isApproved {
            return .refused(.noSuchPayment, held)
        }
        if held == nil { create(intent) }
        if isFollowed, let follows = terms.follows { append(.ended(run: follows, .owner, at: now), id) }
        var run = Attempt.Run(number: (held?.runs.count ?? 0) + 1, account: terms.account, owner: owner, begunAt: now)
        (run.holdLifetime, run.generation) = (terms.holdLifetime, slice.generation)
        (run.canLookUp, run.entry) = (terms.canLookUp, entry(id))
        append(.run(run), id)
        return held == nil ? applyLost(id, terms.account, isRequest) : nil
    }

    /// Records messages that name an id which a restore lost. If one says more than a decline, nothing is sent under the id.
    private mutating func applyLost(_ id: AttemptID, _ account: ProviderIdentity, _ isRequest: Bool) -> JournalAnswer? {
        var isMore = false
        for notice in slice.notices where notice.subject == .attempt(id) && notice.account == account {
            decision.removes.append(notice)
            guard let verdict = notice.verdict else { continue }
            _ = record(verdict, notice.evidence, id, run: 1, request: nil)
            if !verdict.isDecline {
                name(notice.names, id, request: nil)
                isMore = true
            }
        }
        guard isMore, isRequest else { return nil }
        append(.ended(run: 1, .imported, at: now), id)
        return written(id, .fenced)
    }

    /// The other name of an account under which a request was sent, even if it was refused. Of two names that both sent one, a
    /// message, or what either can look up, would not show which of the two was executed.
    private func sentElsewhere(_ held: Attempt, _ account: ProviderIdentity) -> ProviderID? {
        let sent = held.runs.first { run in
            run.account == account && !run.account.isExactly(account)
                && held.requests.contains { $0.run == run.number && $0.ending != .notSent }
        }
        return sent?.account.id
    }

    /// Whether another account says that it executed an attempt of this id, which the journal does not have: it was lost, or it
    /// is another system's.
    private func isUsed(_ id: AttemptID, besides account: ProviderIdentity) -> Bool {
        slice.notices.contains { notice in
            notice.subject == .attempt(id) && notice.account != account && notice.verdict.map { !$0.isDecline } ?? false
        }
    }

    /// Whether a restore can have lost the attempt, or a run of it. Only what this generation of the journal knows from its
    /// beginning can't be lost; time plays no part.
    private func mayBeLost(_ id: AttemptID, _ held: Attempt?) -> Bool {
        guard slice.hasGap else { return false }
        guard let held else { return id.generation != slice.generation }
        return held.newest?.generation != slice.generation
    }

    /// Why a request may not begin: what is left of its payment, then the reference.
    private func refusal(_ terms: Begin) -> JournalRefusal? {
        let intent = terms.intent
        if let time = intent.holdsFor, time < JournalRules.holdsForMin {
            return .notAllowed("A reference is kept for at least 10 minutes (got \(time) ms).")
        }
        if intent.isDryRun, intent.isOrigin { return nil }
        return intent.isOrigin ? referenceRefusal(intent) : followUpRefusal(terms)
    }

    private func followUpRefusal(_ terms: Begin) -> JournalRefusal? {
        let intent = terms.intent
        let payment = record(intent.paymentID)
        let others = payment.attempts.filter { $0.intent.attempt != intent.attempt }
        if others.count > JournalRules.followUpsMax {
            return .notAllowed("A payment has at most \(JournalRules.followUpsMax) operations.")
        }
        let version = payment.version - (attempts[intent.attempt]?.version ?? 0)
        if let read = terms.paymentVersion, read != version { return .changed }
        if let refusal = payment.refusal(of: terms, isHoldOver: isOver(payment.holdEndsAt)) { return refusal }
        guard intent.operation.paysOnce else { return nil }
        return sameFollowUp(intent, others).map { .referenceInUse($0.intent.attempt, $0.state) }
    }

    /// An earlier follow-up, executed or open, with the same reference; without a reference, one over the same amount.
    private func sameFollowUp(_ intent: Attempt.Intent, _ others: [Attempt]) -> Attempt? {
        others.last { other in
            let isActive = other.isOpen || other.state == .approved
            guard isActive, !other.intent.isOrigin, other.intent.operation != .chargeback,
                other.intent.operation.movementKind == intent.operation.movementKind
            else { return false }
            let moved = other.lastKnownAmount
            // A restore lost it, and with it under which id and for what it was. An id of this generation is not of that time.
            if other.isImported, other.intent.reference == nil, intent.attempt.generation != slice.generation,
                intent.amount.minorUnits <= moved.minorUnits
            {
                return true
            }
            if let reference = intent.reference { return other.intent.reference == reference }
            return moved == intent.amount
        }
    }

    /// Raises what was declined, made again, and is executed after all.
    private mutating func raiseMadeAgain(_ id: AttemptID) {
        guard let before = slice.attempt(id), let after = attempts[id], after.intent.operation.paysOnce,
            !after.intent.isOrigin, !after.isByProvider, after.state == .approved,
            before.state == .declined || before.state == .notExecuted
        else { return }
        let others = record(after.intent.paymentID).attempts.filter { $0.intent.attempt != id && !$0.isByProvider }
        if sameFollowUp(after.intent, others) != nil { contradict(id) }
    }

    /// **A reference and its part pay once.** The whole and a part block each other while active, and so does the same part.
    /// Another part waits only while the origin of one is in doubt or pending.
    private func referenceRefusal(_ intent: Attempt.Intent) -> JournalRefusal? {
        guard intent.operation.isOrigin else { return .noSuchPayment }
        guard let reference = PaymentRecord.Reference(intent) else { return nil }
        if !slice.forgotten.isEmpty,
            reference.namesBlocking(part: intent.part).contains(where: slice.forgotten.contains)
        {
            return .notAllowed(
                "Its reference is that of a payment that was paid and pruned. Ask the provider about it.")
        }
        let blocking = slice.underReference.last { row in
            guard row.payment.attempt != intent.attempt, row.reference == reference, row.blocks(at: now) else {
                return false
            }
            return row.excludes(intent.part) || row.state == .inDoubt || row.state == .pending
        }
        return blocking.map { .referenceInUse($0.payment.attempt, $0.state) }
    }

    // MARK: - Sending

    /// Opens a request: by the owner of the newest run, while the attempt is running and no earlier request may have been
    /// executed. The exception is the same idempotency key, for as long as the provider certainly keeps it.
    private mutating func request(_ open: OpenRequest) -> JournalAnswer {
        if let begin = open.begin, let answer = self.begin(begin, owner: open.owner, isRequest: true) { return answer }
        let id = open.attempt
        if let closing = open.closing { close(closing, id, owner: open.owner) }
        guard let held = attempts[id], let run = held.newest else { return .refused(.noSuchAttempt, nil) }
        let isOwner = run.owner == open.owner && (open.run ?? run.number) == run.number && run.end == nil
        // A message may have said already that the part was taken which this request returns.
        let isReturn = open.returnsMoney && held.state == .approved && !isFollowed(held)
        guard isOwner, held.state == .running || isReturn else { return .refused(.fenced, slice.attempt(id)) }
        if held.pendingRuns.contains(where: { $0 < run.number }) { return .refused(.inDoubt, slice.attempt(id)) }
        if held.isInDoubt(run: run.number) {
            let unanswered = held.requests.filter { $0.run == run.number && held.isInDoubt($0) }
            let isRepeat = open.key != nil && unanswered.allSatisfy { $0.key == open.key && $0.ending == .lost }
            let first = held.requests.first { $0.run == run.number && $0.key == open.key }
            guard isRepeat, let first, isKeyAlive(first, open) else { return .refused(.inDoubt, slice.attempt(id)) }
        }
        note(open.notes, id, run: run.number)
        let number = held.requests.count + 1
        var request = Attempt.Request(
            number: number, run: run.number, cards: open.cards, key: open.key, sendLimit: open.sendLimit, openedAt: now)
        (request.mayBeOffline, request.forwardsWithin) = (open.mayBeOffline, open.forwardsWithin)
        request.returnsMoney = open.returnsMoney
        append(.request(request), id)
        name(open.names, id, request: number, isGiven: true)
        return written(id)
    }

    /// Whether something else acts on the attempt's payment: what it refunds must not be returned as well.
    private func isFollowed(_ held: Attempt) -> Bool {
        record(held.intent.paymentID).attempts.contains { other in
            other.intent.attempt != held.intent.attempt && (other.isOpen || other.state == .approved)
        }
    }

    /// For how long a request without a send limit is believed to be on its way at most, in milliseconds.
    private static let onItsWayMilliseconds: Int64 = 86_400_000

    /// Whether the provider certainly keeps a key until a new request under it can be executed.
    private func isKeyAlive(_ first: Attempt.Request, _ open: OpenRequest) -> Bool {
        guard let lifetime = open.keyLifetime else { return true }
        guard let transit = open.transit, let age = slice.clock.atMost(first.openedAt, now) else { return false }
        // Where nothing says how long a request is on its way, a day is believed.
        let limit = open.sendLimit ?? Self.onItsWayMilliseconds
        return age.addingSaturating(limit).addingSaturating(transit) < lifetime
    }

    private mutating func note(_ notes: [String: String], _ id: AttemptID, run: Int) {
        for (name, value) in notes.sorted(by: { $0.key < $1.key }) {
            append(.note(.init(run: run, name: name, value: value)), id)
        }
    }

    /// Records how a request ended. A process closes the requests of its own runs only.
    private mutating func close(_ closing: Closing, _ id: AttemptID, owner: String) {
        guard let held = attempts[id], held.requests.indices.contains(closing.request - 1) else { return }
        let request = held.requests[closing.request - 1]
        guard held.runs[request.run - 1].owner == owner else { return }
        if request.ending == nil || closing.ending == .answered && request.ending != .answered {
            append(.closed(request: request.number, closing.ending, at: now), id)
        }
        name(closing.names, id, request: request.number, isGiven: true)
    }

    private mutating func finish(_ finish: Finish) -> JournalAnswer {
        let id = finish.attempt
        let isApproved = finish.verdict?.approval != nil
        if let begin = finish.begin {
            let answer = self.begin(
                begin, owner: finish.owner, isRequest: false, isApproved: isApproved, spendsID: finish.spendsID)
            // What a device approved is recorded, whichever attempt has the id.
            if let answer, !isApproved || attempts[id] == nil { return answer }
            if isApproved { alert(.unopened(id)) }
        }
        guard let held = attempts[id], !held.runs.isEmpty else { return .refused(.noSuchAttempt, nil) }
        let request = finish.closing.flatMap { held.requests.indices.contains($0.request - 1) ? $0.request : nil }
        let isOfCopy = request.map { isRefusalOfCopy(finish, held, $0) } ?? false
        if let closing = finish.closing {
            close(isOfCopy ? Closing(closing.request, .lost) : closing, id, owner: finish.owner)
        }
        let number = request.map { held.requests[$0 - 1].run } ?? finish.run ?? held.runs.count
        guard held.runs.indices.contains(number - 1) else { return .refused(.fenced, held) }
        let other = otherHolder(finish.closing?.names ?? [], id, held.runs[number - 1].account)
        var refusal: JournalRefusal? = isOfCopy ? .ofCopy : nil
        if let verdict = finish.verdict, !isOfCopy {
            refusal = record(verdict, .reply, id, run: number, request: request, claimedBy: other)
        }
        if let run = attempts[id]?.runs[number - 1], run.owner == finish.owner {
            note(finish.notes, id, run: number)
            if finish.endsRun, run.end == nil { append(.ended(run: number, .owner, at: now), id) }
        }
        return written(id, refusal)
    }

    /// Whether a refusal is one that a second copy of an executed request gets as well, so that it proves nothing.
    ///
    /// Under a key the provider answers a copy like the original: then the refusal is the original's if nothing before it
    /// under the key may have been executed, and if it is not about the key itself.
    private func isRefusalOfCopy(_ finish: Finish, _ held: Attempt, _ number: Int) -> Bool {
        let refusal = finish.copyRefusal ?? (finish.verdict?.isOfCopy == true ? .alreadyThere : nil)
        guard let refusal else { return false }
        let request = held.requests[number - 1]
        guard refusal == .nothingLeft, request.key != nil else { return true }
        return !held.requests.prefix(number - 1).allSatisfy { earlier in
            earlier.key != request.key || earlier.wasNotExecuted || earlier.ending == .answered
        }
    }
}

extension Attempt.Event {
    /// Whether it can change the sums of a payment.
    fileprivate var isAboutMoney: Bool {
        switch self {
        case .report, .absorbed, .released, .acknowledged: true
        case .created, .run, .request, .closed, .ended, .named, .note, .disputed, .contradiction: false
        }
    }

    /// Whether it changes what a boot that looks at the attempt may count from.
    fileprivate var isOfRun: Bool {
        switch self {
        case .run, .request, .closed, .ended: true
        case .created, .report, .named, .note, .disputed, .absorbed, .released, .contradiction, .acknowledged: false
        }
    }
}

extension AttemptID {
    /// How the ids of the provider's own movements begin. No application and no import may use such an id.
    package static let reservedPrefix = "provider-"

    package var isReserved: Bool { text.hasPrefix(Self.reservedPrefix) }

    /// The generation of the journal in which the library drew the id; nil for an application's own id.
    package var generation: String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], parts[2].first == "8" else { return nil }
        return String(parts[0] + parts[1])
    }

    /// The id of what the provider did without being asked: made of account, kind and name, so that the same movement gets the
    /// same id, and one name of a capture and of a refund gets two.
    static func movement(_ account: ProviderIdentity, _ operation: PaymentOperation, _ name: String) -> AttemptID? {
        let parts = account.account + [operation.movementKind.rawValue, name]
        var (first, second): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)
        for part in parts {
            for byte in part.utf8 {
                first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
                second = (second &+ UInt64(byte)) &* 0xFF51_AFD7_ED55_8CCD
                second ^= second >> 29
            }
            first = (first ^ 0xFF) &* 0x0000_0100_0000_01B3
            second = (second &+ 0x1FF) &* 0xFF51_AFD7_ED55_8CCD
        }
        let digits = String(first, radix: 36) + "-" + String(second, radix: 36)
        return try? AttemptID(reservedPrefix + digits)
    }
}
