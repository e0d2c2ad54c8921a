package import PaymentModel

// Messages of providers, and what the provider did without being asked by this journal's clients. A message that says what
// happened is never refused: it is recorded, kept, or filed in the timeline. A hint causes a lookup, or is about nothing known.
extension Transaction {
    mutating func notice(_ notice: Notice) -> JournalAnswer {
        var named: [AttemptID] = []
        var owner: Attempt?
        if case .attempt(let id) = notice.subject, let held = attempts[id], held.absorbedBy == nil {
            switch relation(of: notice, to: held) {
            case .own:
                guard held.runs.contains(where: { $0.account == notice.account }) else {
                    return elsewhere(notice, held)
                }
                owner = held
                // Messages about whatever follows a payment carry its id as well: a name says more.
                named = held.intent.isOrigin ? followers(of: held, in: notice) : []
                if named.isEmpty { named = [id] }
            case .otherPayment: named = holders(of: notice)
            case .unknownPayment:
                if notice.verdict?.approval != nil { alert(.unclear(id)) }
                return hint(id)
            }
        } else {
            named = holders(of: notice)
        }
        if named.isEmpty, let answer = ofAbsorbed(notice) { return answer }
        if let id = named.first, let held = attempts[id], let verdict = notice.verdict, isCapture(notice, of: held) {
            return capturedSale(verdict, notice, held)
        }
        let fitting = named.filter { id in attempts[id].map { fits(notice, $0) } ?? false }
        if let open = openFollowUp(notice, named, fitting) { return hint(open) }
        guard let id = fitting.first, let held = attempts[id] else { return unknown(notice, of: owner) }
        if fitting.count > 1 {
            for other in fitting { decision.looks.insert(other) }
            guard notice.verdict != nil else { return .hint(held) }
            alert(.severalFit(fitting))
            _ = keep(notice)
            return .hint(held)
        }
        guard let verdict = notice.verdict else { return hint(id) }
        if let name = nameOfAnotherPayment(notice, held) {
            alert(.nameTaken(id, name))
            return written(id, file("It acts on another payment than the attempt that has its name (\(name))."))
        }
        if !held.isByProvider, isCounted(notice, held) { return written(id, file("The import had counted it.")) }
        if failsInPart(verdict, notice, held) {
            contradict(id)
            return written(
                id, file("Only a part of it failed (\(notice.amount ?? .zero(held.intent.amount.currency)))."))
        }
        if held.isByProvider { return movement(verdict, notice, id) }
        if isPart(notice, of: held) { return hint(id) }
        return apply(verdict, notice, held)
    }

    /// The name by which a message was found to be about a follow-up, if it acts on another payment of this journal.
    private func nameOfAnotherPayment(_ notice: Notice, _ held: Attempt) -> String? {
        guard let original = notice.original, !held.intent.isOrigin, case .name(let name) = notice.subject else {
            return nil
        }
        let payments = holders(original, notice.account).compactMap { attempts[$0]?.intent.paymentID }
        return payments.isEmpty || payments.contains(held.intent.paymentID) ? nil : name
    }

    /// Whether a late failure is over less than was executed: then the rest stays, and a person says what is left.
    private func failsInPart(_ verdict: Verdict, _ notice: Notice, _ held: Attempt) -> Bool {
        guard verdict.isLateFailure, let failed = notice.amount, failed.minorUnits > 0 else { return false }
        var standing = held.executions.filter(\.report.isApproval).compactMap(\.amount)
        if standing.isEmpty { return false }
        if held.intent.isOrigin {
            // What is left of a payment after a part of it was let go fails as a whole.
            let account = held.holders.count > 1 ? notice.account : nil
            let totals = record(held.intent.paymentID).totals(at: account)
            let isHold = held.intent.operation == .authorize
            standing += isHold ? [totals.amounts.authorized] : [totals.amounts.captured]
            if isHold, !totals.amounts.captured.isZero { standing.append(totals.capturable) }
        }
        return standing.allSatisfy { $0.currency == failed.currency && $0.minorUnits > failed.minorUnits }
    }

    /// The open follow-up that a message may be about which names its payment alone: it has to be looked up.
    private mutating func openFollowUp(_ notice: Notice, _ named: [AttemptID], _ fitting: [AttemptID]) -> AttemptID? {
        let decided = fitting.allSatisfy { attempts[$0]?.isDecided ?? true }
        guard notice.verdict == nil || fitting.isEmpty && notice.original == nil, decided, case .name = notice.subject
        else { return nil }
        let payments = Set(named.compactMap { attempts[$0] }.filter(\.intent.isOrigin).map(\.intent.paymentID))
        let open = attempts.all.filter { attempt in
            attempt.isOpen && !attempt.intent.isOrigin && !attempt.isByProvider
                && payments.contains(attempt.intent.paymentID) && fits(notice, attempt)
        }
        for attempt in open { decision.looks.insert(attempt.intent.attempt) }
        return open.first?.intent.attempt
    }

    /// What is said under the id of an attempt that a person took for an imported payment, by a name that the import does not
    /// have: it may be a second payment.
    private mutating func ofAbsorbed(_ notice: Notice) -> JournalAnswer? {
        guard case .attempt(let id) = notice.subject, let held = attempts[id], let same = held.absorbedBy,
            notice.verdict?.approval != nil, !notice.values.isEmpty
        else { return nil }
        _ = keep(notice)
        alert(.disputed(id, holder: same))
        return .hint(held)
    }

    /// What another account says under the id of an attempt that never was there.
    private mutating func elsewhere(_ notice: Notice, _ held: Attempt) -> JournalAnswer {
        let answer = keep(notice)
        guard let verdict = notice.verdict, !verdict.isDecline else { return answer }
        alert(.disputed(held.intent.attempt, holder: nil))
        return .hint(held)
    }

    /// Other attempts of an attempt's payment that have a name in the message, and that it can be about.
    private func followers(of held: Attempt, in notice: Notice) -> [AttemptID] {
        holders(of: notice).filter { other in
            guard other != held.intent.attempt, let found = attempts[other] else { return false }
            return found.intent.paymentID == held.intent.paymentID && fits(notice, found)
        }
    }

    private func holders(of notice: Notice) -> [AttemptID] {
        var found: [AttemptID] = []
        for id in notice.values.flatMap({ holders($0, notice.account) }) where !found.contains(id) { found.append(id) }
        return found
    }

    /// To which payment a message acts that names an attempt's id: two systems at one account may use the same ids.
    private enum Relation {
        /// The attempt's, as far as is known.
        case own
        /// Another payment of this journal.
        case otherPayment
        /// A payment that has another name than the attempt's.
        case unknownPayment
    }

    private func relation(of notice: Notice, to held: Attempt) -> Relation {
        guard let original = notice.original else { return .own }
        let payments = holders(original, notice.account).compactMap { attempts[$0]?.intent.paymentID }
        if payments.contains(held.intent.paymentID) { return .own }
        if !payments.isEmpty { return .otherPayment }
        guard let origin = attempts[held.intent.paymentID.attempt] else { return .own }
        let known = origin.reports.compactMap(\.approval).flatMap(\.references.values)
        // What was approved offline gets the name that the scheme knows only when it is forwarded.
        return known.isEmpty || known.contains(original) || origin.isOfflineStill ? .own : .unknownPayment
    }

    /// What a message says about an attempt that a client of this journal began.
    private mutating func apply(_ verdict: Verdict, _ notice: Notice, _ held: Attempt) -> JournalAnswer {
        let id = held.intent.attempt
        let request = request(of: notice, held)
        let isTied = if case .attempt = notice.subject { true } else { false }
        if !verdict.isDecline { name(notice.names, id, request: request, at: notice.account, isProof: isTied) }
        let other = otherHolder(notice.names, id, notice.account)
        var run = held.run(about: notice.account)
        let possible = possibleRuns(of: held, at: notice.account)
        if verdict.approval != nil, request == nil, possible.count > 1 {
            // Believed of the oldest one, it leaves the newest one to be looked up.
            run = possible.first
            decision.looks.insert(id)
        }
        let refusal = record(
            verdict, notice.evidence, id, run: run, request: request, claimedBy: other, names: notice.names)
        guard let refusal else { return written(id) }
        if case .noProof = refusal, decision.filed == nil { return hint(id) }
        return written(id, refusal)
    }

    /// The runs at an account that may have executed something, the oldest first. That nothing was is proven by the provider's
    /// answer, and not by a person.
    private func possibleRuns(of held: Attempt, at account: ProviderIdentity) -> [Int] {
        let isAbsent = { (run: Int) in
            held.reports.contains { $0.run == run && $0.what == .notExecuted && $0.evidence.isLookup }
        }
        let runs = held.requests.filter { !$0.wasNotExecuted }.map(\.run)
        return Set(runs.filter { held.runs[$0 - 1].account == account && !isAbsent($0) }).sorted()
    }

    /// Whether a message is about the capture of a sale under the capture's own name: the sale counts as captured already.
    private func isCapture(_ notice: Notice, of held: Attempt) -> Bool {
        notice.operations.contains(.capture) && held.intent.isOrigin && held.intent.operation != .authorize
            && !held.reports.contains { $0.carries(notice.values) }
    }

    private func fits(_ notice: Notice, _ held: Attempt) -> Bool {
        // What is captured is a sale, or follows a hold, and is never the hold.
        let isOfCapture = notice.operations.contains(.capture) && !notice.operations.contains(.authorize)
        if held.intent.operation == .authorize, isOfCapture { return false }
        // What is voided of an unlinked refund follows it, and is never the refund.
        if held.intent.operation == .unlinkedRefund, notice.operations == [.void] { return false }
        let isOfKind = notice.operations.isEmpty || notice.operations.contains { $0.isLike(held.intent.operation) }
        return held.absorbedBy == nil && isOfKind
    }

    /// A lookup is owed now. The provider is answered with success at once; nothing is looked up within the answer.
    private mutating func hint(_ id: AttemptID) -> JournalAnswer {
        decision.looks.insert(id)
        return attempts[id].map { .hint($0) } ?? .kept
    }

    /// Keeps a message until its name is known.
    ///
    /// A hint is not kept: strangers can send any number of them. It would cause a lookup, and an attempt that can still get
    /// the name is open and looked up by its schedule.
    private mutating func keep(_ notice: Notice) -> JournalAnswer {
        if let seen = notice.seenMark {
            decision.removes += slice.notices.filter { $0.account == notice.account && $0.mark == seen }
            return .kept
        }
        guard notice.verdict != nil || notice.otherAccount != nil || notice.mark != nil else {
            return .refused(.noSuchAttempt, nil)
        }
        if slice.notices.contains(where: { $0.isSame(as: notice) }) { return .kept }
        let count = slice.notices.count { $0.values == notice.values && $0.subject == notice.subject }
        if count < Notice.keptMax {
            decision.keeps.append(notice)
        } else if notice.verdict?.approval != nil, let least = slice.notices.first(where: { $0.isLess(than: notice) }) {
            decision.removes.append(least)
            decision.keeps.append(notice)
        } else {
            decision.overfull = notice.values.first.map { ProviderName(notice.account, $0) }
            if notice.values.isEmpty, case .attempt(let id) = notice.subject { alert(.messagesDropped(id.text)) }
        }
        return .kept
    }

    /// The request that a message is about: the one that has a name in it; else the only one that could have been executed.
    private func request(of notice: Notice, _ held: Attempt) -> Int? {
        if let name = held.names.last(where: { notice.values.contains($0.value) && $0.account == notice.account }) {
            return name.request
        }
        guard case .attempt = notice.subject else { return nil }
        let possible = held.requests.filter { !$0.wasNotExecuted && held.runs[$0.run - 1].account == notice.account }
        return Attempt.isOne(possible) ? possible.last?.number : nil
    }

    /// Whether a message shows one of several charges that are recorded as one sum: how much it is in all, a lookup says.
    private func isPart(_ notice: Notice, of held: Attempt) -> Bool {
        guard held.intent.operation == .debit, held.newest?.canLookUp == true, let sum = held.moved,
            let said = notice.verdict?.approval?.amount
        else { return false }
        return said.currency == sum.currency && said.minorUnits < sum.minorUnits
    }

    /// Whether an import had counted what a message says already.
    private func isCounted(_ notice: Notice, _ held: Attempt) -> Bool {
        guard let upTo = held.importedUpTo, let time = notice.providerTime else { return false }
        return time <= upTo
    }

    /// A message about something that no attempt has the name of. If it acts on a payment of this journal, it is a movement of
    /// the provider's own; else it waits for one of its names, or for the payment's.
    private mutating func unknown(_ notice: Notice, of owner: Attempt?) -> JournalAnswer {
        var originals = notice.original.map { holders($0, notice.account) } ?? []
        if let owner, !originals.contains(owner.intent.attempt) { originals.append(owner.intent.attempt) }
        if originals.isEmpty, followsWhatItNames(notice) { originals = holders(of: notice) }
        if let name = notice.everyName.first(where: { slice.forgotten.contains(ProviderName(notice.account, $0)) }) {
            return .refused(.pruned(name), nil)
        }
        for id in originals {
            guard let named = attempts[id], let origin = attempts[named.intent.paymentID.attempt] else { continue }
            guard origin.absorbedBy == nil else { continue }
            if isUntold(notice, origin) {
                _ = keep(notice)
                awaitEnd(notice, origin)
                return hint(origin.intent.attempt)
            }
            // Our own follow-up, which a restore lost: its id must not be sent again.
            if case .attempt(let lost) = notice.subject, attempts[lost] == nil, notice.verdict?.approval != nil {
                _ = keep(notice)
            }
            return adopt(notice, origin)
        }
        return keep(notice)
    }

    /// Whether a message that has no name but the payment's is about something that followed it.
    private func followsWhatItNames(_ notice: Notice) -> Bool {
        notice.verdict?.approval != nil || notice.operations == [.chargeback]
    }

    /// Whether a message can be about a void or a refund, or about a charge that is the payment's own or a further one: neither
    /// is known before the payment is decided.
    private func isUntold(_ notice: Notice, _ origin: Attempt) -> Bool {
        let kinds = Set(notice.operations.map(\.movementKind)).subtracting([.pays, .none])
        let canBeEither = kinds == [.refunds, .voids] || isCharge(notice, on: origin)
        return notice.verdict != nil && canBeEither && origin.isOpen
    }

    /// Whether a message is about a charge on a payment that was charged by its own operation.
    private func isCharge(_ notice: Notice, on origin: Attempt) -> Bool {
        guard notice.original != nil, !notice.operations.isEmpty else { return false }
        return notice.operations.allSatisfy { $0.movementKind == .pays && $0.isLike(origin.intent.operation) }
    }

    /// Applies what waited for names, once the entry's own report is recorded; and what waited for a payment to be approved.
    mutating func applyWaiting() {
        while let next = waiting.first {
            waiting.removeFirst()
            applyKept(next.value, next.account, next.attempt, request: next.request)
        }
        for origin in attempts.all where origin.intent.isOrigin {
            let id = origin.intent.attempt
            guard let held = attempts[id], held.state == .approved, slice.attempt(id)?.state != .approved else {
                continue
            }
            for note in held.notes where note.name == Self.waitingNote {
                let account = held.runs[note.run - 1].account
                let known = ProviderName(account, note.value)
                if !note.value.isEmpty, !reads.names.contains(known) { decision.needs.names.insert(known) }
                applyKept(note.value, account, id, request: nil)
            }
        }
    }

    /// Notes at an open payment that a message waits for its end, so that only then the store reads such messages.
    private mutating func awaitEnd(_ notice: Notice, _ origin: Attempt) {
        guard let run = origin.runs.last(where: { $0.account == notice.account })?.number else { return }
        let note = Attempt.Note(run: run, name: Self.waitingNote, value: notice.original ?? "")
        if !origin.notes.contains(note) { append(.note(note), origin.intent.attempt) }
    }

    /// Under which name an open payment notes what a message calls it that waits for its end.
    private static let waitingNote = "waiting"

    /// Applies what waited for a name: reports about its attempt, or movements on its payment.
    private mutating func applyKept(_ value: String, _ account: ProviderIdentity, _ id: AttemptID, request: Int?) {
        if slice.overfull.contains(ProviderName(account, value)) {
            decision.looks.insert(id)
            alert(.messagesDropped(value))
        }
        for notice in slice.notices where notice.account == account {
            guard let held = attempts[id], !decision.removes.contains(where: { $0.isSame(as: notice) }) else {
                continue
            }
            let isOwn = notice.values.contains(value) && fits(notice, held)
            let isAlone = notice.original == nil && notice.values.contains(value) && followsWhatItNames(notice)
            let isOnPayment = notice.original == value || notice.subject == .attempt(id) || isAlone
            guard isOwn || isOnPayment && held.intent.isOrigin else { continue }
            if !isOwn, isUntold(notice, held) {
                awaitEnd(notice, held)
                continue
            }
            decision.removes.append(notice)
            if !isOwn {
                _ = adopt(notice, held)
            } else if isCounted(notice, held) {
                _ = file("The import had counted it.")
            } else if let verdict = notice.verdict, failsInPart(verdict, notice, held) {
                contradict(id)
                _ = file("Only a part of it failed.")
            } else if isPart(notice, of: held) {
                decision.looks.insert(id)
            } else if let verdict = notice.verdict {
                // It is about the request whose answer gave the name.
                if record(verdict, notice.evidence, id, run: nil, request: request) != nil { decision.looks.insert(id) }
            }
        }
    }

    // MARK: - The provider's own movements

    /// What the provider did on a payment of this journal is an attempt of its own at once, whatever the message says. An
    /// amount that is not said blocks like a doubt.
    mutating func adopt(_ notice: Notice, _ origin: Attempt) -> JournalAnswer {
        let payment = origin.intent.attempt
        guard let verdict = notice.verdict, let operation = movement(notice.operations, on: origin) else {
            let isOther = !notice.operations.isEmpty && notice.operations.allSatisfy { $0.movementKind == .none }
            // A further charge under a name of its own is no attempt's, and no movement that can be booked.
            let isNamed = attempts[payment]?.names.contains {
                $0.account == notice.account && notice.values.contains($0.value)
            }
            let isFurther = isCharge(notice, on: origin) && isNamed != true && holders(of: notice).isEmpty
            if isOther || isFurther, notice.verdict?.approval != nil { raiseUnbooked(notice, origin) }
            return hint(payment)
        }
        if operation == .capture, origin.intent.operation != .authorize { return capturedSale(verdict, notice, origin) }
        // The payment may have got its name by this very entry.
        let taken = attempts[payment]?.names.filter { $0.account == notice.account }.map(\.value) ?? []
        if let original = notice.original, !notice.values.isEmpty, !notice.values.contains(original),
            notice.values.allSatisfy(taken.contains)
        {
            return written(payment, file("A request of the payment itself did it."))
        }
        let free = notice.values.filter {
            Self.isName($0) && !taken.contains($0) && holders($0, notice.account).isEmpty
        }
        let own = free.first
        if operation == .chargeback, own == nil, let one = onlyDispute(verdict, notice, origin) {
            return movement(verdict.under(attempts[one]?.standingReport?.verdict?.references ?? [:]), notice, one)
        }
        guard let id = AttemptID.movement(notice.account, operation, own ?? "message \(notice.id)") else {
            return keep(notice)
        }
        guard attempts[id] == nil else { return movement(verdict, notice, id) }
        let currency = origin.intent.amount.currency
        var amount = verdict.approval?.amount ?? notice.amount ?? .zero(currency)
        // What moves less than nothing is a message that was read wrongly: how much it is, a person says.
        if amount.isNegative { amount = .zero(amount.currency) }
        var intent = Attempt.Intent(
            id, operation, amount, payment: PaymentID(payment), scope: origin.intent.scope)
        intent.isLastCapture = operation == .capture && notice.capturesOnce
        create(intent, at: origin.named(notice.account), countedUpTo: origin.listedUpTo)
        // What follows a payment shows that it was executed.
        if origin.isOpen, verdict.approval != nil { decision.looks.insert(payment) }
        if amount.currency != currency { alert(.otherCurrency(id)) }
        let answer = movement(verdict, notice, id, isNamed: own != nil)
        // Later messages may carry any of them.
        name(free, id, request: nil)
        if own != nil, verdict.approval != nil, takeLifting(id) { return written(id) }
        return answer
    }

    /// Shows a person money that moved and that no rule books: in the timeline, and as a mark that stays until a person has
    /// seen it. Further messages that say the same, such as a copy that differs in its time, raise nothing until then.
    private mutating func raiseUnbooked(_ notice: Notice, _ origin: Attempt) {
        let payment = origin.intent.attempt
        let name = notice.values.first { $0 != notice.original } ?? ""
        let mark = Notice.of(.unbooked(PaymentID(payment), notice.marked(name)), at: notice.account)
        let known = mark.values.map { ProviderName(mark.account, $0) }.filter { !reads.names.contains($0) }
        decision.needs.names.formUnion(known)
        // Several messages that waited may count in one entry.
        if (slice.notices + decision.keeps).contains(where: { $0.isSame(as: mark) }) { return }
        decision.keeps.append(mark)
        alert(.unclear(payment))
    }

    /// A chargeback takes over what lifted it and came first, under the payment's name alone.
    private mutating func takeLifting(_ id: AttemptID) -> Bool {
        guard let held = attempts[id], held.intent.operation == .chargeback else { return false }
        let first = record(held.intent.paymentID).attempts.first { other in
            other.intent.operation == .chargeback && other.names.isEmpty && other.state == .declined
                && other.account == held.account && other.intent.amount == held.intent.amount
        }
        guard let first, let report = first.reports.last, let verdict = report.verdict else { return false }
        let own = verdict.under(held.standingReport?.verdict?.references ?? [:])
        say(own, report.evidence, of: id)
        append(.absorbed(by: id), first.intent.attempt)
        return true
    }

    /// The only chargeback of a payment that a message can be about which names the payment alone: a failure lifts one that
    /// stands, and an approval brings back one that was lifted.
    private func onlyDispute(_ verdict: Verdict, _ notice: Notice, _ origin: Attempt) -> AttemptID? {
        let due: Attempt.State = verdict.approval == nil ? .approved : .reversed
        let fitting = record(origin.intent.paymentID).attempts.filter { held in
            held.intent.operation == .chargeback && held.account == notice.account && held.state == due
                && (notice.amount ?? verdict.approval?.amount).map { $0 == held.moved || $0 == held.intent.amount }
                    ?? false
        }
        return fitting.count == 1 ? fitting.first?.intent.attempt : nil
    }

    /// What a movement of the provider's own is, if a message can be about several kinds; nil if that is not clear.
    ///
    /// What takes a payment back as a whole, as a void of a hold and as a refund of what was charged, is a refund of its
    /// amount where something was charged.
    private func movement(_ operations: Set<PaymentOperation>, on origin: Attempt) -> PaymentOperation? {
        let kinds = Set(operations.map(\.movementKind)).subtracting([.pays, .none])
        switch kinds {
        case [.captures]: return .capture
        case [.voids]: return .void
        case [.refunds]: return operations.contains(.refund) ? .refund : operations.first
        case [.refunds, .voids]:
            guard origin.state == .approved else { return nil }
            let payment = record(origin.intent.paymentID)
            let isCapturing = payment.attempts.contains { $0.intent.operation == .capture && $0.isOpen }
            return payment.amounts.captured.isZero && !isCapturing ? .void : .refund
        default: return nil
        }
    }

    /// Records a verdict about a movement of the provider's own; each counts.
    ///
    /// The movement stays in doubt, reserves its amount, and a person says which one it is: if it has no name of its own, if
    /// it may be our own attempt that has none, or if it is not known whether an import had counted it.
    private mutating func movement(
        _ verdict: Verdict, _ notice: Notice, _ id: AttemptID, isNamed: Bool = true
    ) -> JournalAnswer {
        guard let held = attempts[id] else { return .kept }
        let payment = record(held.intent.paymentID)
        if let approval = unclear(verdict, notice, held, payment, isNamed) {
            if held.disputes.isEmpty {
                append(
                    .disputed(
                        .init(
                            approval: approval, evidence: notice.evidence, names: notice.values, holder: nil,
                            entry: entry(id))), id)
                alert(.unclear(id))
            }
            return written(id)
        }
        let report = Attempt.Report(.verdict(verdict), notice.evidence, run: 1, entry: entry(id), at: now)
        if held.reports.contains(where: { $0.what == report.what && $0.evidence == report.evidence }) {
            return written(id)
        }
        let isWrong =
            held.reports.isEmpty
            ? verdict.approval != nil
                && payment.contradicts(held.intent.operation, besides: id, isHoldOver: isOver(payment.holdEndsAt))
            : held.isContradicted(by: report)
        append(.report(report), id)
        if held.intent.operation == .chargeback, verdict.approval != nil { alert(.chargedBack(id)) }
        // What a person said was moved, without a name, may be this movement.
        let isSaid = payment.attempts.contains { other in
            other.intent.attempt != id && other.isByProvider && other.names.isEmpty && other.isLike(held)
                && other.state == .approved && other.reports.contains { $0.isApproval && $0.evidence.isPerson }
        }
        if isWrong || isSaid && verdict.approval != nil && held.reports.isEmpty { contradict(id) }
        if verdict.isLateFailure {
            lookAtNameless(like: held, payment)
            // What failed was never approved under this name: it may be another movement that came back.
            let others = payment.attempts.filter { $0.intent.attempt != id && $0.isLike(held) && $0.state == .approved }
            if !held.hasApproval, !others.isEmpty { alert(.unclear(id)) }
        }
        return written(id)
    }

    /// What failed under a name of its own may be our own attempt that has no name.
    private mutating func lookAtNameless(like held: Attempt, _ payment: PaymentRecord) {
        for other in payment.attempts where other.isNamelessApproval && other.isLike(held) {
            decision.looks.insert(other.intent.attempt)
            alert(.unclear(other.intent.attempt))
        }
    }

    /// The approval of a movement of which a person has to say which one it is; nil if that is clear.
    private func unclear(
        _ verdict: Verdict, _ notice: Notice, _ held: Attempt, _ payment: PaymentRecord, _ isNamed: Bool
    ) -> Approval? {
        guard !held.hasApproval else { return nil }
        let failed =
            verdict.isLateFailure ? Approval(notice.amount ?? held.intent.amount, references: verdict.references) : nil
        guard let approval = verdict.approval ?? failed else { return nil }
        let time = verdict.approval?.executedAt ?? notice.providerTime
        if held.runs[0].countedUpTo != nil, time == nil { return approval }
        // A movement over nothing, or over less, is one of which the amount is not known.
        if let amount = verdict.approval?.amount, amount.minorUnits <= 0, held.intent.operation.movementKind != .none {
            return approval
        }
        guard verdict.approval != nil else { return nil }
        let isNamelessThere = payment.attempts.contains { other in
            other.isLike(held) && (other.isNamelessApproval || other.mayHaveCounted(approval.amount, at: time, held))
        }
        return !isNamed || isNamelessThere ? approval : nil
    }

    /// A sale counts as captured already: the capture's name is the sale's, an approval confirms it, and whatever else becomes
    /// of the capture is a late failure of the sale.
    private mutating func capturedSale(_ verdict: Verdict, _ notice: Notice, _ origin: Attempt) -> JournalAnswer {
        let id = origin.intent.attempt
        if isCounted(notice, origin) { return written(id, file("The import had counted it.")) }
        if failsInPart(verdict, notice, origin) {
            contradict(id)
            return written(id, file("Only a part of its capture failed."))
        }
        let standing = Self.captures(of: origin)
        let isMine: ([String]) -> Bool = { $0.contains(where: notice.values.contains) }
        // A failure ends the sale if no other capture of it was executed. A refusal is a hint where the provider can be asked.
        if verdict.isDecline {
            let isAnother = standing.contains { !isMine($0) }
            let executions = origin.executions
            let done = executions.filter { $0.account == notice.account }.flatMap(\.runs)
            // What another account refuses ends nothing here.
            let isElsewhere = done.isEmpty && !executions.isEmpty
            let canAsk = origin.runs.contains { run in
                (done.isEmpty ? run.account == notice.account : done.contains(run.number)) && run.canLookUp
            }
            if isAnother || isElsewhere || !verdict.isLateFailure && canAsk && !standing.contains(where: isMine) {
                if isAnother, verdict.isLateFailure { contradict(id) }
                decision.looks.insert(id)
                noteCapture(of: origin, standing.filter(isMine).compactMap(\.first), hasFailed: true)
                return written(id, file("Another capture of it was executed, or it has to be asked for."))
            }
        }
        name(notice.values, id, request: nil, at: notice.account)
        if case .approved = verdict, !standing.contains(where: isMine) { noteCapture(of: origin, notice.values) }
        switch verdict {
        case .declined(let decline):
            let failure = Decline(.failedAfterApproval, provider: decline.provider)
            return written(id, record(.declined(failure), notice.evidence, id, run: nil, request: nil))
        case .cancelled(let cancellation):
            let failure = Decline(.failedAfterApproval, provider: cancellation.provider ?? ProviderMessage(code: ""))
            return written(id, record(.declined(failure), notice.evidence, id, run: nil, request: nil))
        case .pending: return hint(id)
        case .approved(var approval):
            if origin.state == .approved {
                if approval.amount != origin.moved { alert(.otherAmount(id)) }
                if isAfterVoid(notice, of: origin) { contradict(id) }
                // Said again, it was made good: it is later than a failure that may still come.
                guard standing.contains(where: isMine), approval.amount == origin.moved else { return written(id) }
            }
            approval.references = [:]
            return written(id, record(.approved(approval), notice.evidence, id, run: nil, request: nil))
        }
    }

    /// Whether a message says that something was executed after the payment had been voided as a whole.
    private func isAfterVoid(_ notice: Notice, of origin: Attempt) -> Bool {
        let payment = record(origin.intent.paymentID)
        guard payment.amounts.isVoided, let time = notice.providerTime else { return false }
        let voids = payment.attempts.filter { $0.intent.operation == .void && $0.state == .approved }
        return voids.contains { ($0.standingReport?.executedAt ?? $0.standingReport?.at.wall ?? .max) < time }
    }

    /// What the provider calls the executed captures of a sale that have not failed: the names of each.
    private static func captures(of origin: Attempt) -> [[String]] {
        var found: [[String]] = []
        for note in origin.notes {
            if note.name == captureNote { found.append([note.value]) }
            if note.name == failedCaptureNote { found.removeAll { $0.first == note.value } }
            if let place = found.firstIndex(where: { note.name == "\(captureNote) \($0[0])" }) {
                found[place].append(note.value)
            }
        }
        return found
    }

    /// Notes the names of an executed capture of a sale, or those captures that failed.
    private mutating func noteCapture(of origin: Attempt, _ values: [String], hasFailed: Bool = false) {
        guard let run = origin.newest?.number, let first = values.first else { return }
        for value in values {
            let other = value == first ? Self.captureNote : "\(Self.captureNote) \(first)"
            let note = Attempt.Note(run: run, name: hasFailed ? Self.failedCaptureNote : other, value: value)
            append(.note(note), origin.intent.attempt)
        }
    }

    private static let (captureNote, failedCaptureNote) = ("capture", "failed capture")

    /// What is known about a movement that one of our attempts turned out to be is recorded as messages about the request that
    /// got its name.
    mutating func takeOverReports(of other: Attempt, _ id: AttemptID, request: Int?, isByPerson: Bool) {
        for name in other.names {
            if attempts[id]?.has(ProviderName(name.account, name.value)) ?? false { continue }
            append(
                .named(.init(account: name.account, value: name.value, request: request, isByPerson: isByPerson)), id)
        }
        let said = other.reports.compactMap { report in report.verdict.map { ($0, report.evidence, report.entry) } }
        let disputed = other.disputes.map { (Verdict.approved($0.approval), $0.evidence, $0.entry) }
        for (verdict, evidence, entry) in said + disputed {
            if record(verdict, evidence, id, run: nil, request: request, first: entry) != nil {
                decision.looks.insert(id)
            }
        }
    }
}

extension Verdict {
    /// The same under other names of the provider's, where it says what was executed or refused.
    package func under(_ names: PaymentReferences) -> Verdict {
        switch self {
        case .approved(var approval):
            approval.references = names
            return .approved(approval)
        case .declined(var decline):
            decline.references = names
            return .declined(decline)
        case .cancelled, .pending: return self
        }
    }
}

extension Attempt {
    /// Whether it is our own follow-up, approved without a name.
    fileprivate var isNamelessApproval: Bool {
        !requests.isEmpty && state == .approved && names.isEmpty && !intent.isOrigin
    }

    fileprivate func isLike(_ other: Attempt) -> Bool { intent.operation.isLike(other.intent.operation) }

    /// Whether it came from a sum of a statement, which has no name, and that sum may have counted a movement over an amount at
    /// a time: a person says which one it is. What the import of the payment itself had counted is known by its time alone.
    fileprivate func mayHaveCounted(_ amount: Money, at time: Int64?, _ movement: Attempt) -> Bool {
        let known = movement.runs.first?.countedUpTo ?? .min
        guard isImported, !intent.isOrigin, names.isEmpty, state == .approved, let upTo = importedUpTo, upTo > known
        else { return false }
        let sum = moved ?? intent.amount
        guard amount.currency == sum.currency, amount.minorUnits <= sum.minorUnits else { return false }
        return time.map { $0 > known && $0 <= upTo.addingSaturating(Self.statementMarginMilliseconds) } ?? true
    }

    /// By how much a provider's clock can be behind the one that says when a statement was made, in milliseconds.
    private static let statementMarginMilliseconds: Int64 = 60_000
}
